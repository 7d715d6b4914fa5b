// Whole numbers of one scale as those of another: a product with a factor of 31 bits, rounded in two
// steps, in integers, so that every instruction set gives the same. Numbers are floats of whole value.

/// What whole numbers are multiplied with, for each channel, and the limits of the results.
///
/// `result = min(max(R(R(x * 2^left * multiplier / 2³¹) / 2^right), lower), upper)`, where the first `R` rounds
/// a middle up and the second one away from 0; or, rounded once, the first one down and the second a middle up.
/// `x` is limited to 32 bits; integers are modulo 2³².
@frozen @safe public struct Requantization {
  /// For each channel the bits of its multiplier; ``step`` floats further on of `left`, then of `right`, both
  /// in `0...31`.
  public var numbers: Address
  /// The floats from one kind of number to the next.
  public var step: Int
  /// Whether there is one rounding in place of two.
  public var isRoundedOnce: Bool
  /// The least result.
  public var lower: Float
  /// The greatest result.
  public var upper: Float

  /// Multipliers and shifts without limits.
  public init(
    numbers: Address, step: Int, isRoundedOnce: Bool, lower: Float = -.infinity,
    upper: Float = .infinity
  ) {
    self.numbers = numbers
    self.step = step
    self.isRoundedOnce = isRoundedOnce
    self.lower = lower
    self.upper = upper
  }
}

/// The factors of a sum of two whole numbers of different scales.
@frozen @safe public struct RequantizedSum {
  /// A multiplier, and how far its product is shifted.
  @frozen public struct Factor: Hashable, Sendable {
    /// What is multiplied with; below 0 what is taken away.
    public var multiplier: Int32
    /// The bits that are shifted to the left before.
    public var left: Int32
    /// The bits that are shifted to the right behind, with rounding.
    public var right: Int32

    /// A factor of the given parts; shifts are in `0...31`.
    @_alwaysEmitIntoClient @inline(__always)
    public init(multiplier: Int32, left: Int32, right: Int32) {
      self.multiplier = multiplier
      self.left = left
      self.right = right
    }
  }

  /// The bits of nine integers: a factor each for the first operand times 2²⁰, the second and their sum.
  public var numbers: Address

  /// The factors at a place in memory.
  public init(numbers: Address) { self.numbers = numbers }

  /// One of the factors: 0 and 1 are those of the operands, 2 that of their sum.
  @_alwaysEmitIntoClient @inline(__always)
  public func factor(_ place: Int) -> Factor {
    func word(_ index: Int) -> Int32 {
      Int32(bitPattern: numbers.scalar(at: 3 &* place &+ index).bitPattern)
    }
    return Factor(multiplier: word(0), left: word(1), right: word(2))
  }
}

/// The greatest magnitude that a float below 2³¹ has.
@_alwaysEmitIntoClient var wordLimit: Float { 2_147_483_520 }

/// Floats of whole value as integers, limited to 32 bits; a NaN gives the least one.
@_alwaysEmitIntoClient @inline(__always)
func words<Vector: FloatLanes>(_ x: Vector) -> Vector.MaskStorage {
  less(greater(Vector(repeating: -wordLimit), x), Vector(repeating: wordLimit)).wholeParts
}

/// Integers times a multiplier over 2³¹, shifted before and behind.
@_alwaysEmitIntoClient @inline(__always)
func requantized<Words: WordLanes>(
  _ x: Words, multiplier: Words, left: Words, right: Words, isRoundedOnce: Bool = false
) -> Words {
  let (one, sign) = (Words(repeating: 1), Words(repeating: 31))
  let product = (x &<< left).highProduct(multiplier, adding: isRoundedOnce ? 0 : 1 << 30)
  // What is shifted out goes up where it is more than this.
  let shiftedOut = (one &<< right) &- one
  var limit = shiftedOut &>> one
  if !isRoundedOnce { limit = limit &- (product &>> sign) }
  return (product &>> right) &- ((limit &- (product & shiftedOut)) &>> sign)
}

/// What a vector of channels is requantized with.
@frozen @usableFromInline struct RequantizedLanes<Vector: FloatLanes> {
  @usableFromInline typealias Words = Vector.MaskStorage

  @usableFromInline let multiplier: Words
  @usableFromInline let left: Words
  @usableFromInline let right: Words
  @usableFromInline let lower: Vector
  @usableFromInline let upper: Vector
  @usableFromInline let isRoundedOnce: Bool

  @_alwaysEmitIntoClient @inline(__always)
  init(_ task: Requantization, channel: Int) {
    func numbers(_ kind: Int) -> Words {
      laneBits(task.numbers.vector(at: kind &* task.step &+ channel, as: Vector.self))
    }
    multiplier = numbers(0)
    left = numbers(1)
    right = numbers(2)
    lower = Vector(repeating: task.lower)
    upper = Vector(repeating: task.upper)
    isRoundedOnce = task.isRoundedOnce
  }

  /// Integers as floats of whole value.
  @_alwaysEmitIntoClient @inline(__always)
  func callAsFunction(_ x: Words) -> Vector {
    let integers = requantized(
      x, multiplier: multiplier, left: left, right: right, isRoundedOnce: isRoundedOnce)
    return less(greater(Vector(nearest: integers), lower), upper)
  }
}

/// A factor in all lanes.
@_alwaysEmitIntoClient @inline(__always)
func requantized<Words: WordLanes>(_ x: Words, _ factor: RequantizedSum.Factor) -> Words {
  let sign = Words(repeating: factor.multiplier &>> 31)
  let multiplier = Words(repeating: factor.multiplier)
  let result = requantized(
    x, multiplier: (multiplier ^ sign) &- sign, left: Words(repeating: factor.left),
    right: Words(repeating: factor.right))
  return (result ^ sign) &- sign
}

/// Two whole numbers of different scales, added up.
@_alwaysEmitIntoClient @inline(__always)
func requantizedSum<Vector: FloatLanes>(
  _ a: Vector, _ b: Vector, _ first: RequantizedSum.Factor, _ second: RequantizedSum.Factor,
  _ sum: RequantizedSum.Factor
) -> Vector {
  let shift = Vector.MaskStorage(repeating: 20)
  let both =
    requantized(words(a) &<< shift, first) &+ requantized(words(b) &<< shift, second)
  return Vector(nearest: requantized(both, sum))
}
