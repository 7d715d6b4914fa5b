/// Draws the light of a picture from top to bottom, one row of tiles after the other.
///
/// First each pixel's centre is looked at. Where it differs from a neighbour on the same thing, the
/// pixel's corners are looked at too, each once for all four pixels around it; where something else
/// begins, four more points of the pixel.
struct LightPass {
  /// Why a pixel needs more rays; the larger one counts.
  private enum Roughness {
    static let none: UInt8 = 0
    /// It differs from a neighbour on the same thing.
    static let pattern: UInt8 = 1
    /// Something else begins here.
    static let outline: UInt8 = 2
  }

  /// A tile of which the centres of pixels have been looked at.
  private struct Tile {
    var columns: Range<Int>
    var rows: Range<Int>
    var candidates: Candidates
    /// Whether all light reaches the ground.
    var isUnhindered: Bool
    /// Nil near the horizon.
    var shading: TileShading?

    /// The place of a pixel among those of its row of tiles.
    @inline(__always)
    func place(_ x: Int, _ y: Int) -> Int {
      columns.lowerBound * TileLights.size + (y - rows.lowerBound) * TileLights.size + x
        - columns.lowerBound
    }
  }

  private static let outlineOffsets: [Vector2] = [
    Vector2(-0.375, -0.125), Vector2(0.125, -0.375), Vector2(0.375, 0.125),
    Vector2(-0.125, 0.375),
  ]

  private let tracer: PictureTracer
  private let stage: Stage
  private let isPartial: Bool
  private let width: Int
  private let height: Int
  private var red: [Float]
  private var green: [Float]
  private var blue: [Float]
  private var depth: [Float]
  private var labels: [UInt32]
  private var roughness: [UInt8]
  /// The luminance of each die's top face: the sum over its pixels and how many they are.
  private var faceSums: [Float]
  private var faceCounts: [Float]

  // Of the tile at hand.
  private var corners: [Vector3]
  private var isCornerKnown: [Bool]
  /// The light on the ground at the pixels of a row of tiles, tile by tile, and of the row above.
  private var lights: [GroundLight]
  private var lightsAbove: [GroundLight]

  init(_ tracer: PictureTracer, over base: LightField?) {
    self.tracer = tracer
    stage = tracer.stage
    isPartial = base != nil
    width = stage.width
    height = stage.height
    if let base {
      red = base.planes[0]
      green = base.planes[1]
      blue = base.planes[2]
      depth = base.depth
    } else {
      // Each with memory of its own: every pixel is drawn.
      red = [Float](repeating: 0, count: width * height)
      green = [Float](repeating: 0, count: width * height)
      blue = [Float](repeating: 0, count: width * height)
      depth = [Float](repeating: 0, count: width * height)
    }
    labels = [UInt32](repeating: Shaded.untraced, count: width * height)
    roughness = [UInt8](repeating: Roughness.none, count: width * height)
    faceSums = [Float](repeating: 0, count: stage.diceCount)
    faceCounts = faceSums
    let size = TileLights.size
    corners = [Vector3](repeating: .zero, count: (size + 1) * (size + 1))
    isCornerKnown = [Bool](repeating: false, count: corners.count)
    let places = (width + size - 1) / size * size * size
    lights = [GroundLight](repeating: .unhindered, count: places)
    lightsAbove = lights
  }

  /// Draws everything.
  mutating func run() -> LightField {
    var above: [Tile] = []
    for top in stride(from: 0, to: height, by: TileLights.size) {
      var tiles: [Tile] = []
      for left in stride(from: 0, to: width, by: TileLights.size) {
        let columns = left..<min(left + TileLights.size, width)
        let rows = top..<min(top + TileLights.size, height)
        let candidates = tracer.candidates(columns, rows)
        guard !isPartial || tracer.showsDice(candidates) else { continue }
        tiles.append(trace(columns, rows, candidates))
      }
      LightPass.compare(
        labels, green, &roughness, width: width,
        rows: top..<min(top + TileLights.size, height))
      // Now that the row below is known.
      for tile in above { smooth(tile) }
      above = tiles
      swap(&lights, &lightsAbove)
    }
    for tile in above { smooth(tile) }
    var field = LightField(width: width, height: height, planes: [red, green, blue], depth: depth)
    field.faceLight = faceLight
    return field
  }

  /// The luminance of the brightest die's top face, averaged over the face.
  private var faceLight: Float {
    var most: Float = 0
    for die in faceSums.indices where faceCounts[die] > 0 {
      most = max(most, faceSums[die] / faceCounts[die])
    }
    return most
  }

  // MARK: - The centres of pixels

  private mutating func trace(
    _ columns: Range<Int>, _ rows: Range<Int>, _ candidates: Candidates
  ) -> Tile {
    let (left, top) = (columns.lowerBound, rows.lowerBound)
    let shading = TileShading(stage, left: left, top: top, candidates: candidates)
    let tile = Tile(
      columns: columns, rows: rows, candidates: candidates,
      isUnhindered: candidates.leaveGroundAlone && !stage.hasTray && !stage.hasScreens,
      shading: shading)
    var finder =
      tile.isUnhindered
      ? nil : TileLights(stage, left: left, top: top, candidates: candidates)
    if let shading, candidates.visible.isEmpty && !stage.hasTray {
      traceGround(tile, shading, &finder)
      return tile
    }
    for y in rows {
      let row = shading?.row(Float(y - top) + 0.5) ?? .none
      for x in columns {
        let ray = stage.camera.ray(Float(x) + 0.5, Float(y) + 0.5)
        let hit = stage.trace(ray, among: candidates.visible)
        var light = GroundLight.unhindered
        if hit.target == .ground && !tile.isUnhindered {
          if let found = finder?.light(
            column: x - left, row: y - top, at: ray.point(at: hit.distance))
          {
            light = found
          }
          lights[tile.place(x, y)] = light
        }
        let shaded = shade(ray, hit, tile, light, shading, row, Float(x - left) + 0.5)
        store(shaded, hit.depth, y * width + x)
        if hit.target == .solid { meter(shaded) }
      }
    }
    return tile
  }

  /// Where nothing but the ground can be seen, it is found without a ray of unit length, eight points
  /// at once.
  private mutating func traceGround(
    _ tile: Tile, _ shading: TileShading, _ finder: inout TileLights?
  ) {
    let (left, top) = (tile.columns.lowerBound, tile.rows.lowerBound)
    let eye = stage.camera.camera.position
    for y in tile.rows {
      let row = shading.row(Float(y - top) + 0.5)
      let first = stage.camera.ground(Float(left) + 0.5, Float(y) + 0.5)
      let last = stage.camera.ground(Float(left) + 8.5, Float(y) + 0.5)
      for x in tile.columns {
        let place = x - left
        let point =
          place < 8
          ? Vector3(first.x[place], first.y[place], 0)
          : Vector3(last.x[place & 7], last.y[place & 7], 0)
        var light = GroundLight.unhindered
        if !tile.isUnhindered {
          if let found = finder?.light(column: x - left, row: y - top, at: point) { light = found }
          lights[tile.place(x, y)] = light
        }
        let values = row.values(Float(x - left) + 0.5)
        let ground = stage.groundSample(
          at: Vector2(point.x, point.y), footprint: values.sizes.x, candidates: tile.candidates)
        let colour =
          shading.covers(ground.sample)
          ? stage.shadeEvenly(ground.sample, occlusion: ground.occlusion, light, values)
          : stage.shadeFlat(
            Ray(origin: eye, direction: normalized(point - eye)), point, ground.sample,
            occlusion: ground.occlusion, light: light, candidates: tile.candidates)
        store(
          Shaded(colour: tracer.tamed(colour), label: ground.label), values.sizes.y,
          y * width + x)
      }
    }
  }

  /// The light of a ray, in the quickest way that shows no difference.
  @inline(__always)
  private func shade(
    _ ray: Ray, _ hit: Hit, _ tile: Tile, _ light: GroundLight, _ shading: TileShading?,
    _ row: TileShading.Row, _ column: Float
  ) -> Shaded {
    guard hit.target == .ground, let shading else {
      return tracer.shaded(ray, hit, tile.candidates, light: light)
    }
    let values = row.values(column)
    let point = ray.point(at: hit.distance)
    let ground = stage.groundSample(
      at: Vector2(point.x, point.y), footprint: values.sizes.x, candidates: tile.candidates)
    let colour =
      shading.covers(ground.sample)
      ? stage.shadeEvenly(ground.sample, occlusion: ground.occlusion, light, values)
      : stage.shadeFlat(
        ray, point, ground.sample, occlusion: ground.occlusion, light: light,
        candidates: tile.candidates)
    return Shaded(colour: tracer.tamed(colour), label: ground.label)
  }

  @inline(__always)
  private mutating func store(_ shaded: Shaded, _ far: Float, _ index: Int) {
    labels[index] = shaded.label
    red[index] = shaded.colour.x
    green[index] = shaded.colour.y
    blue[index] = shaded.colour.z
    depth[index] = far
  }

  /// Notes how bright the top face of a die is.
  private mutating func meter(_ shaded: Shaded) {
    let die = Int(shaded.label >> 12) - 1
    guard die >= 0, die < stage.diceCount, Int(shaded.label >> 4 & 7) == stage.topSides[die] else {
      return
    }
    faceSums[die] += min(luminance(shaded.colour), 20)
    faceCounts[die] += 1
  }

  /// Compares the pixels of some rows with those to the right and above.
  private static func compare(
    _ labels: [UInt32], _ green: [Float], _ roughness: inout [UInt8], width: Int, rows: Range<Int>
  ) {
    @inline(__always)
    func difference(_ a: UInt32, _ b: UInt32, _ first: Float, _ second: Float) -> UInt8 {
      if a == Shaded.untraced || b == Shaded.untraced { return Roughness.none }
      if a != b { return Roughness.outline }
      let limit: Float = Shaded.isFlat(a) ? 0.3 : 0.16
      return abs(first - second) > limit * (min(first, second) + 0.03)
        ? Roughness.pattern : Roughness.none
    }
    for y in rows {
      for x in 0..<width {
        let index = y * width + x
        let label = labels[index]
        let value = green[index]
        if x + 1 < width {
          let found = difference(label, labels[index + 1], value, green[index + 1])
          if found != Roughness.none {
            roughness[index] = max(roughness[index], found)
            roughness[index + 1] = max(roughness[index + 1], found)
          }
        }
        if y > 0 {
          let above = index - width
          let found = difference(labels[above], label, green[above], value)
          if found != Roughness.none {
            roughness[index] = max(roughness[index], found)
            roughness[above] = max(roughness[above], found)
          }
        }
      }
    }
  }

  // MARK: - More rays

  private mutating func smooth(_ tile: Tile) {
    for index in isCornerKnown.indices { isCornerKnown[index] = false }
    for y in tile.rows {
      for x in tile.columns {
        let index = y * width + x
        guard roughness[index] != Roughness.none else { continue }
        // What reaches the ground at the centre does for the whole pixel.
        var light: GroundLight?
        if Shaded.isGround(labels[index]) {
          light = tile.isUnhindered ? .unhindered : lightsAbove[tile.place(x, y)]
        }
        var sum = bounded(Vector3(red[index], green[index], blue[index]))
        if roughness[index] == Roughness.pattern {
          sum *= 0.52
          for corner in 0..<4 {
            sum += self.corner(x + corner & 1, y + corner >> 1, tile, light) * 0.12
          }
        } else {
          for offset in LightPass.outlineOffsets {
            sum += colour(Float(x) + 0.5 + offset.x, Float(y) + 0.5 + offset.y, tile, light)
          }
          sum *= 0.2
        }
        red[index] = sum.x
        green[index] = sum.y
        blue[index] = sum.z
      }
    }
  }

  /// The light at the top-left corner of a pixel of a tile or beside it.
  private mutating func corner(_ x: Int, _ y: Int, _ tile: Tile, _ light: GroundLight?) -> Vector3 {
    let place =
      (y - tile.rows.lowerBound) * (TileLights.size + 1) + x - tile.columns.lowerBound
    if isCornerKnown[place] { return corners[place] }
    let found = colour(Float(x), Float(y), tile, light)
    corners[place] = found
    isCornerKnown[place] = true
    return found
  }

  private func colour(_ x: Float, _ y: Float, _ tile: Tile, _ light: GroundLight?) -> Vector3 {
    let ray = stage.camera.ray(x, y)
    let hit = stage.trace(ray, among: tile.candidates.visible)
    guard hit.target == .ground else {
      return bounded(tracer.shaded(ray, hit, tile.candidates).colour)
    }
    let row = tile.shading?.row(y - Float(tile.rows.lowerBound)) ?? .none
    return bounded(
      shade(
        ray, hit, tile,
        light ?? stage.groundLight(at: ray.point(at: hit.distance), candidates: tile.candidates),
        tile.shading, row, x - Float(tile.columns.lowerBound)
      ).colour)
  }

  /// So that one glint does not burn out the mean.
  @inline(__always)
  private func bounded(_ c: Vector3) -> Vector3 { Vector3(min(c.x, 4), min(c.y, 4), min(c.z, 4)) }
}
