internal import DiceNumerics

typealias Lanes = SIMD4<Float>

@inline(__always)
func maximum(_ a: Lanes, _ b: Lanes) -> Lanes { a.replacing(with: b, where: a .< b) }

@inline(__always)
func minimum(_ a: Lanes, _ b: Lanes) -> Lanes { a.replacing(with: b, where: b .< a) }

/// One over the square root of normal positive numbers, to about 3e-7 of it; large and finite for 0.
///
/// An estimate from the exponent and three of Newton's steps: the standard library's square root is
/// a scalar with a branch.
@inline(__always)
func inverseSquareRoot(_ x: Lanes) -> Lanes {
  let bits = unsafe unsafeBitCast(x, to: SIMD4<UInt32>.self)
  let half = x * 0.5
  var y = unsafe unsafeBitCast(0x5F37_59DF &- (bits &>> 1), to: Lanes.self)
  y = y * (1.5 - half * y * y)
  y = y * (1.5 - half * y * y)
  return y * (1.5 - half * y * y)
}

/// 2 to the power of numbers from -125 on; those below give about 0, those above 125 count as 125.
@inline(__always)
func exponential2(_ x: Lanes) -> Lanes {
  let bounded = minimum(maximum(x, Lanes(repeating: -125)), Lanes(repeating: 125))
  let shifted = bounded + 12_582_912
  let part = bounded - (shifted - 12_582_912)
  var polynomial = part * 1.535336188319500e-4 + 1.339887440266574e-3
  polynomial = polynomial * part + 9.618437357674640e-3
  polynomial = polynomial * part + 5.550332471162809e-2
  polynomial = polynomial * part + 2.402264791363012e-1
  polynomial = polynomial * part + 6.931472028550421e-1
  polynomial = polynomial * part + 1
  let whole = unsafe unsafeBitCast(shifted, to: SIMD4<UInt32>.self) &- 0x4B40_0000
  let power = unsafe unsafeBitCast((whole &+ 127) &<< 23, to: Lanes.self)
  return polynomial * power
}

/// The logarithms to base 2 of positive normal numbers; about -126 for smaller ones.
@inline(__always)
func logarithm2(_ x: Lanes) -> Lanes {
  let bits = unsafe unsafeBitCast(
    maximum(x, Lanes(repeating: .leastNormalMagnitude)), to: SIMD4<UInt32>.self)
  // Split so that the significand is within sqrt(1/2) ... sqrt(2).
  let shifted = bits &- 0x3F35_04F3
  let exponent =
    unsafe unsafeBitCast((shifted &>> 23) | 0x4B00_0000, to: Lanes.self) - 8_388_608
  let whole = exponent.replacing(with: exponent - 512, where: exponent .> 255)
  let significand = unsafe unsafeBitCast(
    (shifted & 0x7F_FFFF) &+ 0x3F35_04F3, to: Lanes.self)
  let ratio = (significand - 1) / (significand + 1)
  let square = ratio * ratio
  let series =
    (square * 0.412198583 + 0.577078016) * square * square + square * 0.961796694 + 2.885390082
  return whole + ratio * series
}
