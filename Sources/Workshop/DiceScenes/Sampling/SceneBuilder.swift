/// Draws the parts of a scene by lot, from the camera down to the dust.
struct SceneBuilder {
  var random: SceneRandom
  let options: SceneOptions
  let seed: UInt64
  let isVaried: Bool
  /// How often dice are made how in varied scenes.
  let odds: MakeOdds

  // What has been drawn so far.
  var camera: Camera
  /// The camera for a picture whose longer side is 640, used to lay things into the picture.
  var view: PixelCamera
  var viewWidth = 640
  var viewHeight = 640
  var elevation: Float = 90
  /// Half the width of the ground in the picture, about, in die edges.
  var reach: Float = 8
  var wantedCount = 1
  /// How many dice with numerals to lay.
  var polyhedronCount = 0
  /// How many sides those have.
  var polyhedronSides: Set<Int> = []
  /// Whether those have labels.
  var polyhedronLabels = SceneOptions.PolyhedronLabels.none
  /// How many game pieces to lay.
  var pieceCount = 0
  var surfaces: [Surface] = []
  var patches: [Patch] = []
  var decals: [Decal] = []
  var panels: [Panel] = []
  var tray: Tray?
  var appearances: [DieAppearance] = []
  var dice: [Die] = []
  var materials: [Material] = []
  var numeralDice: [NumeralDie] = []
  var props: [Solid] = []
  var pieces: [ScenePiece] = []
  /// The squares that dice and other things cover, and the yaw of each die in turns.
  var footprints: [Footprint] = []
  var yaws: [Float] = []

  init(seed: UInt64, options: SceneOptions) {
    random = SceneRandom(seed: seed)
    self.seed = seed
    self.options = options
    isVaried = options.style == .varied
    odds = MakeOdds(options.makes)
    camera = Camera(
      target: .zero, distance: 20, elevation: 90, azimuth: 0, roll: 0, focal: 1)
    view = PixelCamera(camera, width: 640, height: 640)
  }

  mutating func build() -> DiceScene {
    chooseCamera()
    chooseGround()
    chooseAppearances()
    // What is drawn only under options of its own leaves the scenes of all others as they are.
    if options.hasClutter { layPanels() }
    layDice()
    if polyhedronCount > 0 { layPolyhedra() }
    if pieceCount > 0 { layPieces() }
    if options.hasClutter { strewClutter() }
    if options.hasDistractors { strewDistractors() }
    if options.hasHardNegatives { strewHardNegatives() }
    var (lights, surroundings) = chooseLight()
    if options.hasClutter { dim(&lights, &surroundings) }
    var effects = chooseEffects()
    if options.hasClutter && random.chance(0.7) {
      effects.bloomShare = random.logarithmic(0.03, 0.4)
      effects.bloomRadius = random.logarithmic(2, 16)
    }
    return DiceScene(
      camera: camera, lights: lights, surroundings: surroundings, surfaces: surfaces, ground: 0,
      patches: patches, decals: decals, tray: tray, appearances: appearances, dice: dice,
      materials: materials, props: props, effects: effects,
      numeralDice: numeralDice, panels: panels, pieces: pieces, seed: seed)
  }

  /// From this elevation on, in degrees, the camera looks from above.
  private static let leastElevationFromAbove: Float = 75
  /// The greatest tilt of a camera that looks from the side, in turns.
  private static let greatestTilt: Float = 12 / 360

  mutating func chooseCamera() {
    let range = options.cameraElevation
    let low = Float(range.lowerBound)
    let high = Float(range.upperBound)
    let choice = isVaried ? random.unit() : 0.5
    if choice < 0.3 {
      elevation = random.number(82, 90)
    } else if choice < 0.75 {
      elevation = random.number(45, 85)
    } else {
      elevation = random.number(25, 50)
    }
    if !isVaried { elevation = random.number(low, high) }
    elevation = clamp(elevation, low, high)

    wantedCount = chooseCount()
    if options.polyhedra.upperBound > 0 { polyhedronCount = random.integer(options.polyhedra) }
    polyhedronSides = options.polyhedronSides
    polyhedronLabels = options.polyhedronLabels
    if options.pieces.upperBound > 0 { pieceCount = random.integer(options.pieces) }
    let crowd = wantedCount + polyhedronCount + pieceCount
    let aspect = Float(options.aspectRatio)
    viewWidth = aspect >= 1 ? 640 : max(Int(640 * aspect), 1)
    viewHeight = aspect >= 1 ? max(Int(640 / aspect), 1) : 640
    let room = Float(viewWidth * viewHeight).squareRoot()
    let largest = max(
      min(Float(options.dieSize.upperBound), 0.68 * room / Float(max(crowd, 1)).squareRoot()),
      Float(options.dieSize.lowerBound))
    let pixels = random.logarithmic(Float(options.dieSize.lowerBound), largest)
    let focal = isVaried ? random.logarithmic(0.65, 2.6) : random.number(0.9, 1.6)
    let distance = focal * 640 / max(pixels, 1)
    reach = 320 / max(pixels, 1)
    // From above a picture may be turned any way. Seen from the side it stands upright, as a photo
    // with its orientation does: a hand-held camera is tilted at most.
    let roll: Float
    if isVaried, elevation >= Self.leastElevationFromAbove {
      roll = random.unit()
    } else if !isVaried || random.chance(0.8) {
      roll = random.normal() * 0.008
    } else {
      roll = (random.unit() - 0.5) * 2 * Self.greatestTilt
    }
    camera = Camera(
      target: Vector3(0, 0, 0.4), distance: max(distance, 2.2), elevation: elevation,
      azimuth: random.unit(), roll: roll, focal: focal,
      squeeze: isVaried && random.chance(0.12) ? random.number(0.72, 1.35) : 1,
      distortion: isVaried && random.chance(0.3) ? random.number(-0.12, 0.2) : 0)
    view = PixelCamera(camera, width: viewWidth, height: viewHeight)
  }

  private mutating func chooseCount() -> Int {
    let low = options.diceCount.lowerBound
    let high = options.diceCount.upperBound
    guard isVaried, high > 6 else { return random.integer(options.diceCount) }
    // Few dice are more common than many.
    let choice = random.unit()
    let count: Int
    if choice < 0.3 {
      count = random.integer(1...3)
    } else if choice < 0.7 {
      count = random.integer(3...8)
    } else if choice < 0.9 {
      count = random.integer(6...16)
    } else {
      count = random.integer(12...max(12, high))
    }
    return min(max(count, low), high)
  }

  /// The point of a level plane under a point of the picture, or nil above the horizon.
  func ground(atPixel pixel: Vector2, height: Float) -> Vector3? {
    let ray = view.ray(pixel.x, pixel.y)
    guard ray.direction.z < -0.05 else { return nil }
    let t = (height - ray.origin.z) / ray.direction.z
    guard t > 0, t < 800 else { return nil }
    return ray.point(at: t)
  }

  /// A random point of the picture, kept `margin` (as a share of the size) from its border.
  mutating func pixel(margin: Float) -> Vector2 {
    Vector2(
      random.number(margin, 1 - margin) * Float(viewWidth),
      random.number(margin, 1 - margin) * Float(viewHeight))
  }
}
