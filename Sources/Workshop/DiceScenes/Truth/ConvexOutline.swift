/// The convex hull of points of a picture.
struct ConvexOutline {
  /// Corners in order around the outline.
  var corners: [Vector2]

  /// The hull of some points (Andrew's monotone chain).
  init(_ points: [Vector2]) {
    let sorted = points.sorted { $0.x < $1.x || ($0.x == $1.x && $0.y < $1.y) }
    guard sorted.count > 2 else {
      corners = sorted
      return
    }
    func turn(_ a: Vector2, _ b: Vector2, _ c: Vector2) -> Float {
      (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
    func chain(_ points: [Vector2]) -> [Vector2] {
      var result: [Vector2] = []
      for point in points {
        while result.count > 1,
          turn(result[result.count - 2], result[result.count - 1], point) <= 0
        {
          result.removeLast()
        }
        result.append(point)
      }
      result.removeLast()
      return result
    }
    corners = chain(sorted) + chain(sorted.reversed())
  }

  /// The extent of what lies inside a picture, or nil where nothing does.
  func clipped(width: Float, height: Float) -> PixelBounds? {
    var shape = corners
    // Sutherland and Hodgman: one border at a time; each keeps a x + b y + c >= 0.
    let borders: [(Float, Float, Float)] = [
      (1, 0, 0), (-1, 0, width), (0, 1, 0), (0, -1, height),
    ]
    for (a, b, c) in borders {
      guard !shape.isEmpty else { return nil }
      var kept: [Vector2] = []
      var before = shape[shape.count - 1]
      var sideBefore = a * before.x + b * before.y + c
      for corner in shape {
        let side = a * corner.x + b * corner.y + c
        if (side >= 0) != (sideBefore >= 0) {
          let t = sideBefore / (sideBefore - side)
          kept.append(before + (corner - before) * t)
        }
        if side >= 0 { kept.append(corner) }
        before = corner
        sideBefore = side
      }
      shape = kept
    }
    guard !shape.isEmpty else { return nil }
    var box = PixelBounds()
    for corner in shape { box.include(corner) }
    return box
  }
}
