import DiceKernels
import TestSupport
import Testing

/// None of these kernels fuses a product with a sum: all implementations give the reference's bits.
@Suite struct NormalizationTests {
  private static let channelCounts = [16, 32, 48]
  private static let widths = [1, 2, 7, 16, 30]

  /// Runs `body` with every implementation's and the reference's operands for every size.
  private func compare(
    operandCount: Int, rowCount: Int,
    reference: (_ operands: [Guarded], _ width: Int, _ channels: Int) -> Void,
    fast: (_ kernels: Kernels, _ operands: [Guarded], _ width: Int, _ channels: Int) -> Void
  ) {
    var comparisons = 0
    for channelCount in Self.channelCounts {
      for width in Self.widths {
        // The first operands are rows, the others have one value for each channel.
        func operands() -> [Guarded] {
          var generator = SeededGenerator(seed: UInt64(width * 100 + channelCount))
          return (0..<operandCount).map { (index) in
            Guarded(generator.fractions(index < rowCount ? width * channelCount : channelCount))
          }
        }
        let expected = operands()
        withExtendedLifetime(expected) { reference(expected, width, channelCount) }
        for implementation in implementations {
          let found = operands()
          withExtendedLifetime(found) {
            fast(Kernels(implementation), found, width, channelCount)
          }
          for (index, operand) in found.enumerated() {
            expectEqual(
              operand.bits, expected[index].bits,
              "\(implementation), operand \(index), \(width) pixels, \(channelCount) channels")
          }
          comparisons += 1
        }
      }
    }
    expectEqual(comparisons, 15 * implementations.count)
  }

  @Test func momentsGiveTheBitsOfTheReference() {
    compare(operandCount: 3, rowCount: 1) { (o, width, channels) in
      ReferenceKernels.addMoments(
        o[0].address, width: width, channelCount: channels, sums: o[1].address,
        squares: o[2].address)
    } fast: { (kernels, o, width, channels) in
      kernels.addMoments(
        o[0].address, width: width, channelCount: channels, sums: o[1].address,
        squares: o[2].address)
    }
  }

  @Test func normalizationGivesTheBitsOfTheReference() {
    for slope: Float in [0, 0.1, 1] {
      compare(operandCount: 4, rowCount: 2) { (o, width, channels) in
        ReferenceKernels.normalize(
          o[0].address, output: o[1].address, width: width, channelCount: channels,
          scale: o[2].address, shift: o[3].address, slope: slope)
      } fast: { (kernels, o, width, channels) in
        kernels.normalize(
          o[0].address, output: o[1].address, width: width, channelCount: channels,
          scale: o[2].address, shift: o[3].address, slope: slope)
      }
    }
  }

  @Test func backpropagationGivesTheBitsOfTheReference() {
    for slope: Float in [0, 0.1, 1] {
      compare(operandCount: 5, rowCount: 3) { (o, width, channels) in
        ReferenceKernels.backpropagateActivation(
          gradient: o[0].address, activated: o[1].address, input: o[2].address, width: width,
          channelCount: channels, slope: slope, sums: o[3].address, products: o[4].address)
      } fast: { (kernels, o, width, channels) in
        kernels.backpropagateActivation(
          gradient: o[0].address, activated: o[1].address, input: o[2].address, width: width,
          channelCount: channels, slope: slope, sums: o[3].address, products: o[4].address)
      }
    }
  }

  @Test func combinationGivesTheBitsOfTheReference() {
    compare(operandCount: 5, rowCount: 2) { (o, width, channels) in
      ReferenceKernels.combine(
        gradient: o[0].address, input: o[1].address, width: width, channelCount: channels,
        p: o[2].address, q: o[3].address, r: o[4].address)
    } fast: { (kernels, o, width, channels) in
      kernels.combine(
        gradient: o[0].address, input: o[1].address, width: width, channelCount: channels,
        p: o[2].address, q: o[3].address, r: o[4].address)
    }
  }

  @Test func referenceComputesWhatCanBeComputedByHand() {
    func lanes(_ value: Float) -> Guarded { Guarded([Float](repeating: value, count: 16)) }
    let pixels = Guarded([Float](repeating: 3, count: 16) + [Float](repeating: -5, count: 16))
    let (sums, squares) = (lanes(1), lanes(2))
    let (half, one, two, ten, hundred) = (lanes(0.5), lanes(1), lanes(2), lanes(10), lanes(100))
    defer { withExtendedLifetime((pixels, half, one, two, ten, hundred)) {} }
    ReferenceKernels.addMoments(
      pixels.address, width: 2, channelCount: 16, sums: sums.address, squares: squares.address)
    expectEqual(sums.values, [Float](repeating: -1, count: 16))
    expectEqual(squares.values, [Float](repeating: 36, count: 16))

    let output = Guarded(count: 32)
    ReferenceKernels.normalize(
      pixels.address, output: output.address, width: 2, channelCount: 16, scale: two.address,
      shift: one.address, slope: 0.5)
    expectEqual(output.values[0], 7)
    expectEqual(output.values[16], -4.5)

    let gradient = Guarded([Float](repeating: 4, count: 32))
    let (gradientSums, products) = (lanes(0), lanes(0))
    ReferenceKernels.backpropagateActivation(
      gradient: gradient.address, activated: output.address, input: pixels.address, width: 2,
      channelCount: 16, slope: 0.5, sums: gradientSums.address, products: products.address)
    expectEqual(gradient.values[0], 4)
    expectEqual(gradient.values[16], 2)
    expectEqual(gradientSums.values[3], 6)
    expectEqual(products.values[3], 2)

    ReferenceKernels.combine(
      gradient: gradient.address, input: pixels.address, width: 2, channelCount: 16,
      p: ten.address, q: hundred.address, r: half.address)
    expectEqual(gradient.values[0], 340.5)
    expectEqual(gradient.values[16], -479.5)
  }
}
