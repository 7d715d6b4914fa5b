internal import DiceWeights

/// Functions of each number.
extension CoreMLGraph {
  /// Appends a function of a value.
  ///
  /// - Parameter isWhole: Whether the value has another name before, so that the identity is a layer, too.
  mutating func activate(
    _ function: Layer.Activation, _ input: String, _ output: String, channels: Int,
    isWhole: Bool = false
  ) {
    switch function {
    case .identity: if isWhole { layer(600, [input], output) }
    case .leakyReLU(let slope) where slope == 0: activation(10, [], input, output)
    case .leakyReLU(let slope): activation(15, [slope], input, output)
    case .parametricReLU(let slopes):
      let numbers = floats(slopes)
      layer(130, [input], output) { (layer) in
        layer.message(25) { (function) in function.weights(1, numbers) }
      }
    case .clamp(let lower, let upper):
      layer(660, [input], output) { (layer) in
        layer.float(1, lower)
        layer.float(2, upper)
      }
    case .sigmoid: activation(40, [], input, output)
    case .hardSigmoid(let scale, let offset): activation(41, [scale, offset], input, output)
    case .silu:
      let gate = part()
      activation(40, [], input, gate)
      layer(900, [input, gate], output)
    case .hardSwish:
      let gate = part()
      activation(41, [1 / 6, 0.5], input, gate)
      layer(900, [input, gate], output)
    case .tanh: activation(30, [], input, output)
    case .elu(let alpha): activation(50, [alpha], input, output)
    case .gelu: layer(795, [input], output) { (layer) in layer.integer(1, 1) }
    case .softplus: activation(70, [], input, output)
    case .linear(let scale, let offset): activation(5, [scale, offset], input, output)
    case .exponential: unary(4, input, output)
    case .logarithm(let lower):
      let limited = part()
      unary(7, input, limited, alpha: lower)
      unary(5, limited, output)
    case .squareRoot:
      let positive = part()
      activation(10, [], input, positive)
      unary(0, positive, output)
    case .reciprocal: unary(2, input, output, epsilon: 1e-30)
    case .absolute: unary(6, input, output)
    case .power(let exponent):
      let positive = part()
      activation(10, [], input, positive)
      unary(3, positive, output, alpha: exponent)
    case .floor: layer(670, [input], output)
    case .errorFunction: layer(790, [input], output)
    case .requantization(let multipliers, _):
      let factors = Requantizing.factors(floats(multipliers))
      let product = part()
      layer(900, [input, constant([1, factors.count, 1, 1], factors)], product)
      addRounding(product, output)
    case .table(let numbers):
      let limited = part()
      activate(.clamp(lower: 0, upper: 255), input, limited, channels: channels)
      layer(930, [constant([256], floats(numbers)), limited], output) { (layer) in
        layer.integer(1, 0)
      }
    }
  }

  /// A sum of two numbers of other scales, rounded.
  mutating func addRequantizedSum(_ addition: Layer.Elementwise, _ output: String) {
    let factors = Requantizing.sumFactors(floats(addition.multipliers))
    let parts = (0..<3).map { _ in part() }
    activation(5, [factors.first, 0], name(addition.first), parts[0])
    activation(5, [factors.second, 0], name(addition.second), parts[1])
    layer(880, [parts[0], parts[1]], parts[2])
    addRounding(parts[2], output)
  }

  /// The nearest whole numbers, a middle to the greater one.
  private mutating func addRounding(_ input: String, _ output: String) {
    let raised = part()
    activation(5, [1, 0.5], input, raised)
    layer(670, [raised], output)
  }

  /// A layer `ActivationParams` with its numbers.
  private mutating func activation(
    _ kind: Int, _ numbers: [Float], _ input: String, _ output: String
  ) {
    layer(130, [input], output) { (layer) in
      layer.message(kind) { (function) in
        for (index, number) in numbers.enumerated() { function.float(index + 1, number) }
      }
    }
  }

  private mutating func unary(
    _ kind: Int, _ input: String, _ output: String, alpha: Float = 0, epsilon: Float = 0
  ) {
    layer(220, [input], output) { (layer) in
      layer.integer(1, kind)
      layer.float(2, alpha)
      layer.float(3, epsilon)
      layer.float(5, 1)
    }
  }
}
