/// The constants of `exponential`: shared by the vector and the scalar version, which give the same
/// bits.
public enum ExponentialConstants {
  /// The least argument that is not clamped: e to it is just above the least normal number.
  @_alwaysEmitIntoClient public static var lowest: Float { -87 }
  /// The greatest argument that is not clamped.
  @_alwaysEmitIntoClient public static var highest: Float { 88 }
  /// The factor from natural to binary exponents, `1 / ln 2`.
  @_alwaysEmitIntoClient public static var reciprocalOfLogarithm: Float { 0x1.715476p+0 }
  /// `1.5 * 2²³`: a sum with it is rounded to a whole number, which its low bits then hold.
  @_alwaysEmitIntoClient public static var roundingShift: Float { 12_582_912 }
  /// The upper part of ln 2: products with whole numbers up to 2⁹ are exact.
  @_alwaysEmitIntoClient public static var upperLogarithm: Float { 0x1.62e4p-1 }
  /// What is left of ln 2, `ln 2 − upperLogarithm`.
  @_alwaysEmitIntoClient public static var lowerLogarithm: Float { 0x1.7f7d1cp-20 }
}

/// `e` to the power of `clamp(x, −87...88)`, within 2 units in the last place; NaN for NaN.
///
/// With `k = round(x / ln 2)` and `r = x − k ln 2` (ln 2 in two parts, the first product exact):
/// `eˣ = 2ᵏ Σ rⁿ / n!` up to n = 7. For `|r| ≤ ln 2 / 2` the terms left out are below 5.3e-9. No
/// product is fused with a sum, so every instruction set gives the same bits.
@_alwaysEmitIntoClient @inline(__always)
public func exponential<Vector: FloatLanes>(_ argument: Vector) -> Vector {
  typealias Constants = ExponentialConstants
  let x = less(
    greater(argument, Vector(repeating: Constants.lowest)),
    Vector(repeating: Constants.highest))
  let shift = Vector(repeating: Constants.roundingShift)
  let shifted = x * Vector(repeating: Constants.reciprocalOfLogarithm) + shift
  let k = shifted - shift
  let r =
    (x - k * Vector(repeating: Constants.upperLogarithm))
    - k * Vector(repeating: Constants.lowerLogarithm)
  var sum = Vector(repeating: 1 / 5040)
  sum = sum * r + Vector(repeating: 1 / 720)
  sum = sum * r + Vector(repeating: 1 / 120)
  sum = sum * r + Vector(repeating: 1 / 24)
  sum = sum * r + Vector(repeating: 1 / 6)
  sum = sum * r + Vector(repeating: 0.5)
  sum = sum * r + Vector(repeating: 1)
  sum = sum * r + Vector(repeating: 1)
  // k stands in the low bits of `shifted`; the exponent of 2ᵏ is k + 127.
  let power =
    (laneBits(shifted) &<< Vector.MaskStorage(repeating: 23))
    &+ Vector.MaskStorage(repeating: 0x3F80_0000)
  return sum * vector(bits: power)
}

/// The scalar version of `exponential`, bit for bit.
@_alwaysEmitIntoClient
public func scalarExponential(_ argument: Float) -> Float {
  typealias Constants = ExponentialConstants
  var x = argument < Constants.lowest ? Constants.lowest : argument
  x = x > Constants.highest ? Constants.highest : x
  let shifted = x * Constants.reciprocalOfLogarithm + Constants.roundingShift
  let k = shifted - Constants.roundingShift
  let r = (x - k * Constants.upperLogarithm) - k * Constants.lowerLogarithm
  var sum: Float = 1 / 5040
  sum = sum * r + 1 / 720
  sum = sum * r + 1 / 120
  sum = sum * r + 1 / 24
  sum = sum * r + 1 / 6
  sum = sum * r + 0.5
  sum = sum * r + 1
  sum = sum * r + 1
  return sum * Float(bitPattern: (shifted.bitPattern &<< 23) &+ 0x3F80_0000)
}
