public import DiceGeometry

/// Points that follow each other, the last one joined with the first.
///
/// In pixels with the origin at the upper left, or in any unit of a plane. What is measured on points
/// that are not finite is without meaning, unless told; nothing traps then.
public struct Polygon: Hashable, Sendable {
  /// The corners, in the order of the walk.
  public var points: [PixelPoint]

  /// A polygon with the given corners.
  public init(_ points: [PixelPoint]) { self.points = points }

  /// The corners of a quadrilateral.
  public init(_ quadrilateral: Quadrilateral) { self.init(quadrilateral.corners) }

  /// Half the sum of the cross products of neighbours: the area, positive where the polygon goes
  /// clockwise as one sees the picture, and negative where it goes the other way.
  ///
  /// Parts of a crossed polygon count with their own signs. 0 for fewer than three points.
  public var signedArea: Double {
    guard let origin = points.first else { return 0 }
    var twice = 0.0
    for index in 1..<max(points.count, 2) - 1 {
      // From the first point, so that a polygon far away loses no digits.
      let (a, b) = (points[index], points[index + 1])
      twice += (a.x - origin.x) * (b.y - origin.y) - (a.y - origin.y) * (b.x - origin.x)
    }
    return twice / 2
  }

  /// The magnitude of ``signedArea``.
  public var area: Double { signedArea.magnitude }

  /// The sum of the lengths of the sides, the one from the last point to the first included.
  public var perimeter: Double {
    guard let first = points.first, let last = points.last else { return 0 }
    return length + last.squaredDistance(to: first).squareRoot()
  }

  /// The sum of the lengths of the sides without the one from the last point to the first.
  public var length: Double {
    var sum = 0.0
    for index in points.indices.dropFirst() {
      sum += points[index - 1].squaredDistance(to: points[index]).squareRoot()
    }
    return sum
  }

  /// The smallest upright box around the points, or nil where there are none.
  ///
  /// Around the middles of pixels: for the pixels themselves it is half a pixel larger on each side.
  public var boundingBox: BoundingBox? {
    guard let first = points.first else { return nil }
    var (left, right, top, bottom) = (first.x, first.x, first.y, first.y)
    for point in points {
      left = min(left, point.x)
      right = max(right, point.x)
      top = min(top, point.y)
      bottom = max(bottom, point.y)
    }
    return BoundingBox(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Whether all corners turn the same way, none is straight, and the polygon goes round once.
  ///
  /// False for fewer than three points, and where points follow each other on a line, as the pixels of a
  /// contour do: approximate it first.
  public var isConvex: Bool {
    guard points.count >= 3 else { return false }
    var isClockwise: Bool?
    // How often the walk turns from leftwards to rightwards: once in a round.
    var leftTurns = 0
    var wasLeft = step(at: points.count - 1).x < 0
    for index in points.indices {
      let (a, b) = (step(at: index), step(at: (index + 1) % points.count))
      let cross = a.x * b.y - a.y * b.x
      guard cross != 0, cross.isFinite else { return false }
      guard isClockwise == nil || isClockwise == (cross > 0) else { return false }
      isClockwise = cross > 0
      let isLeft = a.x < 0
      if isLeft, !wasLeft { leftTurns += 1 }
      wasLeft = isLeft
    }
    return leftTurns == 1
  }

  /// Whether a point lies inside, where a line from it crosses the polygon an odd number of times.
  ///
  /// A point on a side may be on either side of it.
  public func contains(_ point: PixelPoint) -> Bool {
    guard var before = points.last else { return false }
    var isInside = false
    for corner in points {
      if (corner.y > point.y) != (before.y > point.y) {
        let share = (point.y - corner.y) / (before.y - corner.y)
        if point.x < corner.x + share * (before.x - corner.x) { isInside.toggle() }
      }
      before = corner
    }
    return isInside
  }

  /// From a point to the next.
  private func step(at index: Int) -> PixelPoint {
    let (from, to) = (points[index], points[(index + 1) % points.count])
    return PixelPoint(x: to.x - from.x, y: to.y - from.y)
  }
}
