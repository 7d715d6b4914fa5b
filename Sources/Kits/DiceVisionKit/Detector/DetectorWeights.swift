/// The weights of a detector and of the networks that look at each die again, as a product of the
/// package brings them.
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
  /// The weight file of the network that reads upright numerals, with the same labels; nil for none.
  ///
  /// It looks at dice that the second stage is not sure of, turned by each quarter of a circle.
  public var numeralReader: [UInt8]?

  /// The weight file of the network that compares taught faces (``FaceSet``); nil for none.
  ///
  /// It belongs to no other weights: that of the product AnyDice reads taught faces with any detector.
  public var faceNetwork: [UInt8]?

  /// Joins weight files, which are checked when a detector is made.
  public init(
    detector: [UInt8], secondStage: [UInt8]?, numeralReader: [UInt8]? = nil,
    faceNetwork: [UInt8]? = nil
  ) {
    self.detector = detector
    self.secondStage = secondStage
    self.numeralReader = numeralReader
    self.faceNetwork = faceNetwork
  }
}

extension DiceDetector {
  /// A detector with the weights of a product.
  ///
  /// - Parameters:
  ///   - weights: The weight files.
  ///   - configuration: How to work with them; ``SecondStage/automatic`` takes theirs, and their
  ///     reader of numerals.
  /// - Throws: ``DetectorError``: `weights` with the broken rule, `network`, or the case that names
  ///   the part of the configuration that is wrong.
  /// - Complexity: O(number of weights).
  public init(
    _ weights: DetectorWeights, configuration: Configuration = Configuration()
  ) throws(DetectorError) {
    try self.init(
      weights: weights.detector,
      secondStage: configuration.secondStage.bytes(automatic: weights.secondStage),
      numeralReader: configuration.secondStage == .automatic ? weights.numeralReader : nil,
      faceNetwork: weights.faceNetwork,
      configuration: configuration)
  }
}
