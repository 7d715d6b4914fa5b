import DiceKernels
import TestSupport
import Testing

@Suite struct PackedWeightsTests {
  @Test func unpackingUndoesPacking() {
    var generator = SeededGenerator(seed: 4)
    var cases = 0
    for tapCount in [1, 9, 25] {
      for inputChannelCount in [1, 3, 17] {
        for outputChannelCount in [1, 15, 16, 17, 48] {
          let weights = generator.fractions(tapCount * inputChannelCount * outputChannelCount)
          let packed = packWeights(
            weights, tapCount: tapCount, inputChannelCount: inputChannelCount,
            outputChannelCount: outputChannelCount)
          expectEqual(
            packed.count, tapCount * inputChannelCount * paddedChannelCount(outputChannelCount))
          expectEqual(
            unpackWeights(
              packed, tapCount: tapCount, inputChannelCount: inputChannelCount,
              outputChannelCount: outputChannelCount), weights)
          cases += 1
        }
      }
    }
    expectEqual(cases, 45)
  }

  @Test func everyWeightStandsInItsPlaceAndAllOthersAreZero() {
    // [2 taps, 2 inputs, 17 outputs], the value says where it comes from.
    var weights: [Float] = []
    for t in 0..<2 {
      for i in 0..<2 { for o in 0..<17 { weights.append(Float(1000 * t + 100 * i + o + 1)) } }
    }
    let packed = packWeights(
      weights, tapCount: 2, outputChannelCount: 17, inputSlots: [3, 1], slotCount: 5)
    expectEqual(packed.count, 2 * 2 * 5 * 16)
    for block in 0..<2 {
      for t in 0..<2 {
        for slot in 0..<5 {
          for lane in 0..<16 {
            let value = packed[((block * 2 + t) * 5 + slot) * 16 + lane]
            let o = block * 16 + lane
            let input = slot == 3 ? 0 : slot == 1 ? 1 : nil
            if let input, o < 17 {
              expectEqual(value, Float(1000 * t + 100 * input + o + 1))
            } else {
              expectEqual(value, 0)
            }
          }
        }
      }
    }
  }

  @Test func tapsGoRowByRow() {
    expectEqual(
      tapOffsets(kernelSize: 3, padding: 1, rowStep: 100, columnStep: 4),
      [-104, -100, -96, -4, 0, 4, 96, 100, 104])
    expectEqual(tapOffsets(kernelSize: 2, padding: 0, rowStep: 10, columnStep: 1), [0, 1, 10, 11])
    expectEqual(tapOffsets(kernelSize: 1, padding: 0, rowStep: 10, columnStep: 1), [0])
  }

  @Test func channelsAreRoundedUpToSixteen() {
    expectEqual([0, 1, 15, 16, 17, 48, 49].map(paddedChannelCount), [0, 16, 16, 16, 32, 48, 64])
  }
}
