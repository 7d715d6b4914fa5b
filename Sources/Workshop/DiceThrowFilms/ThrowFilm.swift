internal import DiceGeometry
public import DicePoses
internal import DiceNumerics

/// A film of a player who throws bags at a board: what happens, known exactly.
///
/// At first there is the board alone; then the player comes in from the left, throws a bag after
/// each pause, and goes away again. Bags that lie on the board or beside it stay. All of it is fixed by the seed
/// and the plan.
public struct ThrowFilm: Sendable {
  /// Where a bag ends.
  public enum Place: String, CaseIterable, Hashable, Sendable {
    /// On the board.
    case board
    /// In the hole.
    case hole
    /// On the ground.
    case missed
  }

  /// One throw, as it is wanted.
  public struct Plan: Hashable, Sendable {
    /// How it is thrown: anything but `none`.
    public var action: FigureAction
    /// Where the bag ends.
    public var place: Place

    /// A throw.
    public init(_ action: FigureAction, _ place: Place) {
      self.action = action
      self.place = place
    }
  }

  /// One throw, as it is.
  public struct Throw: Hashable, Sendable {
    /// How it is thrown.
    public var action: FigureAction
    /// Where the bag ends.
    public var place: Place
    /// When the bag leaves the hand, in seconds.
    public var releaseTime: Double
    /// When it meets the board, the hole or the ground, in seconds.
    public var landingTime: Double
    /// The speed at release, in metres a second.
    public var releaseSpeed: Double
    /// The angle above the horizontal at release, in degrees.
    public var releaseAngle: Double
    /// Where it lies in the end, in the board's coordinates; nil beside the board.
    public var position: SIMD2<Double>?
    var start: SIMD3<Double>
    var velocity: SIMD3<Double>
    var landing: SIMD3<Double>
    var rest: SIMD3<Double>
  }

  /// Ten throws of three types.
  public static let tenThrows: [Plan] = [
    Plan(.underhand, .board), Plan(.overhand, .hole), Plan(.underleg, .board),
    Plan(.underhand, .hole), Plan(.overhand, .missed), Plan(.underleg, .hole),
    Plan(.underhand, .missed), Plan(.overhand, .board), Plan(.underleg, .board),
    Plan(.underhand, .board),
  ]

  /// How many throws a film may have.
  public static let planLimit = 1000
  /// How wide its pictures may be, in pixels.
  public static let widths = 16...8192
  /// How many frames a second it may have.
  public static let frameRates = 1.0...1000
  /// How long the board may be alone at first, in seconds.
  public static let leadIns = 0.0...3600

  /// How large the bag is: its radius in metres.
  static let bagRadius = 0.07
  /// Seconds in which a bag slides.
  static let slideTime = 0.15

  /// The board.
  public let board: ThrowBoard
  /// Who looks.
  public let camera: FigureCamera
  /// Whom the limbs belong to.
  public let figure: ArticulatedFigure
  /// Frames in a second.
  public let framesPerSecond: Double
  /// The throws.
  public private(set) var throwsInOrder: [Throw] = []
  /// The first second in which the player is to be seen, and the last.
  public private(set) var presence: ClosedRange<Double> = 0...0
  /// How long the film is, in seconds.
  public private(set) var duration = 0.0

  private var scenes: [(start: Double, motion: FigureMotion)] = []

  /// A film.
  ///
  /// - Parameters:
  ///   - plan: the throws.
  ///   - seed: what all else follows from.
  ///   - width: columns of the picture; the view is the same whatever the size.
  ///   - framesPerSecond: frames in a second.
  ///   - leadIn: the seconds before the player comes.
  ///   - board: the board; nil for the usual one.
  ///   - camera: who looks; nil for someone at the player's right.
  /// - Precondition: the plan has at most ``planLimit`` throws; width, frames per second and lead-in lie in
  ///   ``widths``, ``frameRates`` and ``leadIns``.
  public init(
    _ plan: [Plan] = tenThrows, seed: UInt64 = 1, width: Int = 640, framesPerSecond: Double = 30,
    leadIn: Double = 2, board: ThrowBoard? = nil, camera: FigureCamera? = nil
  ) {
    precondition(plan.count <= Self.planLimit, "a film has at most 1000 throws")
    precondition(Self.widths.contains(width), "a film is 16 to 8192 pixels wide")
    precondition(Self.frameRates.contains(framesPerSecond), "a film has 1 to 1000 frames a second")
    precondition(Self.leadIns.contains(leadIn), "the board is alone for up to an hour")
    self.board = board ?? ThrowBoard()
    self.framesPerSecond = framesPerSecond
    self.camera =
      camera
      ?? FigureCamera(
        azimuth: 264, elevation: 17, distance: 7, focalLength: 1.12 * Double(width),
        target: SIMD3(1.55, 0, 0.95), width: width, height: width * 9 / 16)
    figure = ArticulatedFigure()
    var random = SplitMix64(seed: seed)
    var time = leadIn
    scenes.append((time, Self.walk(from: -3.2, to: 0)))
    time += scenes[0].motion.duration + 0.5
    for throwPlan in plan {
      time += random.between(0.5, 0.9)
      let motion = throwPlan.action.motion(using: &random)
      scenes.append((time, motion))
      throwsInOrder.append(makeThrow(throwPlan, motion, start: time, &random))
      time = max(time + motion.duration, (throwsInOrder.last?.landingTime ?? 0) + 0.9)
    }
    scenes.append((time + 0.6, Self.walk(from: 0, to: -3.2)))
    time += 0.6 + scenes[scenes.count - 1].motion.duration
    presence = leadIn...time
    duration = time + 1.2
  }

  /// The number of frames.
  public var frameCount: Int { Int(duration * framesPerSecond) }

  /// The time of a frame, in seconds.
  public func time(of frame: Int) -> Double { Double(frame) / framesPerSecond }

  /// Steps to another place, looking where the bags go.
  private static func walk(from start: Double, to end: Double) -> FigureMotion {
    let count = 7
    let stance = Posture([
      .leftArmSpread: 8, .rightArmSpread: 8, .leftElbow: 15, .rightElbow: 15,
    ])
    return FigureMotion(
      (0...count).map { step in
        let side: Double = step == 0 || step == count ? 0 : step % 2 == 0 ? 1 : -1
        return FigureMotion.Key(
          0.3 * Double(step),
          stance.with([
            .forward: start + (end - start) * Double(step) / Double(count),
            .leftLegRaise: 22 * side, .rightLegRaise: -22 * side,
            .leftKnee: side > 0 ? 8 : 22, .rightKnee: side > 0 ? 22 : 8,
            .leftArmRaise: -18 * side, .rightArmRaise: 18 * side,
          ]))
      })
  }

  /// The joints at a time, in metres; nil while nobody is there.
  public func skeleton(at time: Double) -> Skeleton? {
    guard presence.contains(time),
      let index = scenes.lastIndex(where: { $0.start <= time })
    else { return nil }
    let (start, motion) = scenes[index]
    let end = start + motion.duration
    guard time > end, index + 1 < scenes.count else {
      return figure.skeleton(motion.posture(at: time - start))
    }
    let next = scenes[index + 1]
    let share = (time - end) / max(next.start - end, 0.001)
    let smooth = share * share * (3 - 2 * share)
    return figure.skeleton(
      motion.posture(at: motion.duration).mixed(
        with: next.motion.posture(at: 0), share: smooth))
  }

  /// The joints in a frame as the camera sees them; nil while nobody is there.
  public func pose(frame: Int) -> Pose? {
    skeleton(at: time(of: frame)).map { camera.pose(of: $0) }
  }

  /// The person in a frame, with a box around the body; nil while nobody is there or in the picture.
  public func person(frame: Int) -> DetectedPerson? {
    guard let pose = pose(frame: frame), let head = pose[.head]?.location,
      let neck = pose[.neck]?.location
    else { return nil }
    let margin = 0.6 * head.squaredDistance(to: neck).squareRoot()
    let places = pose.joints.compactMap { pose[$0]?.location }
    let (xs, ys) = (places.map(\.x), places.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
    else { return nil }
    let box = BoundingBox(
      minX: left - margin, minY: top - margin, maxX: right + margin, maxY: bottom + margin)
    let picture = BoundingBox(
      x: 0, y: 0, width: Double(camera.width), height: Double(camera.height))
    let seen = box.clipped(to: picture)
    guard seen.area > 0.5 * box.area else { return nil }
    return DetectedPerson(boundingBox: seen, confidence: 1, pose: pose)
  }

  /// Poses of all frames, without joints where nobody is there.
  public func sequence(id: String) -> PoseSequence {
    PoseSequence(
      id: id, framesPerSecond: framesPerSecond, width: camera.width, height: camera.height,
      poses: (0..<frameCount).map { person(frame: $0)?.pose ?? Pose() })
  }
}

extension ThrowFilm {
  /// Where the bag is in the hand: before the wrist.
  static func grip(_ skeleton: Skeleton, hand: Joint) -> SIMD3<Double> {
    let elbow = hand == .leftWrist ? Joint.leftElbow : .rightElbow
    return skeleton[hand] + (skeleton[hand] - skeleton[elbow]).unit * 0.09
  }

  private func makeThrow(
    _ plan: Plan, _ motion: FigureMotion, start: Double, _ random: inout SplitMix64
  ) -> Throw {
    let release = motion.release ?? motion.duration / 2
    let hand = motion.hand ?? .rightWrist
    let from = Self.grip(figure.skeleton(motion.posture(at: release)), hand: hand)
    var position: SIMD2<Double>?
    var (landing, rest): (SIMD3<Double>, SIMD3<Double>)
    switch plan.place {
    case .hole:
      position = board.hole
      landing = board.place(board.hole + SIMD2(random.between(-2, 2), random.between(-2, 2)))
      rest = landing
    case .board:
      // Not over the hole, and with some room for other bags.
      let spot = SIMD2(random.between(25, 78), random.between(12, board.width - 12))
      let slid = spot + SIMD2(random.between(2, 6), 0)
      position = slid
      landing = board.place(spot, above: 0.03)
      rest = board.place(slid, above: 0.03)
    case .missed:
      let isShort = random.chance(0.5)
      let x =
        isShort
        ? board.distance - random.between(0.25, 0.5)
        : board.distance + board.length / 100
          + random.between(0.3, 0.5)
      landing = SIMD3(x, random.between(-0.3, 0.3), 0.03)
      rest = landing + SIMD3(random.between(0.05, 0.12), 0, 0)
    }
    let angle =
      switch plan.action {
      case .overhand: random.between(25, 38)
      case .underhand: random.between(42, 55)
      default: random.between(45, 58)
      }
    let (sine, cosine) = sineAndCosine(turns: angle / 360)
    let across = SIMD3(landing.x - from.x, landing.y - from.y, 0)
    let distance = across.length
    let drop = max(distance * sine / cosine - (landing.z - from.z), 0.05)
    let speed = (9.81 * distance * distance / (2 * cosine * cosine * drop)).squareRoot()
    return Throw(
      action: plan.action, place: plan.place, releaseTime: start + release,
      landingTime: start + release + distance / (speed * cosine), releaseSpeed: speed,
      releaseAngle: angle, position: position, start: from,
      velocity: across.unit * (speed * cosine) + SIMD3(0, 0, speed * sine), landing: landing,
      rest: rest)
  }

  /// The bags that are to be seen at a time, in metres, and whether each lies still or slides.
  func bags(at time: Double) -> [(place: SIMD3<Double>, isDown: Bool)] {
    var result: [(place: SIMD3<Double>, isDown: Bool)] = []
    for (index, flight) in throwsInOrder.enumerated() {
      let (start, motion) = scenes[index + 1]
      if time < flight.releaseTime {
        // It is in the hand from a little before the movement begins.
        guard time >= start - 0.3, let hand = motion.hand, let skeleton = skeleton(at: time) else {
          continue
        }
        result.append((Self.grip(skeleton, hand: hand), false))
      } else if time < flight.landingTime {
        let t = time - flight.releaseTime
        result.append(
          (flight.start + flight.velocity * t + SIMD3(0, 0, -4.905 * t * t), false))
      } else if flight.place != .hole {
        let share = min(1, (time - flight.landingTime) / Self.slideTime)
        let eased = share * (2 - share)
        result.append((flight.landing + (flight.rest - flight.landing) * eased, true))
      }
    }
    return result
  }
}
