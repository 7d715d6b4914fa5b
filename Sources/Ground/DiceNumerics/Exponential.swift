/// `eˣ`, the same to the last bit on every machine, within one unit in the last place.
///
/// With `k = round(x / ln 2)` and `r = x − k ln 2` (ln 2 in two parts, so that the product with the
/// first is exact), `eˣ = 2ᵏ Σ rⁿ / n!` up to n = 13: for `|r| ≤ ln 2 / 2` what is left out is below
/// 5e-18. 0 below −745, where the result is less than half the least positive number; infinity above
/// 709.79, where it is more than the greatest; NaN for NaN.
package func exponential(_ x: Double) -> Double {
  guard x > -745.2 else { return x.isNaN ? x : 0 }
  guard x < 709.79 else { return .infinity }
  // Conversion cuts towards zero, so that half more, away from zero, rounds to the nearest.
  let exponent = Int(x * 0x1.71547652b82fep+0 + (x < 0 ? -0.5 : 0.5))
  let k = Double(exponent)
  let r = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33
  var sum = 1.0 / 6_227_020_800
  sum = sum * r + 1.0 / 479_001_600
  sum = sum * r + 1.0 / 39_916_800
  sum = sum * r + 1.0 / 3_628_800
  sum = sum * r + 1.0 / 362_880
  sum = sum * r + 1.0 / 40_320
  sum = sum * r + 1.0 / 5_040
  sum = sum * r + 1.0 / 720
  sum = sum * r + 1.0 / 120
  sum = sum * r + 1.0 / 24
  sum = sum * r + 1.0 / 6
  sum = sum * r + 0.5
  sum = sum * r + 1
  sum = sum * r + 1
  return Double(sign: .plus, exponent: exponent, significand: sum)
}
