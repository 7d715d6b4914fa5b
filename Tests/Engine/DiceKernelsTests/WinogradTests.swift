import DiceKernels
import TestSupport
import Testing

/// Winograd's method against the definition.
@Suite struct WinogradTests {
  static var cases: [ConvolutionCase] {
    var cases: [ConvolutionCase] = []
    for (width, height) in [(1, 1), (2, 7), (4, 4), (5, 3), (8, 6), (13, 13), (30, 9), (52, 2)] {
      for inputChannelCount in [16, 48] {
        for (outputBlockCount, stride) in [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)] {
          cases.append(
            ConvolutionCase(
              kernelSize: 3, stride: stride, inputChannelCount: inputChannelCount,
              outputBlockCount: outputBlockCount, width: width, height: height,
              slope: width % 2 == 0 ? 0.1 : 1))
        }
      }
    }
    return cases
  }

  /// The case by Winograd's method, its tiles cut into the given number of parts, its output channels into
  /// slices of so many blocks.
  private func winograd(
    _ test: ConvolutionCase, _ operands: ConvolutionOperands,
    _ implementation: KernelImplementation, partCount: Int = 1, blocksPerSlice: Int = 3
  ) -> Guarded {
    let output = Guarded(count: test.outputCount)
    let form = WinogradForm(stride: test.stride)
    let channels = test.outputBlockCount * 16
    let weights = Guarded(
      packWinogradWeights(
        unpackWeights(
          operands.weights.values, tapCount: 9, inputChannelCount: test.inputChannelCount,
          outputChannelCount: channels), form, outputChannelCount: channels,
        inputSlots: Array(0..<test.inputChannelCount), slotCount: test.inputChannelCount))
    let scratch = Guarded(
      count: WinogradTask.scratchCount(
        form, inputChannelCount: test.inputChannelCount, outputBlockCount: test.outputBlockCount))
    let task = WinogradTask(
      form,
      input: PixelGrid(
        operands.input.address, columnStep: test.inputStep, rowStep: test.inputRowStep),
      inputChannelCount: test.inputChannelCount, weights: weights.address,
      bias: operands.bias.address,
      output: PixelGrid(
        output.address, columnStep: test.outputStep, rowStep: test.outputRowStep),
      outputBlockCount: test.outputBlockCount, size: (test.height, test.width), slope: test.slope)
    for part in 0..<partCount {
      let tiles = part * task.tileCount / partCount..<(part + 1) * task.tileCount / partCount
      for block in stride(from: 0, to: test.outputBlockCount, by: blocksPerSlice) {
        Kernels(implementation).convolve(
          task.slice(block..<block + blocksPerSlice), tiles: tiles, scratch: scratch.address)
      }
    }
    // What lies around the memory is as it was.
    let bits = scratch.bits
    for index in 0..<Guarded.margin {
      expectEqual(bits[index], Guarded.untouched)
      expectEqual(bits[bits.count - 1 - index], Guarded.untouched)
    }
    withExtendedLifetime((weights, operands)) {}
    return output
  }

  /// The same places are written, with values within 4e-6 of the sum of all terms' magnitudes.
  @Test func agreesWithTheDefinition() {
    let cases = Self.cases
    expectEqual(cases.count, 96)
    for (index, test) in cases.enumerated() {
      let operands = ConvolutionOperands(test, seed: UInt64(index), exact: false)
      let reference = operands.reference(test)
      let expected = reference.values
      var bounding = test
      bounding.slope = 1
      let magnitudes = ConvolutionOperands(magnitudesOf: operands).reference(bounding).values
      let isWritten = reference.bits.map { $0 != Guarded.untouched }
      for implementation in implementations {
        let found = winograd(test, operands, implementation)
        expectEqual(found.bits.map { $0 != Guarded.untouched }, isWritten, "\(test)")
        var greatest: Float = 0
        for (place, value) in found.values.enumerated() where !value.isNaN {
          greatest = max(greatest, abs(value - expected[place]) / magnitudes[place])
        }
        #expect(greatest < 4e-6, "\(implementation): \(test): \(greatest)")
      }
    }
  }

  /// How the work is cut does not change a bit.
  @Test func partsGiveTheSameBits() {
    for test in Self.cases where test.width * test.height > 60 {
      let operands = ConvolutionOperands(test, seed: 5, exact: false)
      for implementation in implementations {
        let whole = winograd(test, operands, implementation).bits
        for partCount in [2, 3, 7] {
          expectEqual(winograd(test, operands, implementation, partCount: partCount).bits, whole)
        }
        for blocksPerSlice in [1, 2] {
          let found = winograd(test, operands, implementation, blocksPerSlice: blocksPerSlice)
          expectEqual(found.bits, whole)
        }
      }
    }
  }

  /// `G w Gᵀ` of a kernel that picks the middle: the outer product of G's middle column with itself.
  @Test func weightsAreTransformed() {
    var weights = [Float](repeating: 0, count: 9)
    weights[4] = 1
    let packed = packWinogradWeights(
      weights, WinogradForm(stride: 1), outputChannelCount: 1, inputSlots: [2], slotCount: 3)
    expectEqual(packed.count, 36 * 3 * 16)
    let column: [Float] = [0, -1 / 6, 1 / 6, 1 / 12, -1 / 12, 0]
    for place in 0..<36 {
      let expected = column[place / 6] * column[place % 6]
      #expect(abs(packed[(place * 3 + 2) * 16] - expected) < 1e-8)
      #expect(packed[(place * 3) * 16] == 0 && packed[(place * 3 + 2) * 16 + 1] == 0)
    }
  }

  /// `G w Gᵀ` of two taps, with stride 2: the sum of the outer products of two columns of G.
  @Test func weightsForStrideTwoAreTransformed() {
    let packed = packWinogradWeights(
      [1, 0, 0, 0, 0, 0, 0, 0, 4], WinogradForm(stride: 2), outputChannelCount: 1,
      inputSlots: [1], slotCount: 2)
    expectEqual(packed.count, 36 * 2 * 16)
    let first: [Float] = [1 / 2, -1 / 2, -1 / 6, 1 / 6, 0, 0]
    let last: [Float] = [0, -1 / 2, 1 / 6, 1 / 3, 1, 0]
    for place in 0..<36 {
      let (row, column) = (place / 6, place % 6)
      let expected = first[row] * first[column] + 4 * last[row] * last[column]
      #expect(abs(packed[(place * 2 + 1) * 16] - expected) < 1e-7)
    }
  }
}
