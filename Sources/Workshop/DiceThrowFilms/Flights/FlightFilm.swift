internal import DiceNumerics

/// A film of things that are thrown, among others that move: what happens, known exactly.
///
/// A camera stands level, or shakes a little. Balls, bags and dice fly with air in their way, some of them away
/// from the camera or to it, bounce and roll on. People walk and move their arms, leaves sway and fall, balls roll,
/// lamps swing, birds and insects fly, posts hide what is behind them. All of it is fixed by the setting and the
/// seed.
public struct FlightFilm: Sendable {
  /// A way through the air, from a hand or from a bounce to the next one.
  public struct Flight: Hashable, Sendable {
    /// Which thing flies: an index.
    public let thing: Int
    /// When it begins and ends, in seconds.
    public let time: ClosedRange<Double>
    /// The speed at its beginning, in metres a second.
    public let speed: Double
    /// Whether it begins with a bounce.
    public let isBounce: Bool
    var path: FlightPath
  }

  /// Where a thing is seen.
  public struct Sight: Hashable, Sendable {
    /// Pixels from the left.
    public let x: Double
    /// Pixels from above.
    public let y: Double
    /// Pixels.
    public let radius: Double
    /// Whether it is in the picture, and nothing is before it.
    public let isVisible: Bool
  }

  /// What the ranges of chance are.
  public let setting: Setting
  /// What all else follows from.
  public let seed: UInt64
  /// Columns.
  public let width = 640
  /// Rows.
  public let height = 360
  /// Frames in a second.
  public let framesPerSecond: Double
  /// How long it is, in seconds.
  public let duration: Double
  /// The ways through the air.
  public private(set) var flights: [Flight] = []

  let camera: FlightCamera
  let noise: Double
  /// The share of a frame's time in which it is exposed.
  let exposure: Double
  private(set) var things: [ThrownThing] = []
  private(set) var people: [FilmPerson] = []
  private(set) var movers: [FilmMover] = []
  private(set) var posts: [FilmPost] = []

  /// A film.
  public init(_ setting: Setting, seed: UInt64) {
    self.setting = setting
    self.seed = seed
    var random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ 77)
    framesPerSecond = setting.rates[random.index(below: setting.rates.count)]
    duration = setting.duration
    noise = random.between(setting.noise)
    exposure = random.between(0.1, 0.9)
    camera = FlightCamera(
      width: width, height: height, focalLength: random.between(setting.focalLength),
      eyeHeight: random.between(0.8, 2.2), shake: random.between(setting.shake),
      brightening: random.between(-setting.light, setting.light), &random)
    for _ in 0..<random.index(in: setting.posts) {
      posts.append(FilmPost(camera, &random))
    }
    for _ in 0..<random.index(in: setting.people) {
      people.append(FilmPerson.passing(camera, duration: duration, &random))
    }
    movers = FilmMover.clutter(setting, camera, duration: duration, &random)
    for _ in 0..<random.index(in: setting.throwCount) { addThrow(&random) }
  }

  /// The number of frames.
  public var frameCount: Int { Int(duration * framesPerSecond) }

  /// The time of a frame, in seconds.
  public func time(of frame: Int) -> Double { Double(frame) / framesPerSecond }

  /// Where a thing in flight is seen in a frame; nil where it is not in the air.
  public func sight(of flight: Flight, frame: Int) -> Sight? {
    let middle = time(of: frame)
    guard flight.time.contains(middle), let seen = camera.project(flight.path.place(at: middle))
    else { return nil }
    let moved = camera.offset(at: middle)
    let (x, y) = (seen.x + moved.x, seen.y + moved.y)
    let isInside = x >= 0 && y >= 0 && x < Double(width) && y < Double(height)
    return Sight(
      x: x, y: y, radius: things[flight.thing].radius * camera.focalLength / seen.depth,
      isVisible: isInside && !isHidden(seen, at: middle))
  }

  private func isHidden(_ seen: FlightCamera.Place, at time: Double) -> Bool {
    if posts.contains(where: { $0.depth < seen.depth && $0.columns.contains(seen.x) }) {
      return true
    }
    return people.contains { (person) in
      person.limbs(at: time).contains { camera.hides($0, seen) }
    }
  }

  /// Adds a thing that flies where it is to be seen for long enough, most often from somebody's hand.
  private mutating func addThrow(_ random: inout SplitMix64) {
    for _ in 0..<60 {
      let thing = ThrownThing.random(setting, camera, duration: duration, &random)
      guard let first = thing.paths.first, first.end < duration - 0.1 else { continue }
      var (inside, count) = (0.0, 0.0)
      for step in 0...40 {
        let time = first.start + (first.end - first.start) * Double(step) / 40
        guard let seen = camera.project(first.place(at: time)) else { continue }
        count += 1
        if seen.x > 8, seen.y > 8, seen.x < Double(width - 8), seen.y < Double(height - 8),
          thing.radius * camera.focalLength / seen.depth > 1.8,
          thing.radius * camera.focalLength / seen.depth < 20
        {
          inside += 1
        }
      }
      guard count > 0, inside / 41 > 0.7, first.end - first.start > 0.35 else { continue }
      var added = thing
      if random.chance(0.6) {
        let person = FilmPerson.throwing(thing, &random)
        added.thrower = people.count
        people.append(person)
      }
      for (index, path) in added.paths.enumerated() {
        flights.append(
          Flight(
            thing: things.count, time: path.start...path.end, speed: path.speed,
            isBounce: index > 0, path: path))
      }
      things.append(added)
      return
    }
  }
}
