internal import DiceNumerics
internal import DicePoses

/// A limb in shades of gray.
struct GrayLimb {
  var start: SIMD3<Double>
  var end: SIMD3<Double>
  var radius: Double
  var gray: Double
}

/// Somebody who walks by, stays and moves, or throws.
struct FilmPerson: Sendable {
  private enum Movement: Sendable {
    /// Steps a second, and how far the arms swing in degrees.
    case walk(rate: Double, arms: Double, legs: Double)
    case motion(FigureMotion)
  }

  private var movement: Movement
  private var place: SIMD3<Double>
  private var velocity = SIMD3<Double>.zero
  /// Where it looks: turns from the x axis.
  private var heading = 0.0
  private var start = 0.0
  private var brightness = 1.0

  /// Somebody who walks through the picture, or stays in it and moves arms and legs.
  static func passing(
    _ camera: FlightCamera, duration: Double, _ random: inout SplitMix64
  ) -> FilmPerson {
    let ahead = random.between(2.5, 9)
    let half = 0.5 * Double(camera.width) / camera.focalLength * ahead
    let brightness = random.between(0.45, 1.3)
    if random.chance(0.6) {
      let side: Double = random.chance(0.5) ? 1 : -1
      let speed = random.between(0.7, 2.6)
      return FilmPerson(
        movement: .walk(
          rate: 0.55 + 0.28 * speed, arms: random.between(10, 45), legs: 16 + 10 * speed),
        place: SIMD3(-side * (half + random.between(-2, 1)), ahead, 0),
        velocity: SIMD3(side * speed, random.between(-0.2, 0.2), 0),
        heading: side > 0 ? 0 : 0.5, start: random.between(-1, 3), brightness: brightness)
    }
    let action = FigureAction.allCases[random.index(below: FigureAction.allCases.count)]
    return FilmPerson(
      movement: .motion(action.motion(using: &random)),
      place: SIMD3(random.between(-half, half) * 0.9, ahead, 0),
      heading: random.between(0, 1), start: random.between(0, duration / 2),
      brightness: brightness)
  }

  /// Somebody in whose hand a thing is when it flies off.
  static func throwing(_ thing: ThrownThing, _ random: inout SplitMix64) -> FilmPerson {
    let actions: [FigureAction] = [.overhand, .underhand, .underleg]
    let motion = actions[random.index(below: 3)].motion(using: &random)
    let release = motion.release ?? motion.duration / 2
    let path = thing.paths[0]
    let direction = path.places[min(8, path.places.count - 1)] - path.places[0]
    var person = FilmPerson(
      movement: .motion(motion), place: .zero, start: thing.release - release,
      brightness: random.between(0.45, 1.3))
    person.heading = arctangent(y: direction.y, x: direction.x) / (2 * .pi)
    let grip = person.grip(at: thing.release)
    person.place = path.places[0] - grip
    // Its feet need not stand on the ground: it may stand on something.
    return person
  }

  /// Where a thing in the hand is that throws.
  func grip(at time: Double) -> SIMD3<Double> {
    guard case .motion(let motion) = movement else { return place }
    return world(
      ThrowFilm.grip(skeleton(at: time), hand: motion.hand ?? .rightWrist), at: time)
  }

  private func skeleton(at time: Double) -> Skeleton {
    let figure = ArticulatedFigure()
    switch movement {
    case .motion(let motion):
      return figure.skeleton(motion.posture(at: time - start))
    case .walk(let rate, let arms, let legs):
      let swing = sine(rate * (time - start))
      let lift = sine(rate * (time - start) + 0.25)
      return figure.skeleton(
        Posture([
          .leftLegRaise: legs * swing, .rightLegRaise: -legs * swing,
          .leftKnee: 12 + legs * max(0, lift), .rightKnee: 12 + legs * max(0, -lift),
          .leftArmRaise: -arms * swing, .rightArmRaise: arms * swing,
          .leftElbow: 20 + arms / 3, .rightElbow: 20 + arms / 3, .leftArmSpread: 8,
          .rightArmSpread: 8,
        ]))
    }
  }

  private func world(_ point: SIMD3<Double>, at time: Double) -> SIMD3<Double> {
    let turn = sineAndCosine(turns: heading - heading.rounded(.down))
    return place + velocity * (time - start)
      + SIMD3(
        point.x * turn.cosine - point.y * turn.sine, point.x * turn.sine + point.y * turn.cosine,
        point.z)
  }

  func limbs(at time: Double) -> [GrayLimb] {
    BodyParts.limbs(of: skeleton(at: time)).map { (limb) in
      let color = limb.color * SIMD3(0.3, 0.59, 0.11)
      return GrayLimb(
        start: world(limb.start, at: time), end: world(limb.end, at: time),
        radius: (limb.startRadius + limb.endRadius) / 2,
        gray: min(255, color.sum() * brightness))
    }
  }
}
