internal import DiceGeometry

/// The rule of Apple's dice sample, for comparison: a roll has ended when two frames in a row agree.
///
/// It is kept exactly as the sample has it. With the observations `C` of this frame and `P` of the
/// one before, the roll has ended where `|C| = |P|` and
///
///     |{(c, p) : c ∈ C, p ∈ P, label(c) = label(p), IoU(c, p) > 0.85}| = |C|
///
/// The pairs are not one to one: equal dice that overlap one another are counted several times. A
/// frame without observations clears the rule: it says no, and so does the frame after it. Use
/// ``RollTracker`` instead where a die may be missed, laid down by hand, or slide.
public struct ConsecutiveFrameRule: Hashable, Sendable {
  /// A pair counts where its intersection over union exceeds this.
  public static let overlapThreshold = 0.85

  /// The observations of the latest frame.
  public private(set) var previous: [RollTracker.Observation] = []

  /// A rule that has seen nothing.
  public init() {}

  /// Takes in a frame, and says whether the roll has ended.
  ///
  /// Says so again in every frame that agrees with the one before. Two observations without a value
  /// have equal labels. A box that is empty or improper overlaps nothing.
  ///
  /// - Complexity: O(observations · previous observations).
  public mutating func hasRollEnded(observations: [RollTracker.Observation]) -> Bool {
    defer { previous = observations }
    guard !observations.isEmpty, observations.count == previous.count else { return false }
    var count = 0
    for current in observations {
      for earlier in previous
      where earlier.value == current.value && earlier.kind == current.kind {
        let overlap = current.boundingBox.intersectionOverUnion(with: earlier.boundingBox)
        if overlap > Self.overlapThreshold { count += 1 }
      }
    }
    return count == observations.count
  }
}
