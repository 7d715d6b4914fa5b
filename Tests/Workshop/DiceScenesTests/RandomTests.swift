import Foundation
import TestSupport
import Testing

@testable import DiceScenes

@Suite struct RandomTests {
  @Test func followsTheReferenceSequence() {
    // From an independent implementation of xoshiro256** seeded by SplitMix64.
    let expected: [(UInt64, [UInt64])] = [
      (0, [0x99EC_5F36_CB75_F2B4, 0xBF6E_1F78_4956_452A, 0x1A5F_849D_4933_E6E0]),
      (42, [0x1578_0B2E_0C2E_C716, 0x6104_D986_6D11_3A7E, 0xAE17_5332_39E4_99A1]),
    ]
    for (seed, numbers) in expected {
      var random = SceneRandom(seed: seed)
      for number in numbers { expectEqual(random.next(), number) }
    }
  }

  @Test func numbersStayInTheirRanges() {
    var random = SceneRandom(seed: 5)
    var sum: Float = 0
    var square: Float = 0
    for _ in 0..<4000 {
      let unit = random.unit()
      #expect(unit >= 0 && unit < 1)
      #expect((3...7).contains(random.integer(3...7)))
      let wide = random.logarithmic(0.5, 8)
      #expect(wide > 0.49 && wide < 8.01)
      let normal = random.normal()
      sum += normal
      square += normal * normal
    }
    #expect(abs(sum / 4000) < 0.06)
    #expect(abs(square / 4000 - 1) < 0.1)
    expectEqual(random.index(weights: [0, 0, 1]), 2)
    expectEqual(random.integer(4...4), 4)
  }
}
