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
    /// A whole number as one of another scale: with the multiplier `m` and the shift `s` of its channel
    /// `x * m * 2^(s - 31)`, rounded in two steps as LiteRT's kernels of 8-bit integers round.
    ///
    /// The tensor with this index, `[C, 3]`, has `m / 2¹⁵` rounded down, what that leaves of `m`, and `s`; `m` is in
    /// `0..<2³¹`, `s` in `-31...30`. The first rounding is of `x * 2^max(s, 0) * m / 2³¹`, a middle goes up; the
    /// second of that over `2^max(-s, 0)`, a middle goes away from 0. `x` is limited to 32 bits. Where it is
    /// rounded once, the first result is rounded down, and the second middle goes up.
    ///
    /// Source: `MultiplyByQuantizedMultiplier` of LiteRT.
    case requantization(multipliers: Int, isRoundedOnce: Bool = false)
    /// The number that a table of 256 has at the place `x`, which is limited to 0...255: the tensor with this
    /// index, `[256]`.
    case table(numbers: Int)

    /// ReLU: a leaky rectifier without a slope.
    public static let relu = Activation.leakyReLU(slope: 0)
    /// ReLU6: ``clamp(lower:upper:)`` to 0...6.
    public static let relu6 = Activation.clamp(lower: 0, upper: 6)

    /// The tensor that belongs to the function, or nil where there is none.
    public var tensor: Int? {
      switch self {
      case .parametricReLU(let tensor), .requantization(let tensor, _), .table(let tensor): tensor
      default: nil
      }
    }

    /// The same function with another tensor, where it has one.
    public func withTensor(_ tensor: Int) -> Activation {
      switch self {
      case .parametricReLU: .parametricReLU(slopes: tensor)
      case .requantization(_, let isOnce):
        .requantization(multipliers: tensor, isRoundedOnce: isOnce)
      case .table: .table(numbers: tensor)
      default: self
      }
    }

    /// The tensor that belongs to the function, and its shape.
    func weightTensors(channels: Int) -> [(tensor: Int, shape: [Int])] {
      switch self {
      case .parametricReLU(let slopes): [(slopes, [channels])]
      case .requantization(let multipliers, _): [(multipliers, [channels, 3])]
      case .table(let numbers): [(numbers, [256])]
      default: []
      }
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
        .exponential, .squareRoot, .reciprocal, .absolute, .floor, .errorFunction, .requantization,
        .table:
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
