/// The weights of a detector and of its second stage, as a product of the package brings them.
///
/// The product `AnyDice` has those that read dice of 4 to 20 sides:
///
/// ```swift
/// import AnyDice
/// import DiceVisionKit
///
/// let detector = try DiceDetector(.anyDice)
/// ```
public struct DetectorWeights: Hashable, Sendable {
  /// The detector's weight file.
  public var detector: [UInt8]
  /// The weight file of its second stage, whose labels are those of the detector; nil for none.
  public var secondStage: [UInt8]?

  /// Pairs two weight files, which are checked when a detector is made.
  public init(detector: [UInt8], secondStage: [UInt8]?) {
    self.detector = detector
    self.secondStage = secondStage
  }
}

extension DiceDetector {
  /// A detector with the weights of a product.
  ///
  /// - Parameters:
  ///   - weights: The weight files.
  ///   - configuration: How to work with them; ``SecondStage/automatic`` takes theirs.
  /// - Throws: ``DetectorError``: `weights` with the broken rule, `network`, or the case that names
  ///   the part of the configuration that is wrong.
  /// - Complexity: O(number of weights).
  public init(
    _ weights: DetectorWeights, configuration: Configuration = Configuration()
  ) throws(DetectorError) {
    try self.init(
      weights: weights.detector,
      secondStage: configuration.secondStage.bytes(automatic: weights.secondStage),
      configuration: configuration)
  }
}
