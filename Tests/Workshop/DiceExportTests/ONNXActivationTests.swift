import DiceExport
import DiceWeights
import TestSupport
import Testing

/// The nodes that activations become, worked out by hand from the ONNX specification.
@Suite struct ONNXActivationTests {
  private func model(_ function: Layer.Activation) throws -> ReadModel {
    var network = CaseNetwork(seed: 0)
    let source = network.input(2, 3, 4)
    switch function {
    case .parametricReLU: _ = network.tensor([4])
    case .requantization: _ = network.tensor([4, 3])
    case .table: _ = network.tensor([256])
    default: break
    }
    network.output(network.add(.activation(Layer.Pointwise(input: source, function: function))))
    return try ReadModel(ONNXModel.encode(network.file()))
  }

  @Test func functionsBecomeOperators() throws {
    let expected: [(Layer.Activation, [String])] = [
      (.identity, ["Identity"]), (.relu, ["Relu"]), (.leakyReLU(slope: 0.1), ["LeakyRelu"]),
      (.parametricReLU(slopes: 0), ["PRelu"]), (.relu6, ["Clip"]), (.sigmoid, ["Sigmoid"]),
      (.hardSigmoid(scale: 0.2, offset: 0.5), ["HardSigmoid"]), (.silu, ["Sigmoid", "Mul"]),
      (.hardSwish, ["HardSwish"]), (.tanh, ["Tanh"]), (.gelu, ["Gelu"]),
      (.elu(alpha: 2), ["Elu"]), (.softplus, ["Softplus"]),
      (.linear(scale: 2, offset: 3), ["Mul", "Add"]), (.exponential, ["Exp"]),
      (.logarithm(lower: 0.5), ["Max", "Log"]), (.squareRoot, ["Relu", "Sqrt"]),
      (.reciprocal, ["Reciprocal"]), (.absolute, ["Abs"]), (.power(exponent: 3), ["Relu", "Pow"]),
      (.floor, ["Floor"]), (.errorFunction, ["Erf"]),
      (.requantization(multipliers: 0), ["Mul", "Add", "Floor"]),
      (.table(numbers: 0), ["Clip", "Cast", "Gather"]),
    ]
    for (function, operations) in expected {
      let model = try model(function)
      expectEqual(model.nodes.map { $0.operation }, operations)
      #expect(model.nodes[0].inputs[0] == "in0" && model.nodes.last?.outputs == ["out0"])
    }
  }

  @Test func numbersOfFunctionsAreKept() throws {
    try expectEqual(model(.leakyReLU(slope: 0.125)).nodes[0].floats, ["alpha": 0.125])
    try expectEqual(model(.elu(alpha: 2)).nodes[0].floats, ["alpha": 2])
    try expectEqual(
      model(.hardSigmoid(scale: 0.25, offset: 0.5)).nodes[0].floats, ["alpha": 0.25, "beta": 0.5])
    try expectEqual(model(.gelu).nodes[0].texts, ["approximate": "tanh"])
    try expectEqual(model(.silu).nodes[1].inputs, ["in0", "layer0.inner"])
    let cases: [(Layer.Activation, Int, [String: Float])] = [
      (.clamp(lower: -1, upper: 7), 0, ["lower": -1, "upper": 7]),
      (.logarithm(lower: 0.5), 0, ["lower": 0.5]),
      (.power(exponent: 3), 1, ["exponent": 3]),
    ]
    for (function, place, numbers) in cases {
      let model = try model(function)
      let names = numbers.keys.sorted().map { "layer0.\($0)" }
      expectEqual(Array(model.nodes[place].inputs.dropFirst()), names)
      for (name, value) in numbers {
        expectEqual(model.tensors["layer0.\(name)"]?.values, [value])
        expectEqual(model.tensors["layer0.\(name)"]?.shape, [])
      }
    }
    let linear = try model(.linear(scale: 2, offset: 3))
    expectEqual(linear.nodes.map { $0.inputs[1] }, ["layer0.scale", "layer0.offset"])
    expectEqual(linear.tensors["layer0.scale"]?.values, [2])
    expectEqual(linear.tensors["layer0.offset"]?.values, [3])
    try expectEqual(
      model(.parametricReLU(slopes: 0)).tensors["tensor0.channels"]?.shape, [4, 1, 1])
  }
}
