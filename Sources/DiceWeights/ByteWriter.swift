/// Appends little-endian fields to a file.
struct ByteWriter {
  private(set) var bytes: [UInt8]

  /// Goes on behind some bytes.
  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  mutating func uint8(_ value: UInt8) { bytes.append(value) }

  mutating func uint16(_ value: UInt16) { append(UInt64(value), 2) }

  /// - Precondition: `value` has passed the limits of the format.
  mutating func uint32(_ value: Int) { append(UInt64(UInt32(value)), 4) }

  mutating func uint64(_ value: UInt64) { append(value, 8) }

  mutating func float(_ value: Float) { append(UInt64(value.bitPattern), 4) }

  mutating func zeros(_ count: Int) {
    bytes.append(contentsOf: repeatElement(0, count: count))
  }

  mutating func text(_ text: String) {
    uint32(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes a tag, the length of what `content` writes, and that.
  mutating func section(_ tag: StaticString, _ content: (inout ByteWriter) -> Void) {
    bytes.append(contentsOf: DescriptionDecoder.tag(tag))
    let start = bytes.count
    uint32(0)
    content(&self)
    replace(at: start, with: UInt64(bytes.count - start - 4), 4)
  }

  /// Overwrites a field of `count` bytes.
  mutating func replace(at offset: Int, with value: UInt64, _ count: Int) {
    for index in 0..<count {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value &>> UInt64(8 * index))
    }
  }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  private mutating func append(_ value: UInt64, _ count: Int) {
    for index in 0..<count {
      bytes.append(UInt8(truncatingIfNeeded: value &>> UInt64(8 * index)))
    }
  }
}
