import DiceKernels
import MatrixModel
import TestSupport
import Testing

/// Every unit must give the bits of the reference, and this those of a plain computation.
@Suite(.modelledMatrixUnits) struct IntegerKernelsTests {
  /// A layer over a map with a border, of pixels of `inputs` integers.
  struct Case: CustomStringConvertible {
    var kernelSize: Int
    var stride: Int
    var inputs: Int
    var outputs: Int
    var width: Int
    var height = 2
    var writesFloats = false
    var slope: Float = 0.125

    /// Groups of four integers of a pixel.
    var step: Int { inputs == 3 ? 1 : paddedChannelCount(inputs) / 4 }
    var padding: Int { kernelSize / 2 }
    var rowStep: Int { ((width - 1) * stride + kernelSize + 1) * step }
    var rowCount: Int { (height - 1) * stride + kernelSize }
    var origin: Int { padding * rowStep + padding * step }
    /// The groups of a kernel row.
    var windowGroups: Int { kernelSize * step }
    var blocks: Int { paddedChannelCount(outputs) / channelGranularity }
    /// Groups of four integers, or floats, of an output pixel.
    var outputStep: Int { blocks * (writesFloats ? 16 : 4) }
    var description: String {
      "\(kernelSize)x\(kernelSize)/\(stride) \(inputs)->\(outputs), \(width)x\(height), "
        + "floats \(writesFloats)"
    }
  }

  static var cases: [Case] {
    var cases: [Case] = []
    for (inputs, outputs) in [(3, 16), (16, 33), (48, 32), (64, 11), (112, 48)] {
      for (kernelSize, stride) in [(1, 1), (3, 1), (3, 2)] {
        for width in [1, 7, 13, 40] {
          cases.append(
            Case(
              kernelSize: kernelSize, stride: stride, inputs: inputs, outputs: outputs,
              width: width, writesFloats: width == 13))
        }
      }
    }
    return cases
  }

  /// The numbers of a layer: bytes of the input, weights by output, window and value, biases, scales.
  struct Numbers {
    var input: [UInt8]
    var weights: [[[Int8]]]
    var biases: [Int32]
    var scales: [Float]

    init(_ test: Case, seed: UInt64, isExtreme: Bool = false) {
      var generator = SeededGenerator(seed: seed)
      let count = test.rowCount * test.rowStep * 4
      input = (0..<count).map { (_) in
        isExtreme ? 255 : UInt8.random(in: 0...255, using: &generator)
      }
      weights = (0..<test.outputs).map { (output) in
        (0..<test.kernelSize).map { (_) in
          (0..<test.windowGroups * 4).map { (_) in
            isExtreme
              ? (output % 2 == 0 ? -128 : 127) : Int8.random(in: -128...127, using: &generator)
          }
        }
      }
      biases = (0..<test.blocks * 16).map { (_) in
        Int32.random(in: -100_000...100_000, using: &generator)
      }
      scales = (0..<test.blocks * 16).map { (_) in
        Float.random(in: 0.00005...0.002, using: &generator)
      }
    }
  }

  private static let zero: Float = 31

  /// What a body writes, guards included.
  private func run(
    _ test: Case, _ numbers: Numbers, groupCount: Int, inputOffset: Int = 0,
    requantization: Requantization? = nil, _ body: (IntegerLayerTask) -> Void
  ) -> [UInt32] {
    let words = stride(from: 0, to: numbers.input.count, by: 4).map { (place) in
      Float(
        bitPattern: (0..<4).reduce(0) { $0 | UInt32(numbers.input[place + $1]) << UInt32(8 * $1) })
    }
    // Tiles read up to 64 bytes behind a window.
    let input = Guarded(words + [Float](repeating: .nan, count: 16))
    let packed = Guarded(
      [Float](repeating: 0, count: test.blocks * 16 * test.kernelSize * groupCount))
    packIntegerWeights(
      to: packed.address, outputChannelCount: test.outputs, windowCount: test.kernelSize,
      windowLength: test.windowGroups * 4, groupCount: groupCount
    ) { (output, window, value) in numbers.weights[output][window][value] }
    let biases = Guarded(
      numbers.biases.enumerated().map { (output, bias) in
        var sum = Int32(0)
        if output < test.outputs {
          for window in numbers.weights[output] { for weight in window { sum += Int32(weight) } }
        }
        return Float(bitPattern: UInt32(bitPattern: bias &+ sum &* Int32(inputOffset)))
      })
    let scales = Guarded(numbers.scales)
    let output = Guarded(count: test.height * test.width * test.outputStep)
    let offsets = (0..<test.kernelSize).map { (row) in
      (row - test.padding) * test.rowStep - test.padding * test.step
    }
    offsets.withUnsafeBufferPointer { (offsets) in
      body(
        IntegerLayerTask(
          convolution: ConvolutionTask(
            input: PixelGrid(
              input.address.advanced(by: test.origin), columnStep: test.stride * test.step,
              rowStep: test.stride * test.rowStep),
            taps: OffsetList(offsets.baseAddress!, count: test.kernelSize),
            inputChannelCount: groupCount, weights: packed.address, bias: biases.address,
            output: PixelGrid(
              output.address, columnStep: test.outputStep, rowStep: test.width * test.outputStep),
            outputBlockCount: test.blocks, width: test.width),
          scales: scales.address, slope: test.slope, zero: Self.zero,
          writesFloats: test.writesFloats, requantization: requantization))
    }
    withExtendedLifetime((input, packed, biases, scales)) {}
    return output.bits
  }

  /// What the formula gives for one output.
  private func expected(_ test: Case, _ numbers: Numbers, y: Int, x: Int, o: Int) -> Double {
    var sum = Int(numbers.biases[o])
    for window in 0..<test.kernelSize where o < test.outputs {
      let start = ((y * test.stride + window) * test.rowStep + x * test.stride * test.step) * 4
      for value in 0..<test.windowGroups * 4 {
        sum += Int(numbers.input[start + value]) * Int(numbers.weights[o][window][value])
      }
    }
    let value = Double(sum) * Double(numbers.scales[o])
    if test.writesFloats { return value }
    return min(max((value < 0 ? value * Double(test.slope) : value) + Double(Self.zero), 0), 255)
  }

  @Test(arguments: cases) func theReferenceFollowsTheFormula(test: Case) {
    let numbers = Numbers(test, seed: 5)
    let found = run(test, numbers, groupCount: test.windowGroups) {
      ReferenceKernels.convolve($0, rows: 0..<test.height)
    }
    for y in 0..<test.height {
      for x in 0..<test.width {
        for o in 0..<test.blocks * 16 {
          let pixel = Guarded.margin + (y * test.width + x) * test.outputStep
          let value = expected(test, numbers, y: y, x: x, o: o)
          if test.writesFloats {
            let number = Double(Float(bitPattern: found[pixel + o]))
            #expect((number - value).magnitude <= 1e-6 * value.magnitude)
          } else {
            let byte = found[pixel + o / 4] >> UInt32(8 * (o % 4)) & 0xFF
            // A half may go either way.
            #expect((Double(byte) - value).magnitude <= 0.5001, "\(y) \(x) \(o)")
          }
        }
      }
    }
  }

  @Test(arguments: cases) func allUnitsGiveTheBitsOfTheReference(test: Case) {
    for isExtreme in [false, true] {
      let numbers = Numbers(test, seed: 6, isExtreme: isExtreme)
      let scratch = Guarded(count: IntegerLayerTask.scratchCount)
      let expected = run(test, numbers, groupCount: test.windowGroups) {
        ReferenceKernels.convolve($0, rows: 0..<test.height)
      }
      var count = 0
      for unit in IntegerKernels.Unit.allCases where unit.isAvailable {
        let kernels = IntegerKernels(unit)
        expectEqual(kernels.unit, unit)
        let groupCount = kernels.groupCount(windowLength: test.windowGroups * 4)
        #expect(groupCount >= test.windowGroups)
        let found = run(
          test, numbers, groupCount: groupCount, inputOffset: kernels.inputOffset
        ) {
          kernels.convolve($0, rows: 0..<1, scratch: scratch.address)
          kernels.convolve($0, rows: 1..<test.height, scratch: scratch.address)
        }
        expectEqual(found, expected, "\(unit.rawValue)")
        count += 1
      }
      // The reference and that of every processor.
      #expect(count >= 2)
    }
  }

  @Test(arguments: cases.filter { $0.writesFloats }) func requantizedSumsAreWholeFloats(test: Case)
  {
    let numbers = Numbers(test, seed: 7)
    let count = test.blocks * 16
    var generator = SeededGenerator(seed: 8)
    let multipliers = (0..<count).map { (_) in
      Int.random(in: 1 << 30...Int(Int32.max), using: &generator)
    }
    let shifts = (0..<count).map { (channel) in 8 + channel % 5 }
    let words = (multipliers + [Int](repeating: 0, count: count) + shifts).map { (number) in
      Float(bitPattern: UInt32(number))
    }
    let storage = Guarded(words)
    defer { withExtendedLifetime(storage) {} }
    let task = Requantization(
      numbers: storage.address, step: count, isRoundedOnce: true, lower: -200, upper: 150)
    let scratch = Guarded(count: IntegerLayerTask.scratchCount)
    let expected = run(
      test, numbers, groupCount: test.windowGroups, requantization: task
    ) { ReferenceKernels.convolve($0, rows: 0..<test.height) }
    for y in 0..<test.height {
      for x in 0..<test.width {
        for o in 0..<count {
          var sum = Int(numbers.biases[o])
          for window in 0..<test.kernelSize where o < test.outputs {
            let start =
              ((y * test.stride + window) * test.rowStep + x * test.stride * test.step) * 4
            for value in 0..<test.windowGroups * 4 {
              sum += Int(numbers.input[start + value]) * Int(numbers.weights[o][window][value])
            }
          }
          // Rounded once, a middle up.
          let product = sum * multipliers[o] + 1 << (30 + shifts[o])
          let place = Guarded.margin + (y * test.width + x) * test.outputStep + o
          expectEqual(
            Float(bitPattern: expected[place]),
            Float(min(max(product >> (31 + shifts[o]), -200), 150)))
        }
      }
    }
    for unit in IntegerKernels.Unit.allCases where unit.isAvailable {
      let kernels = IntegerKernels(unit)
      let found = run(
        test, numbers, groupCount: kernels.groupCount(windowLength: test.windowGroups * 4),
        inputOffset: kernels.inputOffset, requantization: task
      ) { kernels.convolve($0, rows: 0..<test.height, scratch: scratch.address) }
      expectEqual(found, expected, "\(unit.rawValue)")
    }
  }

  @Test func quantizationRoundsAndLimits() {
    let values: [Float] = [0, 1, -1, 0.5, 1.5, 2.5, 300, -300, .nan, .infinity, -.infinity, 127.25]
    let source = Guarded(values + [0])
    let target = Guarded(count: 4)
    IntegerKernels().quantize(
      source.address, pixelStep: 3, to: target.address, groupCount: 1, targetStep: 1, count: 4,
      scale: 1, zero: 2)
    let bytes = target.values.flatMap { (word) in
      (0..<3).map { (place) in Int(word.bitPattern >> UInt32(8 * place) & 0xFF) }
    }
    expectEqual(bytes, [2, 3, 1, 2, 4, 4, 255, 0, 0, 255, 0, 129])
  }

  @Test func wideQuantizationLeavesWhatLiesBehindPixels() {
    // Six groups of a pixel, of which a wider one and two by themselves are written, three more stay.
    var generator = SeededGenerator(seed: 5)
    let values = generator.floats(2 * 32 + 16, -40...300)
    let source = Guarded(values)
    let target = Guarded([Float](repeating: 7, count: 2 * 9))
    IntegerKernels().quantize(
      source.address, pixelStep: 32, to: target.address, groupCount: 6, targetStep: 9, count: 2,
      scale: 1, zero: 3)
    for pixel in 0..<2 {
      for place in 0..<24 {
        let word = target.values[9 * pixel + place / 4].bitPattern
        let expected = min(max(values[32 * pixel + place] + 3, 0), 255)
          .rounded(.toNearestOrEven)
        expectEqual(Float(word >> UInt32(8 * (place % 4)) & 0xFF), expected, "place \(place)")
      }
      expectEqual(Array(target.values[9 * pixel + 6..<9 * pixel + 9]), [7, 7, 7])
    }
  }

  @Test func whatIsNotAvailableIsReplaced() {
    for unit in IntegerKernels.Unit.allCases {
      #expect(IntegerKernels(unit).unit.isAvailable)
    }
    expectEqual(IntegerKernels(with: nil, isLimit: true).unit, .reference)
    expectEqual(IntegerKernels(with: .baseline, isLimit: true).unit, .baseline)
    expectEqual(IntegerKernels(with: .baseline, isLimit: false).unit, IntegerKernels().unit)
  }
}
