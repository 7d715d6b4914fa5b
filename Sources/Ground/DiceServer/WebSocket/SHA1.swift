/// The hash that a WebSocket's handshake asks for; for nothing else, because it is broken.
///
/// Source: RFC 3174.
enum SHA1 {
  /// The 20 bytes of the hash.
  static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var message = bytes
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    let bitCount = UInt64(bytes.count) &* 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      message.append(UInt8(truncatingIfNeeded: bitCount >> shift))
    }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var words = [UInt32](repeating: 0, count: 80)
    for start in stride(from: 0, to: message.count, by: 64) {
      for index in 0..<16 {
        var word: UInt32 = 0
        for place in 0..<4 { word = word << 8 | UInt32(message[start + 4 * index + place]) }
        words[index] = word
      }
      for index in 16..<80 {
        let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
        words[index] = rotated(mixed, by: 1)
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for index in 0..<80 {
        let choice: UInt32
        let constant: UInt32
        switch index / 20 {
        case 0: (choice, constant) = (b & c | ~b & d, 0x5A82_7999)
        case 1: (choice, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
        case 2: (choice, constant) = (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (choice, constant) = (b ^ c ^ d, 0xCA62_C1D6)
        }
        let next: UInt32 = rotated(a, by: 5) &+ choice &+ e &+ constant &+ words[index]
        (e, d, c, b, a) = (d, c, rotated(b, by: 30), a, next)
      }
      for (index, word) in [a, b, c, d, e].enumerated() { state[index] = state[index] &+ word }
    }
    return state.flatMap { word in
      [24, 16, 8, 0].map { shift in UInt8(truncatingIfNeeded: word >> UInt32(shift)) }
    }
  }

  private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
