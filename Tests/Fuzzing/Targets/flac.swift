import DiceAudio

/// FLAC files; the checksum of the first frame's head is made right, so that what it guards is reached.
enum Target {
  static func run(_ bytes: [UInt8]) {
    do throws(FLACError) {
      let clip = try FLACFile(mended(bytes), sampleLimit: 1 << 17).clip
      require(clip.samples.allSatisfy { abs($0) <= 1 }, "samples in their range")
      require(clip.samples.count <= 1 << 17, "no more than the limit")
    } catch { require(error.description.hasSuffix("."), "an error is a sentence") }
  }

  /// The file with the checksum of the head of a frame at byte 42.
  private static func mended(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 60 else { return bytes }
    let extra =
      [6: 1, 7: 2][bytes[44] >> 4, default: 0] + [12: 1, 13: 2, 14: 2][bytes[44] & 15, default: 0]
    let place = 46 + max(1, (~bytes[46]).leadingZeroBitCount) + extra
    guard place < bytes.count else { return bytes }
    var mended = bytes
    mended[place] = bytes[42..<place].reduce(0) { (sum, byte) in
      (0..<8).reduce(sum ^ byte) { (value, _) in value & 0x80 != 0 ? (value << 1) ^ 7 : value << 1 }
    }
    return mended
  }

  /// A description of a stream, and a frame of a kind of channel with bits that follow.
  private static func file(channels: UInt8, assignment: UInt8, kind: UInt8) -> [UInt8] {
    let stream: [UInt8] =
      [
        0x80, 0, 0, 34, 0, 16, 0, 16, 0, 0, 0, 0, 0, 0, 0x03, 0xE8, (channels - 1) << 1, 0xF0, 0, 0,
        0, 0,
      ]
      + [UInt8](repeating: 0, count: 16)
    let head: [UInt8] = [0xFF, 0xF8, 0x60, assignment << 4, 0, 15]
    let body = [kind << 1] + (0..<40).map { UInt8(truncatingIfNeeded: $0 * 37) }
    return Array("fLaC".utf8) + stream + head + [0] + body
  }

  static func seeds() -> [[UInt8]] {
    [0, 1, 8, 10, 12, 32, 39].map { file(channels: 1, assignment: 0, kind: $0) }
      + [8, 9, 10].map { file(channels: 2, assignment: $0, kind: 10) }
  }
}
