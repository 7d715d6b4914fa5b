@inline(__always)
func clamp(_ x: Float, _ lower: Float, _ upper: Float) -> Float { min(max(x, lower), upper) }

@inline(__always)
func saturate(_ x: Float) -> Float { min(max(x, 0), 1) }

/// A number to the fifth power.
@inline(__always)
func fifthPower(_ x: Float) -> Float {
  let square = x * x
  return square * square * x
}

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
