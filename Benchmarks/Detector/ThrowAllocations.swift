import BenchmarkSupport
import DiceGeometry
import DiceImaging
import DicePoses
import DiceThrowFilms
import DiceTrajectories
import ThrowVisionKit

/// Requests for memory for a frame of a film of throws: what flies, people, and the whole session.
enum ThrowAllocations {
  /// A drawn film of two throws, in memory.
  private struct Film {
    let film = ThrowFilm(
      [ThrowFilm.Plan(.underhand, .board), ThrowFilm.Plan(.underhand, .board)], leadIn: 1.2)
    let frames: [PixelImage]

    init() {
      let renderer = ThrowFilmRenderer(film)
      frames = (0..<film.frameCount).map { renderer.frame($0) }
    }

    /// The frames from one time to another, in seconds.
    func indices(from start: Double, to end: Double) -> Range<Int> {
      Int(
        (start * film.framesPerSecond).rounded(.up))..<min(
          frames.count, Int(end * film.framesPerSecond))
    }

    func people(_ frame: Int) -> [DetectedPerson] { [film.person(frame: frame)].compactMap { $0 } }
  }

  static func add(to table: inout Table) throws {
    let film = Film()
    try addFlights(film, to: &table)
    try addPeople(film, to: &table)
    try addJoints(film, to: &table)
    try addSession(film, to: &table)
  }

  /// What flies, in the frames of the second throw after those of the first.
  private static func addFlights(_ film: Film, to table: inout Table) throws {
    var detector = TrajectoryDetector()
    let flight = flight(film, 1)
    func look(_ frames: Range<Int>) throws {
      for frame in frames {
        try detector.update(with: film.frames[frame], at: .seconds(film.film.time(of: frame)))
      }
    }
    try look(0..<flight.lowerBound)
    try AllocationMeasurement.add(
      "trajectories of a 640x360 frame with a bag in the air", to: &table, warm: 0, rounds: 1,
      parts: flight.count
    ) { try look(flight) }
    guard detector.trajectories.isEmpty || detector.frameCount == flight.upperBound else {
      throw WrongResult("frames were left out")
    }
  }

  private static func addPeople(_ film: Film, to table: inout Table) throws {
    var tracker = try PoseTracker()
    let frame = film.indices(from: 4, to: 5).lowerBound
    var people = film.people(frame)
    guard var other = people.first else { throw WrongResult("nobody is in the frame") }
    other.boundingBox.x += 2 * other.boundingBox.width
    other.pose = other.pose.mirrored(width: 2 * other.boundingBox.x)
    people.append(other)
    var time = Duration.zero
    try AllocationMeasurement.add("two people followed", to: &table, warm: 30, rounds: 30) {
      time += .milliseconds(33)
      try tracker.update(with: people, at: time)
    }
    guard tracker.people.count == 2 else { throw WrongResult("two people were not followed") }
  }

  private static func addJoints(_ film: Film, to table: inout Table) throws {
    // Everybody counts: what is found in a drawing is of no interest here.
    var options = PoseDetector.Options()
    (options.personConfidence, options.followConfidence, options.maximumCount) = (0, 0, 1)
    var follower = PoseFollower(try PoseDetector(options: options))
    let image = film.frames[film.indices(from: 4, to: 5).lowerBound]
    func look() throws {
      let people = try image.withFrame { (frame) throws(PoseDetectorError) in
        try follower.people(in: frame)
      }
      guard people.count == 1 else { throw WrongResult("nobody was followed") }
    }
    // The first frame of each fifteen looks for others.
    for _ in 0..<16 { try look() }
    try AllocationMeasurement.add(
      "joints of one person, followed from frame to frame", to: &table, warm: 2, rounds: 10, look)
    for _ in 28..<30 { try look() }
    try AllocationMeasurement.add(
      "the frame in which others are looked for, too", to: &table, warm: 0, rounds: 1, look)
  }

  /// The frames in which a throw is in the air.
  private static func flight(_ film: Film, _ number: Int) -> Range<Int> {
    let flight = film.film.throwsInOrder[number]
    return film.indices(from: flight.releaseTime + 0.2, to: flight.landingTime)
  }

  private static func addSession(_ film: Film, to table: inout Table) throws {
    var configuration = ThrowSession.Configuration()
    configuration.rules.throwCount = 2
    configuration.fieldCorners = film.film.board.outline(in: film.film.camera)
    var session = try ThrowSession(configuration, classifier: try ActionClassifier())
    let people = film.frames.indices.map { film.people($0) }
    func play(_ frames: Range<Int>) throws {
      for frame in frames {
        _ = try session.update(
          with: film.frames[frame], people: people[frame],
          at: .seconds(film.film.time(of: frame)))
      }
    }
    let release = film.film.throwsInOrder[1].releaseTime
    let waiting = film.indices(from: release - 0.5, to: release)
    try play(0..<waiting.lowerBound)
    guard session.game.phase == .ready, session.game.results.count == 1 else {
      throw WrongResult("the first throw was not scored")
    }
    try AllocationMeasurement.add(
      "a session's frame while it waits for a throw", to: &table, warm: 0, rounds: 1,
      parts: waiting.count
    ) { try play(waiting) }
    let flight = flight(film, 1)
    try play(waiting.upperBound..<flight.lowerBound)
    try AllocationMeasurement.add(
      "a session's frame with a bag in the air", to: &table, warm: 0, rounds: 1,
      parts: flight.count
    ) { try play(flight) }
    try play(flight.upperBound..<film.frames.count)
    guard session.game.results.count == 2 else { throw WrongResult("a throw was not scored") }
  }
}
