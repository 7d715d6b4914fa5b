internal import DiceTraining

/// How samples are made of pictures with dice.
public struct SampleOptions: Hashable, Sendable {
  /// The width and height of samples in pixels, a multiple of 32 from 64 to 2048.
  public var size = 416
  /// The share of the run, at its end, without mosaics and with little change of scale: samples as
  /// they look in use; 0...1.
  public var plainShare: Float = 0.1
  /// How samples are varied.
  public var augmentation = Augmentation()

  /// The recipe for the standard detector's weights.
  public init() {}

  /// Checks the ranges.
  func validate() throws(TrainingError) {
    try TrainingError.require(
      (64...2048).contains(size) && size.isMultiple(of: 32), "size", size,
      "a multiple of 32 from 64 to 2048")
    try TrainingError.require((0...1).contains(plainShare), "plainShare", plainShare, "0 to 1")
  }

  /// The variation of samples at a moment of a run.
  func augmentation(at moment: TrainingMoment) -> Augmentation {
    var augmentation = augmentation
    if moment.isInLast(share: plainShare) {
      augmentation.mosaic = 0
      augmentation.scale =
        max(augmentation.scale.lowerBound, 0.8)...min(augmentation.scale.upperBound, 1.25)
    }
    return augmentation
  }
}
