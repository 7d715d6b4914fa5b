public import DiceFields
internal import DiceGeometry
public import DiceImaging
internal import DiceNumerics
public import DicePoses
public import DiceTrajectories

/// A game of throws from frames: finds the field, waits for a stable scene and a player, follows each bag, and
/// scores it.
///
/// Give it every frame with its time, and who is to be seen in it:
///
///     var session = try ThrowSession(classifier: ActionClassifier())
///     for frame in film {
///       let people = session.needsPeople ? try finder.detect(in: frame.image) : nil
///       for event in try session.update(with: frame.image, people: people, at: frame.time) {
///         print(event)
///       }
///     }
///
/// Every part can be replaced: poses come from any finder, types of throws from any classifier, and
/// ``ThrowGame`` is the game without any of them. A value without a clock: the same frames at the same times give
/// the same events. Memory does not grow with the length of the film.
public struct ThrowSession: Sendable {
  /// Tells the type of a throw from a window of poses; nil where it cannot be told.
  public typealias Classify =
    @Sendable (ArraySlice<TimedPose>) throws(ActionClassifierError) -> ActionPrediction?

  /// What it works with.
  public let configuration: Configuration
  /// The game: its phase and results.
  public private(set) var game: ThrowGame
  /// The field, while it is known.
  public private(set) var field: FieldPlane?
  /// Who is there.
  public private(set) var poses: PoseTracker
  /// What flies.
  public private(set) var flights: TrajectoryDetector
  /// How many frames there were.
  public private(set) var frameCount = 0

  private let classify: Classify?
  /// Takes the place of ``classify``, and is told the size of the frames.
  private var classifier: ActionClassifier?
  private var size = (width: 0, height: 0)
  private var lastTime: Duration?
  private var watch: SceneWatch
  private var fieldTracker: FieldTracker
  private var resting: RestingView?
  private var history = PoseHistory()
  private var chains: [FlightChain] = []
  private var posesInFlight = 0
  /// The last frame's time when a new game was wanted: what flew by then does not count in it.
  private var restartTime: Duration?

  /// The most flights that are followed at once.
  private static let chainLimit = 16

  /// A session that has seen nothing.
  ///
  /// - Parameters:
  ///   - configuration: the rules, the field, and what the parts work with.
  ///   - classifier: tells types of throws; nil where nobody wants to know.
  /// - Throws: ``ThrowSessionError`` where a number is out of its range, or the field is none.
  public init(
    _ configuration: Configuration = Configuration(), classifier: ActionClassifier? = nil
  ) throws(ThrowSessionError) {
    try self.init(configuration, classify: nil)
    self.classifier = classifier
  }

  /// A session with a function that tells types of throws.
  ///
  /// - Throws: ``ThrowSessionError`` where a number is out of its range, or the field is none.
  public init(_ configuration: Configuration, classify: Classify?) throws(ThrowSessionError) {
    try configuration.check()
    self.configuration = configuration
    self.classify = classify
    let rules = configuration.rules
    game = try ThrowGame(rules)
    do { poses = try PoseTracker(configuration.poseTracker) } catch { throw .poses(error) }
    var options = TrajectoryDetector.Options()
    options.framesWithoutEvidence = rules.framesWithoutEvidence
    options.objectMinimumNormalizedRadius = rules.minimumRadius
    options.objectMaximumNormalizedRadius = max(
      options.objectMaximumNormalizedRadius, rules.minimumRadius)
    flights = TrajectoryDetector(options)
    watch = try SceneWatch(rules.stability)
    fieldTracker = FieldTracker(FieldDetector(configuration.fieldDetector))
    fieldTracker.minimumConfidence = configuration.minimumFieldConfidence
    fieldTracker.shape = FieldShape(
      width: configuration.fieldWidth, height: configuration.fieldHeight,
      focalLength: configuration.focalLength)
    if let corners = configuration.fieldCorners { try take(corners) }
  }

  /// Whether the next frame's people matter: not while enough poses were seen in flight, where the rules say so.
  public var needsPeople: Bool {
    guard let limit = configuration.rules.posesInFlight, game.phase == .inFlight else {
      return game.phase != .finished
    }
    return posesInFlight < limit
  }

  /// Begins a new game with the field and the player that are there.
  ///
  /// What is in the air does not count in it.
  public mutating func restart() -> [ThrowGame.Event] {
    restartTime = lastTime
    return game.handle(.restart)
  }

  /// Forgets all frames, and begins anew.
  public mutating func reset() throws(ThrowSessionError) {
    var session = try ThrowSession(configuration, classify: classify)
    session.classifier = classifier
    self = session
  }

  /// What tells types of throws in frames of this size.
  private var sizedClassify: Classify? {
    guard var classifier else { return classify }
    (classifier.frameWidth, classifier.frameHeight) = (size.width, size.height)
    return { [classifier] (window) throws(ActionClassifierError) in
      try classifier.classify(window)
    }
  }

  /// Takes a frame.
  ///
  /// - Parameters:
  ///   - image: the frame.
  ///   - people: who is to be seen in it, in pixels of the upright picture; nil where nobody has looked.
  ///   - time: when it was taken; later than the frame before.
  /// - Returns: what happened, in this order.
  /// - Throws: ``ThrowSessionError``. After `frameSizeChanged` and `timeNotIncreasing` all is as it was.
  public mutating func update(
    with image: PixelImage, people: [DetectedPerson]?, at time: Duration
  ) throws(ThrowSessionError) -> [ThrowGame.Event] {
    try image.withFrame { (frame) throws(ThrowSessionError) in
      try update(with: frame, people: people, at: time)
    }
  }

  /// Takes a frame in the orientation that it has.
  ///
  /// - Throws: ``ThrowSessionError``. After `frameSizeChanged` and `timeNotIncreasing` all is as it was.
  public mutating func update(
    with frame: borrowing RawFrame, people: [DetectedPerson]?, at time: Duration
  ) throws(ThrowSessionError) -> [ThrowGame.Event] {
    let (width, height) = (frame.uprightWidth, frame.uprightHeight)
    if let lastTime {
      guard size == (width, height) else {
        throw .frameSizeChanged(
          width: width, height: height, previousWidth: size.width, previousHeight: size.height)
      }
      guard time > lastTime else { throw .timeNotIncreasing(time, previous: lastTime) }
    }
    do { try flights.update(with: frame, at: time) } catch { throw .trajectories(error) }
    size = (width, height)
    lastTime = time
    frameCount += 1
    var events: [ThrowGame.Event] = []
    try watch.update(with: frame, shift: flights.pictureShift, at: time)
    try findField(in: frame, &events)
    // A field that was found in a moving picture counts from here on.
    events += game.handle(watch.isStable ? .sceneStable : .sceneMoved)
    try follow(people, at: time, &events)
    if game.phase == .ready || game.phase == .inFlight, let field {
      if resting == nil { resting = RestingView(field) }
      let isNeeded = flights.trajectories.contains { $0.state == .ended }
      try resting?.update(with: frame, field, at: time.inSeconds, isNeeded: isNeeded)
    }
    try followFlights(&events)
    return events
  }

  /// Ends the film: what is in the air has landed.
  ///
  /// - Throws: ``ThrowSessionError/actions(_:)``.
  public mutating func finish() throws(ThrowSessionError) -> [ThrowGame.Event] {
    flights.finish()
    var events: [ThrowGame.Event] = []
    try followFlights(&events)
    return events
  }

  private mutating func take(_ corners: Quadrilateral) throws(ThrowSessionError) {
    do throws(FieldError) {
      field = try FieldPlane(
        outline: corners, width: configuration.fieldWidth, height: configuration.fieldHeight)
    } catch { throw .field(error) }
    resting = nil
  }

  private mutating func findField(
    in frame: borrowing RawFrame, _ events: inout [ThrowGame.Event]
  ) throws(ThrowSessionError) {
    guard game.phase == .searchingField || game.phase == .waitingForStability else { return }
    if let corners = configuration.fieldCorners {
      events += game.handle(.fieldFound(corners))
      return
    }
    let found: Field?
    do { found = try fieldTracker.update(with: frame) } catch { throw .field(error) }
    // What no map has as a plane is no field.
    guard let found, (try? take(found.outline)) != nil else {
      field = nil
      events += game.handle(.fieldLost)
      return
    }
    events += game.handle(.fieldFound(found.outline))
  }

  private mutating func follow(
    _ people: [DetectedPerson]?, at time: Duration, _ events: inout [ThrowGame.Event]
  ) throws(ThrowSessionError) {
    guard let people else { return }
    let least = configuration.rules.minimumPlayerConfidence
    do {
      try poses.update(with: people.filter { $0.confidence >= least }, at: time)
    } catch { throw .poses(error) }
    let player = poses.player
    if let known = game.playerIdentity, known != player?.identity {
      events += game.handle(.playerLeft(identity: known))
      history.reset()
    }
    guard let player else { return }
    if game.playerIdentity == nil {
      events += game.handle(.playerEntered(identity: player.identity))
    }
    history.add(player, at: time.inSeconds)
    if game.phase == .inFlight { posesInFlight += 1 }
  }

  private mutating func followFlights(
    _ events: inout [ThrowGame.Event]
  ) throws(ThrowSessionError) {
    for trajectory in flights.trajectories {
      let index = chains.firstIndex {
        $0.continues(with: trajectory, width: size.width, height: size.height)
      }
      if let index {
        chains[index].take(trajectory)
      } else {
        if chains.count >= Self.chainLimit { chains.removeFirst() }
        chains.append(FlightChain(trajectory))
      }
    }
    for index in chains.indices {
      let chain = chains[index]
      let isFollowed = game.flight == chain.identity
      if !chain.isOver, isFollowed { continue }
      if let restartTime, let first = chain.first.points.first, first.time <= restartTime {
        continue
      }
      var flight = chain.flight(
        width: size.width, height: size.height, fieldMiddle: field?.outline.center)
      if !chain.isPlaced, let first = flight.points.first {
        chains[index].startsAtPlayer = history.isNearPlayer(first)
        chains[index].isPlaced = true
      }
      flight.startsAtPlayer = chains[index].startsAtPlayer
      if !chain.isOver {
        let news = game.handle(.flightSeen(flight))
        if !news.isEmpty { posesInFlight = 0 }
        events += news
        continue
      }
      guard isFollowed || game.phase == .ready && configuration.rules.counts(flight) else {
        continue
      }
      let outcome = try ThrowMeasurement(
        configuration: configuration, field: field, width: size.width, height: size.height,
        history: history, resting: resting, flight: flight, first: chain.first
      ).outcome(sizedClassify)
      events += game.handle(.flightEnded(flight, outcome))
    }
    chains.removeAll { $0.isOver }
  }
}
