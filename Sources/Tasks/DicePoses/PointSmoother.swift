/// Smooths a point that is measured again and again: strongly while it rests, hardly while it is fast.
///
/// A one-euro filter whose two axes share a cutoff, with a prediction so that steady movement does not
/// lag. With `z` the measured point, `p` the smoothed one, `v` its speed and `Δ` the time between:
///
///     q = p + v Δ                                predicted
///     f = f₀ + b · max(0, |v| − v₀) / s          cutoff, with s the size of the body
///     a = c · r / (1 + r),  r = 2π f Δ           share of the new point, c its confidence
///     p ← q + a (z − q)
///     v ← v + a' (((z − z₀) / Δ) − v)            z₀ the point measured before, a' from the cutoff of speeds
///
/// All shares follow from the time, so that the frame rate does not matter.
///
/// Source: Casiez, Roussel and Vogel, "1 € Filter: A Simple Speed-based Low-pass Filter for Noisy Input in
/// Interactive Systems", 2012; the prediction is this package's.
struct PointSmoother: Hashable, Sendable {
  /// The smoothed point.
  private(set) var place: SIMD2<Double>
  /// The smoothed speed, by the second.
  private(set) var velocity = SIMD2<Double>.zero
  private var measured: SIMD2<Double>

  /// A point that was measured for the first time.
  init(_ point: SIMD2<Double>) {
    place = point
    measured = point
  }

  /// Takes a further measurement.
  ///
  /// - Parameters:
  ///   - point: where it is now.
  ///   - confidence: how sure that is, 0...1.
  ///   - step: the seconds since the last one, at least 0; 0 where the two times are too far from zero to be
  ///     told apart, and the point is taken as it is.
  ///   - size: the size of the body that it belongs to, above 0, in the units of places.
  mutating func update(
    with point: SIMD2<Double>, confidence: Double, after step: Double, size: Double,
    _ smoothing: PoseTracker.Smoothing
  ) {
    guard step > 0 else {
      (place, measured) = (point, point)
      return
    }
    let speedShare = confidence * Self.share(smoothing.speedCutoff, step)
    velocity += ((point - measured) / step - velocity) * speedShare
    measured = point
    let speed = (velocity * velocity).sum().squareRoot() / size
    let excess = max(0, speed - smoothing.restingSpeed)
    let cutoff = smoothing.minimumCutoff + smoothing.cutoffBySpeed * excess
    let lead = speed > 0 ? excess / speed * smoothing.lead : 0
    let predicted = place + velocity * (lead * step)
    place = predicted + (point - predicted) * (confidence * Self.share(cutoff, step))
  }

  private static func share(_ cutoff: Double, _ step: Double) -> Double {
    let ratio = 2 * Double.pi * cutoff * step
    return ratio / (1 + ratio)
  }
}
