import DiceNumerics
import TestSupport
import Testing

@Suite struct StoredNumbersTests {
  /// Bytes are looked at eight at once, and those behind the last eight one by one.
  @Test func findsTheFirstLeastIntegerAtEveryPlace() {
    func first(_ bytes: [UInt8]) -> Int? {
      bytes.withUnsafeBytes { StoredNumbers.firstLeastInteger($0) }
    }
    for count in 0...33 {
      for other in [UInt8(0), 1, 0x7F, 0x81, 0xFF] {
        var bytes = [UInt8](repeating: other, count: count)
        expectEqual(first(bytes), nil)
        for place in 0..<count {
          bytes[place] = 0x80
          expectEqual(first(bytes), place)
          if place + 3 < count {
            bytes[place + 3] = 0x80
            expectEqual(first(bytes), place)
            bytes[place + 3] = other
          }
          bytes[place] = other
        }
      }
    }
  }
}
