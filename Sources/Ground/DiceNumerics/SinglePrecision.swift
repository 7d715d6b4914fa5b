// Square roots here and in the modules above may become calls of the C library, which this import links.
#if canImport(DiceSystem)
  internal import DiceSystem
#endif

// Functions of single precision, accurate to about 1e-6 and short enough to be inlined into loops over
// pixels. They are written out so that they give the same bits with every C library.

/// 2 to the power of `x`; clamped to the range of normal numbers, NaN gives 0.
@inlinable @inline(__always)
package func exponential2(_ x: Float) -> Float {
  guard x > -125.5 else { return 0 }
  guard x < 126.5 else { return Float(sign: .plus, exponent: 126, significand: 1) }
  let whole = nearestWhole(x)
  let part = x - whole
  var polynomial: Float = 1.535336188319500e-4
  polynomial = polynomial * part + 1.339887440266574e-3
  polynomial = polynomial * part + 9.618437357674640e-3
  polynomial = polynomial * part + 5.550332471162809e-2
  polynomial = polynomial * part + 2.402264791363012e-1
  polynomial = polynomial * part + 6.931472028550421e-1
  polynomial = polynomial * part + 1
  return polynomial * Float(bitPattern: UInt32(Int32(whole) + 127) << 23)
}

/// The natural exponential.
@inlinable @inline(__always)
package func exponential(_ x: Float) -> Float { exponential2(x * 1.4426950408889634) }

/// The logarithm to base 2 of a positive number; -126 for smaller ones and NaN.
@inlinable @inline(__always)
package func logarithm2(_ x: Float) -> Float {
  guard x > Float.leastNormalMagnitude, x.isFinite else { return x > 1 ? 128 : -126 }
  let bits = x.bitPattern
  var exponent = Float(Int32(bits >> 23) - 127)
  var significand = Float(bitPattern: (bits & 0x7FFFFF) | 0x3F80_0000)
  if significand > 1.4142135 {
    significand *= 0.5
    exponent += 1
  }
  let ratio = (significand - 1) / (significand + 1)
  let square = ratio * ratio
  let series =
    ratio * (2.885390082 + square * (0.961796694 + square * (0.577078016 + square * 0.412198583)))
  return exponent + series
}

/// A non-negative number to a power; 0 for numbers that are not positive.
@inlinable @inline(__always)
package func power(_ base: Float, _ exponent: Float) -> Float {
  base > 0 ? exponential2(exponent * logarithm2(base)) : 0
}

/// The sine of `turns` full turns.
@inlinable @inline(__always)
package func sineOfTurns(_ turns: Float) -> Float {
  guard turns.isFinite, abs(turns) < 1e6 else { return 0 }
  // Folds the angle into a quarter turn on either side of zero.
  var x = turns - nearestWhole(turns)
  if x > 0.25 { x = 0.5 - x }
  if x < -0.25 { x = -0.5 - x }
  let angle = x * 6.283185307
  let square = angle * angle
  return angle
    * (1 + square
      * (-0.16666667 + square * (0.008333331 + square * (-0.00019840874 + square * 2.7525562e-6))))
}

/// The cosine of `turns` full turns.
@inlinable @inline(__always)
package func cosineOfTurns(_ turns: Float) -> Float { sineOfTurns(turns + 0.25) }

/// The nearest whole number below, kept within ±4,000,000; -4,000,000 for NaN.
///
/// Adding 1.5 * 2^23 leaves no room for a fraction and puts the whole number into the low bits: no
/// branch, where a checked conversion has four.
@inlinable @inline(__always)
package func wholeBelow(_ x: Float) -> Int32 {
  let bounded = min(max(-4_000_000, x), 4_000_000)
  let shifted = bounded + 12_582_912
  let whole = Int32(bitPattern: shifted.bitPattern &- 0x4B40_0000)
  return shifted - 12_582_912 > bounded ? whole &- 1 : whole
}

/// The nearest whole number, for numbers that an `Int32` holds; others come back unchanged.
///
/// The standard library's rounding is a call into the C library on the oldest x86-64.
@inlinable @inline(__always)
package func nearestWhole(_ x: Float) -> Float {
  guard abs(x) < 4_000_000 else { return x }
  // Adding and taking away 1.5 * 2^23 leaves no room for a fraction.
  return (x + 12_582_912) - 12_582_912
}
