public import DiceParallel
internal import DiceTrajectories

/// What a network of flights learns from: paths that the tracker followed in drawn films, each with what is known
/// of it, as they were looked at after each frame.
public struct FlightLooks: Sendable {
  /// A thrown thing, or something that was not thrown, with the looks at it.
  struct Thing: Sendable {
    /// Whether it was thrown.
    let isThrown: Bool
    /// How much it counts.
    let weight: Float
    /// The indices of its looks.
    var looks: [Int] = []
  }

  /// How long after it came into sight a thrown thing is to be known, in seconds.
  static let patience = 0.45
  /// The share of a path's sightings that lie on the way of something thrown: where there are as many it is a
  /// thrown thing's, where there are fewer than the other share it is not; between them it teaches nothing.
  static let shares = (thrown: 0.6, other: 0.3)

  /// The inputs of all looks, ``FlightNetwork/inputCount`` numbers for each.
  private(set) var inputs: [Float] = []
  /// What was looked at.
  private(set) var things: [Thing] = []

  /// None.
  public init() {}

  /// Those of things whose looks are given by their places among the inputs.
  init(inputs: [Float], things: [Thing]) {
    self.inputs = inputs
    self.things = things
  }

  /// The looks at all paths in films.
  ///
  /// The films are drawn on the way, some seconds of one thread's time for each.
  ///
  /// - Parameters:
  ///   - films: The films.
  ///   - pool: Threads that draw films.
  ///   - progress: Called with the number of films that are done; drawing stops where it returns false.
  /// - Returns: The looks, the same for the same films; nil where they were stopped.
  public init?(of films: FlightFilms, pool: WorkerPool, progress: (Int) -> Bool = { (_) in true }) {
    var done = 0
    while done < films.count {
      let part = min(films.count - done, 2 * pool.threadCount)
      let first = done
      for looks in pool.map(count: part, { FlightLooks(films.lesson(first + $0)) }) { add(looks) }
      done += part
      if !progress(done) { return nil }
    }
  }

  /// How many looks there are.
  public var count: Int { inputs.count / FlightNetwork.inputCount }

  /// How many thrown things, or others, were looked at.
  public func thingCount(thrown isThrown: Bool) -> Int {
    things.count { $0.isThrown == isThrown }
  }

  /// Adds those of other films.
  mutating func add(_ other: FlightLooks) {
    let offset = count
    inputs += other.inputs
    things += other.things.map { (thing) in
      Thing(
        isThrown: thing.isThrown, weight: thing.weight, looks: thing.looks.map { $0 + offset })
    }
  }

  /// The name of a thing in a film.
  private enum Name: Hashable {
    /// What flies on a way.
    case thrown(way: Int)
    /// What was first seen in a frame, as one of its blobs.
    case other(frame: Int, blob: Int)
  }

  /// The looks at the paths of a film.
  init(_ lesson: FlightLesson) {
    var detector = TrajectoryDetector(network: .refusing)
    var places: [Name: Int] = [:]
    for frame in 0..<lesson.frameCount {
      do throws(TrajectoryError) {
        try detector.update(
          with: lesson.frame(frame), at: .seconds(Double(frame) / lesson.framesPerSecond))
      } catch { preconditionFailure("frames of one size, one after the other") }
      for candidate in detector.candidates where candidate.inputs.allSatisfy(\.isFinite) {
        guard let name = Self.name(of: candidate, in: lesson, frame: frame) else { continue }
        let place = places[name] ?? things.count
        if place == things.count {
          places[name] = place
          var isThrown = false
          if case .thrown = name { isThrown = true }
          things.append(Thing(isThrown: isThrown, weight: lesson.weight))
        }
        things[place].looks.append(count)
        inputs += candidate.inputs.map { Float($0) }
      }
    }
  }

  /// Whose path a candidate is; nil where it teaches nothing.
  private static func name(
    of candidate: FlightCandidate, in lesson: FlightLesson, frame: Int
  ) -> Name? {
    let (width, height) = (Double(lesson.width), Double(lesson.height))
    let reach = 0.008 * (width * width + height * height).squareRoot()
    var counts = [Int](repeating: 0, count: lesson.ways.count)
    var onAny = 0
    for sighting in candidate.sightings {
      var isOnAny = false
      for (way, sights) in lesson.ways.enumerated() {
        guard let sight = sights[sighting.frame] else { continue }
        let (x, y) = (sight.x - sighting.x, sight.y - sighting.y)
        let gate = max(reach, 1.2 * sight.radius)
        guard x * x + y * y < gate * gate else { continue }
        counts[way] += 1
        isOnAny = true
      }
      if isOnAny { onAny += 1 }
    }
    let share = Double(onAny) / Double(candidate.sightings.count)
    if share < shares.other {
      return .other(frame: candidate.sightings[0].frame, blob: candidate.firstBlob)
    }
    guard share >= shares.thrown, let way = counts.indices.max(by: { counts[$0] < counts[$1] }),
      let first = lesson.firstVisible[way],
      Double(frame - first) / lesson.framesPerSecond <= patience
    else { return nil }
    return .thrown(way: way)
  }
}
