internal import DiceNumerics

/// Follows the dice in a camera's frames and tells of rolls: detector, camera motion and tracker in one.
///
/// ```swift
/// var follower = RollFollower()
/// for frame in frames {
///   for event in try follower.follow(frame.stored, with: detector, at: frame.timestamp) {
///     if case .rollEnded(let roll) = event { print(roll.values, roll.sum) }
///   }
/// }
/// ```
///
/// The picture tells it what the boxes of a ``RollTracker`` alone do not: how the camera moved, and that a die
/// which is first seen at rest was thrown, since the table was bare and no hand in view a moment before.
///
/// A value of its own for each camera; it holds the same memory however long the stream is.
public struct RollFollower: Sendable {
  /// How frames are followed.
  public struct Configuration: Hashable, Sendable {
    /// What counts as a die, as rest and as a roll.
    public var tracker: RollTracker.Configuration
    /// Every how many frames the detector looks, at least 1.
    ///
    /// The camera's motion is measured in all of them.
    public var detectionInterval: Int
    /// Whether the detector is spared while all dice lie still and are read, and nothing in the picture
    /// changes.
    ///
    /// The dice are then taken to lie where they lay. Where the latest look missed a die, or saw a new one,
    /// the detector looks again.
    public var skipsUnchangedFrames: Bool

    /// A configuration; everything may be left out.
    public init(
      tracker: RollTracker.Configuration = .init(), detectionInterval: Int = 1,
      skipsUnchangedFrames: Bool = true
    ) {
      self.tracker = tracker
      self.detectionInterval = detectionInterval
      self.skipsUnchangedFrames = skipsUnchangedFrames
    }
  }

  /// The configuration as it was given.
  public let configuration: Configuration
  /// The tracker, with the dice as the latest frame has them.
  public private(set) var tracker: RollTracker
  /// What the detector saw when it last looked.
  public private(set) var observations: [RollTracker.Observation] = []
  /// How many frames were followed.
  public private(set) var frameCount = 0
  /// In how many of them the detector looked.
  public private(set) var detectionCount = 0

  /// The field of play in pixels of the upright latest frame; nil where the whole table counts.
  ///
  /// It moves with the camera from frame to frame. Set it after ``follow(_:with:orientation:regionOfInterest:thresholds:at:)-(StoredFrame,_,_,_,_,_)``
  /// to where the frame shows it, as often as it was seen there: the measured motion of the camera knows
  /// shifts only, no turns and nothing that comes nearer. See `RollTracker.field` for what it means.
  public var field: PlayingField? {
    get {
      let field = tracker.field
      return pendingCounts ? field?.moved(x: pending.x, y: pending.y) : field
    }
    set { tracker.field = pendingCounts ? newValue?.moved(x: -pending.x, y: -pending.y) : newValue }
  }

  /// Whether the tracker will take the pending motion for the camera's.
  private var pendingCounts: Bool {
    pending.confidence > 0
      && pending.confidence >= configuration.tracker.minimumCameraConfidence
  }

  private var motion = FrameMotion()
  /// The camera's motion since the tracker last heard of it.
  private var pending = CameraMotion.zero
  private var framesUntilDetection = 0
  private var lastDetectionTime: Duration?

  /// A follower with the default configuration, which has seen nothing.
  public init() {
    configuration = Configuration()
    tracker = RollTracker()
  }

  /// A follower that has seen nothing.
  ///
  /// A `detectionInterval` below 1 counts as 1.
  ///
  /// - Throws: `RollTracker.ConfigurationError` where a number of the tracker's is out of its range.
  public init(configuration: Configuration) throws(RollTracker.ConfigurationError) {
    self.configuration = configuration
    tracker = try RollTracker(configuration: configuration.tracker)
  }

  /// Takes in a frame and says what happened.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - detector: What finds dice in it.
  ///   - orientation: How the stored rows must be turned to stand upright; nil takes the frame's.
  ///   - regionOfInterest: The part of the upright picture to look at; nil for all of it.
  ///   - thresholds: As for the detector.
  ///   - time: When the frame was taken, on any clock that does not run backwards.
  /// - Returns: The events in the order that `RollTracker.Event` tells; mostly none. Boxes are in
  ///   pixels of the upright picture.
  /// - Throws: ``DetectorError``, as the detector; the frame then counts as not seen.
  public mutating func follow(
    _ frame: borrowing RawFrame, with detector: DiceDetector,
    orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
    thresholds: some ThresholdProvider = Thresholds(), at time: Duration
  ) throws(DetectorError) -> [RollTracker.Event] {
    try follow(frame, orientation: orientation, at: time) {
      (frame) throws(DetectorError) -> [RollTracker.Observation] in
      try detector.detect(
        in: frame, orientation: orientation, regionOfInterest: regionOfInterest,
        thresholds: thresholds
      ).observations.map(RollTracker.Observation.init)
    }
  }

  /// Takes in a frame whose samples lie in arrays, such as one of a film, and says what happened.
  ///
  /// As ``follow(_:with:orientation:regionOfInterest:thresholds:at:)-(RawFrame,_,_,_,_,_)``.
  public mutating func follow(
    _ frame: StoredFrame, with detector: DiceDetector, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil,
    thresholds: some ThresholdProvider = Thresholds(), at time: Duration
  ) throws(DetectorError) -> [RollTracker.Event] {
    try frame.withFrame { (frame) throws(DetectorError) -> [RollTracker.Event] in
      try follow(
        frame, with: detector, orientation: orientation, regionOfInterest: regionOfInterest,
        thresholds: thresholds, at: time)
    }
  }

  /// Takes in a frame and says what happened, with a detector of your own.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - orientation: How the stored rows must be turned to stand upright; nil takes the frame's.
  ///   - time: When the frame was taken.
  ///   - detect: Finds the dice, with boxes in pixels of the upright picture. Not called for frames
  ///     that need no look.
  /// - Throws: What `detect` throws.
  public mutating func follow<Failure: Error>(
    _ frame: borrowing RawFrame, orientation: ImageOrientation? = nil, at time: Duration,
    detect: (borrowing RawFrame) throws(Failure) -> [RollTracker.Observation]
  ) throws(Failure) -> [RollTracker.Event] {
    // As the tracker takes it: times that are far out have differences, too.
    let time = Duration.nanoseconds(nanoseconds(time))
    frameCount += 1
    add(motion.update(frame, orientation: orientation))
    motion.keep(at: time)
    if configuration.skipsUnchangedFrames, tracker.phase != .rolling, tracker.isSettled,
      !motion.hasChanged
    {
      return advance(to: time)
    }
    guard framesUntilDetection <= 0 else {
      framesUntilDetection -= 1
      return []
    }
    let before = observations
    observations = try detect(frame)
    framesUntilDetection = max(1, configuration.detectionInterval) - 1
    detectionCount += 1
    let size = (orientation ?? frame.orientation).uprightSize(
      storedWidth: frame.width, storedHeight: frame.height)
    if isDoubtful(pending, before, at: time, width: size.width, height: size.height) {
      pending = .zero
    }
    if pending.confidence < configuration.tracker.minimumCameraConfidence,
      let motion = sharedMotion(with: before, width: size.width, height: size.height)
    {
      pending = motion
    }
    lastDetectionTime = time
    motion.remember()
    let events = advance(to: time)
    for die in tracker.newcomers
    where motion.showsArrival(
      of: die.boundingBox,
      among: tracker.boxes(movedSince: die.firstSeen - FrameMotion.earliestBare),
      firstSeenAt: die.firstSeen, width: size.width, height: size.height)
    { tracker.acceptThrow(of: die.identifier) }
    return events
  }

  /// Whether what looks like a motion of the camera may be a hand or a die that moves.
  ///
  /// A fast one is believed where the picture behind the dice says so, a slow one unless it denies it: on a plain
  /// table nothing speaks, and cameras in a hand move slowly. Where no dice are seen, a hand may be all that moves, and
  /// the picture must say so, too.
  private func isDoubtful(
    _ motion: CameraMotion, _ earlier: [RollTracker.Observation], at time: Duration, width: Int,
    height: Int
  ) -> Bool {
    guard motion.confidence > 0, isMeasurable(motion, width: width, height: height),
      !carriesAll(of: earlier, by: motion)
    else { return false }
    let isFast = isFast(motion, at: time, width: width, height: height)
    if isFast, anyStays(of: earlier, during: motion) { return true }
    let votes = self.motion.background(
      without: (earlier + observations).map { (die) in die.boundingBox }, movedBy: motion,
      width: width, height: height)
    return isFast || earlier.isEmpty || observations.isEmpty ? !votes.isMotion : votes.isRest
  }

  /// How far a die has moved since the last look, by up to its size, where the picture behind the dice says that all has.
  ///
  /// A hand that moves over the table hides from the registration how the camera moves.
  private func sharedMotion(
    with earlier: [RollTracker.Observation], width: Int, height: Int
  ) -> CameraMotion? {
    let boxes = (earlier + observations).map { (die) in die.boundingBox }
    for die in observations.prefix(4) {
      let box = die.boundingBox
      let size = (box.width * box.height).squareRoot()
      for other in earlier where other.value == die.value {
        let motion = CameraMotion(
          x: box.midX - other.boundingBox.midX, y: box.midY - other.boundingBox.midY, confidence: 1)
        guard motion.distance <= size, isMeasurable(motion, width: width, height: height),
          self.motion.background(
            without: boxes, movedBy: motion, width: width, height: height
          ).isClearMotion
        else { continue }
        return motion
      }
    }
    return nil
  }

  /// A quarter of a reduced plane's sample does no harm.
  private func isMeasurable(_ motion: CameraMotion, width: Int, height: Int) -> Bool {
    motion.distance >= Double(max(width, height)) / 512
  }

  /// Whether three dice or more were seen last time, and all are now where a motion of the camera carries them,
  /// within a sixteenth of their size.
  ///
  /// Dice that roll do not keep together so well, nor with what lies still.
  private func carriesAll(
    of earlier: [RollTracker.Observation], by motion: CameraMotion
  ) -> Bool {
    guard earlier.count >= 3 else { return false }
    return earlier.allSatisfy { (die) in
      let box = die.boundingBox.translated(x: motion.x, y: motion.y)
      let reach = (box.width * box.height).squareRoot() / 16
      return observations.contains { (other) in
        other.boundingBox.center.squaredDistance(to: box.center) <= reach * reach
      }
    }
  }

  /// Whether a die is seen where it was last time: then what moves is no camera, but a hand, say.
  ///
  /// That is within a sixteenth of its size, or with the same value within half its size and a third of the motion.
  private func anyStays(
    of earlier: [RollTracker.Observation], during motion: CameraMotion
  ) -> Bool {
    earlier.contains { (die) in
      let box = die.boundingBox
      let size = (box.width * box.height).squareRoot()
      return observations.contains { (other) in
        let reach =
          other.value == die.value ? max(size / 16, min(size / 2, motion.distance / 3)) : size / 16
        return other.boundingBox.center.squaredDistance(to: box.center) <= reach * reach
      }
    }
  }

  /// Whether a motion of the camera would carry the smallest die over the picture as fast as dice roll:
  /// faster than a tracker's throw speed.
  ///
  /// Where no die is seen, one may fly: it counts as a twentieth of the picture's shorter side, and less than a reduced plane's sample
  /// is believed.
  private func isFast(
    _ motion: CameraMotion, at time: Duration, width: Int, height: Int
  ) -> Bool {
    guard motion.confidence > 0, let lastDetectionTime else { return false }
    var size = Double.infinity
    for die in observations {
      size = min(size, (die.boundingBox.width * die.boundingBox.height).squareRoot())
    }
    if observations.isEmpty {
      size = Double(min(width, height)) / 20
      guard motion.distance >= Double(min(width, height)) / 64 else { return false }
    }
    let elapsed = time.inSeconds - lastDetectionTime.inSeconds
    guard elapsed > 0, size.isFinite else { return false }
    return motion.distance > configuration.tracker.throwSpeed * size * elapsed
  }

  private mutating func advance(to time: Duration) -> [RollTracker.Event] {
    defer { pending = .fixed }
    return tracker.update(with: observations, at: time, cameraMotion: pending)
  }

  /// Adds a motion to the pending one, which is as sure as the least sure of its parts.
  private mutating func add(_ motion: CameraMotion) {
    pending = CameraMotion(
      x: pending.x + motion.x, y: pending.y + motion.y,
      confidence: min(pending.confidence, motion.confidence))
  }
}

extension RollFollower: CustomStringConvertible {
  /// Where it stands, in one line: `ended, 2 dice: 6 1; last roll 1: 6 1, sum 7; looked in 40 of 90 frames`.
  public var description: String {
    "\(tracker); looked in \(detectionCount) of \(frameCount) frames"
  }
}
