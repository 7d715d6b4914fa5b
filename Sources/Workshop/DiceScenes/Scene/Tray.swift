internal import DiceNumerics

/// A walled tray on the ground: a regular or rectangular polygon with leaning walls.
struct Tray: Sendable {
  var center: Vector2
  /// Outward normals of the walls in the plane, with the distance of the inner foot of each.
  var walls: [Vector3]
  var height: Float
  /// How far a wall leans outward for each unit of height.
  var lean: Float
  var thickness: Float
  /// Whether the facets stand for a round wall.
  var isRound: Bool
  /// Indices into the scene's surfaces.
  var floor: Int
  var wall: Int
  var rimColour: Vector3
  /// Distance of the seam from the rim's edge; none where it is 0.
  var seam: Float

  enum Part: UInt8 {
    case inside
    case outside
    case rim
  }

  struct Hit {
    var distance: Float
    var part: Part
    var normal: Vector3
  }

  /// The radii of the circles inside and around the walls at the foot; the outer one includes the
  /// lean and the thickness.
  var innerRadius: Float = 0
  var outerRadius: Float = 0

  init(
    center: Vector2, walls: [Vector3], height: Float, lean: Float, thickness: Float, isRound: Bool,
    floor: Int, wall: Int, rimColour: Vector3, seam: Float
  ) {
    self.center = center
    self.walls = walls
    self.height = height
    self.lean = lean
    self.thickness = thickness
    self.isRound = isRound
    self.floor = floor
    self.wall = wall
    self.rimColour = rimColour
    self.seam = seam
    var least: Float = .greatestFiniteMagnitude
    var most: Float = 0
    // The corner of two neighbouring walls, with everything added to them.
    let extra = thickness + lean * height
    for index in walls.indices {
      let a = walls[index]
      let b = walls[(index + 1) % walls.count]
      least = min(least, a.z)
      let cosine = a.x * b.x + a.y * b.y
      let square = max(1 - cosine * cosine, 1e-3)
      let u = a.z + extra
      let v = b.z + extra
      most = max(most, ((u * u + v * v - 2 * u * v * cosine) / square).squareRoot())
    }
    innerRadius = max(least, 0)
    outerRadius = most
  }

  /// The distance of a point from the axis.
  @inline(__always)
  func reach(_ p: Vector3) -> Float { length(Vector2(p.x, p.y) - center) }

  /// A polygon of equal sides.
  static func polygonWalls(sides: Int, radius: Float, turns: Float) -> [Vector3] {
    var walls: [Vector3] = []
    for side in 0..<max(3, sides) {
      let angle = turns + Float(side) / Float(max(3, sides))
      walls.append(Vector3(cosineOfTurns(angle), sineOfTurns(angle), radius))
    }
    return walls
  }

  /// A rectangle of the given half sizes.
  static func rectangleWalls(half: Vector2, turns: Float) -> [Vector3] {
    var walls: [Vector3] = []
    for side in 0..<4 {
      let angle = turns + Float(side) * 0.25
      walls.append(
        Vector3(cosineOfTurns(angle), sineOfTurns(angle), side & 1 == 0 ? half.x : half.y))
    }
    return walls
  }

  /// The largest signed distance beyond a wall's inner side, at the foot for `z` = 0.
  @inline(__always)
  func beyond(_ p: Vector3) -> Float {
    let x = p.x - center.x
    let y = p.y - center.y
    var most: Float = -.greatestFiniteMagnitude
    for wall in walls { most = max(most, wall.x * x + wall.y * y - wall.z) }
    return most - lean * p.z
  }

  /// The part of a line inside the walls widened by `extra`, unbounded upward, with the exit wall.
  @inline(__always)
  private func interval(
    _ ray: Ray, extra: Float
  ) -> (near: Float, far: Float, entry: Int, exit: Int)? {
    var near: Float = -.greatestFiniteMagnitude
    var far: Float = .greatestFiniteMagnitude
    var entry = 0
    var exit = 0
    let ox = ray.origin.x - center.x
    let oy = ray.origin.y - center.y
    for index in 0..<walls.count {
      let wall = walls[index]
      let offset = wall.x * ox + wall.y * oy - lean * ray.origin.z - wall.z - extra
      let rate = wall.x * ray.direction.x + wall.y * ray.direction.y - lean * ray.direction.z
      if abs(rate) < 1e-7 {
        if offset > 0 { return nil }
      } else {
        let t = -offset / rate
        if rate < 0 {
          if t > near {
            near = t
            entry = index
          }
        } else if t < far {
          far = t
          exit = index
        }
      }
    }
    return near <= far ? (near, far, entry, exit) : nil
  }

  /// The first point of a ray on the walls.
  @inline(__always)
  func firstHit(_ ray: Ray) -> Hit? {
    if ray.direction.z < -0.01, ray.origin.z > height {
      // Most rays reach the floor or the table without coming near a wall.
      let foot = reach(ray.point(at: -ray.origin.z / ray.direction.z))
      let rim = reach(ray.point(at: (height - ray.origin.z) / ray.direction.z))
      if max(foot, rim) < innerRadius { return nil }
      let travel = height / -ray.direction.z
      if min(foot, rim) > outerRadius + travel { return nil }
    }
    guard let outer = interval(ray, extra: thickness) else { return nil }
    // The layer between the ground and the rim.
    var enter: Float = -.greatestFiniteMagnitude
    var leave: Float = .greatestFiniteMagnitude
    if abs(ray.direction.z) > 1e-7 {
      let top = (height - ray.origin.z) / ray.direction.z
      let bottom = -ray.origin.z / ray.direction.z
      enter = min(top, bottom)
      leave = max(top, bottom)
    } else if ray.origin.z < 0 || ray.origin.z > height {
      return nil
    }
    let start = max(max(outer.near, enter), 0)
    let end = min(outer.far, leave)
    guard start < end else { return nil }
    if let inner = interval(ray, extra: 0), inner.near <= start, inner.far > start {
      guard inner.far < end else { return nil }
      return Hit(distance: inner.far, part: .inside, normal: normal(inner.exit, ray, inner.far, -1))
    }
    if outer.near >= enter {
      return Hit(
        distance: start, part: .outside, normal: normal(outer.entry, ray, start, 1))
    }
    return Hit(distance: start, part: .rim, normal: Vector3(0, 0, 1))
  }

  private func normal(_ index: Int, _ ray: Ray, _ t: Float, _ sign: Float) -> Vector3 {
    var n = Vector3(walls[index].x, walls[index].y, 0)
    if isRound {
      let p = ray.point(at: t)
      n = normalized(Vector3(p.x - center.x, p.y - center.y, 0))
    }
    return normalized(Vector3(n.x, n.y, -lean) * sign)
  }

  /// How much of a lamp the walls let through to a point, 0 to 1.
  ///
  /// - Parameters:
  ///   - spread: the lamp's radius over its distance.
  @inline(__always)
  func lightFactor(at p: Vector3, toward direction: Vector3, spread: Float) -> Float {
    guard p.z < height, direction.z > 0.02 else { return 1 }
    let travel = (height - p.z) / direction.z
    let radius = reach(p)
    if radius + travel * (1 + spread) + 0.02 < innerRadius || radius > outerRadius + travel * 1.5 {
      return 1
    }
    let edge = p + direction * travel
    let here = beyond(p)
    if here < 0.01 {
      let over = beyond(edge)
      let soft = max(spread * travel, 0.02)
      return smoothStep(soft, -soft, over)
    }
    guard here > thickness * 0.9 else { return 1 }
    // Outside: the chord through the whole tray below the rim.
    let ray = Ray(origin: p, direction: direction)
    guard let outer = interval(ray, extra: thickness) else { return 1 }
    let start = max(outer.near, 0.02)
    let chord = min(outer.far, travel) - start
    guard chord > 0 else { return 1 }
    return smoothStep(max(spread * start, 0.05) * 2, 0, chord)
  }
}
