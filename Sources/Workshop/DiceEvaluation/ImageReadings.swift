/// All readings of one picture with how sure each of them is: what any threshold would give.
///
/// Whether a reading is right does not depend on the threshold: surer readings are matched before
/// it, whatever comes behind.
public struct ImageReadings: Hashable, Sendable {
  /// One reading.
  public struct Reading: Hashable, Sendable {
    /// How sure it is, 0...1.
    public var confidence: Double
    /// Whether it reads a die right, by the rules of ``ReadingAccuracy``.
    public var isRight: Bool
  }

  /// The picture's name.
  public var name: String
  /// How many dice it shows.
  public var dieCount: Int
  /// The readings, the surest first.
  public var readings: [Reading]

  /// The readings of a picture, down to the least confidence that it was looked at with.
  public init(_ image: EvaluatedImage) {
    name = image.name
    dieCount = image.groundTruth.count
    readings = []
    for outcome in image.outcomes(confidenceThreshold: -.infinity) {
      guard let reading = outcome.reading else { continue }
      readings.append(
        Reading(confidence: reading.confidence, isRight: outcome.kind == .right))
    }
    readings.sort { $0.confidence > $1.confidence }
  }
}
