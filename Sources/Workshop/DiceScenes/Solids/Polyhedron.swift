internal import DiceNumerics

/// A convex body between planes at distance 1 from its centre, as dice of many sides are.
///
/// Faces `2 n` and `2 n + 1` lie opposite each other, but for the tetrahedron.
final class Polyhedron: Sendable {
  /// A face with its own directions.
  struct Face: Sendable {
    /// Outward, of unit length.
    var normal: Vector3
    /// The mean of the corners.
    var center: Vector3
    /// Unit vectors on the face, right-handed with the normal: `up` points to a corner.
    var right: Vector3
    var up: Vector3
    /// The corners in the order in which they surround the face.
    var corners: [Vector3]
    /// How far the nearest edge is from the centre of the face.
    var reach: Float
  }

  let faces: [Face]
  /// One normal of each pair of opposite faces; all of them where faces have no opposite.
  let axes: [Vector3]
  /// Whether each face has an opposite.
  let isPaired: Bool
  /// The same as `axes`, four at a time; the last ones may be zero.
  private let rows: [AxisRow]
  /// All corners.
  let corners: [Vector3]
  /// Half the size along each axis.
  let extent: Vector3
  /// The distance of the farthest corner.
  let circumradius: Float

  /// The numbers of sides that there are.
  static let sideCounts = [4, 6, 8, 10, 12, 20]

  /// Four normals.
  private struct AxisRow {
    var x = Lanes(repeating: 0)
    var y = Lanes(repeating: 0)
    var z = Lanes(repeating: 0)
  }

  private static let all: [Polyhedron] = sideCounts.map { Polyhedron(axes: axes(sides: $0), $0) }

  /// The body with so many sides, one of `sideCounts`; a cube for any other number.
  @inline(__always)
  static func with(sides: Int) -> Polyhedron {
    switch sides {
    case 4: return all[0]
    case 8: return all[2]
    case 10: return all[3]
    case 12: return all[4]
    case 20: return all[5]
    default: return all[1]
    }
  }

  private static func axes(sides: Int) -> [Vector3] {
    switch sides {
    case 4:
      return [
        Vector3(1, 1, 1), Vector3(1, -1, -1), Vector3(-1, 1, -1), Vector3(-1, -1, 1),
      ].map { normalized($0) }
    case 8:
      return [
        Vector3(1, 1, 1), Vector3(1, 1, -1), Vector3(1, -1, 1), Vector3(-1, 1, 1),
      ].map { normalized($0) }
    case 10:
      // A pentagonal trapezohedron whose poles are on the z axis.
      let slope: Float = 0.118
      return (0..<5).map { number in
        let turns = Float(number) * 0.2
        let across = cosineOfTurns(slope)
        return Vector3(
          cosineOfTurns(turns) * across, sineOfTurns(turns) * across, sineOfTurns(slope))
      }
    case 12:
      let (a, b): (Float, Float) = (0.52573111, 0.85065081)
      return [
        Vector3(0, a, b), Vector3(0, -a, b), Vector3(a, b, 0), Vector3(-a, b, 0),
        Vector3(b, 0, a), Vector3(b, 0, -a),
      ]
    case 20:
      let (a, b, c): (Float, Float, Float) = (0.57735027, 0.35682209, 0.93417236)
      return [
        Vector3(a, a, a), Vector3(a, a, -a), Vector3(a, -a, a), Vector3(-a, a, a),
        Vector3(0, b, c), Vector3(0, -b, c), Vector3(b, c, 0), Vector3(-b, c, 0),
        Vector3(c, 0, b), Vector3(c, 0, -b),
      ]
    default: return [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
    }
  }

  private init(axes: [Vector3], _ sides: Int) {
    let isPaired = axes.count < sides
    var normals: [Vector3] = []
    for axis in axes {
      normals.append(axis)
      if isPaired { normals.append(-axis) }
    }
    let corners = Polyhedron.corners(of: normals)
    var faces: [Face] = []
    for normal in normals { faces.append(Polyhedron.face(normal, corners)) }
    var extent = Vector3.zero
    var farthest: Float = 0
    for corner in corners {
      extent = Vector3(
        max(extent.x, abs(corner.x)), max(extent.y, abs(corner.y)), max(extent.z, abs(corner.z)))
      farthest = max(farthest, length(corner))
    }
    var rows = [AxisRow](repeating: AxisRow(), count: (axes.count + 3) / 4)
    for (index, axis) in axes.enumerated() {
      rows[index / 4].x[index % 4] = axis.x
      rows[index / 4].y[index % 4] = axis.y
      rows[index / 4].z[index % 4] = axis.z
    }
    self.rows = rows
    self.axes = axes
    self.isPaired = isPaired
    self.faces = faces
    self.corners = corners
    self.extent = extent
    circumradius = farthest
  }

  /// The points where three planes meet and no other plane cuts them off, each once.
  private static func corners(of normals: [Vector3]) -> [Vector3] {
    var corners: [Vector3] = []
    for i in normals.indices {
      for j in normals.indices where j > i {
        let edge = cross(normals[i], normals[j])
        for k in normals.indices where k > j {
          let volume = dot(edge, normals[k])
          guard abs(volume) > 1e-3 else { continue }
          let sum = edge + cross(normals[j], normals[k]) + cross(normals[k], normals[i])
          let point = sum * (1 / volume)
          var isCut = false
          for normal in normals where dot(normal, point) > 1.0005 { isCut = true }
          if isCut || corners.contains(where: { length($0 - point) < 1e-3 }) { continue }
          corners.append(point)
        }
      }
    }
    return corners
  }

  private static func face(_ normal: Vector3, _ all: [Vector3]) -> Face {
    var own: [Vector3] = []
    for corner in all where abs(dot(corner, normal) - 1) < 1e-3 { own.append(corner) }
    var center = Vector3.zero
    for corner in own { center += corner * (1 / Float(own.count)) }
    // The corner that is farthest away is the tip of a kite.
    var tip = own[0]
    for corner in own where length(corner - center) > length(tip - center) + 1e-3 { tip = corner }
    let up = normalized(tip - center)
    let right = cross(up, normal)
    func angle(_ p: Vector3) -> Float {
      let x = dot(p - center, right)
      let y = dot(p - center, up)
      let cosine = x / max((x * x + y * y).squareRoot(), 1e-6)
      return y >= 0 ? 1 - cosine : 3 + cosine
    }
    own.sort { angle($0) < angle($1) }
    var reach: Float = .greatestFiniteMagnitude
    for index in own.indices {
      let a = own[index]
      let along = normalized(own[(index + 1) % own.count] - a)
      let offset = center - a
      reach = min(reach, length(offset - along * dot(offset, along)))
    }
    return Face(
      normal: normal, center: center, right: right, up: up, corners: own, reach: reach)
  }

  /// The face whose direction is nearest to a point.
  @inline(__always)
  func face(nearest p: Vector3) -> Int {
    var most: Float = -.greatestFiniteMagnitude
    var found = 0
    for index in axes.indices {
      let height = dot(axes[index], p)
      if isPaired {
        if abs(height) > most {
          most = abs(height)
          found = height >= 0 ? 2 * index : 2 * index + 1
        }
      } else if height > most {
        most = height
        found = index
      }
    }
    return found
  }

  /// The corner that is nearest to a point.
  func corner(nearest p: Vector3) -> Int {
    var nearest = 0
    for index in corners.indices where length(corners[index] - p) < length(corners[nearest] - p) {
      nearest = index
    }
    return nearest
  }

  /// How far a point is beyond the planes, with edges rounded over a width.
  @inline(__always)
  func distance(_ p: Vector3, rounding: Float) -> Float {
    // In each lane the largest and the second largest.
    var firsts = Lanes(repeating: -.greatestFiniteMagnitude)
    var seconds = firsts
    for row in rows {
      var heights = row.x * p.x + row.y * p.y + row.z * p.z
      if isPaired { heights = maximum(heights, -heights) }
      seconds = maximum(seconds, minimum(firsts, heights))
      firsts = maximum(firsts, heights)
    }
    let upper = max(firsts.x, firsts.y)
    let lower = max(firsts.z, firsts.w)
    let first = max(upper, lower)
    // The second largest of all: of those that lose against the first.
    var second = max(min(upper, lower), max(min(firsts.x, firsts.y), min(firsts.z, firsts.w)))
    second = max(second, max(max(seconds.x, seconds.y), max(seconds.z, seconds.w)))
    let blend = max(rounding - (first - second), 0)
    return first - 1 + blend * blend / (4 * max(rounding, 1e-4))
  }

  /// Where a ray is between all planes.
  @inline(__always)
  func span(from origin: Vector3, along direction: Vector3) -> (near: Float, far: Float)? {
    var near: Float = -.greatestFiniteMagnitude
    var far: Float = .greatestFiniteMagnitude
    for axis in axes {
      let height = dot(axis, origin)
      let rate = dot(axis, direction)
      if abs(rate) < 1e-9 {
        if height > 1 || (isPaired && height < -1) { return nil }
        continue
      }
      let inverse = 1 / rate
      let upper = (1 - height) * inverse
      if rate > 0 { far = min(far, upper) } else { near = max(near, upper) }
      if isPaired {
        let lower = (-1 - height) * inverse
        if rate > 0 { near = max(near, lower) } else { far = min(far, lower) }
      }
    }
    return near <= far ? (near, far) : nil
  }
}

extension Body {
  /// A body with so many sides, at distance 1 from its centre.
  static func facets(
    sides: Int, rounding: Float, cutRadius: Float = 0, cutBlend: Float = 0
  ) -> Body {
    var body = Body(
      kind: .facets, extent: Polyhedron.with(sides: sides).extent, rounding: rounding,
      cutRadius: cutRadius, cutBlend: cutBlend)
    body.sides = sides
    return body
  }

  @inline(__always)
  func facetDistance(_ p: Vector3) -> Float {
    let planes = Polyhedron.with(sides: sides).distance(p, rounding: rounding)
    guard cutRadius > 0 else { return planes }
    let ball = length(p) - cutRadius
    guard cutBlend > 0 else { return max(planes, ball) }
    let h = max(cutBlend - abs(planes - ball), 0) / cutBlend
    return max(planes, ball) + h * h * cutBlend * 0.25
  }

  /// The first point of a ray on a body with sides: exact for the planes, then along the rounding.
  func firstFacetHit(from origin: Vector3, along direction: Vector3, speed: Float) -> Float? {
    guard let span = Polyhedron.with(sides: sides).span(from: origin, along: direction),
      span.far > 0
    else { return nil }
    var t = max(span.near, 0)
    let step = 1 / max(speed, 1e-9)
    for _ in 0..<32 {
      let d = facetDistance(origin + direction * t)
      if d < 0.0008 { return t }
      t += d * step
      if t > span.far { return nil }
    }
    return t
  }
}
