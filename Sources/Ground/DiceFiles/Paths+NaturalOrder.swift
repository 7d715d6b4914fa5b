extension Paths {
  /// Whether a path comes before another in the order in which people count: `frame_9.jpg` before
  /// `frame_10.jpg`.
  ///
  /// Runs of the digits 0 to 9 are compared as numbers, however long; all else is compared byte by
  /// byte as UTF-8, and a folder before names that begin with its own. Of paths that differ in
  /// leading zeros alone, the one with fewer zeros in the first such place comes first. This is a
  /// strict total order: equal are only paths that are the same.
  ///
  /// - Complexity: O(n) in the length of the paths.
  public static func precedesNaturally(_ first: String, _ second: String) -> Bool {
    precedes(Array(first.utf8), Array(second.utf8))
  }

  /// The paths in the order of `precedesNaturally(_:_:)`.
  ///
  ///     let frames = Paths.sortedNaturally(try FileSystem.files(in: folder))
  ///
  /// - Complexity: O(n log n) comparisons.
  public static func sortedNaturally(_ paths: [String]) -> [String] {
    var keyed = paths.map { (bytes: [UInt8]($0.utf8), path: $0) }
    keyed.sort { precedes($0.bytes, $1.bytes) }
    return keyed.map { $0.path }
  }

  private static func precedes(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    var (i, j) = (0, 0)
    // How leading zeros compare in the first place where they differ.
    var fewerZeros: Bool?
    while i < first.count, j < second.count {
      if isDigit(first[i]), isDigit(second[j]) {
        let (zeros, otherZeros) = (run(first, i, isZero), run(second, j, isZero))
        if zeros != otherZeros, fewerZeros == nil { fewerZeros = zeros < otherZeros }
        i += zeros
        j += otherZeros
        let (digits, otherDigits) = (run(first, i, isDigit), run(second, j, isDigit))
        if digits != otherDigits { return digits < otherDigits }
        for _ in 0..<digits {
          if first[i] != second[j] { return first[i] < second[j] }
          i += 1
          j += 1
        }
      } else {
        if first[i] != second[j] {
          // A slash ends a name, so it comes before whatever goes on.
          if first[i] == slash || second[j] == slash { return first[i] == slash }
          return first[i] < second[j]
        }
        i += 1
        j += 1
      }
    }
    if i < first.count || j < second.count { return j < second.count }
    return fewerZeros ?? false
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isZero(_ byte: UInt8) -> Bool { byte == 0x30 }

  private static func run(_ bytes: [UInt8], _ start: Int, _ fits: (UInt8) -> Bool) -> Int {
    var end = start
    while end < bytes.count, fits(bytes[end]) { end += 1 }
    return end - start
  }
}
