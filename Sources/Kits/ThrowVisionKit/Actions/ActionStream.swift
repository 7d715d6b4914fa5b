public import DicePoses

/// Follows one person's poses as they come, and tells each throw shortly after the release.
///
/// A throw is released about when the hand is fastest. Whenever a wrist has passed a peak of its speed
/// (in torso lengths, against the hips), the poses from some time before it to now are classified. What
/// is not ``Configuration/idleLabel``, and sure enough, is an event.
///
/// A value without a clock: the same poses and times give the same events.
public struct ActionStream: Sendable {
  /// The numbers it works with.
  public struct Configuration: Hashable, Sendable {
    /// Seconds of a window before the hand's greatest speed.
    public var secondsBefore = 1.2
    /// Seconds of a window after it: so much later a throw is told.
    public var secondsAfter = 0.3
    /// The least speed of a throwing hand, in torso lengths a second.
    public var minimumSpeed = 3.0
    /// The least confidence of an event.
    public var minimumConfidence: Float = 0.6
    /// Seconds from one event's release to the next one's.
    public var secondsBetween = 1.0
    /// The label of windows in which nothing happens.
    public var idleLabel = "none"

    /// What serves throws of balls and bags.
    public init() {}
  }

  /// Something that has happened.
  public struct Event: Hashable, Sendable {
    /// What.
    public var prediction: ActionPrediction
    /// When the hand was fastest, in the time of the poses.
    public var releaseTime: Double
    /// When it was told.
    public var time: Double
    /// The joint that was fastest: a wrist.
    public var joint: Joint
  }

  private struct Entry {
    var time: Double
    var speed: Double
    var joint: Joint
  }

  /// The most poses that are remembered.
  private static let capacity = 1024
  /// Seconds over which speeds are measured; poses of a network are too unsteady for less.
  private static let speedSpan = 0.06

  /// What tells actions apart.
  public let classifier: ActionClassifier
  /// The numbers it works with.
  public let configuration: Configuration
  private var poses: [TimedPose] = []
  private var entries: [Entry] = []
  private var torso = 0.0
  private var examinedUntil = -Double.infinity
  private var lastRelease = -Double.infinity

  /// A stream without poses.
  public init(_ classifier: ActionClassifier, configuration: Configuration = Configuration()) {
    self.classifier = classifier
    self.configuration = configuration
    poses.reserveCapacity(Self.capacity)
    entries.reserveCapacity(Self.capacity)
  }

  /// Forgets all poses and events.
  public mutating func reset() {
    poses.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    torso = 0
    examinedUntil = -.infinity
    lastRelease = -.infinity
  }

  /// Takes the pose of a frame.
  ///
  /// - Parameters:
  ///   - pose: the person's joints; nil where nobody is seen.
  ///   - time: seconds, more than at the last call. A frame whose time is not is passed over.
  /// - Returns: a throw that has been recognised by this frame, or nil.
  /// - Throws: ``ActionClassifierError/network(_:)``, where memory does not suffice.
  public mutating func update(
    _ pose: Pose?, at time: Double
  ) throws(ActionClassifierError) -> Event? {
    guard time.isFinite, time > (poses.last?.time ?? -.infinity) else { return nil }
    forget(before: time - configuration.secondsBefore - 2 * configuration.secondsAfter)
    let entry = measure(pose ?? Pose(), at: time)
    poses.append(TimedPose(time: time, pose: pose ?? Pose()))
    entries.append(entry)
    // The earliest peak that nobody has looked at.
    guard let peak = peak(before: time - configuration.secondsAfter) else { return nil }
    let release = entries[peak]
    examinedUntil = release.time
    let start =
      poses.firstIndex { $0.time >= release.time - configuration.secondsBefore } ?? 0
    guard let prediction = try classifier.classify(poses[start...]),
      prediction.label != configuration.idleLabel,
      prediction.confidence >= configuration.minimumConfidence
    else { return nil }
    lastRelease = release.time
    return Event(
      prediction: prediction, releaseTime: release.time, time: time, joint: release.joint)
  }

  private mutating func forget(before time: Double) {
    let old = poses.firstIndex { $0.time >= time } ?? poses.count
    let count = max(old, poses.count - Self.capacity + 1)
    guard count > 0 else { return }
    poses.removeFirst(min(count, poses.count))
    entries.removeFirst(min(count, entries.count))
  }

  /// The speed of the faster wrist.
  private mutating func measure(_ pose: Pose, at time: Double) -> Entry {
    var entry = Entry(time: time, speed: 0, joint: .rightWrist)
    guard let root = pose.derived(.root), let neck = pose.derived(.neck) else { return entry }
    let length = root.location.squaredDistance(to: neck.location).squareRoot()
    // A trunk that bends towards the camera looks short: what was longer is forgotten slowly.
    torso = max(length, 0.99 * torso)
    guard torso > 0,
      let earlier = poses.last(where: { $0.time <= time - Self.speedSpan })
        ?? poses.first, time - earlier.time < 0.5,
      let earlierRoot = earlier.pose.derived(.root)
    else { return entry }
    for joint in [Joint.leftWrist, .rightWrist] {
      guard let now = pose[joint], let then = earlier.pose[joint] else { continue }
      let x = (now.location.x - root.location.x) - (then.location.x - earlierRoot.location.x)
      let y = (now.location.y - root.location.y) - (then.location.y - earlierRoot.location.y)
      let speed = (x * x + y * y).squareRoot() / torso / (time - earlier.time)
      if speed > entry.speed { (entry.speed, entry.joint) = (speed, joint) }
    }
    return entry
  }

  /// The first pose after the last examined one, at a time or before, whose speed is the greatest of
  /// those less than ``Configuration/secondsAfter`` away.
  private func peak(before time: Double) -> Int? {
    for index in entries.indices {
      let entry = entries[index]
      guard entry.time <= time else { return nil }
      guard entry.time > examinedUntil, entry.speed >= configuration.minimumSpeed,
        entry.time - lastRelease >= configuration.secondsBetween
      else { continue }
      var isPeak = true
      for (other, neighbour) in entries.enumerated()
      where (neighbour.time - entry.time).magnitude <= configuration.secondsAfter {
        if neighbour.speed > entry.speed || (neighbour.speed == entry.speed && other < index) {
          isPeak = false
        }
      }
      if isPeak { return index }
    }
    return nil
  }
}
