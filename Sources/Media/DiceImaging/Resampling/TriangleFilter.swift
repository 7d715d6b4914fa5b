/// The filter of all resampling along one axis: a triangle.
///
/// Sample `k` covers `k` to `k + 1`. A sample whose middle lies at a distance `d` from the place that is
/// asked for has the weight `max(0, 1 - d / reach)`, divided by the sum of all weights. The filter widens
/// with the step, so that every sample counts when shrinking, and is linear interpolation when enlarging.
/// At the ends of the axis the samples that are there share the whole weight.
///
/// This is the definition of Pillow's `Image.resize(..., BILINEAR, box=...)`. Networks see pictures through
/// it in use (``InputSampler``) and in training (``WarpSampler``).
struct TriangleFilter: Hashable, Sendable {
  /// How far the filter reaches to either side, in samples; at least 1.
  let reach: Double

  /// - Parameter step: how many samples lie between two places that are asked for.
  init(step: Double) { reach = max(step, 1) }

  /// A place moved into an axis of `sampleCount` samples.
  @inline(__always)
  func center(_ place: Double, sampleCount: Int) -> Double {
    min(max(place, 0), Double(sampleCount))
  }

  /// The first sample that may have a weight.
  @inline(__always)
  func firstSample(around center: Double) -> Int { Int(max(center - reach + 0.5, 0)) }

  /// The samples that may have a weight; those at either end may have none.
  @inline(__always)
  func samples(around center: Double, sampleCount: Int) -> Range<Int> {
    firstSample(around: center)..<Int(min(center + reach + 0.5, Double(sampleCount)))
  }

  /// The weight of sample `k`, up to a factor.
  @inline(__always)
  func weight(_ k: Int, _ center: Double) -> Double {
    max(1 - (Double(k) + 0.5 - center).magnitude / reach, 0)
  }
}
