import Foundation
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
      for number in numbers { #expect(random.next() == number) }
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
    #expect(random.index(weights: [0, 0, 1]) == 2)
    #expect(random.integer(4...4) == 4)
  }

  @Test func elementaryFunctionsAgreeWithTheMathLibrary() {
    for step in -2000...2000 {
      let x = Float(step) * 0.013
      #expect(abs(Double(exponential2(x)) / exp2(Double(x)) - 1) < 2e-6)
      #expect(abs(Double(sineOfTurns(x)) - sin(Double(x) * 2 * .pi)) < 3e-5)
      if x > 0 {
        #expect(abs(Double(logarithm2(x)) - log2(Double(x))) < 3e-6)
        #expect(abs(Double(power(x, 0.4)) / pow(Double(x), 0.4) - 1) < 5e-6)
      }
      #expect(wholeBelow(x) == Int32(floor(x)))
      #expect(nearestWhole(x) == x.rounded(.toNearestOrEven))
    }
    #expect(exponential2(.nan) == 0)
    #expect(exponential2(1000).isFinite)
    #expect(wholeBelow(.infinity) == 4_000_000)
    #expect(wholeBelow(-.infinity) == -4_000_000)
    #expect(wholeBelow(.nan) == -4_000_000)
    #expect(sineOfTurns(.infinity) == 0)
  }
}
