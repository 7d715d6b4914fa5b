import DiceKernels
import TestSupport
import Testing

/// Whole numbers of few bits, so that products and sums are exact in every order: the matrix kernels must give
/// the bits of the reference, and this those of the convolutions of single precision.
@Suite struct MatrixKernelsTests {
  /// A convolution over a map with a border, with pixels of `inputStep` channels.
  struct Case: CustomStringConvertible {
    var kernelSize: Int
    var stride: Int
    var inputs: Int
    var outputs: Int
    var width: Int
    var height = 3
    var accumulates = false

    var inputStep: Int { inputs == 3 ? 4 : paddedChannelCount(inputs) }
    var padding: Int { kernelSize / 2 }
    var rowStep: Int { ((width - 1) * stride + kernelSize + 1) * inputStep }
    var origin: Int { (padding * rowStep) + padding * inputStep }
    /// Room for what is read behind the last window.
    var inputCount: Int { ((height - 1) * stride + kernelSize) * rowStep + 64 }
    var outputStep: Int { paddedChannelCount(outputs) }
    var blocks: Int { outputStep / channelGranularity }
    var outputCount: Int { height * width * outputStep }
    var description: String {
      "\(kernelSize)x\(kernelSize)/\(stride) \(inputs)->\(outputs), \(width)x\(height), "
        + "accumulates \(accumulates)"
    }
  }

  static var cases: [Case] {
    var cases: [Case] = []
    for (inputs, outputs) in [(3, 16), (16, 33), (48, 32), (64, 11), (112, 48)] {
      for (kernelSize, stride) in [(1, 1), (3, 1), (3, 2)] {
        for width in [1, 13, 16, 40] {
          cases.append(
            Case(
              kernelSize: kernelSize, stride: stride, inputs: inputs, outputs: outputs,
              width: width))
        }
      }
    }
    cases.append(Case(kernelSize: 3, stride: 1, inputs: 32, outputs: 32, width: 150, height: 12))
    for width in [5, 17, 40, 52] {
      cases.append(
        Case(
          kernelSize: 3, stride: 1, inputs: 16, outputs: 48, width: width, accumulates: true))
    }
    return cases
  }

  /// Floats in −4...4 in the channels of the pixels, zeros elsewhere.
  private static func input(_ test: Case, _ generator: inout SeededGenerator) -> [Float] {
    var values = generator.integers(test.inputCount)
    for place in values.indices where place % test.inputStep >= test.inputs { values[place] = 0 }
    return values
  }

  private func convolved(
    _ test: Case, _ input: [Float], _ weights: [Float], _ bias: [Float], _ start: [Float],
    _ body: (MatrixConvolutionTask, Range<Int>) -> Void
  ) -> [UInt32] {
    // Memory of bfloat16 numbers is memory of half as many floats.
    let narrowed = Guarded([Float](repeating: 0, count: test.inputCount / 2 + 16))
    for (index, value) in input.enumerated() {
      BFloat16Address(narrowed.address).store(value, at: index)
    }
    let windowLength = test.kernelSize * test.inputStep
    let count = matrixWeightCount(
      outputBlockCount: test.blocks, windowCount: test.kernelSize, windowLength: windowLength)
    let packed = Guarded([Float](repeating: 0, count: count / 2))
    packMatrixWeights(
      to: BFloat16Address(packed.address), outputChannelCount: test.outputs,
      windowCount: test.kernelSize, windowLength: windowLength
    ) { (output, window, value) in
      let (column, channel) = value.quotientAndRemainder(dividingBy: test.inputStep)
      guard channel < test.inputs else { return 0 }
      return weights[
        ((window * test.kernelSize + column) * test.inputs + channel) * test.outputs + output]
    }
    let biases = Guarded(bias)
    let output = Guarded(start)
    let offsets = (0..<test.kernelSize).map { (row) in
      (row - test.padding) * test.rowStep - test.padding * test.inputStep
    }
    offsets.withUnsafeBufferPointer { (offsets) in
      body(
        MatrixConvolutionTask(
          input: PixelGrid(
            BFloat16Address(narrowed.address).advanced(by: test.origin),
            columnStep: test.stride * test.inputStep, rowStep: test.stride * test.rowStep),
          windows: OffsetList(offsets.baseAddress!, count: test.kernelSize),
          stepCount: matrixStepCount(windowLength: windowLength),
          weights: BFloat16Address(packed.address), bias: biases.address,
          output: PixelGrid(
            output.address, columnStep: test.outputStep, rowStep: test.width * test.outputStep),
          outputBlockCount: test.blocks, width: test.width, accumulates: test.accumulates),
        0..<test.height)
    }
    withExtendedLifetime((narrowed, packed, biases)) {}
    return output.bits
  }

  @Test func layersRectifyAndRoundTheirSums() throws {
    let test = Case(kernelSize: 3, stride: 1, inputs: 16, outputs: 48, width: 21)
    var generator = SeededGenerator(seed: 77)
    let input = Self.input(test, &generator)
    let weights = generator.fractions(9 * test.inputs * test.outputs)
    var bias = generator.fractions(test.outputStep)
    // What no number of the format can hold, and what is none.
    bias[3] = .infinity
    bias[4] = .nan
    let start = [Float](repeating: 0, count: test.outputCount)
    func run(_ body: (MatrixLayerTask) -> Void) -> [Float] {
      let narrow = Guarded([Float](repeating: 0, count: test.outputCount / 2))
      _ = convolved(test, input, weights, bias, start) { (task, _) in
        body(
          MatrixLayerTask(
            convolution: task, output: BFloat16Address(narrow.address), slope: 0.25))
      }
      return (0..<test.outputCount).map { BFloat16Address(narrow.address).scalar(at: $0) }
    }
    let expected = run { (task) in ReferenceKernels.convolve(task, rows: 0..<test.height) }
    #expect(expected[3] > 3e38 && expected[4] < -3e38)
    #expect(expected.contains { $0 < 0 && $0 > -100 })
    guard let kernels = MatrixKernels() else { return }
    let scratch = Guarded([Float](repeating: 0, count: MatrixLayerTask.scratchCount))
    let found = run { (task) in
      kernels.convolve(task, rows: 0..<test.height, scratch: scratch.address)
    }
    for (index, value) in expected.enumerated() {
      // The order of the sums decides between neighbours.
      #expect((found[index] - value).magnitude <= 0x1p-7 * value.magnitude + 1e-3, "\(index)")
    }
  }

  /// The convolution by the definition.
  private func expected(
    _ test: Case, _ input: [Float], _ weights: [Float], _ bias: [Float], _ start: [Float]
  ) -> [UInt32] {
    var output = start
    for y in 0..<test.height {
      for x in 0..<test.width {
        for o in 0..<test.outputStep {
          let place = (y * test.width + x) * test.outputStep + o
          var sum = test.accumulates ? start[place] : bias[o]
          if o < test.outputs {
            for ky in 0..<test.kernelSize {
              for kx in 0..<test.kernelSize {
                let source =
                  (y * test.stride + ky) * test.rowStep + (x * test.stride + kx) * test.inputStep
                let weight = (ky * test.kernelSize + kx) * test.inputs * test.outputs + o
                for i in 0..<test.inputs {
                  sum += input[source + i] * weights[weight + i * test.outputs]
                }
              }
            }
          }
          output[place] = sum
        }
      }
    }
    return Guarded(output).bits
  }

  @Test func convolvesAsDefined() {
    #expect(Self.cases.count == 65)
    for (index, test) in Self.cases.enumerated() {
      var generator = SeededGenerator(seed: UInt64(index))
      let input = Self.input(test, &generator)
      let weights = generator.integers(
        test.kernelSize * test.kernelSize * test.inputs * test.outputs)
      let bias = generator.integers(test.outputStep)
      let start = generator.integers(test.outputCount)
      let expected = expected(test, input, weights, bias, start)
      if test.width < 100 {
        let reference = convolved(test, input, weights, bias, start) { (task, rows) in
          ReferenceKernels.convolve(task, rows: rows)
        }
        #expect(reference == expected, "\(test)")
      }
      guard let kernels = MatrixKernels() else { continue }
      let found = convolved(test, input, weights, bias, start) { (task, rows) in
        kernels.convolve(task, rows: rows)
      }
      #expect(found == expected, "\(test)")
    }
  }

  @Test func gathersTheWeightGradientAsDefined() {
    for (index, test) in Self.cases.enumerated() where !test.accumulates {
      var generator = SeededGenerator(seed: 500 + UInt64(index))
      let input = Guarded(Self.input(test, &generator))
      var gradients = generator.integers(test.outputCount)
      for place in gradients.indices where place % test.outputStep >= test.outputs {
        gradients[place] = 0
      }
      let gradient = Guarded(gradients)
      let start = generator.integers(
        test.blocks * 16 * test.kernelSize * test.kernelSize * test.inputs)
      func run(_ body: (MatrixWeightGradientTask) -> Void) -> [UInt32] {
        let output = Guarded(start)
        body(
          MatrixWeightGradientTask(
            input: PixelGrid(
              input.address.advanced(by: test.origin), columnStep: test.inputStep,
              rowStep: test.rowStep), inputChannelCount: test.inputs,
            outputGradient: PixelGrid(
              gradient.address, columnStep: test.outputStep,
              rowStep: test.width * test.outputStep),
            outputBlockCount: test.blocks, size: (test.height, test.width),
            window: (test.kernelSize, test.stride, test.padding),
            weightGradient: output.address))
        return output.bits
      }
      let expected = run { (task) in ReferenceKernels.gatherWeightGradient(task) }
      guard let kernels = MatrixKernels() else { continue }
      let found = run { (task) in
        // Numbers that would show if they were added.
        let scratch = Guarded([Float](repeating: 1e30, count: task.scratchCount))
        let before = scratch.bits
        kernels.gatherWeightGradient(task, scratch: scratch.address)
        let after = scratch.bits
        #expect(after.prefix(Guarded.margin) == before.prefix(Guarded.margin))
        #expect(after.suffix(Guarded.margin) == before.suffix(Guarded.margin))
      }
      #expect(found == expected, "\(test)")
    }
  }

  @Test func theReferenceGathersWhatTheReferenceOfSinglePrecisionDoes() {
    let test = Case(kernelSize: 3, stride: 2, inputs: 16, outputs: 32, width: 9)
    var generator = SeededGenerator(seed: 9)
    let input = Guarded(Self.input(test, &generator))
    let gradient = Guarded(generator.integers(test.outputCount))
    let count = test.blocks * 16 * 9 * test.inputs
    let first = Guarded([Float](repeating: 0, count: count))
    let second = Guarded([Float](repeating: 0, count: count))
    ReferenceKernels.gatherWeightGradient(
      MatrixWeightGradientTask(
        input: PixelGrid(
          input.address.advanced(by: test.origin), columnStep: test.inputStep,
          rowStep: test.rowStep), inputChannelCount: test.inputs,
        outputGradient: PixelGrid(
          gradient.address, columnStep: test.outputStep, rowStep: test.width * test.outputStep),
        outputBlockCount: test.blocks, size: (test.height, test.width), window: (3, 2, 1),
        weightGradient: first.address))
    let offsets = tapOffsets(
      kernelSize: 3, padding: 1, rowStep: test.rowStep, columnStep: test.inputStep)
    offsets.withUnsafeBufferPointer { (offsets) in
      ReferenceKernels.gatherWeightGradient(
        WeightGradientTask(
          input: PixelGrid(
            input.address.advanced(by: test.origin), columnStep: 2 * test.inputStep,
            rowStep: 2 * test.rowStep),
          taps: OffsetList(offsets.baseAddress!, count: 9), inputChannelCount: test.inputs,
          outputGradient: PixelGrid(
            gradient.address, columnStep: test.outputStep,
            rowStep: test.width * test.outputStep),
          outputBlockCount: test.blocks, width: test.width, weightGradient: second.address),
        rows: 0..<test.height)
    }
    #expect(first.bits == second.bits)
    #expect(first.values.contains { $0 != 0 })
  }

  @Test func narrowsToTheNearestNumber() throws {
    // Halfway cases, the greatest finite number, subnormal numbers, infinities.
    let values: [Float] = [
      1, 1.0039062, 1.0117188, -1.0039062, 3.1415927, 3.3e38, 0x1p-130, .infinity,
      -.infinity, 0, -0.0, 0.1, -65504, 1.2e-38, 123456, -2,
    ]
    func narrowed(_ value: Float) -> Float {
      // By the next number towards zero and the one behind it.
      let lower = Float(bitPattern: value.bitPattern & 0xFFFF_0000)
      guard value.isFinite, lower != value else { return lower }
      let upper = Float(bitPattern: (value.bitPattern & 0xFFFF_0000) + 0x10000)
      let (down, up) = (abs(value - lower), abs(upper - value))
      if down == up { return lower.bitPattern >> 16 & 1 == 0 ? lower : upper }
      return down < up ? lower : upper
    }
    let source = Guarded(values)
    let target = Guarded([Float](repeating: 0, count: 8))
    let kernels = MatrixKernels()
    if let kernels {
      withExtendedLifetime(source) {
        kernels.narrow(source.address, to: BFloat16Address(target.address), count: 16)
      }
    } else {
      for (index, value) in values.enumerated() {
        BFloat16Address(target.address).store(value, at: index)
      }
    }
    for (index, value) in values.enumerated() {
      #expect(BFloat16Address(target.address).scalar(at: index) == narrowed(value), "\(value)")
    }
  }
}
