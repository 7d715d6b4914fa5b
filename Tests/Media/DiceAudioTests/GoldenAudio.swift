import TestSupport

/// The cases of `Fixtures/golden/audio`.
enum GoldenAudio {
  /// The samples of a file of little-endian floats.
  static func samples(_ name: String) throws -> [Float] {
    let bytes = try Fixtures.bytes("golden/audio/\(name).samples")
    return stride(from: 0, to: bytes.count, by: 4).map { (place) in
      Float(
        bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * $1) })
    }
  }

  /// The sound of `generate.py`.
  static func signal(_ count: Int) -> [Float] {
    var state = 1
    return (0..<count).map { (index) in
      state = (state * 1_103_515_245 + 12_345) % (1 << 31)
      let value = ((state >> 15) % 8_192 - 4_096) + (index * 37) % 4_096 * 4 - 8_192
      return Float(value) / 32_768
    }
  }
}
