internal import DiceKernelTemplates
internal import DiceKernels
internal import DiceWeights

/// A function of one number with its derivative, for eight numbers at once.
struct ActivationFunction {
  let function: Layer.Activation

  /// Whether the function has a derivative that is of use; a parametric rectifier has one of its own
  /// (``ParametricRectifierOperation``).
  static func isSupported(_ function: Layer.Activation) -> Bool {
    switch function {
    case .floor, .parametricReLU, .requantization, .table: false
    default: true
    }
  }

  @inline(__always)
  private func sigmoid(_ x: Channels) -> Channels {
    1 / (1 + DiceKernelTemplates.exponential(-x))
  }

  /// `tanh(x) = 2 sigmoid(2 x) - 1`, and `x` itself near zero, where that loses digits.
  @inline(__always)
  private func hyperbolicTangent(_ x: Channels) -> Channels {
    let value = 2 * sigmoid(2 * x) - 1
    let isSmall = x * x .< 1e-6
    return value.replacing(with: x, where: isSmall)
  }

  /// A scalar function for each lane.
  @inline(__always)
  private func each(_ x: Channels, _ function: (Float) -> Float) -> Channels {
    var result = x
    for lane in 0..<Channels.scalarCount { result[lane] = function(x[lane]) }
    return result
  }

  private static let halfGELU: Float = 0.79788456
  private static let cubicGELU: Float = 0.044715

  /// The function of each number.
  @inline(__always)
  func value(_ x: Channels) -> Channels {
    switch function {
    case .identity, .parametricReLU, .requantization, .table: return x
    case .leakyReLU(let slope): return x.replacing(with: x * slope, where: x .< 0)
    case .clamp(let lower, let upper):
      return x.clamped(
        lowerBound: Channels(repeating: lower), upperBound: Channels(repeating: upper))
    case .sigmoid: return sigmoid(x)
    case .hardSigmoid(let scale, let offset):
      return (x * scale + offset).clamped(
        lowerBound: Channels(repeating: 0), upperBound: Channels(repeating: 1))
    case .silu: return x * sigmoid(x)
    case .hardSwish:
      return x
        * (x + 3).clamped(
          lowerBound: Channels(repeating: 0), upperBound: Channels(repeating: 6)) / 6
    case .tanh: return hyperbolicTangent(x)
    case .elu(let alpha):
      return x.replacing(with: alpha * (DiceKernelTemplates.exponential(x) - 1), where: x .< 0)
    case .gelu:
      let inner = Self.halfGELU * (x + Self.cubicGELU * x * x * x)
      return 0.5 * x * (1 + hyperbolicTangent(inner))
    case .softplus: return each(x) { DiceTraining.softplus($0) }
    case .linear(let scale, let offset): return x * scale + offset
    case .exponential: return DiceKernelTemplates.exponential(x)
    case .logarithm(let lower): return each(x) { naturalLogarithm(max($0, lower)) }
    case .squareRoot: return x.replacing(with: 0, where: x .< 0).squareRoot()
    case .reciprocal: return 1 / x
    case .absolute: return x.replacing(with: -x, where: x .< 0)
    case .power(let exponent): return each(x) { DiceTraining.power(max($0, 0), exponent) }
    case .floor: return x.rounded(.down)
    case .errorFunction: return each(x) { ReferenceKernels.errorFunction($0) }
    }
  }

  /// The derivative at each number; where there is none, that of the branch that the formula takes.
  @inline(__always)
  func derivative(_ x: Channels) -> Channels {
    let (zero, one) = (Channels(repeating: 0), Channels(repeating: 1))
    switch function {
    case .identity, .parametricReLU, .requantization, .table: return one
    case .leakyReLU(let slope):
      return one.replacing(with: Channels(repeating: slope), where: x .< 0)
    case .clamp(let lower, let upper):
      return zero.replacing(with: one, where: x .> lower .& x .< upper)
    case .sigmoid:
      let value = sigmoid(x)
      return value * (1 - value)
    case .hardSigmoid(let scale, let offset):
      let inner = x * scale + offset
      return zero.replacing(with: scale, where: inner .> 0 .& inner .< 1)
    case .silu:
      let value = sigmoid(x)
      return value + x * value * (1 - value)
    case .hardSwish:
      let middle = (2 * x + 3) / 6
      return middle.replacing(with: 0, where: x .<= -3).replacing(with: 1, where: x .>= 3)
    case .tanh:
      let value = hyperbolicTangent(x)
      return 1 - value * value
    case .elu(let alpha):
      return one.replacing(with: alpha * DiceKernelTemplates.exponential(x), where: x .< 0)
    case .gelu:
      let square = x * x
      let value = hyperbolicTangent(Self.halfGELU * (x + Self.cubicGELU * square * x))
      let inner = Self.halfGELU * (1 + 3 * Self.cubicGELU * square)
      let slope: Channels = 1 - value * value
      let half: Channels = 0.5 * x
      return 0.5 * (1 + value) + half * slope * inner
    case .softplus: return sigmoid(x)
    case .linear(let scale, _): return Channels(repeating: scale)
    case .exponential: return DiceKernelTemplates.exponential(x)
    case .logarithm(let lower): return zero.replacing(with: 1 / x, where: x .> lower)
    case .squareRoot: return zero.replacing(with: 0.5 / x.squareRoot(), where: x .> 0)
    case .reciprocal: return -1 / (x * x)
    case .absolute: return one.replacing(with: -1, where: x .< 0)
    case .power(let exponent):
      let positive = x .> 0
      let value = each(x) { $0 > 0 ? DiceTraining.power($0, exponent - 1) : 0 }
      return zero.replacing(with: exponent * value, where: positive)
    case .floor: return zero
    case .errorFunction: return 1.1283792 * DiceKernelTemplates.exponential(-x * x)
    }
  }
}

/// A function of each number.
final class ActivationOperation: Operation {
  let output: Value
  private let input: Value
  private let function: ActivationFunction

  init(_ function: Layer.Activation, from input: Value, to output: Value) {
    precondition(ActivationFunction.isSupported(function), "the function has a derivative")
    self.function = ActivationFunction(function: function)
    self.input = input
    self.output = output
  }

  func forward(_ pass: Pass) {
    pass.forEachSample { sample in
      mapValues(of: input.map, to: output.map, sample: sample) { (x, _) in function.value(x) }
    }
  }

  func backward(_ pass: Pass) {
    guard let target = input.gradientTarget() else { return }
    pass.forEachSample { sample in
      mapGradients(output.gradient, input: input.map, to: target, sample: sample) { (g, x, _) in
        g * function.derivative(x)
      }
    }
  }
}
