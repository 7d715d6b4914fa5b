public import DiceGeometry
internal import DiceNumerics

/// Follows dice through the frames of a camera and says when a roll has ended, and with what result.
///
/// Feed it with what a detector sees and when:
///
///     var tracker = RollTracker()
///     for event in tracker.update(with: observations, at: time) {
///       if case .rollEnded(let roll) = event { print(roll.values, roll.sum) }
///     }
///
/// It has no clock of its own, draws no random numbers, and its memory is bounded: the same frames
/// give the same events, whatever the order of the observations within a frame.
///
/// **Dice.** An observation is given to the die that it fits best (distance, overlap, size, value),
/// all pairs together at the least total cost. Observations below
/// ``Configuration-swift.struct/minimumEntryConfidence`` make no new die. A die counts from its third
/// observation on; one that is not seen for ``Configuration-swift.struct/lostDuration`` has left, and
/// gets its old identifier when it comes back to the same place with the same value within 4 s. Where
/// all dice were out of view for 0.1 s, one that comes elsewhere or with another value is a new die, and
/// the others have left.
///
/// **Rest.** A die is still when a straight line through its observations of 0.24 s or more, at least
/// three of them, is slower than 0.3 sizes a second, they scatter by no more than 0.065 sizes, and the
/// box neither grows nor shrinks. Motion that dice share is the camera's: it is given, or found from
/// the dice at rest where two or more are displaced alike, or from the speeds that two or more dice
/// have in common. A given motion does not count where a die at rest stays in its place in the picture. With
/// a single die and nothing known of the camera, a die that drifts on a straight line at a constant speed of
/// up to 1.5 sizes a second, for 0.45 s, is taken to be still.
///
/// **Rolls.** A roll begins when
///
/// 1. a die that comes into view moves as a thrown one: by a quarter of its size at
///    ``Configuration-swift.struct/throwSpeed`` or faster, before it first lies still (where frames are
///    60 ms or more apart and the table was seen empty, one or two frames of that are enough); or
/// 2. two or more dice come into view within 0.5 s of each other on a table that was seen empty for
///    0.2 s, even if they lie still (motion blur can hide the whole flight), of about one size
///    (``Configuration-swift.struct/maximumSizeRatio``), but not within a size of where dice with their values
///    lay up to 4 s before (a hand hid them); or
/// 3. a die that lay still goes 1.5 sizes at twice that speed and is still in view 0.2 s after it
///    departed, or two or more go half a size at that speed.
///
/// So dice that are there from the beginning, laid down one by one, nudged or picked up are no roll.
/// A single die that is first seen when it already lies still is none either: by its boxes alone its throw
/// cannot be told from a hand that lays it down. (`RollFollower` has the picture, and can.) Where ``Configuration-swift.struct/requiresMotion`` is false,
/// a roll begins whenever a die comes into view or is displaced.
///
/// A roll ends when all dice in view lie still, were seen within the last 0.15 s, and their readings
/// agree. Of a die whose readings have been unsure of two values for
/// ``Configuration-swift.struct/unsettledDuration``, the likelier one counts; one whose readings are sure of
/// different values is unsettled. A die of eight sides or more has not moved where the box of another of its
/// faces is seen in place of the uppermost one's for less than 0.25 s. What is thrown within 0.7 s of the
/// end belongs to that roll and revises its result.
///
/// **What it makes of strange input.** An observation is left out where its box holds a NaN or an
/// infinity, has no area, lies further than ten million pixels from the origin or is thinner than a
/// thousandth of a pixel; where its confidence is NaN or too low; or where it lies outside the
/// region. Of more than ``Configuration-swift.struct/maximumDiceCount`` the least confident are left
/// out. At most 128 different faces are told apart, the first that come; others count as no reading.
/// A frame with the time of the last one, or up to 1 s before it, is ignored. One further back
/// begins a new stream: everything is forgotten but the numbers of dice and rolls (with `cleared`
/// where there were dice). After a gap of more than 1 s the dice keep their identity if they lie
/// where they lay, and rest is measured anew.
public struct RollTracker: Hashable, Sendable {
  /// What the tracker takes for a die, for rest and for a roll.
  public let configuration: Configuration

  /// Where the tracker stands.
  public internal(set) var phase = Phase.idle
  /// The result on the table; nil where there is none, from the start of a roll to its end, and after
  /// the table was cleared.
  public internal(set) var lastRoll: Roll? = nil

  /// All that are followed, in the order of their birth.
  var tracks: [Track] = []
  /// The faces that were read, in the order in which they came; ``FaceScores/faceLimit`` at most.
  var faces: [DieFace] = []
  var clock = Clock()
  var camera = CameraState()
  var nextIdentifier: UInt64 = 1
  var rollCount = 0
  /// When the roll under way began, in real nanoseconds.
  var rollStart: Int64 = 0
  /// On the tracker's clock: when the last roll was reported.
  var rollEnd: Int64 = 0
  /// On the tracker's clock: the last time a die was seen that has been forgotten since.
  var lastOccupied: Int64 = -1
  var scratch = Scratch()

  /// The field of play in pixels of the latest frame; nil where the whole table counts.
  ///
  /// It moves with the camera from frame to frame, as far as the camera's motion is known. Set it again
  /// after a frame in which it was seen: it then counts from there on. Where a die stands is told by its
  /// ``TrackedDie/place``:
  ///
  /// - **Outside.** What counts is the middle of what a die stands on. Dice outside are no part of a roll's
  ///   values; they are its ``Roll/outside``. They need not be read, and a roll waits for one that moves for
  ///   at most 0.7 s after the dice inside have come to rest. A die of a result that comes in or goes out
  ///   revises it. ``Configuration-swift.struct/expectedDiceCount`` counts the dice inside, and those outside
  ///   that were thrown.
  /// - **Order.** Dice are told from left to right as the player sees them.
  /// - **Cocked.** A die that lies still inside is cocked where it was reported as unsettled, or, with a field
  ///   of known size, where the sides of its box fit no level face: their ratio is below 0.85 or above 1.17 of
  ///   the plane's. By the boxes alone many dice that lean look level, and those stacked on another one do.
  public var field: PlayingField? = nil {
    didSet {
      scratch.fieldTime = clock.own
      if field == nil { forgetOutside() }
    }
  }

  /// A tracker with the default configuration, which has seen nothing.
  public init() {
    configuration = Configuration()
  }

  /// A tracker that has seen nothing.
  ///
  /// - Throws: ``ConfigurationError`` where a number is out of its range.
  public init(configuration: Configuration) throws(ConfigurationError) {
    try configuration.validate()
    self.configuration = configuration
  }

  /// The dice on the table, from left to right, where the latest frame has them.
  ///
  /// With a ``field``, from left to right as the player sees it, with those outside it among them.
  ///
  /// - Complexity: O(dice · log dice).
  public var dice: [TrackedDie] {
    var result: [TrackedDie] = []
    for track in tracks where track.stage == .confirmed { result.append(die(track)) }
    Self.sortFromLeftToRight(&result)
    return result
  }
}

extension RollTracker: CustomStringConvertible {
  /// Where it stands, in one line: `rolling, 2 dice: 6 ?; last roll 3: 1 2, sum 3`.
  ///
  /// Values are from left to right; `?` stands for a die without one.
  public var description: String {
    var text: String
    switch phase {
    case .idle: text = "idle, "
    case .rolling: text = "rolling, "
    case .ended: text = "ended, "
    }
    let dice = dice
    text += dice.isEmpty ? "no dice" : dice.count == 1 ? "1 die:" : "\(dice.count) dice:"
    for die in dice { text += die.value.map { " \($0)" } ?? " ?" }
    if let lastRoll { text += "; last \(lastRoll)" }
    return text
  }
}

extension RollTracker {
  /// Times, all in nanoseconds.
  struct Clock: Hashable, Sendable {
    /// The time of the latest frame; meaningless before the first.
    var real: Int64 = 0
    /// The time that frames have covered: gaps count as at most 1 s.
    var own: Int64 = 0
    /// When the stream, or the part of it since the last gap, began, on the own clock.
    var begin: Int64 = 0
    var hasStarted = false

    /// A point on the own clock in real time.
    func realTime(_ time: Int64) -> Int64 { real - (own - time) }
  }

  /// Where the picture has moved.
  struct CameraState: Hashable, Sendable {
    /// Picture coordinates less table coordinates.
    var offsetX = 0.0
    var offsetY = 0.0
    /// What has been moved since the last event.
    var movedX = 0.0
    var movedY = 0.0
  }

  /// Memory that is used within a frame only, or that nothing but the field's place in the next half second
  /// depends on, and is no part of the state.
  struct Scratch: Hashable, Sendable {
    /// The frame after which the field was set.
    var fieldTime = Int64.min
    var candidates: [Candidate] = []
    var assignment = Assignment()
    /// The tracks that take part in the assignment.
    var rows: [Int] = []
    /// The track of each candidate, −1 for none.
    var owners: [Int] = []
    var first: [Double] = []
    var second: [Double] = []
    var sorted: [Double] = []
    /// The probability of each face in one reading.
    var probabilities: [Float] = []

    static func == (_: Scratch, _: Scratch) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// An observation that is taken in, in picture coordinates.
  struct Candidate: Sendable {
    /// The place in the frame's observations.
    var place: Int
    var value: Int
    var box: BoundingBox
    var centerX: Double
    var centerY: Double
    var size: Double
    var confidence: Float
    var scores: FaceScores
    var top: Int16
  }

  /// The public view of a track.
  func die(_ track: Track) -> TrackedDie {
    let first = track.firstRestingSample
    var confidence: Float = 0
    for index in first..<track.samples.count { confidence += track.samples[index].confidence }
    let count = track.samples.count - first
    let box = box(of: track)
    let decided = track.isStill && track.decided >= 0 ? faces[Int(track.decided)] : nil
    return TrackedDie(
      identifier: track.identifier, boundingBox: box, kind: decided?.kind, value: decided?.value,
      values: track.probabilities(faces: faces), confidence: confidence / Float(count),
      isStill: track.isStill, tookPart: track.tookPart, place: place(of: track, box))
  }

  static func sortFromLeftToRight(_ dice: inout [TrackedDie]) {
    dice.heapSort { (first, second) in first.precedes(second) }
  }
}
