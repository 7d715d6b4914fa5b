/// Reads little-endian fields from a part of a file, never beyond its end.
struct ByteReader {
  private let bytes: [UInt8]
  /// What is read, for error messages: the section's tag.
  let section: String
  /// The offset in the file of the next field.
  private(set) var offset: Int
  /// The offset in the file behind the part.
  let end: Int

  /// - Precondition: `range` lies within `bytes`.
  init(_ bytes: [UInt8], _ range: Range<Int>, section: String) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    self.section = section
    offset = range.lowerBound
    end = range.upperBound
  }

  /// The bytes that are left.
  var remaining: Int { end - offset }

  /// Moves over `count` bytes and returns their range in the file.
  mutating func take(_ count: Int) throws(WeightFileError) -> Range<Int> {
    guard count <= remaining else {
      throw .sectionTruncated(
        section: section, offset: offset, required: count, available: remaining)
    }
    let range = offset..<offset + count
    offset = range.upperBound
    return range
  }

  mutating func uint8() throws(WeightFileError) -> UInt8 {
    bytes[try take(1).lowerBound]
  }

  mutating func uint16() throws(WeightFileError) -> Int {
    Int(try word(2))
  }

  /// A 32-bit count, size or index.
  ///
  /// Where `Int` has 32 bits, values beyond `Int.max`, which are
  /// beyond every limit, become `Int.max`.
  mutating func uint32() throws(WeightFileError) -> Int {
    Int(clamping: try word(4))
  }

  mutating func uint64() throws(WeightFileError) -> UInt64 {
    try word(8)
  }

  mutating func float() throws(WeightFileError) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: try word(4)))
  }

  /// Reads bytes that must be zero.
  mutating func zeros(_ count: Int) throws(WeightFileError) {
    for index in try take(count) where bytes[index] != 0 {
      throw .reservedByteNotZero(offset: index)
    }
  }

  /// A text: its length in bytes, then its UTF-8.
  mutating func text(_ field: WeightFileError.TextField) throws(WeightFileError) -> String {
    let count = try uint32()
    try WeightFileError.check(count, in: TextRule.byteCounts(field)) { (found, allowed) in
      .textLength(field, byteCount: found, allowed: allowed)
    }
    let range = try take(count)
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw .textNotUTF8(field)
    }
    return text
  }

  /// Checks that the part is used up.
  func finish() throws(WeightFileError) {
    guard remaining == 0 else { throw .sectionTooLong(section: section, unused: remaining) }
  }

  private mutating func word(_ count: Int) throws(WeightFileError) -> UInt64 {
    var result: UInt64 = 0
    for index in try take(count).reversed() {
      result = result &<< 8 | UInt64(bytes[index])
    }
    return result
  }
}
