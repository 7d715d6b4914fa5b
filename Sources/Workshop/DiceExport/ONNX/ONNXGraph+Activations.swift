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
    case .requantization(let multipliers, _):
      let factors = names.part("factors", ofLayer: index)
      initializers.add(
        channelNumbers: Requantizing.factors(initializers.floats(multipliers)), name: factors)
      node("Mul", [input, factors], inner)
      addRounding(inner, output, "product", at: index)
    case .table(let numbers):
      let places = names.part("places", ofLayer: index)
      node("Clip", [input, number(0, "lower", of: index), number(255, "upper", of: index)], inner)
      node("Cast", [inner], places) { (node) in node.integer("to", Self.integerType) }
      node("Gather", [tensor(numbers, .plain), places], output)
    }
  }

  /// A sum of two numbers of other scales, rounded.
  mutating func addRequantizedSum(_ layer: Layer.Elementwise, _ output: String, at index: Int) {
    let factors = Requantizing.sumFactors(initializers.floats(layer.multipliers))
    let parts = ["first", "second", "sum"].map { (part) in names.part(part, ofLayer: index) }
    node(
      "Mul", [names[layer.first], number(factors.first, "firstFactor", of: index)], parts[0])
    node(
      "Mul", [names[layer.second], number(factors.second, "secondFactor", of: index)], parts[1])
    node("Add", [parts[0], parts[1]], parts[2])
    addRounding(parts[2], output, "sum", at: index)
  }

  /// The nearest whole numbers, a middle to the greater one.
  ///
  /// - Parameter part: What is rounded: a layer may have a sum and a product.
  private mutating func addRounding(
    _ input: String, _ output: String, _ part: String, at index: Int
  ) {
    let raised = names.part("\(part).raised", ofLayer: index)
    node("Add", [input, number(0.5, "\(part).half", of: index)], raised)
    node("Floor", [raised], output)
  }
}
