extension Layer {
  /// A function of one number, applied to every number of a value.
  public enum Activation: Hashable, Sendable {
    /// `x`
    case identity
    /// `x` where `x >= 0`, else `slope * x`; `slope` is finite (0 is ReLU).
    case leakyReLU(slope: Float)
    /// As ``leakyReLU(slope:)`` with a slope for each channel: the tensor with this index, `[C]`.
    case parametricReLU(slopes: Int)
    /// `min(max(x, lower), upper)`; ReLU6 is 0...6. Both are finite, `lower <= upper`.
    case clamp(lower: Float, upper: Float)
    /// `1 / (1 + exp(-x))`
    case sigmoid
    /// `min(max(scale * x + offset, 0), 1)`; both are finite.
    case hardSigmoid(scale: Float, offset: Float)
    /// `x * sigmoid(x)`, also named swish.
    case silu
    /// `x * min(max(x + 3, 0), 6) / 6`
    case hardSwish
    /// The hyperbolic tangent.
    case tanh
    /// `x` where `x >= 0`, else `alpha * (exp(x) - 1)`; `alpha` is finite.
    case elu(alpha: Float)
    /// `0.5 * x * (1 + tanh(0.79788456 * (x + 0.044715 * x³)))`: GELU in its usual approximation.
    case gelu
    /// `ln(1 + exp(x))`
    case softplus
    /// `scale * x + offset`; both are finite.
    case linear(scale: Float, offset: Float)
    /// `exp(x)`
    case exponential
    /// The natural logarithm of `max(x, lower)`; `lower` is finite and above 0.
    case logarithm(lower: Float)
    /// `sqrt(max(x, 0))`
    case squareRoot
    /// `1 / x`
    case reciprocal
    /// `|x|`
    case absolute
    /// `max(x, 0)` to the power of `exponent`, which is finite and above 0.
    case power(exponent: Float)
    /// The greatest whole number that is not above `x`.
    case floor
    /// The error function, twice the integral of `exp(-t²)` from 0 to `x` over the root of pi.
    case errorFunction

    /// ReLU: a leaky rectifier without a slope.
    public static let relu = Activation.leakyReLU(slope: 0)
    /// ReLU6: ``clamp(lower:upper:)`` to 0...6.
    public static let relu6 = Activation.clamp(lower: 0, upper: 6)

    /// The slopes of a parametric rectifier.
    func weightTensors(channels: Int) -> [(tensor: Int, shape: [Int])] {
      if case .parametricReLU(let slopes) = self { return [(slopes, [channels])] }
      return []
    }

    /// The numbers that belong to the function, in the order of its definition.
    public var parameters: [Float] {
      switch self {
      case .leakyReLU(let slope): [slope]
      case .clamp(let lower, let upper): [lower, upper]
      case .hardSigmoid(let scale, let offset), .linear(let scale, let offset): [scale, offset]
      case .elu(let alpha): [alpha]
      case .logarithm(let lower): [lower]
      case .power(let exponent): [exponent]
      case .identity, .parametricReLU, .sigmoid, .silu, .hardSwish, .tanh, .gelu, .softplus,
        .exponential, .squareRoot, .reciprocal, .absolute, .floor, .errorFunction:
        []
      }
    }
  }

  /// An ``Activation`` as a layer of its own.
  public struct Pointwise: Hashable, Sendable {
    /// Where the values come from.
    public var input: Source
    /// What is applied to each number.
    public var function: Activation

    /// Groups the parts without checking them.
    public init(input: Source, function: Activation) {
      self.input = input
      self.function = function
    }
  }
}
