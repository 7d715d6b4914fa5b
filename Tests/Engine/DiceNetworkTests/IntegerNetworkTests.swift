import DiceKernels
import DiceNetwork
import DiceParallel
import DiceWeights
import TestSupport
import Testing

/// A network of whole numbers, as imported ones of 8 bits are, against plain loops over integers: every kernel gives the
/// same.
@Suite struct IntegerNetworkTests {
  private static let (height, width, inputs, channels) = (9, 11, 5, 20)
  private static let limits: ClosedRange<Int> = -100...155

  private struct Weights {
    var kernel: [Int]
    var bias: [Int]
    var depthwise: [Int]
    var shifts: [Int]
    var multipliers: [Int]
    var sum: [(multiplier: Int, shift: Int)]
    var table: [Int]

    init() {
      var generator = SeededGenerator(seed: 42)
      func numbers(_ count: Int, _ range: ClosedRange<Int>) -> [Int] {
        (0..<count).map { (_) in Int.random(in: range, using: &generator) }
      }
      kernel = numbers(9 * inputs * channels, -255...255)
      bias = numbers(channels, -20_000...20_000)
      depthwise = numbers(9 * channels, -255...255)
      shifts = numbers(channels, -12 ... -9)
      multipliers = numbers(channels, 1 << 30...Int(Int32.max))
      sum = [(1 << 30, 0), (-1_600_000_000, 0), (1_500_000_000, -18)]
      table = numbers(256, -128...127)
    }

    func row(_ multiplier: Int, _ shift: Int) -> [Float] {
      [Float(multiplier >> 15), Float(multiplier & 32_767), Float(shift)]
    }

    var tensors: [[Float]] {
      [
        kernel.map { Float($0) }, bias.map { Float($0) },
        zip(multipliers, shifts).flatMap { row($0, $1) }, depthwise.map { Float($0) },
        [Float](repeating: 0, count: channels), sum.flatMap { row($0.multiplier, $0.shift) },
        table.map { Float($0) },
      ]
    }

    /// In two roundings with magnitudes, or in one.
    func requantized(_ x: Int, _ multiplier: Int, _ shift: Int, isOnce: Bool = false) -> Int {
      func floored(_ a: Int, _ b: Int) -> Int { a >= 0 ? a / b : -((b - 1 - a) / b) }
      let first = floored(x * multiplier + (isOnce ? 0 : 1 << 30), 1 << 31)
      guard shift < 0 else { return first }
      let half = 1 << (-shift - 1)
      if isOnce { return floored(first + half, 2 * half) }
      return first < 0 ? -((half - first) / (2 * half)) : (first + half) / (2 * half)
    }
  }

  private static var description: NetworkDescription {
    func limited(_ input: Int) -> Layer {
      .activation(
        Layer.Pointwise(
          input: .layer(input),
          function: .clamp(lower: Float(limits.lowerBound), upper: Float(limits.upperBound))))
    }
    let window = Layer.Window(size: 3, stride: 1, padding: 1)
    return NetworkDescription(
      name: "integers", task: "tests",
      inputs: [
        NetworkInput(
          name: "x", shape: TensorShape(height: height, width: width, channels: inputs))
      ],
      layers: [
        .convolution(
          Layer.Convolution(
            input: .input(0), inputChannels: inputs, outputChannels: channels, window: window,
            activation: .requantization(multipliers: 2), weights: 0, bias: 1)),
        limited(0),
        .convolution(
          Layer.Convolution(
            input: .layer(1), inputChannels: channels, outputChannels: channels, window: window,
            groups: channels,
            activation: .requantization(multipliers: 2, isRoundedOnce: true), weights: 3, bias: 4)),
        limited(2),
        .elementwise(
          Layer.Elementwise(.requantizedSum, .layer(3), .layer(1), multipliers: 5)),
        limited(4),
        .activation(Layer.Pointwise(input: .layer(5), function: .linear(scale: 1, offset: 100))),
        .activation(Layer.Pointwise(input: .layer(6), function: .table(numbers: 6))),
      ],
      outputs: [1, 3, 5, 7].map { (layer) in NetworkOutput(name: "y\(layer)", layer: layer) })
  }

  /// The outputs by plain loops.
  private static func expected(_ x: [Int], _ weights: Weights) -> [[Int]] {
    func place(_ row: Int, _ column: Int) -> Int? {
      (0..<height).contains(row) && (0..<width).contains(column) ? row * width + column : nil
    }
    func map(_ value: (_ y: Int, _ x: Int, _ channel: Int) -> Int) -> [Int] {
      (0..<height * width * channels).map { (index) in
        value(index / channels / width, index / channels % width, index % channels)
      }
    }
    func limited(_ number: Int) -> Int { min(max(number, limits.lowerBound), limits.upperBound) }
    let first = map { (row, column, channel) in
      var sum = weights.bias[channel]
      for tap in 0..<9 {
        guard let pixel = place(row + tap / 3 - 1, column + tap % 3 - 1) else { continue }
        for input in 0..<inputs {
          sum +=
            x[pixel * inputs + input] * weights.kernel[(tap * inputs + input) * channels + channel]
        }
      }
      return limited(
        weights.requantized(sum, weights.multipliers[channel], weights.shifts[channel]))
    }
    let second = map { (row, column, channel) in
      var sum = 0
      for tap in 0..<9 {
        guard let pixel = place(row + tap / 3 - 1, column + tap % 3 - 1) else { continue }
        sum += first[pixel * channels + channel] * weights.depthwise[tap * channels + channel]
      }
      return limited(
        weights.requantized(
          sum, weights.multipliers[channel], weights.shifts[channel], isOnce: true))
    }
    let third = zip(second, first).map { (a, b) in
      let (one, two, all) = (weights.sum[0], weights.sum[1], weights.sum[2])
      return limited(
        weights.requantized(
          weights.requantized(a << 20, one.multiplier, one.shift)
            - weights.requantized(b << 20, -two.multiplier, two.shift), all.multiplier, all.shift))
    }
    return [first, second, third, third.map { weights.table[min(max($0 + 100, 0), 255)] }]
  }

  @Test(arguments: kernelChoices)
  func everyKernelGivesTheIntegers(kernels: KernelChoice) throws {
    let weights = Weights()
    var generator = SeededGenerator(seed: 43)
    let x = (0..<Self.height * Self.width * Self.inputs).map { (_) in
      Int.random(in: -128...127, using: &generator)
    }
    let expected = Self.expected(x, weights)
    // Neither all at a limit nor all zero.
    for numbers in expected { #expect(Set(numbers).count > 50) }
    for precision in NetworkPrecision.allCases {
      let plan = try NetworkPlan(
        description: Self.description, tensors: weights.tensors, kernels: kernels,
        precision: precision)
      for threadCount in [1, 2] {
        let runner = try NetworkRunner(plan, pool: WorkerPool(threadCount: threadCount))
        runner.setInput(x.map { Float($0) })
        runner.run()
        for (number, integers) in expected.enumerated() {
          expectEqual(
            Array(runner.output(number).values), integers.map { Float($0) }, "output \(number)")
        }
      }
    }
  }

  // MARK: Convolutions of whole numbers

  /// A convolution from one map of integers to another.
  private struct Convolution {
    var inputs: Int
    var outputs: Int
    var size: Int
    var stride: Int
    var kernel: [Int]
    var bias: [Int]
    var multipliers: [Int]

    init(
      _ inputs: Int, _ outputs: Int, size: Int, stride: Int, _ generator: inout SeededGenerator
    ) {
      (self.inputs, self.outputs, self.size, self.stride) = (inputs, outputs, size, stride)
      kernel = (0..<size * size * inputs * outputs).map { (index) in
        // Most have 8 bits; some have nine, at the limits of what two have together.
        switch index % 53 {
        case 0: [254, -254, 128, -129][index / 53 % 4]
        default: Int.random(in: -128...127, using: &generator)
        }
      }
      bias = (0..<outputs).map { (_) in Int.random(in: -9_000...9_000, using: &generator) }
      multipliers = (0..<outputs).map { (_) in
        Int.random(in: 1 << 30...Int(Int32.max), using: &generator)
      }
    }

    var shift: Int { size == 1 ? -8 : -10 }

    func layer(_ input: Layer.Source, tensor: Int) -> Layer {
      .convolution(
        Layer.Convolution(
          input: input, inputChannels: inputs, outputChannels: outputs,
          window: Layer.Window(size: size, stride: stride, padding: size / 2),
          activation: .requantization(multipliers: tensor + 2), weights: tensor, bias: tensor + 1))
    }

    func tensors(_ weights: Weights) -> [[Float]] {
      [
        kernel.map { Float($0) }, bias.map { Float($0) },
        multipliers.flatMap { weights.row($0, shift) },
      ]
    }

    func callAsFunction(
      _ x: [Int], height: Int, width: Int, _ weights: Weights, _ limits: ClosedRange<Int>
    ) -> [Int] {
      let (rows, columns) = ((height - 1) / stride + 1, (width - 1) / stride + 1)
      return (0..<rows * columns * outputs).map { (index) in
        let (output, pixel) = (index % outputs, index / outputs)
        var sum = bias[output]
        for tap in 0..<size * size {
          let row = pixel / columns * stride + tap / size - size / 2
          let column = pixel % columns * stride + tap % size - size / 2
          guard (0..<height).contains(row), (0..<width).contains(column) else { continue }
          for input in 0..<inputs {
            sum +=
              x[(row * width + column) * inputs + input]
              * kernel[(tap * inputs + input) * outputs + output]
          }
        }
        let result = weights.requantized(sum, multipliers[output], shift)
        return min(max(result, limits.lowerBound), limits.upperBound)
      }
    }
  }

  /// Convolutions one behind the other, the last over two values side by side.
  private static func expectExactConvolutions(
    _ kernels: KernelChoice, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var generator = SeededGenerator(seed: 44)
    let weights = Weights()
    let limits = [0...255, -128...127, -255...0, -100...155]
    let parts = [
      Convolution(5, 22, size: 3, stride: 1, &generator),
      Convolution(22, 7, size: 3, stride: 2, &generator),
      Convolution(7, 18, size: 1, stride: 1, &generator),
      Convolution(25, 40, size: 3, stride: 1, &generator),
    ]
    let (height, width) = (21, 19)
    func limited(_ input: Int, _ limits: ClosedRange<Int>) -> Layer {
      .activation(
        Layer.Pointwise(
          input: .layer(input),
          function: .clamp(lower: Float(limits.lowerBound), upper: Float(limits.upperBound))))
    }
    let description = NetworkDescription(
      name: "integers", task: "tests",
      inputs: [
        NetworkInput(name: "x", shape: TensorShape(height: height, width: width, channels: 5))
      ],
      layers: [
        parts[0].layer(.input(0), tensor: 0), limited(0, limits[0]),
        parts[1].layer(.layer(1), tensor: 3), limited(2, limits[1]),
        parts[2].layer(.layer(3), tensor: 6), limited(4, limits[2]),
        .concatenation(Layer.Concatenation(inputs: [.layer(5), .layer(3)])),
        parts[3].layer(.layer(6), tensor: 9), limited(7, limits[3]),
      ],
      outputs: [1, 3, 5, 8].map { (layer) in NetworkOutput(name: "y\(layer)", layer: layer) })
    let x = (0..<height * width * 5).map { (_) in Int.random(in: -128...127, using: &generator) }
    let first = parts[0](x, height: height, width: width, weights, limits[0])
    let second = parts[1](first, height: height, width: width, weights, limits[1])
    let third = parts[2](second, height: 11, width: 10, weights, limits[2])
    var joined: [Int] = []
    for pixel in 0..<110 {
      joined += third[18 * pixel..<18 * pixel + 18]
      joined += second[7 * pixel..<7 * pixel + 7]
    }
    let fourth = parts[3](joined, height: 11, width: 10, weights, limits[3])
    let tensors = parts.flatMap { (part) in part.tensors(weights) }
    let plan = try NetworkPlan(description: description, tensors: tensors, kernels: kernels)
    for threadCount in [1, 3] {
      let runner = try NetworkRunner(plan, pool: WorkerPool(threadCount: threadCount))
      runner.setInput(x.map { Float($0) })
      runner.run()
      for (number, integers) in [first, second, third, fourth].enumerated() {
        #expect(Set(integers).count > 40, sourceLocation: sourceLocation)
        expectEqual(
          Array(runner.output(number).values), integers.map { Float($0) }, "output \(number)",
          sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: kernelChoices)
  func convolutionsOfWholeNumbersAreExact(kernels: KernelChoice) throws {
    try Self.expectExactConvolutions(kernels)
  }

  @Test(.modelledMatrixUnits) func convolutionsOnModelledTilesAreExact() throws {
    try Self.expectExactConvolutions(.automatic)
  }

  @Test func damagedMultipliersAreTakenForWholeNumbers() throws {
    let weights = Weights()
    var tensors = weights.tensors
    tensors[2] = [.nan, -.infinity, 3e38, 1e30, -5, 0.5].flatMap {
      [Float](repeating: $0, count: 10)
    }
    tensors[5] = [.infinity, .nan, -1e30, 0.1, 70_000, 40, -70_000, 3, -40]
    tensors[6] = [Float](repeating: .infinity, count: 256)
    for kernels in kernelChoices {
      let plan = try NetworkPlan(
        description: Self.description, tensors: tensors, kernels: kernels)
      let runner = try NetworkRunner(plan)
      runner.setInput(
        (0..<Self.height * Self.width * Self.inputs).map { $0 % 7 == 0 ? .nan : 3e38 })
      runner.run()
      #expect(runner.output(2).values.allSatisfy { $0.isFinite })
    }
  }
}
