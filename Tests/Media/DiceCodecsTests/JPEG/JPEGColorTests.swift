import TestSupport
import Testing

@testable import DiceCodecs

struct JPEGColorTests {
  @Test func convertsEachPairOfColourDifferencesAsTheFormulaSays() {
    // Nine pixels: eight in vectors, and the last one by itself.
    let count = 9
    var output = [UInt8](repeating: 0, count: 3 * count)
    var wrong = 0
    var checked = 0
    for cb in 0..<256 {
      for cr in 0..<256 {
        let lumas = (0..<count).map { UInt8(($0 * 32 + cb + cr) % 256) }
        let blues = [UInt8](repeating: UInt8(cb), count: count)
        let reds = [UInt8](repeating: UInt8(cr), count: count)
        unsafe output.withUnsafeMutableBufferPointer { output in
          guard let base = output.baseAddress else { return }
          unsafe JPEGColor.convertYCbCr(lumas, blues, reds, to: base, count: count)
        }
        let (x, z) = (cb - 128, cr - 128)
        let red = (91881 * z + 32768) >> 16
        let green = (-22554 * x - 46802 * z + 32768) >> 16
        let blue = (116130 * x + 32768) >> 16
        for pixel in 0..<count {
          for (channel, term) in [red, green, blue].enumerated() {
            let expected = min(max(Int(lumas[pixel]) + term, 0), 255)
            if Int(output[3 * pixel + channel]) != expected { wrong += 1 }
            checked += 1
          }
        }
      }
    }
    expectEqual(wrong, 0)
    expectEqual(checked, 65536 * 27)
  }
}
