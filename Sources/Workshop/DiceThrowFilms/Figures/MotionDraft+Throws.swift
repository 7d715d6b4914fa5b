extension MotionDraft {
  /// A person who waits, with slightly bent arms and legs.
  static func stance(_ random: inout some RandomNumberGenerator) -> Posture {
    Posture([
      .pitch: random.between(0, 15), .leftArmRaise: random.between(-5, 25),
      .rightArmRaise: random.between(-5, 30), .leftArmSpread: random.between(5, 20),
      .rightArmSpread: random.between(5, 20), .leftElbow: random.between(5, 60),
      .rightElbow: random.between(5, 70), .leftLegSpread: random.between(2, 10),
      .rightLegSpread: random.between(2, 10), .leftKnee: random.between(0, 20),
      .rightKnee: random.between(0, 20),
    ])
  }

  /// Aim, swing back, swing forwards with or without a step, release, follow through.
  static func underhand(_ random: inout some RandomNumberGenerator) -> MotionDraft {
    let stance = stance(&random)
    let steps = random.chance(0.7) ? random.between(0.4, 1) : 0
    let bow = random.between(5, 50)
    let knees = random.between(0, 45)
    let arm = random.between(0, 15)
    let back = stance.with([
      .pitch: 0.6 * bow, .twist: random.between(-30, 0), .rightArmRaise: random.between(-85, -30),
      .rightElbow: random.between(0, 25), .rightArmSpread: arm, .rightLegRaise: -5 * steps,
      .leftLegRaise: 12 * steps, .leftKnee: 10 + knees / 2, .rightKnee: 10 + knees / 2,
      .leftArmRaise: random.between(0, 50), .leftArmSpread: random.between(10, 50),
    ])
    let low = back.with([
      .pitch: bow, .twist: 0, .rightArmRaise: random.between(-5, 15), .rightElbow: arm,
      .leftLegRaise: 30 * steps, .leftKnee: 15 + knees, .rightLegRaise: -20 * steps,
      .rightKnee: 15 + knees, .forward: 0.25 * steps,
    ])
    let release = low.with([
      .pitch: 0.85 * bow, .twist: random.between(0, 20),
      .rightArmRaise: random.between(50, 95), .rightElbow: random.between(0, 30),
      .forward: 0.4 * steps,
    ])
    let end = release.with([
      .pitch: 0.4 * bow, .rightArmRaise: random.between(95, 165),
      .rightElbow: random.between(5, 70), .leftArmSpread: random.between(10, 40),
      .rightArmSpread: random.between(-15, 15), .leftKnee: 10 + knees / 2,
    ])
    let aim = stance.with([
      .rightArmRaise: random.between(30, 90), .rightElbow: random.between(0, 60),
    ])
    return MotionDraft(
      steps: [
        (0, stance), (random.between(0.2, 0.7), aim), (random.between(0.3, 0.6), back),
        (random.between(0.14, 0.26), low), (random.between(0.09, 0.16), release),
        (random.between(0.14, 0.25), end),
        (random.between(0.3, 0.7), stance.with([.forward: 0.5 * steps])),
      ], releaseStep: 4)
  }

  /// The hand goes up and back, and then forwards above the shoulder; some push from beside the ear.
  static func overhand(_ random: inout some RandomNumberGenerator) -> MotionDraft {
    let stance = stance(&random)
    let steps = random.chance(0.8) ? random.between(0.3, 1.2) : 0
    let isPush = random.chance(0.35)
    let turned = isPush ? random.between(-30, 0) : random.between(-80, -20)
    let cocked = stance.with([
      .turn: turned / 2, .twist: turned / 2, .pitch: random.between(-15, 5),
      .rightArmRaise: isPush ? random.between(60, 110) : random.between(80, 130),
      .rightArmSpread: isPush ? random.between(0, 35) : random.between(55, 90),
      .rightElbow: isPush ? random.between(95, 135) : random.between(60, 115),
      .leftArmRaise: random.between(20, 90), .leftArmSpread: random.between(0, 50),
      .leftElbow: random.between(5, 60), .leftLegRaise: random.between(20, 60) * steps,
      .leftKnee: random.between(20, 70) * steps + 5, .rightKnee: random.between(5, 30),
    ])
    let whip = cocked.with([
      .turn: turned / 4, .twist: random.between(0, 25), .pitch: random.between(5, 20),
      .rightArmRaise: isPush ? random.between(85, 120) : random.between(105, 140),
      .rightElbow: isPush ? random.between(60, 95) : random.between(60, 100),
      .leftLegRaise: 30 * steps, .leftKnee: random.between(5, 35), .rightLegRaise: -20 * steps,
      .leftArmRaise: random.between(0, 40), .forward: 0.3 * steps,
    ])
    let release = whip.with([
      .turn: 0, .twist: random.between(10, 35), .pitch: random.between(10, 35),
      .rightArmRaise: isPush ? random.between(100, 140) : random.between(110, 150),
      .rightArmSpread: isPush ? random.between(0, 25) : random.between(15, 60),
      .rightElbow: random.between(5, 35), .forward: 0.4 * steps,
    ])
    let end = release.with([
      .twist: random.between(10, 50), .pitch: random.between(15, 60),
      .rightArmRaise: random.between(-10, 60), .rightArmSpread: random.between(-30, 20),
      .rightElbow: random.between(5, 45), .leftArmRaise: random.between(-40, 10),
      .rightLegRaise: random.between(-35, 0) * steps, .forward: 0.5 * steps,
    ])
    return MotionDraft(
      steps: [
        (0, stance), (random.between(0.4, 0.9), cocked), (random.between(0.14, 0.3), whip),
        (random.between(0.07, 0.13), release), (random.between(0.14, 0.26), end),
        (random.between(0.3, 0.7), stance.with([.forward: 0.55 * steps])),
      ], releaseStep: 3)
  }

  /// One leg goes up, and the hand passes under its thigh: from outside for the leg of the same side,
  /// from inside for the other.
  static func underleg(_ random: inout some RandomNumberGenerator) -> MotionDraft {
    let stance = stance(&random)
    let isOwnLeg = random.chance(0.5)
    let thigh = random.between(75, 120)
    let knee = random.between(40, 120)
    let bow = random.between(25, 60)
    func lifted(_ share: Double) -> [Posture.Angle: Double] {
      isOwnLeg
        ? [.rightLegRaise: thigh * share, .rightKnee: knee * share, .rightLegSpread: 12]
        : [.leftLegRaise: thigh * share, .leftKnee: knee * share, .leftLegSpread: 12]
    }
    func angles(
      _ angles: [Posture.Angle: Double], leg share: Double
    ) -> Posture {
      stance.with(angles).with(lifted(share))
    }
    // Towards the body for the own leg, and across it for the other.
    let inwards = isOwnLeg ? random.between(-20, 5) : random.between(-35, -8)
    let back = angles(
      [
        .pitch: 0.6 * bow, .twist: random.between(-25, 5),
        .rightArmRaise: random.between(-60, -10), .rightArmSpread: random.between(-5, 25),
        .rightElbow: random.between(5, 45), .leftArmSpread: random.between(20, 70),
        .leftArmRaise: random.between(0, 60),
      ], leg: random.between(0.3, 0.8))
    let under = angles(
      [
        .pitch: bow, .tilt: isOwnLeg ? -random.between(0, 15) : random.between(0, 15),
        .rightArmRaise: bow + random.between(-20, 10), .rightArmSpread: inwards,
        .rightElbow: random.between(0, 35), .leftArmSpread: random.between(20, 80),
        .leftArmRaise: random.between(0, 60),
      ], leg: 1)
    let release = under.with([
      .rightArmRaise: bow + random.between(0, 35),
      .rightElbow: random.between(5, 60),
      .twist: random.between(0, 25),
    ])
    let end = angles(
      [
        .pitch: 0.7 * bow, .rightArmRaise: 0.7 * bow + random.between(15, 65),
        .rightArmSpread: inwards / 2, .rightElbow: random.between(10, 70),
        .leftArmSpread: random.between(20, 60), .leftArmRaise: random.between(0, 50),
      ], leg: random.between(0.4, 0.95))
    return MotionDraft(
      steps: [
        (0, stance), (random.between(0.35, 0.9), back), (random.between(0.18, 0.4), under),
        (random.between(0.08, 0.18), release), (random.between(0.14, 0.3), end),
        (random.between(0.3, 0.8), stance),
      ], releaseStep: 3)
  }
}
