/// Reads the fields of a protocol buffers message, never beyond its end.
///
/// Fields that a format's reader does not know are simply not looked at. Nothing is copied but what
/// is asked for.
///
/// Source: Protocol Buffers documentation, "Encoding".
struct ProtobufReader {
  /// A field: its number, where it begins, and its content.
  struct Field {
    let number: Int
    let offset: Int
    let content: Content
  }

  /// What a field holds.
  enum Content {
    case varint(UInt64)
    case word64(UInt64)
    case word32(UInt32)
    /// A text, bytes, a message or packed numbers: where they lie.
    case bytes(Range<Int>)
  }

  /// The deepest nesting of messages.
  static let depthLimit = 64

  let bytes: [UInt8]
  private(set) var offset: Int
  let end: Int
  private let depth: Int

  /// Reads a whole file.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    offset = 0
    end = bytes.count
    depth = 0
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>, depth: Int) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
    self.depth = depth
  }

  /// The next field; nil at the message's end.
  mutating func next() throws(ProtobufError) -> Field? {
    guard offset < end else { return nil }
    let start = offset
    let key = try varint()
    let number = key >> 3
    guard (1...536_870_911).contains(number) else { throw .fieldNumber(offset: start) }
    let content: Content
    switch key & 7 {
    case 0: content = .varint(try varint())
    case 1: content = .word64(try word(8, start))
    case 2:
      let count = try varint()
      guard count <= UInt64(end - offset) else { throw .truncated(offset: start) }
      content = .bytes(offset..<offset + Int(count))
      offset += Int(count)
    case 5: content = .word32(UInt32(truncatingIfNeeded: try word(4, start)))
    default: throw .wireType(offset: start, found: Int(key & 7))
    }
    return Field(number: Int(number), offset: start, content: content)
  }

  private mutating func varint() throws(ProtobufError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard offset < end else { throw .truncated(offset: start) }
      let byte = bytes[offset]
      offset += 1
      guard shift < 63 || byte <= 1 else { throw .varintTooLong(offset: start) }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  private mutating func word(_ count: Int, _ start: Int) throws(ProtobufError) -> UInt64 {
    guard end - offset >= count else { throw .truncated(offset: start) }
    var value: UInt64 = 0
    for index in (offset..<offset + count).reversed() { value = value << 8 | UInt64(bytes[index]) }
    offset += count
    return value
  }

  // MARK: Contents

  /// A reader of a field that is a message.
  func message(_ field: Field) throws(ProtobufError) -> ProtobufReader {
    guard depth < Self.depthLimit else {
      throw .tooDeep(offset: field.offset, limit: Self.depthLimit)
    }
    return ProtobufReader(bytes, try range(field), depth: depth + 1)
  }

  /// Where a field's bytes lie.
  func range(_ field: Field) throws(ProtobufError) -> Range<Int> {
    guard case .bytes(let range) = field.content else { throw mismatch(field) }
    return range
  }

  /// A field of type string.
  func text(_ field: Field) throws(ProtobufError) -> String {
    guard let text = String(validating: bytes[try range(field)], as: UTF8.self) else {
      throw .textNotUTF8(offset: field.offset)
    }
    return text
  }

  /// A field of type int32, int64, uint64, bool or enum.
  func integer(_ field: Field) throws(ProtobufError) -> Int {
    guard case .varint(let value) = field.content else { throw mismatch(field) }
    return Int(truncatingIfNeeded: value)
  }

  /// A field of type float.
  func float(_ field: Field) throws(ProtobufError) -> Float {
    guard case .word32(let word) = field.content else { throw mismatch(field) }
    return Float(bitPattern: word)
  }

  /// A field of type double.
  func double(_ field: Field) throws(ProtobufError) -> Double {
    guard case .word64(let word) = field.content else { throw mismatch(field) }
    return Double(bitPattern: word)
  }

  /// Adds the numbers of a repeated field of integers, packed or one by one.
  func append(_ field: Field, to integers: inout [Int]) throws(ProtobufError) {
    guard case .bytes(let range) = field.content else {
      integers.append(try integer(field))
      return
    }
    var part = ProtobufReader(bytes, range, depth: depth)
    while part.offset < part.end { integers.append(Int(truncatingIfNeeded: try part.varint())) }
  }

  /// Adds the numbers of a repeated field of type float, packed or one by one.
  func append(_ field: Field, to floats: inout [Float]) throws(ProtobufError) {
    guard case .bytes(let range) = field.content else {
      floats.append(try float(field))
      return
    }
    guard range.count % 4 == 0 else { throw .truncated(offset: field.offset) }
    var part = ProtobufReader(bytes, range, depth: depth)
    floats.reserveCapacity(floats.count + range.count / 4)
    while part.offset < part.end {
      floats.append(Float(bitPattern: UInt32(truncatingIfNeeded: try part.word(4, field.offset))))
    }
  }

  /// Adds the numbers of a repeated field of type double, packed or one by one.
  func append(_ field: Field, to doubles: inout [Double]) throws(ProtobufError) {
    guard case .bytes(let range) = field.content else {
      doubles.append(try double(field))
      return
    }
    guard range.count % 8 == 0 else { throw .truncated(offset: field.offset) }
    var part = ProtobufReader(bytes, range, depth: depth)
    while part.offset < part.end {
      doubles.append(Double(bitPattern: try part.word(8, field.offset)))
    }
  }

  private func mismatch(_ field: Field) -> ProtobufError {
    .fieldType(offset: field.offset, field: field.number)
  }
}
