/// `ln Γ(x)`, the logarithm of the gamma function, for `x > 0`; NaN for all others.
///
/// Stirling's series with seven terms at 15 or more, which leaves out less than 1e-19; smaller arguments
/// are raised by `Γ(x) = Γ(x + 1) / x`. The error is below `4e-15 · max(1, x, |ln Γ(x)|)`.
///
/// Source: Abramowitz and Stegun, *Handbook of Mathematical Functions*, 6.1.15 and 6.1.41.
package func logGamma(_ x: Double) -> Double {
  guard x > 0 else { return .nan }
  guard x < 1e305 else { return .infinity }
  if x < 1e-300 { return 690.7755278982137 - naturalLogarithm(x * 1e300) }
  var product = 1.0
  var y = x
  while y < 15 {
    product *= y
    y += 1
  }
  let square = 1 / (y * y)
  var series = 1.0 / 156
  series = -691.0 / 360_360 + square * series
  series = 1.0 / 1188 + square * series
  series = -1.0 / 1680 + square * series
  series = 1.0 / 1260 + square * series
  series = -1.0 / 360 + square * series
  series = 1.0 / 12 + square * series
  let halfLogarithmOfTau = 0.9189385332046728
  return (y - 0.5) * naturalLogarithm(y) - y + halfLogarithmOfTau + series / y
    - (product == 1 ? 0 : naturalLogarithm(product))
}

/// `Q(a, x) = Γ(a, x) / Γ(a)`, the upper incomplete gamma function, regularised: 0…1.
///
/// `Q(k / 2, x / 2)` is how likely a chi-square variable with `k` degrees of freedom is to exceed `x`.
/// `1 − Q` by the series `e^−x x^a Σ xⁿ / Γ(a + 1 + n)` where `x < a + 1`, elsewhere `Q` by Legendre's
/// continued fraction. For `a` up to 1000 its relative error is below 1e-11, down to 1e-290.
///
/// - Parameters:
///   - a: positive, at most 1,000,000.
///   - x: 0 and more.
/// - Returns: NaN where an argument is NaN or out of its range.
///
/// Source: Abramowitz and Stegun, 6.5.29 and 6.5.31; the fraction as Lentz evaluates it.
package func upperIncompleteGamma(_ a: Double, _ x: Double) -> Double {
  guard a > 0, a <= 1e6, x >= 0 else { return .nan }
  if x == 0 { return 1 }
  if x == .infinity { return 0 }
  let front = exponential(a * naturalLogarithm(max(x, .leastNormalMagnitude)) - x - logGamma(a))
  // The terms fall off beyond some multiples of √a.
  let limit = 10_000
  if x < a + 1 {
    var term = 1 / a
    var sum = term
    for n in 1...limit {
      term *= x / (a + Double(n))
      sum += term
      if term < sum * 1e-17 { break }
    }
    return max(0, 1 - front * sum)
  }
  let tiny = 1e-300
  var b = x + 1 - a
  var c = 1 / tiny
  var d = 1 / b
  var fraction = d
  for n in 1...limit {
    let i = Double(n)
    let numerator = i * (a - i)
    b += 2
    d = numerator * d + b
    if d.magnitude < tiny { d = tiny }
    c = b + numerator / c
    if c.magnitude < tiny { c = tiny }
    d = 1 / d
    let step = d * c
    fraction *= step
    if (step - 1).magnitude < 1e-16 { break }
  }
  return min(1, front * fraction)
}

/// How likely a normal variable of mean 0 and variance 1 is to lie further from 0 than `z`: `erfc(|z| / √2)`.
///
/// As exact as ``upperIncompleteGamma(_:_:)``; NaN for NaN.
package func normalTails(_ z: Double) -> Double { upperIncompleteGamma(0.5, z * z / 2) }
