/// Puts the pieces of a line in order, and says which neighbours can be one digit.
struct PieceOrder {
  /// The most pieces of a digit.
  static let piecesPerDigit = 6
  /// The most pieces of a line that are searched at once.
  static let rowLimit = 80

  let ink: InkPieces

  /// The pieces of a line from left to right, in parts that are searched one by one.
  func parts(of members: [Int]) -> [[Int]] {
    let sorted = sorted(members)
    return stride(from: 0, to: sorted.count, by: Self.rowLimit).map { first in
      Array(sorted[first..<min(first + Self.rowLimit, sorted.count)])
    }
  }

  /// The groups that begin with a piece of a part: the piece alone, and it with those behind it, as
  /// long as they are no larger than a digit.
  ///
  /// - Parameters:
  ///   - start: the place of the piece in `part`.
  ///   - part: pieces from left to right.
  ///   - unit: the usual height of a digit.
  func groups(from start: Int, in part: [Int], unit: Float) -> [ArraySlice<Int>] {
    (start + 1...min(start + Self.piecesPerDigit, part.count)).compactMap { end in
      let group = part[start..<end]
      return group.count == 1 || fits(group, unit: unit) ? group : nil
    }
  }

  /// Whether ink is high enough to have a digit's shape: a dot or a bar has none.
  ///
  /// - Parameters:
  ///   - height: of the ink, in pixels.
  ///   - unit: the usual height of a digit.
  static func hasShape(height: Int, unit: Float) -> Bool {
    height >= PieceRows.leastHeight && Float(height) >= 0.25 * unit
  }

  /// Pieces from left to right by their middles; the parts of one piece stay in their order.
  private func sorted(_ members: [Int]) -> [Int] {
    let keys = keys(of: members)
    return members.indices.sorted { (keys[$0], members[$0]) < (keys[$1], members[$1]) }
      .map { members[$0] }
  }

  private func keys(of members: [Int]) -> [Int] {
    var greatest: [Int32: Int] = [:]
    var keys = [Int](repeating: 0, count: members.count)
    for place in members.indices.sorted(by: { members[$0] < members[$1] }) {
      let member = members[place]
      let origin = ink.pieces[member].origin
      keys[place] = max(greatest[origin] ?? Int.min, middle(member))
      greatest[origin] = keys[place]
    }
    return keys
  }

  private func middle(_ index: Int) -> Int {
    ink.pieces[index].columns.lowerBound + ink.pieces[index].columns.upperBound
  }

  /// Whether a group is no larger than a digit of a line's usual height can be.
  private func fits(_ members: ArraySlice<Int>, unit: Float) -> Bool {
    let box = ink.box(of: members)
    return Float(box.columns.count) <= 1.7 * unit && Float(box.rows.count) <= 1.9 * unit
  }
}
