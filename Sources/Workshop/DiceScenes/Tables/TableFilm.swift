public import DiceGeometry
public import DiceImaging
internal import DiceNumerics

/// A square field in a tray or on a table, with dice that lie as told, filmed by a camera in somebody's hand.
///
/// For measurements of what a picture tells of the field and of how the dice lie. Nothing moves but the
/// camera, which turns as in a ``ThrowScene``. Everything is fixed by the seed, the options and the dice.
public struct TableFilm: Sendable {
  /// How a die lies.
  public enum Pose: Hashable, Sendable {
    /// Flat on the table.
    case flat
    /// Flat on top of the die before it in the order.
    case stacked
    /// Against a wall of the tray or something unseen, tilted by so many degrees, 1...44.
    case leaning(degrees: Double)
  }

  /// A die of the table.
  public struct PlacedDie: Hashable, Sendable {
    /// The value of the side that is up, 1...6.
    public var value: Int
    /// Where its middle is, in shares of the field, as `PlayingField` counts them.
    ///
    /// Of no meaning for a die that is stacked. One that leans is moved to the nearest wall where there are
    /// walls.
    public var place: SIMD2<Double>
    /// The turn about the plumb line, in turns.
    public var turns: Double
    /// How it lies.
    public var pose: Pose

    /// A die that lies as told.
    public init(value: Int, place: SIMD2<Double>, turns: Double = 0, pose: Pose = .flat) {
      self.value = value
      self.place = place
      self.turns = turns
      self.pose = pose
    }
  }

  /// A die in a frame.
  public struct SeenDie: Hashable, Sendable {
    /// The place of the die in the order.
    public var index: Int
    /// What is true of it.
    public var truth: DieTruth
    /// The point of the table below the middle of the die, in pixels.
    public var foot: PixelPoint
  }

  /// A frame with what is true of it.
  public struct Frame: Hashable, Sendable {
    /// The picture, in RGB.
    public var image: PixelImage
    /// The dice of which some of the top face is seen.
    public var dice: [SeenDie]
    /// The corners of the field.
    public var field: Quadrilateral
  }

  /// What the film was made by.
  public let options: ThrowOptions
  /// The length of the field's sides, in edges of a die.
  public let side: Double
  /// The dice.
  public let dice: [PlacedDie]
  private let table: DiceScene
  private let sway: CameraSway
  private let center: Vector2
  /// The directions of the table that go to the right and down in the picture.
  private let across: Vector2
  private let down: Vector2

  /// A film.
  ///
  /// - Parameters:
  ///   - seed: Everything that is not told comes from it.
  ///   - options: The picture, the camera and the looks; the dice's number and the times do not count.
  ///   - side: The length of the field's sides in edges of a die, 2...100. The field's middle is in the middle
  ///     of the picture.
  ///   - wallHeight: How high walls about the field are, in edges of a die; 0 for none.
  ///   - dice: The dice.
  public init(
    seed: UInt64, options: ThrowOptions = .plain, side: Double = 8, wallHeight: Double = 0,
    dice: [PlacedDie]
  ) {
    var options = options.limited
    options.diceCount = 1...1
    var builder = SceneBuilder(seed: seed, options: options.sceneOptions)
    var (table, thrown) = builder.buildTable()
    table.tray = nil
    var random = SceneRandom(seed: seed ^ 0x7AB1_EF11_4D1C_E000)
    let drift = random.number(
      Float(options.cameraDrift.lowerBound), Float(options.cameraDrift.upperBound))
    sway = CameraSway(speed: drift * Float(options.frameRate), &random)
    self.options = options
    self.side = min(max(side, 2), 100)
    self.dice = dice
    let camera = table.camera
    let ray = builder.view.ray(
      Float(builder.viewWidth) * 0.5, Float(builder.viewHeight) * 0.5)
    let middle = ray.point(at: -ray.origin.z / min(ray.direction.z, -0.01))
    center = Vector2(middle.x, middle.y)
    let right = Vector2(camera.right.x, camera.right.y)
    across = right * (1 / max(length(right), 1e-6))
    down = Vector2(across.y, -across.x)
    if wallHeight > 0 {
      // Outward normals to the right, down, to the left and up in the picture.
      let half = Float(self.side) * 0.5
      table.tray = Tray(
        center: center,
        walls: [across, down, across * -1, down * -1].map { Vector3($0.x, $0.y, half) },
        height: Float(wallHeight), lean: 0, thickness: 0.35, isRound: false, floor: 0, wall: 0,
        rimColour: Vector3(0.2, 0.12, 0.07), seam: 0)
    }
    let model = thrown[0]
    var laid: [Die] = []
    for die in dice {
      laid.append(
        Self.laid(
          die, model, on: laid.last, table, side: Float(self.side), center: center,
          across: across, down: down, hasWalls: wallHeight > 0))
    }
    table.dice = laid
    self.table = table
  }

  private static func laid(
    _ placed: PlacedDie, _ model: Die, on below: Die?, _ table: DiceScene, side: Float,
    center: Vector2, across: Vector2, down: Vector2, hasWalls: Bool
  ) -> Die {
    var die = model
    let layout = table.appearances[die.appearance].layout
    let yaw = Rotation.yaw(turns: Float(placed.turns))
    let upright = layout.rotation(showing: min(max(placed.value, 1), 6))
    var share = Vector2(Float(placed.place.x) - 0.5, Float(placed.place.y) - 0.5)
    die.seed = model.seed &+ UInt32(truncatingIfNeeded: placed.value)
    func point(_ share: Vector2, _ height: Float) -> Vector3 {
      let place = center + across * (share.x * side) + down * (share.y * side)
      return Vector3(place.x, place.y, height)
    }
    switch placed.pose {
    case .flat:
      die.rotation = yaw.after(upright)
      die.center = point(share, die.size * 0.5)
    case .stacked:
      die.rotation = yaw.after(upright)
      let base = below?.center ?? point(share, die.size * -0.5)
      die.center = base + Vector3(0, 0, die.size)
    case .leaning(let degrees):
      let turns = Float(min(max(degrees, 1), 44)) / 360
      let (cosine, sine) = (cosineOfTurns(turns), sineOfTurns(turns))
      let half = die.size * 0.5 * (cosine + sine)
      var outward: Vector2
      if hasWalls {
        let isAcross = abs(share.x) > abs(share.y)
        let limit = 0.5 - half / side
        if isAcross {
          share.x = share.x < 0 ? -limit : limit
          outward = across * (share.x < 0 ? -1 : 1)
        } else {
          share.y = share.y < 0 ? -limit : limit
          outward = down * (share.y < 0 ? -1 : 1)
        }
      } else {
        outward = Turn(turns: Float(placed.turns)).outward(Vector2(1, 0))
      }
      // The die faces what it leans on, and its top falls towards that.
      let direction = Vector3(outward.x, outward.y, 0)
      let facing = Rotation(
        x: direction, y: cross(Vector3(0, 0, 1), direction), z: Vector3(0, 0, 1))
      let tilt = Rotation.turn(about: cross(Vector3(0, 0, 1), direction), turns: turns)
      die.rotation = tilt.after(facing.after(upright))
      die.center = point(share, half)
    }
    return die
  }

  /// The scene that a frame shows.
  private func scene(ofFrame index: Int) -> DiceScene {
    var scene = table
    scene.camera = sway.turned(table.camera, at: Double(index) / options.frameRate)
    return scene
  }

  /// The corners of the field in a frame, clockwise from the upper left one.
  public func field(ofFrame index: Int) -> Quadrilateral {
    let camera = PixelCamera(
      scene(ofFrame: index).camera, width: options.width, height: options.height)
    func corner(_ x: Float, _ y: Float) -> PixelPoint { point(Vector2(x, y), camera) }
    return Quadrilateral(
      upperLeft: corner(-0.5, -0.5), upperRight: corner(0.5, -0.5),
      lowerRight: corner(0.5, 0.5), lowerLeft: corner(-0.5, 0.5))
  }

  /// Where a point of the table is seen, given in shares of the field from its middle.
  private func point(_ share: Vector2, _ camera: PixelCamera) -> PixelPoint {
    let length = Float(side)
    let place = center + across * (share.x * length) + down * (share.y * length)
    let pixel = camera.project(Vector3(place.x, place.y, 0)) ?? .zero
    return PixelPoint(x: Double(pixel.x), y: Double(pixel.y))
  }

  /// Draws a frame.
  ///
  /// - Precondition: `index` is not negative.
  public func frame(_ index: Int) -> Frame {
    let scene = scene(ofFrame: index)
    let (width, height) = (options.width, options.height)
    let light = PictureTracer(Stage(scene, width: width, height: height)).light()
    // A sensor's noise is another one in each frame. One that stays would show a camera at rest.
    let samples = scene.effects.develop(
      light, seed: scene.seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
    return Frame(
      image: PixelImage(width: width, height: height, format: .rgb, samples: samples),
      dice: dice(ofFrame: index), field: field(ofFrame: index))
  }

  /// For each pixel of a frame which die is seen at its centre, by its place in the order.
  ///
  /// −1 for none; rows from top to bottom.
  public func mask(ofFrame index: Int) -> [Int] {
    SceneRenderer.labels(
      of: scene(ofFrame: index), width: options.width, height: options.height
    ).map { $0 / 2 - 1 }
  }

  /// What is true of a frame's dice, without drawing it.
  public func dice(ofFrame index: Int) -> [SeenDie] {
    let scene = scene(ofFrame: index)
    let stage = Stage(scene, width: options.width, height: options.height)
    return TruthFinder(stage).indexedTruths().map { (index, truth) in
      let center = scene.dice[index].center
      let foot = stage.camera.project(Vector3(center.x, center.y, 0)) ?? .zero
      return SeenDie(
        index: index, truth: truth, foot: PixelPoint(x: Double(foot.x), y: Double(foot.y)))
    }
  }
}
