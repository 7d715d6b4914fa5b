internal import DiceWeights

/// Reads little-endian fields from a part of a file of version 1, never beyond its end.
struct VersionOneReader {
  let bytes: [UInt8]
  /// The offset in the file of the next field.
  private(set) var offset: Int
  /// The offset in the file behind the part.
  let end: Int

  /// - Precondition: `range` lies within `bytes`.
  init(_ bytes: [UInt8], _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
  }

  var remaining: Int { end - offset }

  mutating func take(_ count: Int) throws(VersionOneError) -> Range<Int> {
    guard count <= remaining else { throw .brokenRule(.sectionEnd, index: nil) }
    defer { offset += count }
    return offset..<offset + count
  }

  mutating func integer(_ byteCount: Int) throws(VersionOneError) -> UInt64 {
    var word: UInt64 = 0
    for index in try take(byteCount).reversed() { word = word << 8 | UInt64(bytes[index]) }
    return word
  }

  /// A field of 1, 2 or 4 bytes.
  mutating func number(_ byteCount: Int) throws(VersionOneError) -> Int {
    Int(clamping: try integer(byteCount))
  }

  /// A number of elements that must be in a range.
  mutating func count(
    _ allowed: ClosedRange<Int>, _ rule: VersionOneRule, byteCount: Int = 4, index: Int? = nil
  ) throws(VersionOneError) -> Int {
    let count = try number(byteCount)
    guard allowed.contains(count) else { throw .brokenRule(rule, index: index) }
    return count
  }

  mutating func float() throws(VersionOneError) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: try integer(4)))
  }

  mutating func zeros(_ count: Int) throws(VersionOneError) {
    for index in try take(count) where bytes[index] != 0 {
      throw .brokenRule(.reservedBytes, index: nil)
    }
  }

  mutating func text(
    _ allowed: ClosedRange<Int>, index: Int? = nil
  ) throws(VersionOneError) -> String {
    let range = try take(try count(allowed, .textLength, index: index))
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw .brokenRule(.textEncoding, index: index)
    }
    return text
  }

  /// Moves over a section and returns its tag and a reader of its content.
  mutating func section() throws(VersionOneError) -> (tag: [UInt8], content: VersionOneReader) {
    let tag = Array(bytes[try take(4)])
    let range = try take(try number(4))
    return (tag, VersionOneReader(bytes, range))
  }
}
