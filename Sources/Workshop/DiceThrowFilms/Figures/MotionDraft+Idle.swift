extension MotionDraft {
  /// Something that is no throw.
  static func idle(_ random: inout some RandomNumberGenerator) -> MotionDraft {
    switch random.next() % 9 {
    case 0: standing(&random)
    case 1, 2: walking(&random)
    case 3: pickingUp(&random)
    case 4: waving(&random)
    case 5, 6: liftingKnees(&random)
    case 7: reaching(&random)
    default: squatting(&random)
    }
  }

  private static func standing(_ random: inout some RandomNumberGenerator) -> MotionDraft {
    let first = stance(&random)
    return MotionDraft(
      steps: (0..<4).map { (index) in
        let share = random.between(0.1, 0.6)
        let other = stance(&random)
        return (
          random.between(0.4, 0.9), index == 0 ? first : first.mixed(with: other, share: share)
        )
      })
  }

  private static func walking(_ random: inout some RandomNumberGenerator) -> MotionDraft {
    let stance = stance(&random)
    let (legs, arms) = (random.between(12, 45), random.between(5, 70))
    let (speed, step) = (random.between(0.2, 0.9), random.between(0.25, 0.55))
    var steps: [(duration: Double, posture: Posture)] = []
    for index in 0..<(4 + Int(random.next() % 5)) {
      let side: Double = index % 2 == 0 ? 1 : -1
      steps.append(
        (
          step,
          stance.with([
            .leftLegRaise: side * legs, .rightLegRaise: -side * legs,
            .leftKnee: side > 0 ? 10 : 0.8 * legs, .rightKnee: side > 0 ? 0.8 * legs : 10,
            .leftArmRaise: -side * arms, .rightArmRaise: side * arms,
            .forward: speed * Double(index) * step,
          ])
        ))
    }
    return MotionDraft(steps: steps)
  }

  private static func pickingUp(_ random: inout some RandomNumberGenerator) -> MotionDraft {
    let stance = stance(&random)
    let (bow, knees) = (random.between(40, 100), random.between(0, 90))
    let down = stance.with([
      .pitch: bow, .rightArmRaise: random.between(60, 110), .rightElbow: random.between(0, 30),
      .leftKnee: knees, .rightKnee: knees, .leftLegRaise: knees / 2, .rightLegRaise: knees / 2,
    ])
    return MotionDraft(steps: [
      (0, stance), (random.between(0.4, 0.9), down),
      (random.between(0.1, 0.5), down.with([.twist: random.between(-20, 20)])),
      (random.between(0.4, 0.9), stance),
    ])
  }

  private static func waving(_ random: inout some RandomNumberGenerator) -> MotionDraft {
    let stance = stance(&random)
    let both = random.chance(0.3)
    let raise = random.between(60, 170)
    var steps: [(duration: Double, posture: Posture)] = [(0, stance)]
    for index in 0..<(3 + Int(random.next() % 5)) {
      let spread = random.between(10, 40) + (index % 2 == 0 ? random.between(10, 50) : 0)
      var posture = stance.with([
        .rightArmRaise: raise, .rightArmSpread: spread, .rightElbow: random.between(20, 100),
      ])
      if both {
        posture = posture.with([
          .leftArmRaise: raise, .leftArmSpread: spread, .leftElbow: posture[.rightElbow],
        ])
      }
      steps.append((index == 0 ? 0.5 : random.between(0.2, 0.4), posture))
    }
    return MotionDraft(steps: steps + [(0.5, stance)])
  }

  /// Steps on the spot, kicks and stretches: a lifted leg alone is no throw.
  private static func liftingKnees(_ random: inout some RandomNumberGenerator) -> MotionDraft {
    let stance = stance(&random)
    let isKick = random.chance(0.4)
    var steps: [(duration: Double, posture: Posture)] = [(0, stance)]
    for index in 0..<(1 + Int(random.next() % 4)) {
      let raise = random.between(45, 110)
      let knee = isKick ? random.between(0, 40) : random.between(50, 125)
      let lifted =
        index % 2 == 0
        ? stance.with([.rightLegRaise: raise, .rightKnee: knee])
        : stance.with([.leftLegRaise: raise, .leftKnee: knee])
      let bow = random.between(0, 40)
      steps.append((random.between(0.25, 0.5), lifted.with([.pitch: bow])))
      steps.append((random.between(0.25, 0.6), stance))
    }
    return MotionDraft(steps: steps)
  }

  /// Hands out, to catch or to be given something.
  private static func reaching(_ random: inout some RandomNumberGenerator) -> MotionDraft {
    let stance = stance(&random)
    let raise = random.between(30, 120)
    let out = stance.with([
      .rightArmRaise: raise, .rightElbow: random.between(0, 60),
      .leftArmRaise: random.chance(0.6) ? raise : stance[.leftArmRaise],
      .pitch: random.between(0, 30), .twist: random.between(-40, 40),
    ])
    return MotionDraft(steps: [
      (0, stance), (random.between(0.3, 0.8), out), (random.between(0.2, 0.8), out),
      (random.between(0.3, 0.8), stance),
    ])
  }

  private static func squatting(_ random: inout some RandomNumberGenerator) -> MotionDraft {
    let stance = stance(&random)
    let depth = random.between(40, 110)
    let down = stance.with([
      .pitch: random.between(10, 50), .leftLegRaise: 0.7 * depth, .rightLegRaise: 0.7 * depth,
      .leftKnee: 1.2 * depth, .rightKnee: 1.2 * depth, .leftArmRaise: random.between(0, 100),
      .rightArmRaise: random.between(0, 100),
    ])
    let jump = random.chance(0.4)
    return MotionDraft(steps: [
      (0, stance), (random.between(0.3, 0.8), down),
      (random.between(0.2, 0.7), stance.with([.lift: jump ? random.between(0.1, 0.4) : 0])),
      (random.between(0.25, 0.7), jump ? down : stance), (random.between(0.3, 0.8), stance),
    ])
  }
}
