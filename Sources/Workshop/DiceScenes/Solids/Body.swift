/// The shape of a solid in its own coordinates, as a signed distance.
///
/// Every shape is contained in the box `-extent ... extent`.
struct Body: Hashable, Sendable {
  enum Kind: UInt8, Hashable, Sendable {
    /// A box with rounded edges, optionally cut by a sphere about its centre.
    case box
    /// An upright cylinder with rounded rims.
    case cylinder
    case ball
    /// A rod along x with round ends.
    case capsule
    case tetrahedron
    case octahedron
    case dodecahedron
    case icosahedron
    /// A board game figure, extruded along z.
    case figure
    /// A ring lying flat.
    case torus
    /// An upright hollow cylinder with a floor.
    case cup
    /// An upright hexagonal prism.
    case hexagon
    /// A convex body between planes: `Polyhedron` has them.
    case facets
    /// A board game pawn: a foot, a cone and a ball.
    case pawn
  }

  var kind: Kind
  /// Half the size along each axis.
  var extent: Vector3
  /// The radius of the edges (the thickness of the wall of a cup).
  var rounding: Float
  /// The radius of the sphere that cuts a box; none where it is 0.
  var cutRadius: Float = 0
  /// How far the crease of the cut is smoothed.
  var cutBlend: Float = 0
  /// How many sides a body between planes has.
  var sides = 0

  /// The radius of a sphere about the centre that holds the shape.
  var boundingRadius: Float {
    switch kind {
    case .box:
      let corner = extent - Vector3(repeating: min(rounding, extent.min()))
      let radius = length(corner) + min(rounding, extent.min())
      return cutRadius > 0 ? min(radius, cutRadius) : radius
    case .ball: return extent.x
    case .capsule: return extent.x
    case .facets:
      let radius = Polyhedron.with(sides: sides).circumradius
      return cutRadius > 0 ? min(radius, cutRadius) : radius
    case .tetrahedron, .octahedron, .dodecahedron, .icosahedron, .figure: return length(extent)
    case .torus, .cylinder, .cup, .hexagon, .pawn:
      return (extent.x * extent.x + extent.z * extent.z).squareRoot() * 1.16
    }
  }

  /// About how wide the narrowest part of the shape's shadow is, as it lies.
  var shadowWidth: Float {
    switch kind {
    case .torus: return 2 * extent.z
    case .figure: return 0.4 * extent.y
    default:
      // Neither the longest nor the shortest side.
      let most = extent.max()
      let least = extent.min()
      return 2 * (extent.x + extent.y + extent.z - most - least)
    }
  }

  /// The signed distance to the surface, or a lower bound of it; negative inside.
  @inline(__always)
  func distance(_ p: Vector3) -> Float {
    if kind == .box { return boxDistance(p) }
    return otherDistance(p)
  }

  @inline(__always)
  func boxDistance(_ p: Vector3) -> Float {
    let q = absolute(p) - (extent - Vector3(repeating: rounding))
    let outside = Vector3(max(q.x, 0), max(q.y, 0), max(q.z, 0))
    let box = length(outside) + min(max(q.x, max(q.y, q.z)), 0) - rounding
    guard cutRadius > 0 else { return box }
    let ball = length(p) - cutRadius
    guard cutBlend > 0 else { return max(box, ball) }
    let h = max(cutBlend - abs(box - ball), 0) / cutBlend
    return max(box, ball) + h * h * cutBlend * 0.25
  }

  private func otherDistance(_ p: Vector3) -> Float {
    switch kind {
    case .box: return boxDistance(p)
    case .ball: return length(p) - extent.x
    case .cylinder:
      let radial = (p.x * p.x + p.y * p.y).squareRoot() - (extent.x - rounding)
      let axial = abs(p.z) - (extent.z - rounding)
      let outer = Vector2(max(radial, 0), max(axial, 0))
      return length(outer) + min(max(radial, axial), 0) - rounding
    case .hexagon:
      let a = absolute(Vector2(p.x, p.y))
      let side = max(a.x * 0.8660254 + a.y * 0.5, a.y) - (extent.x * 0.8660254 - rounding)
      let axial = abs(p.z) - (extent.z - rounding)
      let outer = Vector2(max(side, 0), max(axial, 0))
      return length(outer) + min(max(side, axial), 0) - rounding
    case .cup:
      let radius = (p.x * p.x + p.y * p.y).squareRoot()
      let outer = max(radius - extent.x, abs(p.z) - extent.z)
      let hollow = max(radius - (extent.x - rounding), -(p.z + extent.z - rounding))
      return max(outer, -hollow)
    case .capsule:
      let along = max(abs(p.x) - (extent.x - extent.y), 0)
      return (along * along + p.y * p.y + p.z * p.z).squareRoot() - extent.y
    case .torus:
      let ring = (p.x * p.x + p.y * p.y).squareRoot() - (extent.x - extent.z)
      return (ring * ring + p.z * p.z).squareRoot() - extent.z
    case .tetrahedron:
      let d = max(
        max(p.x + p.y + p.z, p.x - p.y - p.z), max(-p.x + p.y - p.z, -p.x - p.y + p.z))
      return d * 0.57735026 - extent.x * 0.57735026
    case .octahedron:
      let a = absolute(p)
      return (a.x + a.y + a.z - extent.x) * 0.57735026
    case .dodecahedron:
      let a = absolute(p)
      let d = max(
        a.y * 0.52573111 + a.z * 0.85065081,
        max(a.x * 0.52573111 + a.y * 0.85065081, a.z * 0.52573111 + a.x * 0.85065081))
      return d - extent.x * 0.85065081
    case .icosahedron:
      let a = absolute(p)
      var d = (a.x + a.y + a.z) * 0.57735026
      d = max(d, a.y * 0.35682209 + a.z * 0.93417236)
      d = max(d, a.x * 0.35682209 + a.y * 0.93417236)
      d = max(d, a.z * 0.35682209 + a.x * 0.93417236)
      return d - extent.x * 0.93417236
    case .figure:
      return figureDistance(p)
    case .facets: return facetDistance(p)
    case .pawn: return pawnDistance(p)
    }
  }

  /// The least of a foot, a cone and a ball, all around the z axis.
  private func pawnDistance(_ p: Vector3) -> Float {
    let (radius, half) = (extent.x, extent.z)
    let reach = (p.x * p.x + p.y * p.y).squareRoot()
    let ballRadius = 0.68 * radius
    let ball = length(p - Vector3(0, 0, half - ballRadius)) - ballRadius
    let footHalf = 0.12 * half
    let foot = max(reach - radius, abs(p.z + half - footHalf) - footHalf)
    // From 0.85 of the radius on the ground to 0.35 in the middle of the ball.
    let height = 2 * half - ballRadius
    let narrowing = 0.5 * radius / height
    let side =
      (reach - 0.85 * radius + (p.z + half) * narrowing) / (1 + narrowing * narrowing).squareRoot()
    let cone = max(side, max(-half - p.z, p.z - (half - ballRadius)))
    return min(ball, min(foot, cone))
  }

  /// Head, arms and two legs in the plane, extruded.
  private func figureDistance(_ p: Vector3) -> Float {
    let s = extent.y
    let q = Vector2(abs(p.x), p.y) / s
    func segment(_ a: Vector2, _ b: Vector2, _ radius: Float) -> Float {
      let along = b - a
      let t = saturate(dot(q - a, along) / max(dot(along, along), 1e-6))
      return length(q - a - along * t) - radius
    }
    let head = length(q - Vector2(0, 0.62)) - 0.36
    let arms = segment(Vector2(0, 0.12), Vector2(0.62, 0.02), 0.2)
    let legs = segment(Vector2(0.1, 0), Vector2(0.42, -0.72), 0.27)
    let profile = min(head, min(arms, legs)) * s
    let axial = abs(p.z) - (extent.z - rounding)
    let side = profile + rounding
    let outer = Vector2(max(side, 0), max(axial, 0))
    return length(outer) + min(max(side, axial), 0) - rounding
  }

  /// The outward unit normal at a point on the surface.
  @inline(__always)
  func normal(_ p: Vector3) -> Vector3 {
    if kind == .box { return boxNormal(p) }
    if kind == .ball { return normalized(p) }
    let e = 0.002 * extent.max()
    let a = Vector3(1, -1, -1)
    let b = Vector3(-1, -1, 1)
    let c = Vector3(-1, 1, -1)
    let d = Vector3(1, 1, 1)
    return normalized(
      a * otherDistance(p + a * e) + b * otherDistance(p + b * e)
        + c * otherDistance(p + c * e) + d * otherDistance(p + d * e))
  }

  @inline(__always)
  private func boxNormal(_ p: Vector3) -> Vector3 {
    let q = absolute(p) - (extent - Vector3(repeating: rounding))
    let outside = Vector3(max(q.x, 0), max(q.y, 0), max(q.z, 0))
    let reach = length(outside)
    var n: Vector3
    if reach > 1e-6 {
      n = outside * (1 / reach)
    } else if q.x >= q.y && q.x >= q.z {
      n = Vector3(1, 0, 0)
    } else if q.y >= q.z {
      n = Vector3(0, 1, 0)
    } else {
      n = Vector3(0, 0, 1)
    }
    if p.x < 0 { n.x = -n.x }
    if p.y < 0 { n.y = -n.y }
    if p.z < 0 { n.z = -n.z }
    guard cutRadius > 0 else { return n }
    let box = reach + min(max(q.x, max(q.y, q.z)), 0) - rounding
    let radius = length(p)
    let ball = radius - cutRadius
    let h = cutBlend > 0 ? max(cutBlend - abs(box - ball), 0) / cutBlend : 0
    let weight = box > ball ? h * 0.5 : 1 - h * 0.5
    return normalized(mix(n, p * (1 / max(radius, 1e-6)), weight))
  }

  /// The first point of a ray on the surface: the ray's parameter, or nil where it misses.
  ///
  /// - Parameters:
  ///   - origin: where the ray starts, in the body's coordinates.
  ///   - direction: of any length but 0; the result counts in this length.
  @inline(__always)
  func firstHit(from origin: Vector3, along direction: Vector3, speed: Float) -> Float? {
    if kind == .facets { return firstFacetHit(from: origin, along: direction, speed: speed) }
    guard let span = slab(from: origin, along: direction), span.1 > 0 else { return nil }
    var t = max(span.0, 0)
    let tolerance = 0.0006 * extent.max()
    let step = 1 / max(speed, 1e-9)
    for _ in 0..<48 {
      let d = distance(origin + direction * t)
      if d < tolerance { return t }
      t += d * step
      if t > span.1 { return nil }
    }
    return t
  }

  /// Whether a ray comes as near to the box around the shape as a margin, before or behind its start.
  @inline(__always)
  func mayMeet(from origin: Vector3, along direction: Vector3, margin: Float) -> Bool {
    var near: Float = -.greatestFiniteMagnitude
    var far: Float = .greatestFiniteMagnitude
    for axis in 0..<3 {
      let d = direction[axis]
      let o = origin[axis]
      let e = extent[axis] + margin
      if abs(d) < 1e-9 {
        if abs(o) > e { return false }
      } else {
        let inverse = 1 / d
        let a = (-e - o) * inverse
        let b = (e - o) * inverse
        near = max(near, min(a, b))
        far = min(far, max(a, b))
      }
    }
    return near <= far
  }

  /// Where a ray is inside the box around the shape.
  @inline(__always)
  func slab(from origin: Vector3, along direction: Vector3) -> (Float, Float)? {
    var near: Float = -.greatestFiniteMagnitude
    var far: Float = .greatestFiniteMagnitude
    for axis in 0..<3 {
      let d = direction[axis]
      let o = origin[axis]
      let e = extent[axis]
      if abs(d) < 1e-9 {
        if abs(o) > e { return nil }
      } else {
        let inverse = 1 / d
        let a = (-e - o) * inverse
        let b = (e - o) * inverse
        near = max(near, min(a, b))
        far = min(far, max(a, b))
      }
    }
    return near <= far ? (near, far) : nil
  }
}
