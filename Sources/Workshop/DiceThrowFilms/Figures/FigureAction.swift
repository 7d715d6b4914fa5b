/// What a figure can be made to do.
public enum FigureAction: String, CaseIterable, Hashable, Sendable {
  /// A throw with the hand above the shoulder.
  case overhand
  /// A throw with the arm swung forwards below the shoulder.
  case underhand
  /// A throw under one's own lifted leg.
  case underleg
  /// Anything but a throw: standing, walking, picking up, waving, lifting knees.
  case none

  /// Draws a motion of this kind: no two are alike in timing, reach and hand.
  ///
  /// The key frames are made up, after how people throw bean bags and balls; nobody was measured.
  public func motion(using random: inout some RandomNumberGenerator) -> FigureMotion {
    let draft: MotionDraft =
      switch self {
      case .overhand: .overhand(&random)
      case .underhand: .underhand(&random)
      case .underleg: .underleg(&random)
      case .none: .idle(&random)
      }
    let motion = draft.motion(using: &random)
    return random.chance(0.5) ? motion : motion.mirrored
  }
}

/// Key frames of a right-handed person, before they are varied.
struct MotionDraft {
  /// The seconds before each key but the first, and the posture.
  var steps: [(duration: Double, posture: Posture)]
  /// The key at which a thing leaves the hand.
  var releaseStep: Int?

  /// The motion with its timing and angles varied.
  func motion(using random: inout some RandomNumberGenerator) -> FigureMotion {
    let pace = random.between(0.75, 1.35)
    let own = Posture().changed { (angle) in Self.habit(angle) * random.normal() }
    var (keys, time) = ([FigureMotion.Key](), 0.0)
    for (index, step) in steps.enumerated() {
      if index > 0 { time += step.duration * pace * random.between(0.75, 1.3) }
      let posture = step.posture.changed { (angle) in
        own[angle] + 0.5 * Self.habit(angle) * random.normal()
      }
      keys.append(FigureMotion.Key(time, posture))
    }
    return FigureMotion(
      keys, release: releaseStep.map { keys[$0].time },
      hand: releaseStep.map { (_) in .rightWrist })
  }

  /// How far people differ in an angle, in degrees or metres.
  private static func habit(_ angle: Posture.Angle) -> Double {
    switch angle {
    case .turn: 6
    case .pitch, .tilt, .nod: 4
    case .twist: 6
    case .forward, .sideways: 0.02
    case .lift: 0
    case .leftArmRaise, .rightArmRaise, .leftElbow, .rightElbow: 9
    case .leftArmSpread, .rightArmSpread: 7
    case .leftLegRaise, .rightLegRaise, .leftKnee, .rightKnee: 4
    case .leftLegSpread, .rightLegSpread: 3
    }
  }
}
