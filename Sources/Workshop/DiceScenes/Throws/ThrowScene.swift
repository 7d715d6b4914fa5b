/// Dice thrown onto a table before a camera: what is there and how it moves.
///
/// The dice fly in from outside the view, bounce, roll, strike each other and the walls of a tray,
/// and come to rest flat on the table. Everything is fixed by the seed and the options, on every
/// platform. A throw in which a die ends leaning or on another one, or leaves the view, is drawn
/// again with the next numbers of the seed's sequence; if that is in vain many times, there are
/// fewer dice than were wanted.
public struct ThrowScene: Sendable {
  /// What the scene was drawn by, each part within its limits.
  public let options: ThrowOptions
  /// The seed that everything comes from.
  public let seed: UInt64
  /// How many frames there are: the empty table, the throw, and the dice at rest.
  public let frameCount: Int
  /// The first frame in which all dice are at rest while the shutter is open.
  ///
  /// From then on no die leaves its place by more than a hundredth of an edge and half a degree. The
  /// camera may still move.
  public let firstFrameAtRest: Int
  /// The values at rest, in the order in which the dice's top faces lie from left to right in the
  /// last frame (by the middle of their boxes; what lies higher comes first where these are equal).
  public private(set) var values: [Int]

  /// The scene without dice.
  let table: DiceScene
  /// The dice; where they are comes from the motion.
  let dice: [Die]
  let motion: ThrowMotion
  let sway: CameraSway
  /// When the motion begins, in seconds from the start of the first frame.
  let startTime: Double
  let exposureTime: Double

  /// A throw that is fixed by its seed and options.
  ///
  /// - Complexity: some ten milliseconds for each second of motion and throw that is drawn again.
  public static func random(seed: UInt64, options: ThrowOptions = .plain) -> ThrowScene {
    ThrowScene(seed: seed, options: options.limited)
  }

  private init(seed: UInt64, options: ThrowOptions) {
    self.seed = seed
    self.options = options
    var builder = SceneBuilder(seed: seed, options: options.sceneOptions)
    let (table, thrown) = builder.buildTable()
    var random = SceneRandom(seed: seed ^ 0x7417_0215_D1CE_0000)
    exposureTime = min(
      Double(
        random.logarithmic(
          Float(max(options.exposureTime.lowerBound, 1e-5)),
          Float(max(options.exposureTime.upperBound, 1e-5)))), 1 / options.frameRate)
    let drift = random.number(
      Float(options.cameraDrift.lowerBound), Float(options.cameraDrift.upperBound))
    sway = CameraSway(speed: drift * Float(options.frameRate), &random)
    startTime = Double(
      random.number(Float(options.leadIn.lowerBound), Float(options.leadIn.upperBound)))
    let hold = Double(random.number(Float(options.hold.lowerBound), Float(options.hold.upperBound)))
    // The same throw for every picture size of one shape.
    let margin = sway.reach(width: builder.viewWidth, height: builder.viewHeight) + 3
    var launcher = ThrowLauncher(
      table, view: builder.view, width: builder.viewWidth, height: builder.viewHeight,
      margin: margin, seed: random.next())
    let launched = launcher.motion(
      of: thrown, bodies: thrown.map { table.appearances[$0.appearance].body })
    motion = launched.motion
    dice = Array(thrown.prefix(launched.count))
    self.table = table
    let restTime = startTime + motion.restTime
    let first = Int((restTime * options.frameRate).rounded(.up))
    firstFrameAtRest = first
    frameCount = first + max(Int((hold * options.frameRate).rounded(.up)), 1)
    values = []
    values = valuesFromLeftToRight()
  }

  /// The dice in the picture at a time after the start of the first frame; none before the throw.
  func dice(at time: Double) -> [Die] {
    guard time >= startTime else { return [] }
    return dice.indices.map { index in
      let pose = motion.pose(of: index, at: time - startTime)
      var die = dice[index]
      die.center = Vector3(pose.center)
      die.rotation = pose.orientation.rotation
      return die
    }
  }

  /// When the shutter opens for a frame, in seconds.
  func time(ofFrame index: Int) -> Double { Double(index) / options.frameRate }

  /// The scene that a frame shows while its shutter is half way.
  func scene(ofFrame index: Int) -> DiceScene {
    let time = time(ofFrame: index) + exposureTime * 0.5
    var scene = table
    scene.dice = dice(at: time)
    scene.camera = sway.turned(table.camera, at: time)
    return scene
  }

  /// What is true of the dice in a frame, without drawing it.
  ///
  /// - Precondition: `index` is a frame's: `0 ..< frameCount`.
  public func truths(ofFrame index: Int) -> [ThrownDie] { truths(ofFrame: index, nets: [:]) }

  /// The same with points on the dice's surfaces that are known already.
  func truths(ofFrame index: Int, nets: [SurfaceNet.Key: SurfaceNet]) -> [ThrownDie] {
    precondition((0..<frameCount).contains(index), "there is no such frame")
    let stage = Stage(scene(ofFrame: index), width: options.width, height: options.height)
    let time = time(ofFrame: index) - startTime
    return TruthFinder(stage, nets: nets).indexedTruths().map { found in
      ThrownDie(
        number: found.index, truth: found.truth, isAtRest: time >= motion.restTimes[found.index])
    }
  }

  private func valuesFromLeftToRight() -> [Int] {
    let ordered = truths(ofFrame: frameCount - 1).sorted { a, b in
      let first = a.truth.topFace
      let second = b.truth.topFace
      let left = first.x + first.width / 2
      let right = second.x + second.width / 2
      return left == right ? first.y < second.y : left < right
    }
    return ordered.map { $0.truth.value }
  }
}

/// What is true of one thrown die in a frame.
public struct ThrownDie: Hashable, Sendable {
  /// Which of the dice it is, the same in every frame: 0 for the first one.
  public var number: Int
  /// Its boxes and the value of the side that points up most, while the shutter is half way.
  public var truth: DieTruth
  /// Whether the die is at rest from when the shutter opens on.
  public var isAtRest: Bool

  /// The truth about a die.
  public init(number: Int, truth: DieTruth, isAtRest: Bool) {
    self.number = number
    self.truth = truth
    self.isAtRest = isAtRest
  }
}

extension SceneBuilder {
  /// The scene without dice, and the dice to throw.
  mutating func buildTable() -> (table: DiceScene, dice: [Die]) {
    chooseCamera()
    camera.squeeze = 1
    view = PixelCamera(camera, width: viewWidth, height: viewHeight)
    chooseGround()
    // Dice would not lie level where there is no table.
    patches.removeAll { $0.isSunk }
    chooseAppearances()
    if options.hasDistractors && random.chance(0.4) { layDecals() }
    let (lights, surroundings) = chooseLight()
    var effects = chooseEffects()
    // The motion is real and the rest does not suit a film.
    effects.motion = .zero
    effects.defocus = 0
    effects.apertureRadius = 0
    let mixesSizes = isVaried && random.chance(0.2)
    var sizes: [Float] = []
    for _ in appearances { sizes.append(mixesSizes ? random.number(0.8, 1.15) : 1) }
    var thrown: [Die] = []
    for _ in 0..<wantedCount {
      let appearance = random.integer(0...(appearances.count - 1))
      thrown.append(
        Die(
          appearance: appearance, center: .zero, rotation: .identity, size: sizes[appearance],
          seed: UInt32(truncatingIfNeeded: random.next())))
    }
    let table = DiceScene(
      camera: camera, lights: lights, surroundings: surroundings, surfaces: surfaces, ground: 0,
      patches: patches, decals: decals, tray: tray, appearances: appearances, dice: [],
      materials: materials, props: props, effects: effects, seed: seed)
    return (table, thrown)
  }
}
