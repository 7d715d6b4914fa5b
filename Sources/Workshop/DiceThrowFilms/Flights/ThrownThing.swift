internal import DiceNumerics

/// A path through the air, in small steps.
struct FlightPath: Hashable, Sendable {
  static let step = 1.0 / 240
  var start: Double
  var places: [SIMD3<Double>]
  /// The speed at the start, in metres a second.
  var speed: Double

  var end: Double { start + Self.step * Double(places.count - 1) }

  func place(at time: Double) -> SIMD3<Double> {
    let steps = min(max((time - start) / Self.step, 0), Double(places.count - 1))
    let index = min(Int(steps), max(places.count - 2, 0))
    guard places.count > 1 else { return places[0] }
    return places[index] + (places[index + 1] - places[index]) * (steps - Double(index))
  }
}

/// A thing that is thrown, bounces, and rolls or lies in the end.
struct ThrownThing: Sendable {
  var paths: [FlightPath] = []
  var radius = 0.05
  var gray = 200.0
  /// The gray of its other half, and how fast it turns, in turns a second.
  var otherGray = 200.0
  var spin = 0.0
  /// Who throws it: an index; nil for a hand that is not to be seen.
  var thrower: Int?
  private var restVelocity = SIMD3<Double>.zero

  var release: Double { paths[0].start }

  /// Where it is after its release, and nil before it.
  func place(at time: Double) -> SIMD3<Double>? {
    guard time >= release, let last = paths.last else { return nil }
    if let path = paths.last(where: { $0.start <= time }), time <= path.end {
      return path.place(at: time)
    }
    // It rolls, and loses 1.5 m/s each second.
    let speed = restVelocity.length
    let t = min(time - last.end, speed / 1.5)
    return last.places[last.places.count - 1] + restVelocity.unit * (speed * t - 0.75 * t * t)
  }

  static func random(
    _ setting: FlightFilm.Setting, _ camera: FlightCamera, duration: Double,
    _ random: inout SplitMix64
  ) -> ThrownThing {
    var thing = ThrownThing()
    thing.radius = random.between(setting.radius)
    thing.gray = random.chance(0.5) ? random.between(5, 70) : random.between(165, 250)
    thing.otherGray = random.chance(0.6) ? thing.gray : random.between(0, 255)
    thing.spin = random.between(-3, 3)
    let ahead = random.between(setting.distance)
    let half = 0.5 * Double(camera.width) / camera.focalLength * ahead
    var place = SIMD3(random.between(-half, half), ahead, random.between(0.6, 2.1))
    let (elevation, heading) = (
      sineAndCosine(turns: random.between(-5, 72) / 360),
      random.between(-setting.depth, setting.depth)
    )
    let side: Double = place.x > 0 ? -1 : 1
    let across = SIMD3(side * (random.chance(0.85) ? 1 : -0.4), heading, 0).unit
    let speed = random.between(2.5, 11)
    var velocity = across * (speed * elevation.cosine) + SIMD3(0, 0, speed * elevation.sine)
    // Drag by a metre: a tennis ball has 0.013, a bag less.
    let drag = random.chance(0.5) ? random.between(0, 0.004) : random.between(0.004, 0.016)
    let ground = random.chance(0.7) ? thing.radius : random.between(0.3, 0.9)
    let restitution = random.between(0.35, 0.8)
    var bounces = random.chance(setting.bounceShare) ? 1 + random.index(below: 2) : 0
    var time = random.between(0.9, max(1, duration - 1.6))
    repeat {
      var path = FlightPath(start: time, places: [place], speed: velocity.length)
      repeat {
        func change(_ velocity: SIMD3<Double>) -> SIMD3<Double> {
          SIMD3(0, 0, -9.81) - velocity * (drag * velocity.length)
        }
        let middle = velocity + change(velocity) * (FlightPath.step / 2)
        place += middle * FlightPath.step
        velocity += change(middle) * FlightPath.step
        path.places.append(place)
      } while (place.z > ground || velocity.z > 0) && path.places.count < 700 && place.y > 0.6
      time = path.end
      thing.paths.append(path)
      velocity = SIMD3(velocity.x * 0.8, velocity.y * 0.8, -velocity.z * restitution)
      bounces -= 1
    } while bounces >= 0 && velocity.z > 0.8 && place.y > 0.8 && time < duration
    thing.restVelocity = random.chance(0.6) ? SIMD3(velocity.x, velocity.y, 0) * 0.7 : .zero
    return thing
  }
}
