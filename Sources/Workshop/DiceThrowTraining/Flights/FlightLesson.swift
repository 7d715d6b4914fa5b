internal import DiceImaging
internal import DiceThrowFilms

/// A drawn film to learn flights from: its frames, and where what is thrown is in them.
struct FlightLesson {
  /// Columns of a frame.
  let width: Int
  /// Rows of a frame.
  let height: Int
  /// Frames in a second.
  let framesPerSecond: Double
  /// For each way through the air, where the thing is seen, by frame.
  let ways: [[FlightFilm.Sight?]]
  /// The first frame in which the thing of each way is visible.
  let firstVisible: [Int?]
  /// How much what it shows counts.
  let weight: Float
  private let draw: (Int) -> PixelImage

  /// A film of a park or a garden.
  init(_ film: FlightFilm) {
    (width, height) = (film.width, film.height)
    framesPerSecond = film.framesPerSecond
    ways = film.flights.map { (flight) in
      (0..<film.frameCount).map { film.sight(of: flight, frame: $0) }
    }
    firstVisible = ways.map { (way) in way.firstIndex { $0?.isVisible == true } }
    weight = 1
    frameCount = film.frameCount
    let renderer = FlightFilmRenderer(film)
    draw = { renderer.frame($0) }
  }

  /// A session of ten throws.
  ///
  /// One is much like the other, and each counts for half.
  init(sessionSeed seed: UInt64) {
    let film = ThrowFilm(
      ThrowFilm.tenThrows, seed: seed, framesPerSecond: seed.isMultiple(of: 2) ? 60 : 30)
    (width, height) = (film.camera.width, film.camera.height)
    framesPerSecond = film.framesPerSecond
    ways = film.throwsInOrder.indices.map { (index) in
      (0..<film.frameCount).map { film.sight(ofThrow: index, frame: $0) }
    }
    firstVisible = ways.map { (way) in way.firstIndex { $0?.isVisible == true } }
    weight = 0.5
    frameCount = film.frameCount
    let renderer = ThrowFilmRenderer(film, seed: seed)
    draw = { renderer.frame($0) }
  }

  /// The number of frames.
  let frameCount: Int

  /// A frame.
  func frame(_ index: Int) -> PixelImage { draw(index) }
}

/// Which films are drawn to learn flights from.
public struct FlightFilms: Hashable, Sendable {
  /// Films of a park.
  public var parkCount = 366
  /// Films of a garden.
  public var gardenCount = 130
  /// Films of sessions of ten throws.
  public var sessionCount = 8
  /// The seed of the first film of a park, and of a garden.
  public var firstSeed: UInt64 = 3001
  /// The seed of the first session.
  public var firstSessionSeed: UInt64 = 31

  /// As many as the library's own network has learnt from.
  public init() {}

  /// How many there are.
  public var count: Int { parkCount + gardenCount + sessionCount }

  /// One of them: those of a park, then those of a garden, then sessions.
  func lesson(_ index: Int) -> FlightLesson {
    if index < parkCount {
      return FlightLesson(FlightFilm(.park, seed: firstSeed &+ UInt64(index)))
    }
    let rest = index - parkCount
    if rest < gardenCount {
      return FlightLesson(FlightFilm(.garden, seed: firstSeed &+ UInt64(rest)))
    }
    return FlightLesson(sessionSeed: firstSessionSeed &+ UInt64(rest - gardenCount))
  }
}
