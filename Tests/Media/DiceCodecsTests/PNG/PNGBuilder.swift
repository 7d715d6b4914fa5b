import DiceCodecs

/// Writes PNG files chunk by chunk, right or wrong.
struct PNGBuilder {
  var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A file whose header states the given values.
  init(
    width: UInt32 = 1, height: UInt32 = 1, bitDepth: UInt8 = 8, colorType: UInt8 = 0,
    methods: [UInt8] = [0, 0, 0]
  ) {
    self = adding(
      "IHDR",
      Self.bigEndian(width) + Self.bigEndian(height) + [bitDepth, colorType] + methods)
  }

  /// The file with one more chunk.
  func adding(_ type: String, _ data: [UInt8] = []) -> PNGBuilder {
    var copy = self
    let body = Array(type.utf8) + data
    copy.bytes += Self.bigEndian(UInt32(data.count)) + body
    copy.bytes += Self.bigEndian(CRC32.checksum(body))
    return copy
  }

  /// The file with rows in one chunk.
  func adding(rows: [UInt8]) -> PNGBuilder {
    adding("IDAT", Deflate.zlib(rows))
  }

  /// The file with its end.
  func ended() -> [UInt8] {
    adding("IEND").bytes
  }

  /// The file with the right checksum behind each chunk, as far as its lengths lead.
  static func repairingChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var offset = 8
    while bytes.count - offset >= 12 {
      let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - offset - 12 else { break }
      let end = offset + 8 + length
      bytes.replaceSubrange(
        end..<end + 4, with: bigEndian(CRC32.checksum(bytes[offset + 4..<end])))
      offset = end + 4
    }
    return bytes
  }
}
