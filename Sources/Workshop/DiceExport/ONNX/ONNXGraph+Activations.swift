internal import DiceWeights

extension ONNXGraph {
  /// Where a layer with an activation leaves its results: at its output, or where the activation
  /// reads them.
  func beforeActivation(_ activation: Layer.Activation, at index: Int) -> String {
    activation == .identity ? output(index) : names.part("sums", ofLayer: index)
  }

  /// The activation of a layer whose results have been left at ``beforeActivation(_:at:)``.
  mutating func addActivation(_ activation: Layer.Activation, at index: Int) {
    guard activation != .identity else { return }
    add(activation, of: beforeActivation(activation, at: index), at: index)
  }

  /// A function of each number of a value, up to the layer's output.
  mutating func add(_ function: Layer.Activation, of input: String, at index: Int) {
    let output = output(index)
    let inner = names.part("inner", ofLayer: index)
    switch function {
    case .identity: node("Identity", [input], output)
    case .leakyReLU(let slope) where slope == 0: node("Relu", [input], output)
    case .leakyReLU(let slope):
      node("LeakyRelu", [input], output) { (node) in node.float("alpha", slope) }
    case .parametricReLU(let slopes):
      node("PRelu", [input, tensor(slopes, .channels)], output)
    case .clamp(let lower, let upper):
      let bounds = [number(lower, "lower", of: index), number(upper, "upper", of: index)]
      node("Clip", [input] + bounds, output)
    case .sigmoid: node("Sigmoid", [input], output)
    case .hardSigmoid(let scale, let offset):
      node("HardSigmoid", [input], output) { (node) in
        node.float("alpha", scale)
        node.float("beta", offset)
      }
    case .silu:
      node("Sigmoid", [input], inner)
      node("Mul", [input, inner], output)
    case .hardSwish: node("HardSwish", [input], output)
    case .tanh: node("Tanh", [input], output)
    case .elu(let alpha):
      node("Elu", [input], output) { (node) in node.float("alpha", alpha) }
    case .gelu:
      node("Gelu", [input], output) { (node) in node.text("approximate", "tanh") }
    case .softplus: node("Softplus", [input], output)
    case .linear(let scale, let offset):
      node("Mul", [input, number(scale, "scale", of: index)], inner)
      node("Add", [inner, number(offset, "offset", of: index)], output)
    case .exponential: node("Exp", [input], output)
    case .logarithm(let lower):
      node("Max", [input, number(lower, "lower", of: index)], inner)
      node("Log", [inner], output)
    case .squareRoot:
      node("Relu", [input], inner)
      node("Sqrt", [inner], output)
    case .reciprocal: node("Reciprocal", [input], output)
    case .absolute: node("Abs", [input], output)
    case .power(let exponent):
      node("Relu", [input], inner)
      node("Pow", [inner, number(exponent, "exponent", of: index)], output)
    case .floor: node("Floor", [input], output)
    case .errorFunction: node("Erf", [input], output)
    }
  }
}
