public import DiceImaging

/// A frame of a throw with what is to be found in it.
public struct ThrowFrame: Hashable, Sendable {
  /// The frame's number, from 0.
  public var index: Int
  /// The picture, in RGB.
  public var image: PixelImage
  /// The dice of which some of the top face can be seen, in the order of their numbers.
  public var dice: [ThrownDie]
  /// Whether all dice are at rest; false before the throw.
  public var isAtRest: Bool

  /// A frame with its truth.
  public init(index: Int, image: PixelImage, dice: [ThrownDie], isAtRest: Bool) {
    self.index = index
    self.image = image
    self.dice = dice
    self.isAtRest = isAtRest
  }
}

/// Draws the frames of a throw, each on demand and in any order.
///
/// The table without dice and the dice at rest are drawn once, somewhat larger than a frame; a frame
/// adds what moving dice change, bends the picture as the hand turns the camera, and develops it.
/// A value without state: several threads may draw different frames at once.
public struct ThrowRenderer: Sendable {
  /// What is drawn.
  public let scene: ThrowScene

  private let margin: Int
  private let width: Int
  private let height: Int
  private let empty: LightField
  private let wovenEmpty: WovenLight
  private let wovenAtRest: WovenLight
  private let exposure: Float
  /// The points of the dice's surfaces that the frames' truths need.
  private let nets: [SurfaceNet.Key: SurfaceNet]

  /// Prepares the frames of a throw.
  ///
  /// - Complexity: two pictures of a scene.
  public init(_ scene: ThrowScene) {
    self.scene = scene
    let options = scene.options
    margin =
      Int(scene.sway.reach(width: options.width, height: options.height).rounded(.up)) + 2
    width = options.width + 2 * margin
    height = options.height + 2 * margin
    var table = scene.table
    table.camera.focal = ThrowRenderer.focal(
      table.camera, options, Float(max(width, height)))
    empty = PictureTracer(Stage(table, width: width, height: height)).light()
    table.dice = scene.dice(at: scene.startTime + scene.motion.restTime)
    let atRest = PictureTracer(Stage(table, width: width, height: height)).light(over: empty)
    wovenEmpty = WovenLight(empty)
    wovenAtRest = WovenLight(atRest)
    exposure = scene.table.effects.exposureFactor(of: atRest)
    var nets: [SurfaceNet.Key: SurfaceNet] = [:]
    for index in 0..<scene.frameCount {
      let stage = Stage(
        scene.scene(ofFrame: index), width: options.width, height: options.height)
      TruthFinder(stage).addNets(to: &nets)
    }
    self.nets = nets
  }

  /// The focal length that a larger picture needs for the same scale.
  private static func focal(_ camera: Camera, _ options: ThrowOptions, _ longer: Float) -> Float {
    max(camera.focal, 0.05) * Float(max(options.width, options.height)) / longer
  }

  /// Draws a frame and computes its ground truth.
  ///
  /// - Precondition: `index` is a frame's: `0 ..< scene.frameCount`.
  public func frame(_ index: Int) -> ThrowFrame {
    let dice = scene.truths(ofFrame: index, nets: nets)
    let start = scene.time(ofFrame: index)
    let light: WovenLight
    if index >= scene.firstFrameAtRest {
      light = wovenAtRest
    } else if start + scene.exposureTime < scene.startTime {
      light = wovenEmpty
    } else {
      light = WovenLight(moving(from: start))
    }
    let effects = scene.table.effects
    let samples = effects.develop(
      bent(light, from: start), seed: scene.seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15,
      exposure: exposure)
    let image = PixelImage(
      width: scene.options.width, height: scene.options.height, format: .rgb, samples: samples)
    return ThrowFrame(
      index: index, image: image, dice: dice, isAtRest: index >= scene.firstFrameAtRest)
  }

  // MARK: - Moving dice

  private func tracer(at time: Double) -> PictureTracer {
    var table = scene.table
    table.camera.focal = ThrowRenderer.focal(
      table.camera, scene.options, Float(max(width, height)))
    table.dice = scene.dice(at: time)
    return PictureTracer(Stage(table, width: width, height: height))
  }

  /// The light while the shutter is open.
  private func moving(from start: Double) -> LightField {
    let first = tracer(at: max(start, scene.startTime))
    let last = tracer(at: start + scene.exposureTime)
    let way = farthest(first.stage, last.stage)
    // Where hardly anything moves, one instant with smooth edges is best.
    if way < 1.2 { return tracer(at: start + scene.exposureTime * 0.5).light(over: empty) }
    // On a long way every pixel looks at every third instant and its neighbours at the others.
    let phases = way < 5 ? 1 : 3
    let rounds = way < 5 ? max(Int((way / 1.2).rounded(.up)), 2) : Int((way / 4).rounded(.up))
    let count = min(rounds, 6) * phases
    let tracers = (0..<count).map { index in
      tracer(at: start + scene.exposureTime * (Double(index) + 0.5) / Double(count))
    }
    return blurred(tracers, phases: phases)
  }

  /// The longest way of a die in the picture between two instants, in pixels; turns count too.
  private func farthest(_ first: Stage, _ last: Stage) -> Float {
    guard first.diceCount == last.diceCount else { return 0 }
    var most: Float = 0
    for index in 0..<last.diceCount {
      let a = first.solids[index]
      let b = last.solids[index]
      for corner in 0..<4 {
        let p = Vector3(corner & 1 == 0 ? -0.7 : 0.7, corner & 2 == 0 ? -0.7 : 0.7, 0.7)
        guard let from = first.camera.project(a.toWorld(p)),
          let to = last.camera.project(b.toWorld(p))
        else { continue }
        most = max(most, length(to - from))
      }
    }
    return most
  }

  private func blurred(_ tracers: [PictureTracer], phases: Int) -> LightField {
    var field = empty
    var changed: [Int] = []
    var tiles: [[Candidates?]] = []
    var places: [(columns: Range<Int>, rows: Range<Int>)] = []
    for (number, tracer) in tracers.enumerated() {
      var own: [Candidates?] = []
      tracer.forEachTile { columns, rows, candidates in
        if number == 0 { places.append((columns, rows)) }
        own.append(tracer.showsDice(candidates) ? candidates : nil)
      }
      tiles.append(own)
    }
    let share = Float(phases) / Float(tracers.count)
    for (tile, place) in places.enumerated() {
      var instants: [InstantTile?] = []
      var isTouched = false
      for (number, tracer) in tracers.enumerated() {
        guard let candidates = tiles[number][tile] else {
          instants.append(nil)
          continue
        }
        isTouched = true
        instants.append(InstantTile(tracer, place.columns, place.rows, candidates))
      }
      guard isTouched else { continue }
      for y in place.rows {
        for x in place.columns {
          let index = y * width + x
          let plain = Vector3(
            empty.planes[0][index], empty.planes[1][index], empty.planes[2][index])
          var sum = ThrowRenderer.sum(
            instants, x, y, from: (x + y * 2) % phases, by: phases, elsewhere: plain)
          sum *= share
          field.planes[0][index] = sum.x
          field.planes[1][index] = sum.y
          field.planes[2][index] = sum.z
          let difference = absolute(sum - plain)
          if difference.max() > 0.02 * (plain.max() + 0.02) { changed.append(index) }
        }
      }
    }
    if phases == 3 { joinPhases(&field, changed) }
    return field
  }

  /// The sum of what a pixel shows at some instants.
  ///
  /// - Parameters:
  ///   - elsewhere: what it shows where no die is near.
  private static func sum(
    _ instants: [InstantTile?], _ x: Int, _ y: Int, from first: Int, by step: Int,
    elsewhere: Vector3
  ) -> Vector3 {
    var sum = Vector3.zero
    // The ground is the same at every instant: the light on it is added up.
    var ground = GroundSum()
    var last = first
    for number in stride(from: first, to: instants.count, by: step) {
      guard let tile = instants[number] else {
        sum += elsewhere
        continue
      }
      if let colour = tile.look(x, y, &ground) {
        sum += Vector3(min(colour.x, 4), min(colour.y, 4), min(colour.z, 4))
      } else {
        last = number
      }
    }
    if ground.count > 0, let tile = instants[last] { sum += tile.colour(of: ground) }
    return sum
  }

  /// Averages each pixel that dice change with those beside it, which saw the other instants.
  private func joinPhases(_ field: inout LightField, _ changed: [Int]) {
    for channel in 0..<3 {
      let source = field.planes[channel]
      for index in changed {
        let column = index % width
        let left = column > 0 ? source[index - 1] : source[index]
        let right = column + 1 < width ? source[index + 1] : source[index]
        field.planes[channel][index] = (left + source[index] + right) * (1 / 3)
      }
    }
  }

  // MARK: - The hand

  /// What the turned camera sees of the larger picture while the shutter is open.
  private func bent(_ light: WovenLight, from start: Double) -> LightField {
    let way = scene.sway.way(
      from: start, to: start + scene.exposureTime, width: scene.options.width,
      height: scene.options.height)
    let count = min(max(Int((way / 0.8).rounded(.up)), 1), 6)
    let bends = (0..<count).map { number in
      bend(at: start + scene.exposureTime * (Double(number) + 0.5) / Double(count))
    }
    return light.bent(bends, width: scene.options.width, height: scene.options.height)
  }

  /// Where the pixels of a frame lie in the larger picture at a time.
  private func bend(at time: Double) -> PictureBend {
    var wide = scene.table.camera
    wide.focal = ThrowRenderer.focal(wide, scene.options, Float(max(width, height)))
    let source = PixelCamera(wide, width: width, height: height)
    let turned = PixelCamera(
      scene.sway.turned(scene.table.camera, at: time), width: scene.options.width,
      height: scene.options.height)
    return PictureBend(width: scene.options.width, height: scene.options.height) { x, y in
      let ray = turned.ray(x, y)
      let there = source.project(ray.origin + ray.direction) ?? Vector2(x, y)
      return there - Vector2(0.5, 0.5)
    }
  }
}
