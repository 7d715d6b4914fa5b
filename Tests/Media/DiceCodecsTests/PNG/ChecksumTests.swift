import DiceCodecs
import TestSupport
import Testing

struct ChecksumTests {
  // Values from Python's zlib.crc32 and zlib.adler32.
  @Test func agreesWithPublishedValues() {
    let digits = Array("123456789".utf8)
    expectEqual(CRC32.checksum(digits), 0xCBF4_3926)
    expectEqual(Adler32.checksum(digits), 0x091E_01DE)
    expectEqual(CRC32.checksum([]), 0)
    expectEqual(Adler32.checksum([]), 1)
    let ones = [UInt8](repeating: 255, count: 1_000_003)
    expectEqual(CRC32.checksum(ones), 0xA69F_6A41)
    expectEqual(Adler32.checksum(ones), 0xE395_E4BB)
  }

  @Test func agreesWithTheDefinitionAtEveryLength() {
    var generator = SeededGenerator(seed: 1)
    for count in 0..<800 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      var crc: UInt32 = .max
      var a: UInt32 = 1
      var s: UInt32 = 0
      for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        a = (a + UInt32(byte)) % 65521
        s = (s + a) % 65521
      }
      expectEqual(CRC32.checksum(bytes), ~crc)
      expectEqual(
        CRC32.checksum(bytes[(count / 3)...]), CRC32.checksum(Array(bytes[(count / 3)...])))
      expectEqual(Adler32.checksum(bytes), s << 16 | a)
    }
  }
}
