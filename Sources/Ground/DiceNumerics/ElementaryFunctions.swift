/// The natural logarithm, to about 1e-15 relative; the argument is positive, finite and normal.
///
/// `ln x = e · ln 2 + 2 · artanh((m − 1) / (m + 1))` with `x = m · 2^e` and `m` in √½…√2.
package func naturalLogarithm(_ x: Double) -> Double {
  var m = x.significand
  var e = Double(x.exponent)
  if m > 1.4142135623730951 {
    m /= 2
    e += 1
  }
  let z = (m - 1) / (m + 1)
  let square = z * z
  var sum = 0.0
  // |z| ≤ 0.1716, and its 26th power is below the last bit.
  var divisor = 25.0
  while divisor >= 1 {
    sum = sum * square + 1 / divisor
    divisor -= 2
  }
  return e * 0.6931471805599453 + 2 * z * sum
}

/// The sine and the cosine of `turns` full turns, to about 1e-15; `turns` is in −1…1.
package func sineAndCosine(turns: Double) -> (sine: Double, cosine: Double) {
  let quarter = Double(Int(turns < 0 ? turns * 4 - 0.5 : turns * 4 + 0.5))
  let angle = (turns * 4 - quarter) * 1.5707963267948966
  let square = angle * angle
  var sine = 1.0
  var cosine = 1.0
  for k in stride(from: 9.0, through: 1, by: -1) {
    sine = 1 - sine * square / (2 * k * (2 * k + 1))
    cosine = 1 - cosine * square / ((2 * k - 1) * 2 * k)
  }
  sine *= angle
  switch Int(quarter) & 3 {
  case 0: return (sine, cosine)
  case 1: return (cosine, -sine)
  case 2: return (-sine, -cosine)
  default: return (-cosine, sine)
  }
}
