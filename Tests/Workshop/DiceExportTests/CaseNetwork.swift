import DiceNetwork
import DiceWeights
import TestSupport

/// A network with numbers drawn at random, built layer by layer.
struct CaseNetwork {
  var generator: SeededGenerator
  private(set) var inputs: [NetworkInput] = []
  private(set) var layers: [Layer] = []
  private(set) var outputs: [NetworkOutput] = []
  private(set) var tensors: [[Float]] = []
  /// The numbers that each input may have.
  private(set) var ranges: [ClosedRange<Float>] = []
  /// Whether inputs are whole numbers, so that some are equal.
  var hasWholeInputs = false

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  var description: NetworkDescription {
    NetworkDescription(name: "case", inputs: inputs, layers: layers, outputs: outputs)
  }

  // MARK: Drawing

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func float(_ range: ClosedRange<Float>) -> Float { generator.floats(1, range)[0] }

  mutating func chance(_ share: Double) -> Bool { generator.uniform(0...1) < share }

  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[int(0...elements.count - 1)]
  }

  /// The numbers of one run, for inputs of some shapes.
  mutating func values(of shapes: [TensorShape]) -> [[Float]] {
    zip(shapes, ranges).map { (shape, range) in
      let values = generator.floats(shape.elementCount, range)
      return hasWholeInputs ? values.map { (value) in value.rounded() } : values
    }
  }

  // MARK: Building

  mutating func input(
    _ height: Int, _ width: Int, _ channels: Int, isResizable: Bool = false,
    range: ClosedRange<Float> = -3...3
  ) -> Layer.Source {
    inputs.append(
      NetworkInput(
        name: "in\(inputs.count)",
        shape: TensorShape(height: height, width: width, channels: channels),
        isResizable: isResizable))
    ranges.append(range)
    return .input(inputs.count - 1)
  }

  mutating func tensor(_ shape: [Int], _ range: ClosedRange<Float> = -0.5...0.5) -> Int {
    tensors.append(generator.floats(shape.reduce(1, *), range))
    return tensors.count - 1
  }

  /// A tensor of given numbers.
  mutating func tensor(_ numbers: [Float]) -> Int {
    tensors.append(numbers)
    return tensors.count - 1
  }

  @discardableResult
  mutating func add(_ layer: Layer) -> Layer.Source {
    layers.append(layer)
    return .layer(layers.count - 1)
  }

  mutating func output(_ source: Layer.Source, name: String? = nil) {
    guard case .layer(let index) = source else { return }
    outputs.append(NetworkOutput(name: name ?? "out\(outputs.count)", layer: index))
  }

  /// A convolution with weights of its own.
  mutating func convolution(
    _ source: Layer.Source, _ inputs: Int, _ outputs: Int, _ window: Layer.Window, groups: Int = 1,
    activation: Layer.Activation = .identity
  ) -> Layer.Source {
    let weights = tensor([window.height, window.width, inputs / groups, outputs])
    let bias = tensor([outputs])
    return add(
      .convolution(
        Layer.Convolution(
          input: source, inputChannels: inputs, outputChannels: outputs, window: window,
          groups: groups, activation: activation, weights: weights, bias: bias)))
  }

  // MARK: Running

  func file() throws -> WeightFile {
    try WeightFile(
      bytes: WeightFile.encode(description: description, tensors: tensors, storage: .float32))
  }
}

/// What this project's reference kernels make of a network's inputs.
func referenceOutputs(
  of file: WeightFile, shapes: [TensorShape], _ inputs: [[Float]]
) throws -> [FeatureMap] {
  let runner = try NetworkRunner(NetworkPlan(file, kernels: .reference), inputs: shapes)
  for (index, values) in inputs.enumerated() { runner.setInput(index, values) }
  runner.run()
  return file.description.outputs.indices.map { (index) in runner.output(index) }
}
