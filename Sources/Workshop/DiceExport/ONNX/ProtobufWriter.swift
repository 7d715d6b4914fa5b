/// Appends fields of a protocol buffers message.
///
/// Source: Protocol Buffers documentation, "Encoding": varints, length-delimited fields, fixed
/// 32-bit fields.
struct ProtobufWriter {
  /// The bytes of the message so far.
  private(set) var bytes: [UInt8] = []

  /// A field of type int32, int64 or enum, for a value that is not negative.
  mutating func integer(_ field: Int, _ value: Int) {
    key(field, wireType: 0)
    varint(UInt64(value))
  }

  /// A field of type float.
  mutating func float(_ field: Int, _ value: Float) {
    key(field, wireType: 5)
    word(value.bitPattern)
  }

  /// A field of type string.
  mutating func string(_ field: Int, _ text: String) {
    beginBytes(field, count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// A field that is a message, written by `content`.
  mutating func message(_ field: Int, _ content: (inout ProtobufWriter) -> Void) {
    var writer = ProtobufWriter()
    content(&writer)
    message(field, writer.bytes)
  }

  /// A field that is a message, or of type bytes, whose content is there.
  mutating func message(_ field: Int, _ content: [UInt8]) {
    beginBytes(field, count: content.count)
    bytes.append(contentsOf: content)
  }

  /// The key and the length of a field whose content is appended afterwards.
  mutating func beginBytes(_ field: Int, count: Int) {
    key(field, wireType: 2)
    varint(UInt64(count))
  }

  /// Bytes of a field that ``beginBytes(_:count:)`` has begun.
  mutating func append(_ content: [UInt8]) { bytes.append(contentsOf: content) }

  /// Four bytes of a field that ``beginBytes(_:count:)`` has begun, little-endian.
  mutating func word(_ value: UInt32) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value &>> 8))
    bytes.append(UInt8(truncatingIfNeeded: value &>> 16))
    bytes.append(UInt8(truncatingIfNeeded: value &>> 24))
  }

  /// A number of a packed field that ``beginBytes(_:count:)`` has begun.
  mutating func number(_ value: Int) { varint(UInt64(value)) }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// The bytes of a length-delimited field with `count` bytes of content.
  static func byteCount(field: Int, count: Int) -> Int {
    varintByteCount(UInt64(field) << 3) + varintByteCount(UInt64(count)) + count
  }

  private mutating func key(_ field: Int, wireType: UInt64) {
    varint(UInt64(field) << 3 | wireType)
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private static func varintByteCount(_ value: UInt64) -> Int {
    max(1, (64 - value.leadingZeroBitCount + 6) / 7)
  }
}
