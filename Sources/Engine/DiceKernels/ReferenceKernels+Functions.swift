public import DiceKernelTemplates
internal import DiceNumerics

/// Functions of one number. `Kernels` gives the same bits.
extension ReferenceKernels {
  /// Applies a function over the rows `rows`; in place where output and input are the same.
  public static func activate(
    _ task: MapTask, _ function: ActivationFunction, rows: Range<Int>
  ) {
    for y in rows {
      for x in 0..<task.width {
        let input = task.input.advanced(by: y * task.inputRowStep + x * task.inputColumnStep)
        let output = task.output.advanced(by: y * task.outputRowStep + x * task.outputColumnStep)
        for c in 0..<task.channelCount {
          output.store(value(of: function, at: input.scalar(at: c), channel: c), at: c)
        }
      }
    }
  }

  /// As `activate`, for functions that have no vector version; others stay as they are.
  static func activateRarely(
    _ task: MapTask, _ function: ActivationFunction, rows: Range<Int>
  ) {
    for y in rows {
      for x in 0..<task.width {
        let input = task.input.advanced(by: y * task.inputRowStep + x * task.inputColumnStep)
        let output = task.output.advanced(by: y * task.outputRowStep + x * task.outputColumnStep)
        for c in 0..<task.channelCount {
          output.store(rareValue(of: function, at: input.scalar(at: c)), at: c)
        }
      }
    }
  }

  /// A function's value; NaN for NaN.
  ///
  /// `exponential` stands for e to the power of a number limited to −87...88.
  public static func value(of function: ActivationFunction, at x: Float, channel: Int) -> Float {
    switch function {
    case .identity: return x
    case .leakyReLU(let slope): return x < 0 ? x * slope : x
    case .parametricReLU(let slopes): return x < 0 ? x * slopes.scalar(at: channel) : x
    case .clamp(let lower, let upper): return limited(x, lower, upper)
    case .sigmoid: return sigmoid(x)
    case .hardSigmoid(let scale, let offset): return limited(x * scale + offset, 0, 1)
    case .silu: return x / (1 + exponential(0 - x))
    case .hardSwish: return x * limited(x + 3, 0, 6) / 6
    case .tanh: return hyperbolicTangent(x)
    case .elu(let alpha): return x < 0 ? alpha * (exponential(x) - 1) : x
    case .gelu:
      let cube = x * x * x
      return 0.5 * x * (1 + hyperbolicTangent(0.79788456 * (x + 0.044715 * cube)))
    case .linear(let scale, let offset): return x * scale + offset
    case .exponential: return exponential(x)
    case .steps(let line):
      let whole = rareValue(
        of: .floor, at: limited(x * line.scale + line.offset, line.lower, line.upper))
      return whole * line.step + line.start
    case .errorFunction: return errorFunction(x)
    case .requantization(let task): return requantized(word(x), task, channel: channel)
    case .softplus, .logarithm, .squareRoot, .reciprocal, .absolute, .power, .floor, .table:
      return rareValue(of: function, at: x)
    }
  }

  /// The value of a function that has no vector version; the number itself for others.
  private static func rareValue(of function: ActivationFunction, at x: Float) -> Float {
    switch function {
    case .softplus:
      let t = exponential(x < 0 ? x : 0 - x)
      return (x < 0 ? 0 : x) + Float(logarithm(1 + Double(t)))
    case .logarithm(let lower): return Float(logarithm(Double(x < lower ? lower : x)))
    case .squareRoot: return (x < 0 ? 0 : x).squareRoot()
    case .reciprocal: return 1 / x
    case .absolute: return x.magnitude
    case .power(let exponent): return power(x, exponent)
    case .floor:
      // Greater magnitudes are whole.
      guard x.magnitude < 8_388_608 else { return x }
      let whole = Float(Int32(x))
      return whole > x ? whole - 1 : whole
    case .table(let numbers): return numbers.scalar(at: x > 0 ? Int(min(x, 255)) : 0)
    default: return x
    }
  }

  /// A float of whole value as an integer, limited to 32 bits; a NaN gives the least one.
  static func word(_ x: Float) -> Int32 {
    let limit: Float = 2_147_483_520
    return Int32(min(x > -limit ? x : -limit, limit))
  }

  /// An integer as one of another scale, with the numbers of a channel, limited.
  static func requantized(_ x: Int32, _ task: Requantization, channel: Int) -> Float {
    func number(_ kind: Int) -> Int32 {
      Int32(bitPattern: task.numbers.scalar(at: kind * task.step + channel).bitPattern)
    }
    let factor = RequantizedSum.Factor(multiplier: number(0), left: number(1), right: number(2))
    let integer = requantized(x, factor, isRoundedOnce: task.isRoundedOnce)
    return limited(Float(integer), task.lower, task.upper)
  }

  /// An integer as one of another scale; the formula stands at `Requantization`.
  static func requantized(
    _ x: Int32, _ factor: RequantizedSum.Factor, isRoundedOnce: Bool = false
  ) -> Int32 {
    let product = Int64(x &<< factor.left) * Int64(factor.multiplier.magnitude)
    let rounded = Int32(truncatingIfNeeded: (product + (isRoundedOnce ? 0 : 1 << 30)) >> 31)
    let shiftedOut: Int32 = (1 &<< factor.right) &- 1
    // A middle below 0 goes down, unless all is rounded once.
    let limit = shiftedOut >> 1 + (rounded < 0 && !isRoundedOnce ? 1 : 0)
    let result = rounded >> factor.right &+ (rounded & shiftedOut > limit ? 1 : 0)
    return factor.multiplier < 0 ? 0 &- result : result
  }

  /// `x` limited to `lower...upper`.
  private static func limited(_ x: Float, _ lower: Float, _ upper: Float) -> Float {
    let least = lower > x ? lower : x
    return upper < least ? upper : least
  }

  /// `e` to the power of `clamp(x, −87...88)`, within 2 units in the last place; NaN for NaN.
  public static func exponential(_ x: Float) -> Float { scalarExponential(x) }

  /// `1 / (1 + e⁻ˣ)`, in 0...1; NaN for NaN.
  public static func sigmoid(_ x: Float) -> Float { 1 / (1 + exponential(0 - x)) }

  /// The error function within 4 units in the last place; NaN for NaN.
  ///
  /// Near 0 an odd polynomial, elsewhere `1 - exp(p)` with a polynomial `p` of `|x|` and the sign of x.
  public static func errorFunction(_ x: Float) -> Float {
    typealias Constants = ErrorFunctionConstants
    let t = x.magnitude
    let z = x * x
    if t < Constants.limit {
      var sum = Constants.twelfth
      sum = sum * z + Constants.tenth
      sum = sum * z + Constants.eighth
      sum = sum * z + Constants.sixth
      sum = sum * z + Constants.fourth
      sum = sum * z + Constants.second
      return Float(sign: x.sign, exponent: 0, significand: sum * t + t)
    }
    var exponent =
      (Constants.farSeventh * t + Constants.farSixth) * z
      + (Constants.farFifth * t + Constants.farFourth)
    exponent = exponent * t + Constants.farThird
    exponent = exponent * t + Constants.farSecond
    exponent = exponent * t + Constants.farFirst
    exponent = exponent * t - t
    return Float(sign: x.sign, exponent: 0, significand: 1 - exponential(exponent))
  }

  /// The hyperbolic tangent within 4 units in the last place; NaN for NaN.
  ///
  /// Near 0 an odd polynomial, elsewhere `(1 - t) / (1 + t)` with `t = exp(-2 |x|)` and the sign of x.
  public static func hyperbolicTangent(_ x: Float) -> Float {
    typealias Constants = TangentConstants
    let magnitude = x.magnitude
    if magnitude < Constants.limit {
      let z = x * x
      var sum = Constants.eleventh
      sum = sum * z + Constants.ninth
      sum = sum * z + Constants.seventh
      sum = sum * z + Constants.fifth
      sum = sum * z + Constants.third
      let near = sum * z * magnitude + magnitude
      return x.sign == .minus ? -near : near
    }
    let t = exponential(magnitude * -2)
    let far = (1 - t) / (1 + t)
    return x.sign == .minus ? -far : far
  }

  /// `max(x, 0)` to the power of an exponent above 0, rounded from twice the precision; NaN for NaN.
  public static func power(_ x: Float, _ exponent: Float) -> Float {
    if x.isNaN { return x }
    guard x > 0 else { return 0 }
    return Float(DiceNumerics.exponential(logarithm(Double(x)) * Double(exponent)))
  }

  /// The natural logarithm; minus infinity at 0, infinity and NaN as they are.
  private static func logarithm(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x == 0 ? -.infinity : x }
    return naturalLogarithm(x)
  }

  /// Replaces logits by `e^(z[k] − m) / Σ e^(z[j] − m)` with `m = max z`.
  ///
  /// The results are in 0...1 and add up to 1 but for rounding. One NaN or plus infinity makes all
  /// of them NaN; an empty range stays empty.
  ///
  /// - Precondition: `range` lies inside `values`.
  public static func softmax(_ values: inout [Float], range: Range<Int>) {
    guard let first = range.first else { return }
    var greatest = values[first]
    for k in range where values[k] > greatest { greatest = values[k] }
    var sum: Float = 0
    for k in range {
      // An infinite greatest value gives infinity − infinity, a NaN.
      values[k] = exponential(values[k] - greatest)
      sum += values[k]
    }
    for k in range { values[k] /= sum }
  }
}
