#if canImport(Glibc)
  // Only for the square root that unoptimised builds call.
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

// The elementary functions are written out here so that a seed gives the same picture with every C
// library. They are accurate to about 1e-6, which a picture cannot show.

/// 2 to the power of `x`; clamped to the range of normal numbers, NaN gives 0.
@inline(__always)
func exponential2(_ x: Float) -> Float {
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
@inline(__always)
func exponential(_ x: Float) -> Float { exponential2(x * 1.4426950408889634) }

/// The logarithm to base 2 of a positive number; -126 for smaller ones and NaN.
@inline(__always)
func logarithm2(_ x: Float) -> Float {
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
@inline(__always)
func power(_ base: Float, _ exponent: Float) -> Float {
  base > 0 ? exponential2(exponent * logarithm2(base)) : 0
}

/// A number to the fifth power.
@inline(__always)
func fifthPower(_ x: Float) -> Float {
  let square = x * x
  return square * square * x
}

/// The sine of `turns` full turns.
@inline(__always)
func sineOfTurns(_ turns: Float) -> Float {
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
@inline(__always)
func cosineOfTurns(_ turns: Float) -> Float { sineOfTurns(turns + 0.25) }

/// The tangent of an angle in degrees within ±85.
func tangentOfDegrees(_ degrees: Float) -> Float {
  let angle = min(max(degrees, -85), 85) / 360
  return sineOfTurns(angle) / max(cosineOfTurns(angle), 0.01)
}

@inline(__always)
func clamp(_ x: Float, _ lower: Float, _ upper: Float) -> Float { min(max(x, lower), upper) }

@inline(__always)
func saturate(_ x: Float) -> Float { min(max(x, 0), 1) }

/// 0 at `lower` and beyond it, 1 at `upper` and beyond it, a smooth step between them.
///
/// `lower` may be the larger one; where both are equal the step is sharp.
@inline(__always)
func smoothStep(_ lower: Float, _ upper: Float, _ x: Float) -> Float {
  let width = upper - lower
  guard abs(width) > 1e-7 else { return x < upper ? 0 : 1 }
  let t = saturate((x - lower) / width)
  return t * t * (3 - 2 * t)
}

@inline(__always)
func mix(_ a: Float, _ b: Float, _ t: Float) -> Float { a + (b - a) * t }

/// The nearest whole number below, kept within ±4,000,000; -4,000,000 for NaN.
///
/// Adding 1.5 * 2^23 leaves no room for a fraction and puts the whole number into the low bits: no
/// branch, where a checked conversion has four.
@inline(__always)
func wholeBelow(_ x: Float) -> Int32 {
  let bounded = min(max(-4_000_000, x), 4_000_000)
  let shifted = bounded + 12_582_912
  let whole = Int32(bitPattern: shifted.bitPattern &- 0x4B40_0000)
  return shifted - 12_582_912 > bounded ? whole &- 1 : whole
}

/// The nearest whole number, for numbers that an `Int32` holds; others come back unchanged.
///
/// The standard library's rounding is a call into the C library on the oldest x86-64.
@inline(__always)
func nearestWhole(_ x: Float) -> Float {
  guard abs(x) < 4_000_000 else { return x }
  // Adding and taking away 1.5 * 2^23 leaves no room for a fraction.
  return (x + 12_582_912) - 12_582_912
}
