// Functions of one number, over the pixels of a map. Channel counts are multiples of 16. No product is
// fused with a sum, so every instruction set gives the bits of the reference.

/// What is applied to every number of a map.
///
/// The formulas stand at `ReferenceKernels.value(of:at:channel:)`.
@frozen @safe public enum ActivationFunction {
  /// The number itself.
  case identity
  /// Negative numbers times `slope`.
  case leakyReLU(slope: Float)
  /// Negative numbers times the slope of their channel.
  case parametricReLU(slopes: Address)
  /// Limited to `lower...upper`.
  case clamp(lower: Float, upper: Float)
  /// The logistic function.
  case sigmoid
  /// A line limited to 0...1.
  case hardSigmoid(scale: Float, offset: Float)
  /// Times its own sigmoid.
  case silu
  /// Times a line limited to 0...1.
  case hardSwish
  /// The hyperbolic tangent.
  case tanh
  /// Negative numbers bent towards `-alpha`.
  case elu(alpha: Float)
  /// The usual approximation of GELU.
  case gelu
  /// A smooth rectifier.
  case softplus
  /// A line.
  case linear(scale: Float, offset: Float)
  /// e to the power of a number.
  case exponential
  /// The natural logarithm of numbers not below `lower`.
  case logarithm(lower: Float)
  /// The square root, of 0 for negative numbers.
  case squareRoot
  /// One over a number.
  case reciprocal
  /// The magnitude.
  case absolute
  /// A power, of 0 for negative numbers.
  case power(exponent: Float)
  /// The greatest whole number that is not above.
  case floor
  /// The error function.
  case errorFunction
  /// A line, limited, rounded down, and a second line: how 8-bit integers are rounded.
  ///
  /// Limits have magnitudes below 2²².
  case steps(SteppedLine)
  /// A whole number as one of another scale.
  case requantization(Requantization)
  /// The one of 256 numbers that stands at a place.
  case table(Address)

  /// The same for a map that begins so many channels further on.
  public func advanced(by channels: Int) -> ActivationFunction {
    switch self {
    case .parametricReLU(let slopes): return .parametricReLU(slopes: slopes.advanced(by: channels))
    case .requantization(var requantization):
      requantization.numbers = requantization.numbers.advanced(by: channels)
      return .requantization(requantization)
    default: return self
    }
  }
}

/// `floor(min(max(x * scale + offset, lower), upper)) * step + start`.
@frozen public struct SteppedLine: Hashable, Sendable {
  /// What numbers are multiplied with first.
  public var scale: Float
  /// What is added then.
  public var offset: Float
  /// The least number that is rounded down.
  public var lower: Float
  /// The greatest number that is rounded down.
  public var upper: Float
  /// What whole numbers are multiplied with.
  public var step: Float
  /// What is added last.
  public var start: Float

  /// The steps of the given parts.
  public init(
    scale: Float = 1, offset: Float = 0, lower: Float, upper: Float, step: Float = 1,
    start: Float = 0
  ) {
    self.scale = scale
    self.offset = offset
    self.lower = lower
    self.upper = upper
    self.step = step
    self.start = start
  }
}

/// Applies a function over the rows `rows`; in place where output and input are the same.
///
/// - Returns: Whether there is a vector version of the function; nothing was done where there is not.
@_alwaysEmitIntoClient @inline(__always)
public func activate<Vector: FloatLanes>(
  _: Vector.Type, _ task: MapTask, _ function: ActivationFunction, rows: Range<Int>
) -> Bool {
  func all(_ value: Float) -> Vector { Vector(repeating: value) }
  switch function {
  case .leakyReLU(let slope):
    mapLanes(Vector.self, task, rows) { (x, _) in
      scaled(x, by: all(slope), where: negativeLanes(x))
    }
  case .parametricReLU(let slopes):
    mapLanes(Vector.self, task, rows) { (x, channel) in
      scaled(x, by: slopes.vector(at: channel, as: Vector.self), where: negativeLanes(x))
    }
  case .clamp(let lower, let upper):
    mapLanes(Vector.self, task, rows) { (x, _) in less(greater(x, all(lower)), all(upper)) }
  case .sigmoid:
    mapLanes(Vector.self, task, rows) { (x, _) in all(1) / (all(1) + exponential(all(0) - x)) }
  case .hardSigmoid(let scale, let offset):
    mapLanes(Vector.self, task, rows) { (x, _) in
      less(greater(x * all(scale) + all(offset), all(0)), all(1))
    }
  case .silu:
    mapLanes(Vector.self, task, rows) { (x, _) in x / (all(1) + exponential(all(0) - x)) }
  case .hardSwish:
    mapLanes(Vector.self, task, rows) { (x, _) in
      x * less(greater(x + all(3), all(0)), all(6)) / all(6)
    }
  case .tanh: mapLanes(Vector.self, task, rows) { (x, _) in hyperbolicTangent(x) }
  case .elu(let alpha):
    mapLanes(Vector.self, task, rows) { (x, _) in
      chosen(all(alpha) * (exponential(x) - all(1)), where: x, isBelow: 0, else: x)
    }
  case .gelu:
    mapLanes(Vector.self, task, rows) { (x, _) in
      let cube = x * x * x
      return all(0.5) * x
        * (all(1) + hyperbolicTangent(all(0.79788456) * (x + all(0.044715) * cube)))
    }
  case .linear(let scale, let offset):
    mapLanes(Vector.self, task, rows) { (x, _) in x * all(scale) + all(offset) }
  case .exponential: mapLanes(Vector.self, task, rows) { (x, _) in exponential(x) }
  case .errorFunction: mapLanes(Vector.self, task, rows) { (x, _) in errorFunction(x) }
  case .floor: mapLanes(Vector.self, task, rows) { (x, _) in wholeBelow(x) }
  case .steps(let line):
    mapLanes(Vector.self, task, rows) { (x, _) in
      let limited = less(
        greater(x * all(line.scale) + all(line.offset), all(line.lower)), all(line.upper))
      return smallWholeBelow(limited) * all(line.step) + all(line.start)
    }
  case .requantization(let requantization):
    // No network of a browser has it.
    #if arch(wasm32)
      return false
    #else
      mapLanes(Vector.self, task, rows) { (x, channel) in
        RequantizedLanes(requantization, channel: channel)(words(x))
      }
    #endif
  case .absolute:
    mapLanes(Vector.self, task, rows) { (x, _) in
      vector(bits: laneBits(x) & Vector.MaskStorage(repeating: 0x7FFF_FFFF))
    }
  case .reciprocal: mapLanes(Vector.self, task, rows) { (x, _) in all(1) / x }
  case .squareRoot:
    mapLanes(Vector.self, task, rows) { (x, _) in
      squareRoots(chosen(all(0), where: x, isBelow: 0, else: x))
    }
  case .identity, .softplus, .logarithm, .power, .table:
    return false
  }
  return true
}

/// The square root of each lane.
@_alwaysEmitIntoClient @inline(__always)
func squareRoots<Vector: FloatLanes>(_ x: Vector) -> Vector {
  var result = x
  for lane in 0..<Vector.scalarCount { result[lane] = x[lane].squareRoot() }
  return result
}

/// In each lane the greatest whole number that is not above; 0 for −0, NaN for NaN.
///
/// A sum with 2²³ has no place for what lies behind the point. Greater magnitudes are whole.
@_alwaysEmitIntoClient @inline(__always)
func wholeBelow<Vector: FloatLanes>(_ x: Vector) -> Vector {
  func all(_ value: Float) -> Vector { Vector(repeating: value) }
  let magnitude = greater(x, all(0) - x)
  let nearest = magnitude + all(8_388_608) - all(8_388_608)
  let whole = chosen(all(0) - nearest, where: x, isBelow: 0, else: nearest)
  let below = chosen(whole - all(1), where: x - whole, isBelow: 0, else: whole)
  return chosen(below, where: magnitude, isBelow: 8_388_608, else: x)
}

/// As `wholeBelow`, for magnitudes below 2²².
///
/// A sum with 1.5 * 2²³ has no place for what lies behind the point, whatever its sign.
@_alwaysEmitIntoClient @inline(__always)
func smallWholeBelow<Vector: FloatLanes>(_ x: Vector) -> Vector {
  func all(_ value: Float) -> Vector { Vector(repeating: value) }
  let nearest = x + all(12_582_912) - all(12_582_912)
  return chosen(nearest - all(1), where: x - nearest, isBelow: 0, else: nearest)
}

/// Calls `function` with the numbers of every pixel and their first channel, a vector at a time.
@_alwaysEmitIntoClient @inline(__always)
func mapLanes<Vector: FloatLanes>(
  _: Vector.Type, _ task: MapTask, _ rows: Range<Int>,
  _ function: (_ value: Vector, _ channel: Int) -> Vector
) {
  var row = rows.lowerBound
  while row < rows.upperBound {
    var input = task.input.advanced(by: row * task.inputRowStep)
    var output = task.output.advanced(by: row * task.outputRowStep)
    var column = 0
    while column < task.width {
      var channel = 0
      while channel < task.channelCount {
        output.store(function(input.vector(at: channel, as: Vector.self), channel), at: channel)
        channel &+= Vector.scalarCount
      }
      input = input.advanced(by: task.inputColumnStep)
      output = output.advanced(by: task.outputColumnStep)
      column &+= 1
    }
    row &+= 1
  }
}

/// The coefficients of `hyperbolicTangent` near 0, from the highest power down.
///
/// Source: Moshier, Cephes mathematical library, `tanhf`.
public enum TangentConstants {
  /// Magnitudes below this go through the polynomial.
  @_alwaysEmitIntoClient public static var limit: Float { 0.625 }
  /// Of the eleventh power.
  @_alwaysEmitIntoClient public static var eleventh: Float { -5.70498872745e-3 }
  /// Of the ninth power.
  @_alwaysEmitIntoClient public static var ninth: Float { 2.06390887954e-2 }
  /// Of the seventh power.
  @_alwaysEmitIntoClient public static var seventh: Float { -5.37397155531e-2 }
  /// Of the fifth power.
  @_alwaysEmitIntoClient public static var fifth: Float { 1.33314422036e-1 }
  /// Of the third power.
  @_alwaysEmitIntoClient public static var third: Float { -3.33332819422e-1 }
}

/// The hyperbolic tangent within 4 units in the last place; NaN for NaN.
///
/// Near 0 an odd polynomial, elsewhere `(1 - t) / (1 + t)` with `t = exp(-2 |x|)` and the sign of x.
@_alwaysEmitIntoClient @inline(__always)
func hyperbolicTangent<Vector: FloatLanes>(_ x: Vector) -> Vector {
  typealias Constants = TangentConstants
  typealias Bits = Vector.MaskStorage
  let magnitude: Vector = vector(bits: laneBits(x) & Bits(repeating: 0x7FFF_FFFF))
  let t = exponential(magnitude * Vector(repeating: -2))
  let one = Vector(repeating: 1)
  let far = (one - t) / (one + t)
  let z = x * x
  var sum = Vector(repeating: Constants.eleventh)
  sum = sum * z + Vector(repeating: Constants.ninth)
  sum = sum * z + Vector(repeating: Constants.seventh)
  sum = sum * z + Vector(repeating: Constants.fifth)
  sum = sum * z + Vector(repeating: Constants.third)
  let near = sum * z * magnitude + magnitude
  let result = chosen(near, where: magnitude, isBelow: Constants.limit, else: far)
  return vector(bits: laneBits(result) | (laneBits(x) & Bits(repeating: .min)))
}

/// The coefficients of `errorFunction`, from the highest power down.
///
/// Source: N. Juffa, a minimax approximation of `erff` in single precision.
public enum ErrorFunctionConstants {
  /// Magnitudes below this go through the first polynomial.
  @_alwaysEmitIntoClient public static var limit: Float { 0.927734375 }
  /// Near 0: of the twelfth power, relative to `x`.
  @_alwaysEmitIntoClient public static var twelfth: Float { -5.96761703e-4 }
  /// Of the tenth power.
  @_alwaysEmitIntoClient public static var tenth: Float { 4.99119423e-3 }
  /// Of the eighth power.
  @_alwaysEmitIntoClient public static var eighth: Float { -2.67681349e-2 }
  /// Of the sixth power.
  @_alwaysEmitIntoClient public static var sixth: Float { 1.12819925e-1 }
  /// Of the fourth power.
  @_alwaysEmitIntoClient public static var fourth: Float { -3.76125336e-1 }
  /// Of the second power.
  @_alwaysEmitIntoClient public static var second: Float { 1.28379166e-1 }
  /// Far from 0: of the seventh power in the exponent.
  @_alwaysEmitIntoClient public static var farSeventh: Float { -1.72853470e-5 }
  /// Of the sixth power.
  @_alwaysEmitIntoClient public static var farSixth: Float { 3.83197126e-4 }
  /// Of the fifth power.
  @_alwaysEmitIntoClient public static var farFifth: Float { -3.88396438e-3 }
  /// Of the fourth power.
  @_alwaysEmitIntoClient public static var farFourth: Float { 2.42546219e-2 }
  /// Of the third power.
  @_alwaysEmitIntoClient public static var farThird: Float { -1.06777877e-1 }
  /// Of the second power.
  @_alwaysEmitIntoClient public static var farSecond: Float { -6.34846687e-1 }
  /// Of the first power, less 1.
  @_alwaysEmitIntoClient public static var farFirst: Float { -1.28717512e-1 }
}

/// The error function within 4 units in the last place; NaN for NaN.
///
/// Near 0 an odd polynomial, elsewhere `1 - exp(p)` with a polynomial `p` of `|x|` and the sign of x.
@_alwaysEmitIntoClient @inline(__always)
func errorFunction<Vector: FloatLanes>(_ x: Vector) -> Vector {
  typealias Constants = ErrorFunctionConstants
  typealias Bits = Vector.MaskStorage
  func all(_ value: Float) -> Vector { Vector(repeating: value) }
  let t: Vector = vector(bits: laneBits(x) & Bits(repeating: 0x7FFF_FFFF))
  let z = x * x
  let upper = all(Constants.farSeventh) * t + all(Constants.farSixth)
  let lower = all(Constants.farFifth) * t + all(Constants.farFourth)
  var exponent = upper * z + lower
  exponent = exponent * t + all(Constants.farThird)
  exponent = exponent * t + all(Constants.farSecond)
  exponent = exponent * t + all(Constants.farFirst)
  exponent = exponent * t - t
  let far = all(1) - exponential(exponent)
  var sum = all(Constants.twelfth)
  sum = sum * z + all(Constants.tenth)
  sum = sum * z + all(Constants.eighth)
  sum = sum * z + all(Constants.sixth)
  sum = sum * z + all(Constants.fourth)
  sum = sum * z + all(Constants.second)
  let near = sum * t + t
  let result = chosen(near, where: t, isBelow: Constants.limit, else: far)
  return vector(bits: laneBits(result) | (laneBits(x) & Bits(repeating: .min)))
}
