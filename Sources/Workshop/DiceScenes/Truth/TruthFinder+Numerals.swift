public import DiceGeometry
internal import DiceNumerics

/// What is true of the numeral that counts on a die: that of its uppermost face.
///
/// On four sides it is the number at the corner that is up, or at the edges on the table.
public struct NumeralTruth: Hashable, Sendable {
  /// What the kind of die is called: `d4` to `d20`, and `d%` where ten sides count in tens.
  public var kind: String
  /// What is printed: `1` to `20`, on ten sides `0` to `9` or `00` to `90`.
  public var face: String
  /// The box of what can be seen of the uppermost face, on four sides of the whole die; as
  /// ``PieceTruth/boundingBox``.
  public var boundingBox: BoundingBox
  /// The share of that face, or die, which can be seen, above 0 and at most 1.
  public var visibility: Double
  /// How well the picture shows the number.
  ///
  /// Its spacing is a fifth of the numeral's height.
  public var legibility: Legibility
  /// How far the numeral is turned in the picture, clockwise from upright, in degrees from -180 to
  /// 180; nil on four sides, where several numerals count.
  public var angle: Double?
}

/// Counts the points of a die that belong to the face that counts.
struct NumeralFinder {
  let solid: Solid
  let die: NumeralDie
  /// The uppermost face; nil on four sides.
  private let topFace: Int?
  /// The numerals that say what counts, with their faces.
  let spots: [(face: Int, spot: NumeralSpot)]
  private var wholeCount = 0
  private var seenCount = 0
  private(set) var box = PixelBounds()

  /// Nil where the solid is no die with numerals.
  init?(_ solid: Solid, _ scene: DiceScene) {
    guard solid.paint == .numerals else { return nil }
    let die = scene.numeralDice[solid.look]
    let body = Polyhedron.with(sides: die.sides)
    func height(_ direction: Vector3) -> Float { solid.rotation.toWorld(direction).z }
    self.solid = solid
    self.die = die
    guard die.sides == 4 else {
      var top = 0
      for face in body.faces.indices
      where height(body.faces[face].normal) > height(body.faces[top].normal) {
        top = face
      }
      topFace = top
      spots = [(top, die.spot(0, onFace: top))]
      return
    }
    topFace = nil
    var apex = body.corners[0]
    for corner in body.corners where height(corner) > height(apex) { apex = corner }
    var spots: [(face: Int, spot: NumeralSpot)] = []
    for (face, plane) in body.faces.enumerated() {
      for (index, corner) in plane.corners.enumerated() where length(corner - apex) < 1e-3 {
        spots.append((face, die.spot(index, onFace: face)))
      }
    }
    self.spots = spots
  }

  /// The share of the face that can be seen.
  var visibility: Double { Double(seenCount) / Double(max(wholeCount, 1)) }

  /// Counts a point of the die.
  ///
  /// - Parameters:
  ///   - point: in the world.
  ///   - pixel: where it can be seen; nil where it cannot.
  ///   - step: how far points are from each other, in pixels.
  mutating func count(_ point: Vector3, seenAt pixel: Vector2?, step: Float) {
    if let topFace {
      let face = Polyhedron.with(sides: die.sides).face(nearest: solid.toLocal(point))
      guard face == topFace else { return }
    }
    wholeCount += 1
    guard let pixel else { return }
    seenCount += 1
    box.include(Vector2(pixel.x - step / 2, pixel.y - step / 2))
    box.include(Vector2(pixel.x + step / 2, pixel.y + step / 2))
  }
}

extension TruthFinder {
  /// What a die says, nil where nothing can be seen of the face that counts.
  func numeral(
    _ finder: NumeralFinder, blockers: [Int], samples: [UInt8]
  ) -> NumeralTruth? {
    guard finder.box.isValid, let first = finder.spots.first else { return nil }
    var best = Legibility(separation: 0, spacing: 0)
    for (face, spot) in finder.spots {
      let legibility = legibility(
        of: spot, onFace: face, finder, blockers: blockers, samples: samples)
      if legibility.isSufficient && !best.isSufficient
        || legibility.isSufficient == best.isSufficient
          && legibility.separation > best.separation
      {
        best = legibility
      }
    }
    return NumeralTruth(
      kind: finder.die.kind, face: finder.die.text(of: first.spot.number),
      boundingBox: finder.box.boundingBox(width: stage.width, height: stage.height),
      visibility: finder.visibility, legibility: best,
      angle: finder.die.sides == 4 ? nil : angle(of: first.spot, onFace: first.face, finder.solid))
  }

  /// How far a numeral is turned in the picture, clockwise from upright; nil where its place cannot
  /// be seen.
  private func angle(of spot: NumeralSpot, onFace face: Int, _ solid: Solid) -> Double? {
    let plane = Polyhedron.with(sides: stage.scene.numeralDice[solid.look].sides).faces[face]
    func pixel(_ offset: Vector2) -> Vector2? {
      let place = spot.point(at: offset)
      return stage.camera.project(
        solid.toWorld(plane.center + plane.right * place.x + plane.up * place.y))
    }
    guard let low = pixel(Vector2(0, -0.25)), let high = pixel(Vector2(0, 0.25)) else { return nil }
    let up = high - low
    return arctangent(y: Double(up.x), x: Double(-up.y)) * 180 / .pi
  }

  /// How legible one numeral is.
  private func legibility(
    of spot: NumeralSpot, onFace face: Int, _ finder: NumeralFinder, blockers: [Int],
    samples: [UInt8]
  ) -> Legibility {
    let (solid, die) = (finder.solid, finder.die)
    let plane = Polyhedron.with(sides: die.sides).faces[face]
    let normal = solid.rotation.toWorld(plane.normal)
    func world(_ offset: Vector2) -> Vector3 {
      let c = spot.point(at: offset)
      return solid.toWorld(plane.center + plane.right * c.x + plane.up * c.y)
    }
    func pixel(_ offset: Vector2) -> Vector2? {
      let point = world(offset)
      let view = point - stage.scene.camera.position
      guard dot(normal, view) < 0, let pixel = stage.camera.project(point), isInside(pixel),
        !isHidden(view, blockers)
      else { return nil }
      return pixel
    }
    let pattern = FacePattern(die, number: spot.number)
    let features = pattern.places.map { place -> [Float]? in
      pixel(place).map {
        let colour = stage.colour(at: $0, in: samples)
        return [colour.x, colour.y, colour.z]
      }
    }
    let h: Float = 0.25
    guard let left = stage.camera.project(world(Vector2(-h, 0))),
      let right = stage.camera.project(world(Vector2(h, 0))),
      let low = stage.camera.project(world(Vector2(0, -h))),
      let high = stage.camera.project(world(Vector2(0, h)))
    else { return Legibility(separation: 0, spacing: 0) }
    let scale = leastScale((right - left) / (2 * h), (high - low) / (2 * h))
    return Legibility(
      separation: pattern.separation(features, noise: 2), spacing: Double(pattern.pitch * scale))
  }
}

extension FacePattern {
  /// The places of a numeral, in its heights, and the other numbers of its die.
  init(_ die: NumeralDie, number: Int) {
    let step: Float = 1 / 7
    let columns = number > 9 || die.countsTens ? 5 : 3
    var places: [Vector2] = []
    for row in -3...3 {
      for column in -columns...columns {
        places.append(Vector2(Float(column), Float(row)) * step)
      }
    }
    var numbers = Set<Int>()
    for other in 0..<die.sides {
      numbers.insert(die.sides == 4 ? other + 1 : die.number(onFace: other))
    }
    let drawings = numbers.sorted().map { other in
      (other, places.map { die.distance($0, other) < 0 })
    }
    self.init(
      places: places, radius: step / 2, pitch: 0.2, drawings: drawings,
      shown: drawings.firstIndex { $0.0 == number } ?? 0)
  }
}
