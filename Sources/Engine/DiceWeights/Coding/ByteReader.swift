/// Reads fields from a part of a file, never beyond its end.
struct ByteReader: FieldCoder {
  let bytes: [UInt8]
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

  mutating func integer(_ value: inout UInt64, _ byteCount: Int) throws(WeightFileError) {
    var word: UInt64 = 0
    for index in try take(byteCount).reversed() { word = word &<< 8 | UInt64(bytes[index]) }
    value = word
  }

  mutating func text(
    _ value: inout String, _ field: WeightFileError.TextField, _ allowed: ClosedRange<Int>
  ) throws(WeightFileError) {
    var count = 0
    try uint32(&count)
    try WeightFileError.check(count, in: allowed) { (found, allowed) in
      .textLength(field, byteCount: found, allowed: allowed)
    }
    let range = try take(count)
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw .textNotUTF8(field)
    }
    value = text
  }

  mutating func section(
    _ tag: StaticString, _ content: (inout ByteReader) throws(WeightFileError) -> Void
  ) throws(WeightFileError) {
    let (found, range) = try nextSection()
    guard Array(tag.description.utf8) == Array(bytes[found]) else {
      throw .unexpectedSection(
        found: Array(bytes[found]), required: tag.description, offset: found.lowerBound)
    }
    var part = ByteReader(bytes, range, section: tag.description)
    try content(&part)
    guard part.remaining == 0 else {
      throw .sectionTooLong(section: part.section, unused: part.remaining)
    }
  }

  mutating func record(
    ofLayer index: Int, _ fields: (inout ByteReader) throws(WeightFileError) -> Void
  ) throws(WeightFileError) {
    var byteCount = 0
    try uint16(&byteCount)
    let start = offset
    try fields(&self)
    guard offset - start == byteCount else {
      throw .layerRecordLength(layer: index, found: byteCount, required: offset - start)
    }
  }

  /// Moves over a section and returns where its tag and its content lie.
  mutating func nextSection() throws(WeightFileError) -> (tag: Range<Int>, content: Range<Int>) {
    let tag = try take(4)
    var count = 0
    try uint32(&count)
    return (tag, try take(count))
  }

  /// Moves over sections that a newer minor version has appended: their tags begin with a lower-case
  /// letter.
  mutating func skipOptionalSections(minorVersion: Int) throws(WeightFileError) {
    while remaining > 0 {
      let (tag, _) = try nextSection()
      let isOptional = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[tag.lowerBound])
      guard isOptional, minorVersion > WeightFormat.minorVersion else {
        throw .unexpectedSection(
          found: Array(bytes[tag]), required: "", offset: tag.lowerBound)
      }
    }
  }

  /// Reads bytes that must be zero.
  mutating func zeros(_ count: Int) throws(WeightFileError) {
    for index in try take(count) where bytes[index] != 0 {
      throw .reservedByteNotZero(offset: index)
    }
  }
}
