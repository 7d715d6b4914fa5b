internal import DiceNumerics

/// A point of a die's surface in local coordinates.
struct SurfacePoint: Sendable {
  var position: Vector3
  var normal: Vector3
  /// The area that the point stands for.
  var weight: Float
}

/// Two neighbouring points.
struct SurfaceLink: Sendable {
  var from: Int
  var to: Int
}

/// Points all over a die, and more of them on its top face, with the links between neighbours.
struct SurfaceNet: Sendable {
  /// What the points depend on in a scene: the make of the die, its top side and the fineness.
  struct Key: Hashable, Sendable {
    var look: Int
    var topSide: Int
    var fineness: Int
  }

  var topPoints: [SurfacePoint] = []
  var topLinks: [SurfaceLink] = []
  var wholePoints: [SurfacePoint] = []
  var wholeLinks: [SurfaceLink] = []

  /// - Parameters:
  ///   - top: the direction of the top face, one of the local axes.
  ///   - rimHeight: the height at which the top face ends.
  ///   - fineness: points along half an edge.
  init(body: Body, top: Vector3, rimHeight: Float, fineness: Int) {
    addTop(body, top, rimHeight, fineness)
    addWhole(body, fineness)
  }

  /// The point where the half line from the centre toward a point leaves the body.
  static func onSurface(of body: Body, toward p: Vector3) -> Vector3 {
    let direction = normalized(p)
    var low: Float = 0
    var high: Float = 1.8
    for _ in 0..<22 {
      let middle = (low + high) * 0.5
      if body.distance(direction * middle) < 0 { low = middle } else { high = middle }
    }
    return direction * ((low + high) * 0.5)
  }

  /// Rings of points from the middle of the face to its rim.
  private mutating func addTop(_ body: Body, _ top: Vector3, _ rimHeight: Float, _ fineness: Int) {
    let side = DieLayout.side(nearest: top)
    let spokes = max(64, fineness * 8)
    let rings = max(10, fineness)
    for spoke in 0..<spokes {
      // Spokes are closer together toward the corners, where the outline bends.
      let quarter = Float(spoke) / Float(spokes) * 4
      let base = quarter.rounded(.down)
      let t = (quarter - base) * 2 - 1
      let bent = t * (0.45 + 0.55 * t * t)
      let turns = (base + 0.5 + bent * 0.5) * 0.25
      let direction = Vector2(cosineOfTurns(turns), sineOfTurns(turns))
      var low: Float = 0
      var high: Float = 1.5
      for _ in 0..<22 {
        let middle = (low + high) * 0.5
        let p = DieLayout.point(direction * middle, height: rimHeight, onSide: side)
        if body.distance(p) < 0 { low = middle } else { high = middle }
      }
      let reach = low
      for ring in 0..<rings {
        // Rings are closer together near the rim, where the surface bends.
        let u = Float(ring + 1) / Float(rings)
        let share = 1 - (1 - u) * (1 - u) * (0.4 + 0.6 * (1 - u))
        let before = Float(ring) / Float(rings)
        let shareBefore = 1 - (1 - before) * (1 - before) * (0.4 + 0.6 * (1 - before))
        let flat = direction * (reach * share)
        var bottom = rimHeight - 0.001
        var roof: Float = 1.01
        for _ in 0..<16 {
          let middle = (bottom + roof) * 0.5
          let p = DieLayout.point(flat, height: middle, onSide: side)
          if body.distance(p) < 0 { bottom = middle } else { roof = middle }
        }
        let p = DieLayout.point(flat, height: bottom, onSide: side)
        let number = topPoints.count
        topPoints.append(
          SurfacePoint(
            position: p, normal: body.normal(p),
            weight: reach * reach * (share * share - shareBefore * shareBefore)))
        if ring > 0 { topLinks.append(SurfaceLink(from: number - 1, to: number)) }
        let next = (spoke + 1) % spokes * rings + ring
        topLinks.append(SurfaceLink(from: number, to: next))
      }
    }
  }

  /// A grid on each side, bent onto the body.
  private mutating func addWhole(_ body: Body, _ fineness: Int) {
    let steps = max(12, fineness + 2)
    for side in 0..<6 {
      for row in 0...steps {
        for column in 0...steps {
          func place(_ step: Int) -> Float {
            // Closer together toward the edges.
            let t = Float(step) / Float(steps) * 2 - 1
            return t * (1.5 - 0.5 * t * t)
          }
          let p = DieLayout.point(
            Vector2(place(column), place(row)), height: 1, onSide: side)
          let q = SurfaceNet.onSurface(of: body, toward: p)
          let number = wholePoints.count
          wholePoints.append(SurfacePoint(position: q, normal: body.normal(q), weight: 1))
          if column > 0 { wholeLinks.append(SurfaceLink(from: number - 1, to: number)) }
          if row > 0 { wholeLinks.append(SurfaceLink(from: number - steps - 1, to: number)) }
        }
      }
    }
  }
}
