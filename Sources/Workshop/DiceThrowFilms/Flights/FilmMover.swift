internal import DiceNumerics

/// A post that hides what is behind it.
struct FilmPost: Sendable {
  var columns: ClosedRange<Double>
  var depth: Double
  var gray: Double

  init(_ camera: FlightCamera, _ random: inout SplitMix64) {
    depth = random.between(1.5, 6)
    let middle = random.between(0, Double(camera.width))
    let half = random.between(0.02, 0.1) * camera.focalLength / depth
    columns = middle - half...middle + half
    gray = random.between(20, 200)
  }
}

/// Something that moves and was not thrown.
struct FilmMover: Sendable {
  private enum Motion: Sendable {
    /// Straight on, slower by a deceleration.
    case line(SIMD3<Double>, SIMD3<Double>, Double)
    /// Hung up: the length, how far in turns, and turns a second.
    case swing(pivot: SIMD3<Double>, length: Double, reach: Double, rate: Double, turn: Double)
    /// A leaf that falls: sways and sinks.
    case flutter(SIMD3<Double>, SIMD3<Double>, sway: Double, rate: Double)
    /// Around a place, by sines.
    case around(SIMD3<Double>, SIMD3<Double>, rates: SIMD3<Double>)
  }

  private var motion: Motion
  private var phase: Double
  private var start: Double
  var radius: Double
  /// Its height by its width.
  var aspect = 1.0
  var gray: Double
  /// How often in a second a bird beats its wings, or a leaf turns.
  var beat = 0.0

  func place(at time: Double) -> SIMD3<Double> {
    let t = time - start
    switch motion {
    case .line(let place, let velocity, let deceleration):
      let speed = velocity.length
      let end = deceleration > 0 ? min(t, speed / deceleration) : t
      return place + velocity.unit * (speed * end - deceleration * end * end / 2)
    case .swing(let pivot, let length, let reach, let rate, let turn):
      let angle = sineAndCosine(turns: reach * sine(rate * t + phase) + 1)
      let across = sineAndCosine(turns: turn)
      return pivot
        + SIMD3(
          across.cosine * angle.sine * length, across.sine * angle.sine * length,
          -angle.cosine * length)
    case .flutter(let place, let velocity, let sway, let rate):
      return place + velocity * t
        + SIMD3(sway * sine(rate * t + phase), 0, 0.25 * sway * sine(2 * rate * t + phase))
    case .around(let place, let reach, let rates):
      return place
        + reach
        * SIMD3(
          sine(rates.x * t + phase) + 0.5 * sine(2.3 * rates.x * t + 3 * phase),
          sine(rates.y * t + 2 * phase),
          sine(rates.z * t + 5 * phase) + 0.5 * sine(1.7 * rates.z * t))
    }
  }

  /// The aspect at a time.
  func aspect(at time: Double) -> Double {
    beat == 0 ? aspect : max(0.15, aspect * (0.6 + 0.4 * sine(beat * (time - start) + phase)))
  }

  // MARK: - By chance

  static func clutter(
    _ setting: FlightFilm.Setting, _ camera: FlightCamera, duration: Double,
    _ random: inout SplitMix64
  ) -> [FilmMover] {
    var movers: [FilmMover] = []
    func gray(_ random: inout SplitMix64) -> Double {
      random.chance(0.5) ? random.between(10, 80) : random.between(150, 250)
    }
    /// A place in the picture, or beside it by a share of its width.
    func place(_ ahead: Double, _ margin: Double, _ random: inout SplitMix64) -> SIMD3<Double> {
      let scale = ahead / camera.focalLength
      let x = random.between(-0.5 - margin, 0.5 + margin) * Double(camera.width) * scale
      let z = random.between(-0.45, 0.45) * Double(camera.height) * scale
      return SIMD3(x, ahead, camera.eyeHeight + z)
    }
    for _ in 0..<random.index(in: setting.branches) {
      addBranch(
        around: place(random.between(3, 8), 0, &random), to: &movers, &random)
    }
    for _ in 0..<random.index(in: setting.fallingLeaves) {
      let ahead = random.between(1.5, 7)
      var from = place(ahead, 0.2, &random)
      from.z = camera.eyeHeight + 0.6 * Double(camera.height) * ahead / camera.focalLength
      movers.append(
        FilmMover(
          motion: .flutter(
            from, SIMD3(random.between(-0.8, 0.8), 0, random.between(-1.8, -0.5)),
            sway: random.between(0.05, 0.4), rate: random.between(0.4, 1.6)),
          phase: random.between(0, 1), start: random.between(0, duration),
          radius: random.between(0.02, 0.05), aspect: random.between(0.4, 1), gray: gray(&random),
          beat: random.between(0.5, 3)))
    }
    for _ in 0..<random.index(in: setting.rolling) {
      let ahead = random.between(2.5, 8)
      let side: Double = random.chance(0.5) ? 1 : -1
      let half = 0.5 * Double(camera.width) * ahead / camera.focalLength
      let radius = random.between(0.03, 0.15)
      movers.append(
        FilmMover(
          motion: .line(
            SIMD3(-side * (half + 0.3), ahead, radius),
            SIMD3(side * random.between(0.8, 5), random.between(-0.8, 0.8), 0),
            random.chance(0.7) ? random.between(0, 1.2) : random.between(1.2, 3)), phase: 0,
          start: random.between(0.3, duration - 1.5), radius: radius, gray: gray(&random)))
    }
    for _ in 0..<random.index(in: setting.swinging) {
      let length = random.between(0.3, 2.2)
      var pivot = place(random.between(2, 7), 0, &random)
      pivot.z += length
      // A pendulum's own rate.
      let rate = (9.81 / length).squareRoot() / (2 * .pi)
      movers.append(
        FilmMover(
          motion: .swing(
            pivot: pivot, length: length, reach: random.between(0.01, 0.12), rate: rate,
            turn: random.between(0, 1)), phase: random.between(0, 1), start: 0,
          radius: random.between(0.03, 0.12), gray: gray(&random)))
    }
    for _ in 0..<random.index(in: setting.birds) {
      let ahead = random.between(5, 25)
      let side: Double = random.chance(0.5) ? 1 : -1
      var from = place(ahead, 0, &random)
      from.x = -side * (0.55 * Double(camera.width) * ahead / camera.focalLength)
      movers.append(
        FilmMover(
          motion: .line(
            from, SIMD3(side * random.between(3, 12), random.between(-2, 2), random.between(-1, 1)),
            0), phase: random.between(0, 1), start: random.between(0.2, duration - 1),
          radius: random.between(0.06, 0.2), aspect: random.between(0.4, 0.9),
          gray: gray(&random), beat: random.chance(0.7) ? random.between(2, 9) : 0))
    }
    for _ in 0..<random.index(in: setting.insects) {
      movers.append(
        FilmMover(
          motion: .around(
            place(random.between(1, 3), 0, &random),
            SIMD3(random.between(0.1, 0.6), random.between(0, 0.3), random.between(0.05, 0.4)),
            rates: SIMD3(
              random.between(0.2, 1.2), random.between(0.2, 1), random.between(0.2, 1.2))),
          phase: random.between(0, 1), start: 0, radius: random.between(0.006, 0.02),
          gray: gray(&random)))
    }
    return movers
  }

  /// Leaves that sway together, each a little in its own way.
  private static func addBranch(
    around middle: SIMD3<Double>, to movers: inout [FilmMover], _ random: inout SplitMix64
  ) {
    let (rate, reach) = (random.between(0.3, 1.4), random.between(0.01, 0.1))
    let (phase, size, gray) = (
      random.between(0, 1), random.between(0.2, 0.8), random.between(30, 200)
    )
    for _ in 0..<(20 + random.index(below: 50)) {
      let offset = SIMD3(
        random.between(-size, size), random.between(-0.2, 0.2), random.between(-size, size) * 0.6)
      let own = random.between(0.5, 1.5)
      movers.append(
        FilmMover(
          motion: .around(
            middle + offset, SIMD3(reach, 0, 0.4 * reach) * own,
            rates: SIMD3(rate, 1, rate * random.between(0.9, 1.6))),
          phase: phase + random.between(-0.1, 0.1), start: 0, radius: random.between(0.02, 0.07),
          aspect: random.between(0.4, 1), gray: min(250, max(10, gray + random.between(-60, 60))),
          beat: random.between(0.2, 1.5)))
    }
  }
}
