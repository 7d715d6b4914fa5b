import DiceKernels
import TestSupport
import Testing

@Suite struct WeightGradientTests {
  static var cases: [ConvolutionCase] {
    var cases: [ConvolutionCase] = []
    for inputChannelCount in [1, 3, 6, 13, 16, 17, 30] {
      for outputBlockCount in 1...3 {
        for (kernelSize, stride, width) in [(1, 1, 5), (3, 2, 4), (3, 1, 9)] {
          cases.append(
            ConvolutionCase(
              kernelSize: kernelSize, stride: stride, inputChannelCount: inputChannelCount,
              outputBlockCount: outputBlockCount, width: width, height: 3))
        }
      }
    }
    // Wide enough that a group of rows is a single row, narrow enough that it is all of them.
    for (width, height) in [(130, 3), (1, 9), (70, 3)] {
      cases.append(
        ConvolutionCase(
          kernelSize: 1, stride: 1, inputChannelCount: 3, outputBlockCount: 1, width: width,
          height: height))
    }
    return cases
  }

  private struct Operands {
    let input: Guarded
    let gradient: Guarded
    let start: [Float]

    init(_ test: ConvolutionCase, seed: UInt64, exact: Bool) {
      var generator = SeededGenerator(seed: seed)
      input = Guarded(generator.values(test.inputCount, exact: exact))
      gradient = Guarded(generator.values(test.outputCount, exact: exact))
      start = generator.values(test.weightCount, exact: exact)
    }

    init(magnitudesOf other: Operands) {
      input = Guarded(other.input.values.map(\.magnitude))
      gradient = Guarded(other.gradient.values.map(\.magnitude))
      start = other.start.map(\.magnitude)
    }

    func run(_ test: ConvolutionCase, _ body: (WeightGradientTask) -> Void) -> Guarded {
      let output = Guarded(start)
      test.withGradientTask(input: input, outputGradient: gradient, weightGradient: output, body)
      return output
    }

    func reference(_ test: ConvolutionCase) -> Guarded {
      run(test) { (task) in ReferenceKernels.gatherWeightGradient(task, rows: 0..<test.height) }
    }
  }

  @Test func givesTheBitsOfTheReferenceWhereSumsAreExact() {
    expectEqual(Self.cases.count, 66)
    for (index, test) in Self.cases.enumerated() {
      let operands = Operands(test, seed: UInt64(index), exact: true)
      let expected = operands.reference(test).bits
      for implementation in implementations {
        let found = operands.run(test) { (task) in
          Kernels(implementation).gatherWeightGradient(task, rows: 0..<test.height)
        }
        expectEqual(found.bits, expected, "\(implementation): \(test)")
      }
    }
  }

  @Test func staysWithinTheErrorBoundOfTheReference() {
    for (index, test) in Self.cases.enumerated() where index % 3 != 0 {
      let operands = Operands(test, seed: 100 + UInt64(index), exact: false)
      let expected = operands.reference(test)
      let magnitudes = Operands(magnitudesOf: operands).reference(test).values
      let factor = Float(test.width * test.height + 2) * 0x1p-23
      for implementation in implementations {
        let found = operands.run(test) { (task) in
          Kernels(implementation).gatherWeightGradient(task, rows: 0..<test.height)
        }
        if isSeparate(implementation) { expectEqual(found.bits, expected.bits) }
        let isClose = zip(zip(found.values, expected.values), magnitudes).allSatisfy {
          (pair, magnitude) in abs(pair.0 - pair.1) <= factor * magnitude
        }
        #expect(isClose, "\(implementation): \(test)")
      }
    }
  }

  @Test func givesTheSameBitsHoweverTheRowsAreSplitInOrder() {
    let test = ConvolutionCase(
      kernelSize: 3, stride: 1, inputChannelCount: 13, outputBlockCount: 2, width: 11, height: 6)
    let operands = Operands(test, seed: 3, exact: false)
    for implementation in implementations {
      let kernels = Kernels(implementation)
      let whole = operands.run(test) { (task) in kernels.gatherWeightGradient(task, rows: 0..<6) }
      let split = operands.run(test) { (task) in
        for rows in [0..<1, 1..<4, 4..<6] { kernels.gatherWeightGradient(task, rows: rows) }
      }
      expectEqual(split.bits, whole.bits)
    }
  }

  /// `Σ gradient * convolution(input, weights) = Σ weights * weight gradient`, exact for integers.
  @Test func isTheAdjointOfTheConvolution() {
    for test in Self.cases where test.width < 10 && test.inputChannelCount < 16 {
      let operands = Operands(test, seed: 5, exact: true)
      let zero = Guarded([Float](repeating: 0, count: test.weightCount))
      test.withGradientTask(
        input: operands.input, outputGradient: operands.gradient, weightGradient: zero
      ) { (task) in ReferenceKernels.gatherWeightGradient(task, rows: 0..<test.height) }
      let output = Guarded(count: test.outputCount)
      test.withTask(
        input: operands.input, weights: Guarded(operands.start),
        bias: Guarded([Float](repeating: 0, count: 48)), output: output
      ) { (task) in ReferenceKernels.convolve(task, rows: 0..<test.height) }
      var left = 0.0
      for (value, gradient) in zip(output.values, operands.gradient.values)
      where value.bitPattern != Guarded.untouched {
        left += Double(value) * Double(gradient)
      }
      var right = 0.0
      for (weight, gradient) in zip(operands.start, zero.values) {
        right += Double(weight) * Double(gradient)
      }
      expectEqual(left, right)
    }
  }
}
