import DiceWeights
import TestSupport

/// A network that is exported, and the shapes of the inputs that it is run with.
struct ExportCase {
  var name: String
  var file: WeightFile
  /// Shapes of the inputs beside the defaults; such a case is exported with open sizes, too.
  var otherShapes: [[TensorShape]] = []
  /// Makes the inputs.
  var source: CaseNetwork

  /// Every kind of layer many times, every activation, and networks of many layers.
  static func all() throws -> [ExportCase] {
    var cases: [ExportCase] = []
    for kind in RandomLayer.allCases {
      for number in 0..<RandomLayer.count {
        try cases.append(ExportCase("\(kind.rawValue)-\(number)", kind.network(number)))
      }
    }
    for (number, function) in activations.enumerated() {
      try cases.append(ExportCase("activation-\(number)", activation(function)))
    }
    try cases.append(named())
    try cases.append(resizable())
    try cases.append(everything())
    try cases.append(integers())
    return cases
  }

  init(_ name: String, _ source: CaseNetwork, _ file: WeightFile? = nil) throws {
    self.name = name
    self.source = source
    self.file = try file ?? source.file()
  }

  /// A file as it is, with inputs of 0...1.
  init(_ name: String, _ file: WeightFile) throws {
    var source = CaseNetwork(seed: 3)
    for input in file.description.inputs {
      let shape = input.shape
      _ = source.input(shape.height, shape.width, shape.channels, range: 0...1)
    }
    try self.init(name, source, file)
  }

  // MARK: Activations

  private static let activations: [Layer.Activation] = [
    .identity, .relu, .leakyReLU(slope: 0.1), .leakyReLU(slope: -0.5), .parametricReLU(slopes: 0),
    .relu6, .clamp(lower: -1.5, upper: 0.25), .sigmoid, .hardSigmoid(scale: 0.2, offset: 0.5),
    .hardSigmoid(scale: -1, offset: 0.125), .silu, .hardSwish, .tanh, .gelu, .elu(alpha: 1),
    .elu(alpha: 0.3), .softplus, .linear(scale: -2, offset: 0.75), .exponential,
    .logarithm(lower: 0.01), .squareRoot, .reciprocal, .absolute, .power(exponent: 2.5),
    .power(exponent: 0.5), .floor, .errorFunction,
  ]

  private static func activation(_ function: Layer.Activation) -> CaseNetwork {
    var network = CaseNetwork(seed: 7)
    let source = network.input(4, 6, 5, range: -5...5)
    if case .parametricReLU = function { _ = network.tensor([5]) }
    network.output(network.add(.activation(Layer.Pointwise(input: source, function: function))))
    return network
  }

  // MARK: Networks of many layers

  /// Names that a model would otherwise give itself, outputs that are constants, and outputs that
  /// have one value.
  static func named() throws -> ExportCase {
    var network = CaseNetwork(seed: 1)
    let source = network.input(3, 4, 5)
    let window = Layer.Window(size: 1)
    let constant = network.constant(1, 4, 5)
    let sum = network.add(.elementwise(Layer.Elementwise(.addition, source, constant)))
    let first = network.convolution(sum, 5, 5, window, activation: .silu)
    network.output(constant, name: "tensor0")
    network.output(first, name: "layer2.sums")
    network.output(first, name: "_layer2")
    network.output(network.convolution(first, 5, 2, window), name: "so viele \u{C4}pfel")
    network.output(constant, name: "layer0")
    return try ExportCase("named", network)
  }

  /// Whole numbers that are taken to other scales, with factors for which one rounding is as good as two.
  static func integers() throws -> ExportCase {
    var network = CaseNetwork(seed: 4)
    network.hasWholeInputs = true
    let first = network.input(4, 5, 3, range: -90...90)
    let second = network.input(4, 5, 3, range: -90...90)
    func row(_ multiplier: Int, _ shift: Int) -> [Float] {
      [Float(multiplier >> 15), Float(multiplier & 32_767), Float(shift)]
    }
    let own = network.tensor(
      row(1_234_567_891, -2) + row(2_000_000_011, -1) + row(1_100_000_007, -4))
    let scaled = network.add(
      .activation(
        Layer.Pointwise(
          input: first, function: .requantization(multipliers: own, isRoundedOnce: true))))
    let sum = network.add(
      .elementwise(
        Layer.Elementwise(
          .requantizedSum, scaled, second,
          multipliers: network.tensor(
            row(1 << 30, 0) + row(-1_503_238_554, -1) + row(1_717_986_918, -19)),
          activation: .requantization(multipliers: own, isRoundedOnce: true))))
    let shifted = network.add(
      .activation(Layer.Pointwise(input: sum, function: .linear(scale: 1, offset: 100))))
    network.output(
      network.add(
        .activation(
          Layer.Pointwise(
            input: shifted, function: .table(numbers: network.tensor([256], -5...5))))))
    network.output(scaled)
    network.output(sum)
    return try ExportCase("integers", network)
  }

  /// Layers that can do with any size, and those that make a fixed one of it.
  static func resizable() throws -> ExportCase {
    var network = CaseNetwork(seed: 2)
    let source = network.input(16, 24, 3, isResizable: true)
    let fixed = network.input(1, 1, 6)
    let half = network.convolution(
      source, 3, 6, Layer.Window(size: 3, stride: 2, padding: 1), activation: .relu)
    let quarter = network.add(
      .pooling(
        Layer.Pooling(input: half, kind: .average, window: Layer.Window(size: 2, stride: 2))))
    let again = network.add(.resizing(.repeating(quarter, factor: 2)))
    let joined = network.add(.concatenation(Layer.Concatenation(inputs: [again, half])))
    let scaled = network.add(.elementwise(Layer.Elementwise(.multiplication, half, fixed)))
    let tall = network.add(
      .concatenation(Layer.Concatenation(inputs: [half, scaled], axis: .height)))
    let enlarged = network.add(
      .transposedConvolution(
        Layer.TransposedConvolution(
          input: quarter, inputChannels: 6, outputChannels: 2,
          window: Layer.Window(size: 3, stride: 2, padding: 1), extraRows: 1, extraColumns: 1,
          weights: network.tensor([3, 3, 6, 2]), bias: network.tensor([2]))))
    let inner = network.convolution(half, 6, 2, Layer.Window(size: 3))
    let mean = network.add(.reduction(Layer.Reduction(input: joined, kind: .mean)))
    let small = network.add(
      .resizing(
        Layer.Resizing(
          input: half, extent: .size(height: 3, width: 4), interpolation: .bilinear,
          coordinates: .halfPixel)))
    let row = network.add(
      .rearrangement(
        Layer.Rearrangement(
          input: small, dimensions: [3, 4, 6], permutation: [2, 0, 1],
          output: TensorShape(height: 1, width: 1, channels: 72))))
    let classes = network.add(
      .dense(
        Layer.Dense(
          input: row, outputChannels: 4, weights: network.tensor([72, 4]),
          bias: network.tensor([4]))))
    let nearest = network.add(
      .resizing(
        Layer.Resizing(
          input: small, extent: .size(height: 5, width: 4), interpolation: .nearestPreferringFloor,
          coordinates: .halfPixel)))
    for value in [joined, tall, enlarged, inner, mean, classes, nearest] {
      network.output(value)
    }
    var result = try ExportCase("resizable", network)
    result.otherShapes = [(8, 8), (32, 12), (20, 28)].map { (height, width) in
      [
        TensorShape(height: height, width: width, channels: 3),
        TensorShape(height: 1, width: 1, channels: 6),
      ]
    }
    return result
  }

  /// The file of every kind of input, layer and storage.
  static func everything() throws -> ExportCase {
    try ExportCase(
      "everything", WeightFile(bytes: Fixtures.bytes("golden/weights/everything.dvweights")))
  }
}
