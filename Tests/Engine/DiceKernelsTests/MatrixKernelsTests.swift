import DiceKernels
import MatrixModel
import TestSupport
import Testing

/// Whole numbers of few bits, so that products and sums are exact in every order: the matrix kernels must give
/// the bits of the reference, and this those of the convolutions of single precision.
@Suite(.modelledMatrixUnits) struct MatrixKernelsTests {
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
    /// The map, and the zeros behind it that the last window reads.
    var inputCount: Int { mapCount + 32 }
    var mapCount: Int { ((height - 1) * stride + kernelSize) * rowStep }
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
    for place in values.indices
    where place % test.inputStep >= test.inputs || place >= test.mapCount { values[place] = 0 }
    return values
  }

  private func convolved(
    _ test: Case, _ input: [Float], _ weights: [Float], _ bias: [Float], _ start: [Float],
    _ body: (MatrixConvolutionTask, Range<Int>) -> Void
  ) -> [UInt32] {
    // Memory of bfloat16 numbers is memory of half as many floats.
    let narrowed = Guarded(count: test.inputCount / 2 + 16)
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

  @Test(arguments: [false, true]) func layersRectifyAndRoundTheirSums(areExact: Bool) throws {
    let test = Case(kernelSize: 3, stride: 1, inputs: 16, outputs: 48, width: 21)
    var generator = SeededGenerator(seed: 77)
    let input = Self.input(test, &generator)
    let count = 9 * test.inputs * test.outputs
    let weights = areExact ? generator.integers(count) : generator.fractions(count)
    var bias =
      areExact
      ? generator.integers(test.outputStep).map { $0 / 8 } : generator.fractions(test.outputStep)
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
    #expect(expected[3] > 3e38 && expected[4].isNaN)
    #expect(expected.contains { $0 < 0 && $0 > -100 })
    let kernels = try #require(MatrixKernels())
    let scratch = Guarded(count: MatrixLayerTask.scratchCount)
    let found = run { (task) in
      kernels.convolve(task, rows: 0..<test.height, scratch: scratch.address)
    }
    for (index, value) in expected.enumerated() {
      if value.isNaN {
        #expect(found[index].isNaN)
        continue
      }
      if areExact {
        expectEqual(found[index], value, "\(index)")
        continue
      }
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

  @Test func convolvesAsDefined() throws {
    expectEqual(Self.cases.count, 65)
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
        expectEqual(reference, expected, "\(test)")
      }
      let kernels = try #require(MatrixKernels())
      let found = convolved(test, input, weights, bias, start) { (task, rows) in
        kernels.convolve(task, rows: rows)
      }
      expectEqual(found, expected, "\(test)")
    }
  }

  @Test func gathersTheWeightGradientAsDefined() throws {
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
      let kernels = try #require(MatrixKernels())
      let found = run { (task) in
        // A NaN would show if it were added.
        let scratch = Guarded(
          [Float](repeating: Float(bitPattern: 0xFFFF_FFFF), count: task.scratchCount))
        let before = scratch.bits
        kernels.gatherWeightGradient(task, scratch: scratch.address)
        let after = scratch.bits
        expectEqual(after.prefix(Guarded.margin), before.prefix(Guarded.margin))
        expectEqual(after.suffix(Guarded.margin), before.suffix(Guarded.margin))
      }
      expectEqual(found, expected, "\(test)")
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
    expectEqual(first.bits, second.bits)
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
    let target = Guarded(count: 24)
    let kernels = try #require(MatrixKernels())
    withExtendedLifetime(source) {
      kernels.narrow(source.address, to: BFloat16Address(target.address), count: 16)
    }
    for (index, value) in values.enumerated() {
      expectEqual(BFloat16Address(target.address).scalar(at: index), narrowed(value), "\(value)")
    }
    for index in 16..<48 { expectEqual(BFloat16Address(target.address).scalar(at: index), 0) }
    // Every NaN stays one, whatever its bits are.
    let none = Guarded(
      ([0x7F80_0001, 0x7FFF_FFFF, 0xFFFF_FFFF, 0xFF80_0001] as [UInt32]).map(
        Float.init(bitPattern:)))
    let many = Guarded((0..<16).map { none.values[$0 % 4] })
    kernels.narrow(many.address, to: BFloat16Address(target.address), count: 16)
    for index in 0..<16 { #expect(BFloat16Address(target.address).scalar(at: index).isNaN) }
    for (index, value) in none.values.enumerated() {
      BFloat16Address(target.address).store(value, at: index)
      #expect(BFloat16Address(target.address).scalar(at: index).isNaN)
    }
    withExtendedLifetime((none, many)) {}
  }

  /// Planes are read as far as steps reach, for every size: further than the last row in 737 of them.
  @Test func gradientsReadNothingThatIsNotWritten() throws {
    let kernels = try #require(MatrixModel.$current.withValue(.summedTiles) { MatrixKernels() })
    var generator = SeededGenerator(seed: 31)
    let input = Guarded(generator.integers(41 * 41 * 16))
    let gradients = Guarded(generator.integers(39 * 39 * 16))
    let scratch = Guarded(count: 200_000)
    let memory = UnsafeMutableBufferPointer(start: scratch.address.pointer, count: scratch.count)
    var sizeCount = 0
    for height in 1...39 {
      for width in 1...39 {
        let results = freshPatterns.map { (pattern) in
          let output = Guarded([Float](repeating: 0, count: 9 * 256))
          let task = MatrixWeightGradientTask(
            input: PixelGrid(
              input.address.advanced(by: (width + 2) * 16 + 16), columnStep: 16,
              rowStep: (width + 2) * 16), inputChannelCount: 16,
            outputGradient: PixelGrid(
              gradients.address, columnStep: 16, rowStep: width * 16),
            outputBlockCount: 1, size: (height, width), window: (3, 1, 1),
            weightGradient: output.address)
          precondition(task.scratchCount <= scratch.count)
          memory.prefix(task.scratchCount).update(repeating: Float(bitPattern: pattern))
          kernels.gatherWeightGradient(task, scratch: scratch.address)
          return output.bits
        }
        expectEqual(results[0], results[1], "\(height) x \(width)")
        sizeCount += 1
      }
    }
    expectEqual(sizeCount, 1521)
    withExtendedLifetime((input, gradients, scratch)) {}
  }
}

/// The model of the tiles, by numbers worked out by hand.
struct ModelledTilesTests {
  /// The first sum of a row of left factors and a column of right ones.
  private func sum(_ left: [Float], _ right: [Float], start: Float = 0) -> Float {
    let unit = ModelledTiles(rows: 1)
    let bits = { (numbers: [Float], step: Int) in
      var memory = [UInt16](repeating: 0, count: 512)
      for (index, number) in numbers.enumerated() {
        memory[index / 2 * step + index % 2] = UInt16(number.bitPattern >> 16)
      }
      return memory
    }
    var sums = [Float](repeating: 0, count: 16)
    sums[0] = start
    sums.withUnsafeMutableBytes { (sums) in
      unit.load(.firstFirst, sums.baseAddress!, stride: 64)
      bits(left, 2).withUnsafeBytes { unit.load(.firstLeft, $0.baseAddress!, stride: 64) }
      bits(right, 32).withUnsafeBytes { unit.load(.firstRight, $0.baseAddress!, stride: 64) }
      unit.addProduct(to: .firstFirst)
      unit.store(.firstFirst, sums.baseAddress!, stride: 64)
    }
    unit.release()
    return sums[0]
  }

  @Test func addsUpAsTheProcessorDoes() {
    expectEqual(sum([1, 2, 3, 4], [5, 6, 7, 8], start: 0.5), 70.5)
    // The even and the odd products are added up apart, and to the tile at last.
    expectEqual(sum([0x1p24, 1, -0x1p24, 1], [1, 1, 1, 1]), 2)
    expectEqual(sum([0x1p24, 0, 1], [1, 0, 1], start: -0x1p24), 0)
    expectEqual(sum([1, 1], [1, 1], start: 0x1p24), 0x1p24 + 2)
    // Halfway cases go to even last bits.
    expectEqual(sum([1], [1], start: 0x1p24 + 2), 0x1p24 + 4)
    // A product is exact, also where it is below the normal numbers or above all of them.
    expectEqual(sum([0x1p-100, 0, 0x1p-20], [0x1p-30, 0, 0x1p-20]), 0x1p-40)
    expectEqual(sum([0x1p100, 0, -0x1p100], [0x1p27, 0, 0x1p27]), 0)
    expectEqual(sum([0x1p100, 0], [0x1p28, 0]), .infinity)
  }

  @Test func takesWhatIsBelowTheNormalNumbersForZero() {
    expectEqual(sum([0x1p-130], [0x1p20]), 0)
    expectEqual(sum([1], [0x1p-126]), 0x1p-126)
    expectEqual(sum([0.5], [0x1p-126]), 0)
    expectEqual(sum([0], [0], start: 0x1p-130), 0)
  }

  @Test func keepsNaN() {
    #expect(sum([.nan], [0]).isNaN && sum([0], [.nan]).isNaN)
    #expect(sum([.infinity], [0]).isNaN && sum([0], [0], start: .nan).isNaN)
    #expect(sum([.infinity, .infinity], [1, -1]).isNaN)
  }
}
