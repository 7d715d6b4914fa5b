/// Linear warm-up, then a cosine from the peak down to a share of it.
///
/// Source: Loshchilov and Hutter, SGDR, 2017.
struct LearningRateSchedule: Hashable, Sendable {
  var peak: Float
  /// What is left of the peak at the end.
  var finalShare: Float
  var warmUpStepCount: Int
  var stepCount: Int

  /// The rate of a step, which counts from 1.
  func rate(at step: Int) -> Float {
    if step <= warmUpStepCount { return peak * Float(step) / Float(max(1, warmUpStepCount)) }
    let progress = min(
      1, Float(step - warmUpStepCount) / Float(max(1, stepCount - warmUpStepCount)))
    return peak * (finalShare + (1 - finalShare) * 0.5 * (1 + cosine(.pi * progress)))
  }
}
