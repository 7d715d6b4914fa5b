/// The angle of the direction `(x, y)` in radians, −π…π, to about 1e-15.
///
/// Counted from the x axis towards the y axis. 0 for `(0, 0)`; NaN where a coordinate is NaN. An
/// infinite coordinate counts as far more than a finite one, two infinite ones as equal.
package func arctangent(y: Double, x: Double) -> Double {
  if x.isNaN || y.isNaN { return .nan }
  var (wide, high) = (x.magnitude, y.magnitude)
  if wide == .infinity || high == .infinity {
    (wide, high) = (wide == .infinity ? 1 : 0, high == .infinity ? 1 : 0)
  }
  let greater = max(wide, high)
  guard greater > 0 else { return 0 }
  // In the first eighth of a turn, and then within a twelfth of half a turn.
  var t = min(wide, high) / greater
  var angle = 0.0
  let root = 1.7320508075688772
  if t > 0.2679491924311227 {
    t = (root * t - 1) / (root + t)
    angle = 0.5235987755982988
  }
  let square = t * t
  var sum = 0.0
  // |t| ≤ 0.268, and its 28th power is below the last bit.
  var divisor = 27.0
  while divisor >= 1 {
    sum = 1 / divisor - square * sum
    divisor -= 2
  }
  angle += t * sum
  if high > wide { angle = 1.5707963267948966 - angle }
  if x < 0 { angle = 3.141592653589793 - angle }
  return y < 0 ? -angle : angle
}
