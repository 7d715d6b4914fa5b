/// Finds what a misspelt word may have meant.
package enum Suggestion {
  /// The word nearest to what was written; nil where none is near.
  ///
  /// Letter case and dashes at the front do not count. Near is a word that begins with what was
  /// written (three letters or more), or whose edit distance is at most a third of the longer
  /// word's length. Of equally near ones the first is taken.
  package static func nearest(to written: String, among words: [String]) -> String? {
    let wanted = plain(written)
    // What no one types by mistake is not compared: the time stays bounded.
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    var best: (word: String, distance: Int)?
    for word in words {
      let candidate = plain(word)
      let isBeginning = wanted.count >= 3 && candidate.starts(with: wanted)
      let distance = isBeginning ? 1 : editDistance(wanted, candidate)
      let limit = isBeginning ? 1 : max(wanted.count, candidate.count) / 3
      if distance <= limit, distance < best?.distance ?? .max { best = (word, distance) }
    }
    return best?.word
  }

  /// How many insertions, removals, replacements and swaps of neighbours lead from one word to the
  /// other, where no part is edited twice (the optimal string alignment distance).
  ///
  /// - Complexity: O(n m) in the lengths.
  package static func editDistance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (row, byte) in one.enumerated() {
      var current = [row + 1]
      for (column, otherByte) in other.enumerated() {
        var distance = min(
          last[column + 1] + 1, current[column] + 1, last[column] + (byte == otherByte ? 0 : 1))
        if row > 0, column > 0, byte == other[column - 1], one[row - 1] == otherByte {
          distance = min(distance, beforeLast[column - 1] + 1)
        }
        current.append(distance)
      }
      beforeLast = last
      last = current
    }
    return last[other.count]
  }

  private static func plain(_ word: String) -> [UInt8] {
    Array(word.lowercased().utf8.drop { $0 == UInt8(ascii: "-") })
  }
}
