internal import DiceGeometry
internal import DiceNumerics

/// Follows people through the frames of a film: who is who, steadier joints, who comes and who goes.
///
/// Give it the people of every frame with the frame's time:
///
///     var tracker = try PoseTracker()
///     for event in try tracker.update(with: people, at: time) { print(event) }
///     if let player = tracker.player { print(player.identity, player.boundingBox) }
///
/// - People of a frame are taken for those known whose boxes and joints are nearest
///   (``Configuration/minimumSimilarity``). Someone who is not found for a while keeps the identity.
/// - Joints are smoothed, strongly while they rest and hardly while they are fast (``Smoothing``).
/// - Someone has entered after being seen for ``Configuration/timeToEnter``, and left after not being seen for
///   ``Configuration/timeToLeave``, so that single frames change nothing.
///
/// A value without a clock: the same people at the same times give the same events. Memory is bounded by
/// ``personLimit``.
public struct PoseTracker: Hashable, Sendable {
  /// The most people that are followed at once; of more in a frame the most confident ones count.
  public static let personLimit = 16

  /// The numbers that it works with.
  public let configuration: Configuration
  /// The people who are there, by identity: they have entered and not left.
  public private(set) var people: [TrackedPerson] = []
  /// The one who plays: whoever was chosen stays it until leaving; then it is who is seen largest.
  public var player: TrackedPerson? { people.first { $0.identity == playerIdentity } }

  private var tracks: [PersonTrack] = []
  private var lastTime: Duration?
  private var playerIdentity: Int?
  private var nextIdentity = 1
  private var workspace = Workspace()

  /// A tracker that has seen nobody.
  ///
  /// - Throws: ``PoseTrackerError`` where a number of the configuration is out of its range.
  public init(_ configuration: Configuration = Configuration()) throws(PoseTrackerError) {
    try configuration.check()
    self.configuration = configuration
  }

  /// Forgets everybody; identities go on.
  public mutating func reset() {
    tracks = []
    people = []
    lastTime = nil
    playerIdentity = nil
  }

  /// Takes the people of a frame.
  ///
  /// - Parameters:
  ///   - found: the people, in any order. Whoever is less sure than
  ///     ``Configuration/minimumPersonConfidence``, or has a box that is not finite or farther off than
  ///     ``Pose/greatestCoordinate``, does not count; a confidence above 1 counts as 1.
  ///   - time: when the frame was taken; later than the frame before.
  /// - Returns: who has entered and left, the leaving first, by identity.
  /// - Throws: ``PoseTrackerError/timeNotIncreasing(_:previous:)``; all is as it was then.
  /// - Complexity: O(known people · found people), both at most ``personLimit``.
  @discardableResult
  public mutating func update(
    with found: [DetectedPerson], at time: Duration
  ) throws(PoseTrackerError) -> [Event] {
    if let lastTime, time <= lastTime { throw .timeNotIncreasing(time, previous: lastTime) }
    lastTime = time
    let seconds = time.inSeconds
    choose(from: found)
    assign(at: seconds)
    for index in workspace.candidates.indices
    where !workspace.isTaken[index] && tracks.count < Self.personLimit {
      tracks.append(
        PersonTrack(
          workspace.candidates[index], identity: nextIdentity, at: seconds, configuration))
      nextIdentity += 1
    }
    return conclude(at: seconds)
  }

  /// The people who count become the candidates.
  private mutating func choose(from found: [DetectedPerson]) {
    workspace.candidates.removeAll(keepingCapacity: true)
    for person in found
    where person.confidence >= configuration.minimumPersonConfidence
      && Self.isNear(person.boundingBox) && !person.boundingBox.isEmpty
    {
      var person = person
      person.confidence = min(1, person.confidence)
      workspace.candidates.append(person)
    }
    if workspace.candidates.count > Self.personLimit {
      // The order decides between equal confidences.
      workspace.candidates = Array(
        workspace.candidates.enumerated().sorted {
          ($0.element.confidence, $1.offset) > ($1.element.confidence, $0.offset)
        }.prefix(Self.personLimit).map(\.element))
    }
  }

  /// Whether a box lies where joints can lie: farther off, sums of its numbers may be none.
  private static func isNear(_ box: BoundingBox) -> Bool {
    let range = -Pose.greatestCoordinate...Pose.greatestCoordinate
    return box.isProper && range.contains(box.minX) && range.contains(box.minY)
      && range.contains(box.maxX) && range.contains(box.maxY)
  }

  /// Each track takes the candidate that is most similar to it, the most similar pairs first; whoever has entered
  /// comes before those who have not, who may be second findings of the same person.
  private mutating func assign(at seconds: Double) {
    workspace.pairs.removeAll(keepingCapacity: true)
    for (index, track) in tracks.enumerated() {
      for (other, candidate) in workspace.candidates.enumerated() {
        let similarity = track.similarity(to: candidate, at: seconds, configuration)
        if similarity >= configuration.minimumSimilarity {
          workspace.pairs.append(
            Workspace.Pair(
              hasEntered: track.hasEntered, similarity: similarity, track: index, candidate: other))
        }
      }
    }
    workspace.pairs.sort {
      $0.hasEntered == $1.hasEntered
        ? ($0.similarity, $1.track, $1.candidate) > ($1.similarity, $0.track, $0.candidate)
        : $0.hasEntered
    }
    workspace.forgetTaken()
    for pair in workspace.pairs
    where !workspace.isTaken[pair.candidate] && !workspace.isUpdated[pair.track] {
      workspace.isTaken[pair.candidate] = true
      workspace.isUpdated[pair.track] = true
      tracks[pair.track].update(
        with: workspace.candidates[pair.candidate], at: seconds, configuration)
    }
  }

  /// Memory of an update that is used again.
  ///
  /// It says nothing of the people, so that all of it is equal.
  private struct Workspace: Hashable, Sendable {
    struct Pair: Sendable {
      var hasEntered: Bool
      var similarity: Double
      var track: Int
      var candidate: Int
    }

    var candidates: [DetectedPerson] = []
    var pairs: [Pair] = []
    /// For each candidate, whether a track has taken it.
    var isTaken = [Bool](repeating: false, count: PoseTracker.personLimit)
    /// For each track, whether it has taken a candidate.
    var isUpdated = [Bool](repeating: false, count: PoseTracker.personLimit)

    mutating func forgetTaken() {
      for index in 0..<PoseTracker.personLimit {
        isTaken[index] = false
        isUpdated[index] = false
      }
    }

    static func == (first: Self, second: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// Decides who has entered and left, and who plays.
  private mutating func conclude(at seconds: Double) -> [Event] {
    var events: [Event] = []
    let patience = configuration.timeToLeave.inSeconds
    tracks.removeAll { track in
      let gap = seconds - track.lastSeen
      // Whoever has not entered is forgotten sooner, as a mistake.
      guard gap > (track.hasEntered ? patience : min(patience, 0.25)) else { return false }
      if track.hasEntered { events.append(.left(identity: track.identity)) }
      return true
    }
    for index in tracks.indices where !tracks[index].hasEntered {
      guard
        tracks[index].lastSeen - tracks[index].firstSeen >= configuration.timeToEnter.inSeconds
      else { continue }
      tracks[index].hasEntered = true
      events.append(.entered(identity: tracks[index].identity))
    }
    people.removeAll(keepingCapacity: true)
    for track in tracks where track.hasEntered { people.append(track.person(at: seconds)) }
    if !people.contains(where: { $0.identity == playerIdentity }) {
      var best: TrackedPerson?
      for person in people where person.boundingBox.area > best?.boundingBox.area ?? 0 {
        best = person
      }
      playerIdentity = best?.identity
    }
    return events
  }
}
