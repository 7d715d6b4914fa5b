public import DiceGeometry

extension PoseTracker {
  /// How joints and boxes are smoothed.
  ///
  /// Speeds count in sizes of the body (the square root of the box's area) by the second.
  public struct Smoothing: Hashable, Sendable {
    /// The cutoff of what rests, in hertz, 0.01...1000.
    public var minimumCutoff = 1.0
    /// How much the cutoff rises with the speed beyond ``restingSpeed``, in hertz, 0...1000.
    public var cutoffBySpeed = 24.0
    /// Below this speed a point rests, 0...1000.
    public var restingSpeed = 0.5
    /// The cutoff of the speed itself, in hertz, 0.01...1000.
    public var speedCutoff = 4.0
    /// Which share of the movement is predicted, 0...1.
    public var lead = 1.0

    /// What serves people who throw; the guide tells how it was measured.
    public init() {}
  }

  /// The numbers that a tracker works with.
  public struct Configuration: Hashable, Sendable {
    /// Joints below this confidence count as missing, 0...1.
    public var minimumConfidence: Float = 0.1
    /// Less sure people do not count, 0...1.
    public var minimumPersonConfidence: Float = 0.3
    /// How similar someone must be to someone known, 0...1: half of it is the overlap of the boxes, half the
    /// nearness of the joints.
    public var minimumSimilarity = 0.15
    /// How long someone must have been seen to have entered, 0 s...10 s.
    public var timeToEnter: Duration = .milliseconds(200)
    /// How long someone must not have been seen to have left, 10 ms...60 s.
    public var timeToLeave: Duration = .milliseconds(800)
    /// How long a joint that is missing stays where it was, 0 s...10 s.
    public var timeToForgetJoint: Duration = .milliseconds(150)
    /// How points are smoothed; nil for not at all.
    public var smoothing: Smoothing? = Smoothing()

    /// The properties' defaults.
    public init() {}

    func check() throws(PoseTrackerError) {
      func check(
        _ name: String, _ value: Double, _ range: ClosedRange<Double>
      ) throws(PoseTrackerError) {
        guard range.contains(value) else {
          throw .valueOutOfRange(name: name, value: value, range: range)
        }
      }
      func check(
        _ name: String, _ value: Duration, _ range: ClosedRange<Duration>
      ) throws(PoseTrackerError) {
        guard range.contains(value) else {
          throw .durationOutOfRange(name: name, value: value, range: range)
        }
      }
      try check("minimumConfidence", Double(minimumConfidence), 0...1)
      try check("minimumPersonConfidence", Double(minimumPersonConfidence), 0...1)
      try check("minimumSimilarity", minimumSimilarity, 0...1)
      try check("timeToEnter", timeToEnter, .zero ... .seconds(10))
      try check("timeToLeave", timeToLeave, .milliseconds(10) ... .seconds(60))
      try check("timeToForgetJoint", timeToForgetJoint, .zero ... .seconds(10))
      guard let smoothing else { return }
      try check("minimumCutoff", smoothing.minimumCutoff, 0.01...1000)
      try check("cutoffBySpeed", smoothing.cutoffBySpeed, 0...1000)
      try check("restingSpeed", smoothing.restingSpeed, 0...1000)
      try check("speedCutoff", smoothing.speedCutoff, 0.01...1000)
      try check("lead", smoothing.lead, 0...1)
    }
  }

  /// Someone who is there.
  public struct TrackedPerson: Hashable, Sendable {
    /// Tells this person from others of the same tracker, from 1 on.
    public var identity: Int
    /// The smoothed box; where the person was not found in the last frame, that of the frame before.
    public var boundingBox: BoundingBox
    /// The smoothed joints.
    public var pose: Pose
    /// How sure it was that a person is there, when last found.
    public var confidence: Float
    /// Whether the person was found in the last frame.
    public var isSeen: Bool
  }

  /// Someone has come or gone.
  public enum Event: Hashable, Sendable {
    /// Someone is there now.
    case entered(identity: Int)
    /// Someone is no longer there.
    case left(identity: Int)
  }
}

#if !hasFeature(Embedded)
  extension PoseTracker.Event: Codable {}
  extension PoseTracker.TrackedPerson: Codable {}
#endif
