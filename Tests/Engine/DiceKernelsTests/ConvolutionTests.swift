import DiceKernels
import TestSupport
import Testing

/// The operands of a case, random with a fixed seed.
struct ConvolutionOperands {
  let input: Guarded
  let weights: Guarded
  let bias: Guarded
  /// What stands in the output before, if the case accumulates.
  let start: [Float]

  init(_ test: ConvolutionCase, seed: UInt64, exact: Bool) {
    var generator = SeededGenerator(seed: seed)
    input = Guarded(generator.values(test.inputCount, exact: exact))
    weights = Guarded(generator.values(test.weightCount, exact: exact))
    bias = Guarded(generator.values(test.outputBlockCount * 16, exact: exact))
    start = generator.values(test.outputCount, exact: exact)
  }

  /// The operands without their signs.
  init(magnitudesOf other: ConvolutionOperands) {
    input = Guarded(other.input.values.map(\.magnitude))
    weights = Guarded(other.weights.values.map(\.magnitude))
    bias = Guarded(other.bias.values.map(\.magnitude))
    start = other.start.map(\.magnitude)
  }

  func output(_ test: ConvolutionCase) -> Guarded {
    test.accumulates ? Guarded(start) : Guarded(count: test.outputCount)
  }

  func reference(_ test: ConvolutionCase) -> Guarded {
    let output = output(test)
    test.withTask(input: input, weights: weights, bias: bias, output: output) { (task) in
      ReferenceKernels.convolve(task, rows: 0..<test.height)
    }
    return output
  }

  func fast(
    _ test: ConvolutionCase, _ implementation: KernelImplementation, rows: [Range<Int>]
  ) -> Guarded {
    let output = output(test)
    test.withTask(input: input, weights: weights, bias: bias, output: output) { (task) in
      for rows in rows { Kernels(implementation).convolve(task, rows: rows) }
    }
    return output
  }
}

@Suite struct ConvolutionTests {
  /// Every kernel size, stride, number of input channels and of blocks, at a few widths.
  static var shapes: [ConvolutionCase] {
    var cases: [ConvolutionCase] = []
    for kernelSize in [1, 3, 5] {
      for stride in [1, 2] {
        for inputChannelCount in [1, 3, 16, 17] {
          for outputBlockCount in 1...3 {
            for width in [1, 5, 13] {
              cases.append(
                ConvolutionCase(
                  kernelSize: kernelSize, stride: stride, inputChannelCount: inputChannelCount,
                  outputBlockCount: outputBlockCount, width: width,
                  slope: width == 5 ? 0.5 : 1, accumulates: width == 13))
            }
          }
        }
      }
    }
    return cases
  }

  /// Widths below, at and above every tile, for one, two and three blocks.
  static var widths: [ConvolutionCase] {
    var cases: [ConvolutionCase] = []
    for width in 1...30 {
      for outputBlockCount in 1...3 {
        cases.append(
          ConvolutionCase(
            kernelSize: 3, stride: 1 + width % 2, inputChannelCount: 3,
            outputBlockCount: outputBlockCount, width: width, height: 2,
            slope: width % 3 == 0 ? 0.25 : 1, accumulates: width % 5 == 0))
      }
    }
    return cases
  }

  @Test func givesTheBitsOfTheReferenceWhereSumsAreExact() {
    let cases = Self.shapes + Self.widths
    expectEqual(cases.count, 306)
    for (index, test) in cases.enumerated() {
      let operands = ConvolutionOperands(test, seed: UInt64(index), exact: true)
      let expected = operands.reference(test).bits
      for implementation in implementations {
        let found = operands.fast(test, implementation, rows: [0..<test.height]).bits
        expectEqual(found, expected, "\(implementation): \(test)")
      }
    }
  }

  @Test func staysWithinTheErrorBoundOfTheReference() {
    let cases = Self.widths
    #expect(!cases.isEmpty)
    for (index, test) in cases.enumerated() {
      let operands = ConvolutionOperands(test, seed: 1000 + UInt64(index), exact: false)
      let expected = operands.reference(test)
      var bounding = test
      bounding.slope = 1
      let magnitudes = ConvolutionOperands(magnitudesOf: operands).reference(bounding).values
      let factor = Float(test.tapCount * test.inputChannelCount + 2) * 0x1p-23
      for implementation in implementations {
        let found = operands.fast(test, implementation, rows: [0..<test.height])
        if isSeparate(implementation) {
          expectEqual(found.bits, expected.bits, "\(implementation): \(test)")
          continue
        }
        let (foundValues, expectedValues) = (found.values, expected.values)
        let isClose = magnitudes.indices.allSatisfy { (index: Int) -> Bool in
          let (one, other): (Float, Float) = (foundValues[index], expectedValues[index])
          return one.bitPattern == other.bitPattern
            || abs(one - other) <= factor * magnitudes[index]
        }
        #expect(isClose, "\(implementation): \(test)")
      }
    }
  }

  @Test func givesTheSameBitsHoweverTheRowsAreSplit() {
    for (blocks, width) in [(1, 13), (2, 29), (3, 7)] {
      let test = ConvolutionCase(
        kernelSize: 3, stride: 1, inputChannelCount: 17, outputBlockCount: blocks, width: width,
        height: 7, slope: 0.1)
      let operands = ConvolutionOperands(test, seed: 7, exact: false)
      for implementation in implementations {
        let whole = operands.fast(test, implementation, rows: [0..<7]).bits
        for split in [[0..<3, 3..<7], [5..<7, 0..<5], [6..<7, 0..<0, 1..<6, 0..<1]] {
          expectEqual(operands.fast(test, implementation, rows: split).bits, whole)
        }
        let single = operands.fast(test, implementation, rows: (0..<7).map { (y) in y..<y + 1 })
        expectEqual(single.bits, whole)
      }
    }
  }

  @Test func leavesOtherRowsAlone() {
    let test = ConvolutionCase(
      kernelSize: 1, stride: 1, inputChannelCount: 3, outputBlockCount: 1, width: 4, height: 3)
    let operands = ConvolutionOperands(test, seed: 8, exact: true)
    for implementation in implementations {
      let output = operands.fast(test, implementation, rows: [1..<2]).values
      for (place, value) in output.enumerated() {
        let inRow = place - test.outputRowStep
        let isWritten =
          inRow >= 0 && inRow < test.width * test.outputStep && inRow % test.outputStep < 16
        expectEqual((value.bitPattern != Guarded.untouched), isWritten)
      }
    }
  }

  @Test func computesWhatCanBeComputedByHand() {
    // Two pixels (1, 2) and (3, 4) of two channels; output 0 is 10 a + 100 b + 1, output 1 is
    // −a + 0.5 with slope 0.5, both from the same pixel.
    let test = ConvolutionCase(
      kernelSize: 1, stride: 1, inputChannelCount: 2, outputBlockCount: 1, width: 2, slope: 0.5)
    let input = Guarded([1, 2, .nan, 3, 4, .nan, .nan, .nan, .nan])
    var weights = [Float](repeating: 0, count: 32)
    weights[0] = 10
    weights[1] = -1
    weights[16] = 100
    var bias = [Float](repeating: 0, count: 16)
    bias[0] = 1
    bias[1] = 0.5
    let operands = (Guarded(weights), Guarded(bias))
    func check(_ run: (ConvolutionTask) -> Void) {
      let output = Guarded(count: test.outputCount)
      test.withTask(
        input: input, weights: operands.0, bias: operands.1, output: output, run)
      expectEqual(output.values[0...2], [211, -0.25, 0])
      expectEqual(output.values[32...34], [431, -1.25, 0])
    }
    check { (task) in ReferenceKernels.convolve(task, rows: 0..<1) }
    for implementation in implementations {
      check { (task) in Kernels(implementation).convolve(task, rows: 0..<1) }
    }
  }

  @Test func keepsNaNsAndInfinities() {
    let test = ConvolutionCase(
      kernelSize: 1, stride: 1, inputChannelCount: 1, outputBlockCount: 1, width: 3, slope: 0.5)
    let input = Guarded([.nan, 0, -.infinity, 0, .infinity, 0, 0, 0, 0])
    let weights = Guarded([Float](repeating: 1, count: 16))
    let bias = Guarded([Float](repeating: 0, count: 16))
    for implementation in implementations {
      let output = Guarded(count: test.outputCount)
      test.withTask(input: input, weights: weights, bias: bias, output: output) { (task) in
        Kernels(implementation).convolve(task, rows: 0..<1)
      }
      #expect(output.values[0].isNaN)
      expectEqual(output.values[32], -.infinity)
      expectEqual(output.values[64], .infinity)
    }
  }
}
