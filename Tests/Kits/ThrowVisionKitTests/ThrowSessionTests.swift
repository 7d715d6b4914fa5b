import DiceCodecs
import DiceThrowFilms
import TestSupport
import Testing
import ThrowVisionKit

@Suite struct ThrowSessionTests {
  /// A film with what a session says of it.
  private static func play(
    _ film: ThrowFilm, _ rules: ThrowRules, isFieldGiven: Bool = false, hasPeople: Bool = true
  ) throws -> (
    session: ThrowSession, events: [(frame: Int, event: ThrowGame.Event)], posesInFlight: Int
  ) {
    var posesInFlight = 0
    var rules = rules
    rules.throwCount = film.throwsInOrder.count
    rules.requiresPlayer = hasPeople
    var configuration = ThrowSession.Configuration(rules)
    configuration.focalLength = film.camera.focalLength
    if isFieldGiven { configuration.fieldCorners = film.board.outline(in: film.camera) }
    var session = try ThrowSession(
      configuration, classifier: hasPeople ? try ActionClassifier() : nil)
    let renderer = ThrowFilmRenderer(film)
    var events: [(frame: Int, event: ThrowGame.Event)] = []
    // The player's leaving is of no interest.
    let end = Int(((film.throwsInOrder.last?.landingTime ?? 0) + 1) * film.framesPerSecond)
    for frame in 0..<end {
      let isNeeded = session.needsPeople
      if session.game.phase == .inFlight { posesInFlight += isNeeded ? 1 : 0 }
      let people =
        hasPeople && isNeeded ? [film.person(frame: frame)].compactMap { $0 } : nil
      for event in try session.update(
        with: renderer.frame(frame), people: people, at: .seconds(film.time(of: frame)))
      { events.append((frame, event)) }
    }
    for event in try session.finish() { events.append((end, event)) }
    return (session, events, posesInFlight)
  }

  @Test func aFilmOfThreeThrowsIsScoredAsItWasPlayed() throws {
    let film = ThrowFilm(
      [
        ThrowFilm.Plan(.underhand, .board), ThrowFilm.Plan(.underleg, .hole),
        ThrowFilm.Plan(.overhand, .missed),
      ], leadIn: 1.2)
    let (session, events, _) = try Self.play(film, .standard, isFieldGiven: true)
    let names = events.map { String("\($0.event)".prefix { $0 != "(" }) }
    expectEqual(
      names,
      [
        "fieldFound", "sceneStable", "playerEntered", "ready",
        "throwStarted", "throwEnded", "scored", "ready",
        "throwStarted", "throwEnded", "scored", "ready",
        "throwStarted", "throwEnded", "scored", "finished",
      ], "\(names)")
    let results = session.game.results
    expectEqual(results.map(\.place), [.board, .hole, .missed])
    expectEqual(results.map(\.type), ["underhand", "underleg", "overhand"])
    expectEqual(results.map(\.points), [1, 15, 0])
    for (result, truth) in zip(results, film.throwsInOrder) {
      let speed = try #require(result.speed)
      #expect(abs(speed / truth.releaseSpeed - 1) < 0.1, "\(speed) \(truth.releaseSpeed)")
      #expect(abs(result.outcome.releaseTime - truth.releaseTime) < 0.12)
      if let position = truth.position, result.place == .board {
        let found = try #require(result.outcome.position)
        let out = found - position
        #expect((out * out).sum().squareRoot() < 10, "\(found) \(position)")
      }
    }
  }

  /// A classifier of one's own that is nearly sure that nothing was thrown.
  @Test func aThrowIsNeverToldToBeNone() throws {
    let film = ThrowFilm([ThrowFilm.Plan(.underhand, .board)], leadIn: 1.2)
    let renderer = ThrowFilmRenderer(film)
    for (idle, type) in [("none", "underhand"), (nil, "none"), ("other", "none")] {
      var rules = ThrowRules.standard
      rules.throwCount = 1
      var configuration = ThrowSession.Configuration(rules)
      configuration.focalLength = film.camera.focalLength
      configuration.fieldCorners = film.board.outline(in: film.camera)
      configuration.idleLabel = idle
      var session = try ThrowSession(configuration) { (_) in
        ActionPrediction(
          labels: ["overhand", "none", "underhand"], probabilities: [0.0625, 0.75, 0.1875])
      }
      let end = Int(((film.throwsInOrder.last?.landingTime ?? 0) + 1) * film.framesPerSecond)
      for frame in 0..<end {
        _ = try session.update(
          with: renderer.frame(frame), people: [film.person(frame: frame)].compactMap { $0 },
          at: .seconds(film.time(of: frame)))
      }
      _ = try session.finish()
      expectEqual(session.game.results.map(\.type), [type])
      expectEqual(session.game.results.map(\.outcome.typeConfidence), [0.75])
    }
  }

  @Test func theBoardIsFoundWhateverTheFormatOfTheFrames() throws {
    let writer = try Y4MWriter(width: 640, height: 360, chroma: .s420)
    var counts = ["rgb": 0, "gray": 0, "planar": 0, "rgb of planar": 0]
    for seed in 1...6 as ClosedRange<UInt64> {
      let film = ThrowFilm([ThrowFilm.Plan(.underhand, .board)], seed: seed)
      let truth = try #require(film.board.outline(in: film.camera))
      let renderer = ThrowFilmRenderer(film, seed: seed)
      for index in [0, 25] {
        let image = renderer.frame(index)
        var planar = FrameStream(of: writer.header + (try writer.frame(image)))
        guard case .frame(let frame)? = try planar.next() else {
          Issue.record("a frame is missing")
          return
        }
        func count(_ name: String, _ update: (inout ThrowSession) throws -> Void) throws {
          var session = try ThrowSession()
          try update(&session)
          guard let found = session.field?.outline else { return }
          if found.intersectionOverUnion(with: truth) > 0.9 { counts[name, default: 0] += 1 }
        }
        for (name, given) in [
          ("rgb", image), ("gray", image.converted(to: .gray)),
          ("rgb of planar", frame.makeImage()),
        ] {
          try count(name) { _ = try $0.update(with: given, people: nil, at: .zero) }
        }
        try count("planar") { (session) in
          _ = try frame.withFrame { (raw) in try session.update(with: raw, people: nil, at: .zero) }
        }
      }
    }
    // Texture of the drawn meadow is taken for a board now and then.
    for (name, count) in counts { #expect(count >= 11, "\(name): \(count) of 12") }
  }

  @Test func theSameFramesGiveTheSameEventsWithTheSamplesRules() throws {
    let film = ThrowFilm([ThrowFilm.Plan(.underhand, .board)], seed: 3, leadIn: 1.2)
    let first = try Self.play(film, .sample, isFieldGiven: true)
    let second = try Self.play(film, .sample, isFieldGiven: true)
    expectEqual(first.events.map(\.frame), second.events.map(\.frame))
    expectEqual(first.events.map(\.event), second.events.map(\.event))
    expectEqual(first.session.game, second.session.game)
    // Poses are not looked for after ten in flight.
    expectEqual(first.posesInFlight, 10)
    let result = try #require(first.session.game.results.first)
    expectEqual(result.type, "underhand")
    #expect(result.outcome.releaseAngle != nil)
    // The straight distance of the first points is less than the way.
    let speed = try #require(result.speed)
    #expect(speed > 0.5 * film.throwsInOrder[0].releaseSpeed)
    #expect(speed < 1.05 * film.throwsInOrder[0].releaseSpeed)
  }

  @Test func withoutPeopleThrowsCountAndHaveNoType() throws {
    let film = ThrowFilm([ThrowFilm.Plan(.underhand, .board)], seed: 3, leadIn: 1.2)
    let (session, events, _) = try Self.play(film, .standard, isFieldGiven: true, hasPeople: false)
    let names = events.map { String("\($0.event)".prefix { $0 != "(" }) }
    expectEqual(
      names,
      [
        "fieldFound", "sceneStable", "ready", "throwStarted", "throwEnded", "scored", "finished",
      ], "\(names)")
    expectEqual(session.game.results.map(\.place), [.board])
    expectEqual(session.game.results.map(\.type), [nil])
  }

  /// A bag is in the air when a new game is wanted: before it was reported, and after.
  @Test(arguments: [3, 16])
  func aBagInTheAirDoesNotCountInANewGame(framesAfterRelease: Int) throws {
    let film = ThrowFilm(
      [ThrowFilm.Plan(.underhand, .board), ThrowFilm.Plan(.underhand, .missed)], seed: 3,
      leadIn: 1.2)
    var rules = ThrowRules.standard
    rules.throwCount = 2
    rules.requiresPlayer = false
    var configuration = ThrowSession.Configuration(rules)
    configuration.focalLength = film.camera.focalLength
    configuration.fieldCorners = film.board.outline(in: film.camera)
    var session = try ThrowSession(configuration)
    let renderer = ThrowFilmRenderer(film)
    let restart =
      Int(film.throwsInOrder[0].releaseTime * film.framesPerSecond) + framesAfterRelease
    var events: [ThrowGame.Event] = []
    for frame in 0..<film.frameCount {
      events += try session.update(
        with: renderer.frame(frame), people: nil, at: .seconds(film.time(of: frame)))
      guard frame == restart else { continue }
      expectEqual((session.game.phase == .inFlight), (framesAfterRelease > 10))
      expectEqual(session.restart(), [.restarted, .ready(number: 1)])
      events = []
    }
    events += try session.finish()
    // The second bag is the new game's first.
    let names = events.map { String("\($0)".prefix { $0 != "(" }) }
    expectEqual(names, ["throwStarted", "throwEnded", "scored", "ready"], "\(names)")
    expectEqual(session.game.results.map(\.place), [.missed])
  }

  @Test func framesThatDoNotFitAreRefusedAndChangeNothing() throws {
    var session = try ThrowSession()
    func frame(_ width: Int, _ height: Int) -> PixelImage {
      PixelImage(
        width: width, height: height, format: .gray,
        samples: (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 / width) })
    }
    _ = try session.update(with: frame(160, 90), people: [], at: .seconds(1))
    #expect(
      throws: ThrowSessionError.frameSizeChanged(
        width: 90, height: 160, previousWidth: 160, previousHeight: 90)
    ) { try session.update(with: frame(90, 160), people: [], at: .seconds(2)) }
    for time in [Duration.seconds(1), .zero] {
      #expect(throws: ThrowSessionError.timeNotIncreasing(time, previous: .seconds(1))) {
        try session.update(with: frame(160, 90), people: [], at: time)
      }
    }
    expectEqual(session.frameCount, 1)
    _ = try session.update(with: frame(160, 90), people: nil, at: .seconds(2))
    var small = try ThrowSession()
    #expect(throws: ThrowSessionError.self) {
      try small.update(with: frame(16, 16), people: [], at: .zero)
    }
    expectEqual(small.frameCount, 0)
    try session.reset()
    _ = try session.update(with: frame(90, 160), people: [], at: .zero)
  }

  @Test func configurationsThatMakeNoSenseAreRefused() throws {
    var configuration = ThrowSession.Configuration()
    configuration.fieldWidth = .nan
    #expect(throws: ThrowSessionError.self) { try ThrowSession(configuration) }
    configuration = ThrowSession.Configuration()
    configuration.fieldCorners = Quadrilateral(
      corners: [(0, 0), (100, 0), (0, 100), (100, 100)].map { PixelPoint(x: $0.0, y: $0.1) })
    #expect(throws: ThrowSessionError.field(.notConvex)) { try ThrowSession(configuration) }
    configuration = ThrowSession.Configuration()
    configuration.hole = ThrowSession.Hole(center: SIMD2(0, 0), radius: -1)
    #expect(throws: ThrowSessionError.self) { try ThrowSession(configuration) }
    configuration = ThrowSession.Configuration()
    configuration.poseTracker.timeToLeave = .zero
    #expect(throws: ThrowSessionError.self) { try ThrowSession(configuration) }
  }
}
