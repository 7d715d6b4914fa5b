import DiceNetwork
import DiceParallel
import DiceWeights
import TestSupport
import Testing

/// Convolutions whose rows may be taken several at once, and functions one behind the other.
@Suite struct RowOrderTests {
  /// Whole numbers: sums of them are exact in every order.
  private func integers(_ count: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { (_) in Float(generator.int(-4...4)) }
  }

  /// All kernels and numbers of threads against the plain computation, bit for bit.
  private func check(_ description: NetworkDescription, _ tensors: [[Float]]) throws {
    let shape = description.inputs[0].shape
    let input = integers(shape.elementCount, seed: 1)
    let naive = NaiveNetwork(description: description, tensors: tensors)
      .run([Map(shape, input)])
    for kernels in kernelChoices {
      let plan = try NetworkPlan(description: description, tensors: tensors, kernels: kernels)
      for threadCount in [1, 2, 5] {
        let runner = try NetworkRunner(plan, pool: WorkerPool(threadCount: threadCount))
        for _ in 0..<2 {
          runner.setInput(input)
          runner.run()
          for (index, output) in description.outputs.enumerated() {
            let expected = naive[output.layer].values.map { Float($0) }
            expectEqual(Array(runner.output(index).values), expected, "\(threadCount): \(plan)")
          }
        }
      }
    }
  }

  private static let shapes = [
    TensorShape(height: 11, width: 9, channels: 24),
    TensorShape(height: 40, width: 3, channels: 16),
    TensorShape(height: 1, width: 1, channels: 5),
    TensorShape(height: 48, width: 20, channels: 33),
  ]

  @Test(arguments: shapes)
  func pointwiseBehindDepthwiseConvolutions(shape: TensorShape) throws {
    let channels = shape.channels
    var layers: [Layer] = []
    var tensors: [[Float]] = []
    func append(_ inputs: Int, _ outputs: Int, groups: Int, _ window: Layer.Window) {
      let count = window.height * window.width * inputs / groups * outputs
      layers.append(
        .convolution(
          Layer.Convolution(
            input: layers.isEmpty ? .input(0) : .layer(layers.count - 1), inputChannels: inputs,
            outputChannels: outputs, window: window, groups: groups,
            activation: .clamp(lower: -4, upper: 6), weights: tensors.count,
            bias: tensors.count + 1)))
      tensors.append(integers(count, seed: UInt64(tensors.count)))
      tensors.append(integers(outputs, seed: UInt64(tensors.count)))
    }
    append(3, channels, groups: 1, Layer.Window(size: 1))
    // An output has a border where a depthwise convolution follows, and none elsewhere.
    for stride in [1, 2, 1] {
      append(
        channels, channels, groups: channels,
        Layer.Window(size: 3, stride: stride, padding: 1))
      append(channels, channels, groups: 1, Layer.Window(size: 1))
    }
    append(channels, 7, groups: 1, Layer.Window(size: 1))
    try check(
      NetworkDescription(
        name: "pairs",
        inputs: [
          NetworkInput(
            name: "input", shape: TensorShape(height: shape.height, width: shape.width, channels: 3)
          )
        ], layers: layers,
        outputs: [
          NetworkOutput(name: "last", layer: layers.count - 1),
          NetworkOutput(name: "depthwise", layer: 3),
        ]), tensors)
  }

  @Test(arguments: [3, 16, 20])
  func functionsBehindEachOther(channels: Int) throws {
    let steps: [Layer.Activation] = [
      .linear(scale: 0.25, offset: 0.5), .clamp(lower: -3, upper: 5.5), .floor,
      .linear(scale: 0.5, offset: 0), .leakyReLU(slope: 0.5), .linear(scale: -1, offset: 1),
      .clamp(lower: 0, upper: 4), .floor,
    ]
    var layers: [Layer] = []
    func appendSteps() {
      for function in steps {
        layers.append(
          .activation(
            Layer.Pointwise(
              input: layers.isEmpty ? .input(0) : .layer(layers.count - 1), function: function)))
      }
    }
    appendSteps()
    layers.append(
      .convolution(
        Layer.Convolution(
          input: .layer(layers.count - 1), inputChannels: channels, outputChannels: channels,
          window: Layer.Window(size: 3, padding: 1), activation: .leakyReLU(slope: 0.25),
          weights: 0, bias: 1)))
    appendSteps()
    let last = layers.count - 1
    layers.append(
      .elementwise(
        Layer.Elementwise(
          .addition, .layer(last), .layer(last), activation: .linear(scale: 0.5, offset: 0.25))))
    appendSteps()
    try check(
      NetworkDescription(
        name: "steps",
        inputs: [
          NetworkInput(name: "input", shape: TensorShape(height: 7, width: 13, channels: channels))
        ], layers: layers, outputs: [NetworkOutput(name: "last", layer: layers.count - 1)]),
      [integers(9 * channels * channels, seed: 2), integers(channels, seed: 3)])
  }
}
