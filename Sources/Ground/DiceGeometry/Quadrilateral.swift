internal import DiceNumerics

/// Four corners in a picture, in pixels: a board, a sheet or a tray as a camera sees it.
///
/// Corners follow each other around the border. In a quadrilateral that a detector reports they go
/// clockwise as one sees the picture, from the corner nearest its upper left
/// (``clockwiseFromUpperLeft()``). Any numbers can be stored: the corners may be in any order, on one
/// line, crossed or not finite, and each method says what it makes of that.
public struct Quadrilateral: Hashable, Sendable {
  /// The first corner: the upper left one, where the corners are in order.
  public var upperLeft: PixelPoint
  /// The second corner.
  public var upperRight: PixelPoint
  /// The third corner.
  public var lowerRight: PixelPoint
  /// The fourth corner.
  public var lowerLeft: PixelPoint

  /// A quadrilateral with the given corners, kept in their order.
  public init(
    upperLeft: PixelPoint, upperRight: PixelPoint, lowerRight: PixelPoint, lowerLeft: PixelPoint
  ) {
    self.upperLeft = upperLeft
    self.upperRight = upperRight
    self.lowerRight = lowerRight
    self.lowerLeft = lowerLeft
  }

  /// The corners of a box, clockwise from the upper left.
  public init(_ box: BoundingBox) {
    self.init(
      upperLeft: PixelPoint(x: box.minX, y: box.minY),
      upperRight: PixelPoint(x: box.maxX, y: box.minY),
      lowerRight: PixelPoint(x: box.maxX, y: box.maxY),
      lowerLeft: PixelPoint(x: box.minX, y: box.maxY))
  }

  /// The quadrilateral with these corners, kept in their order; nil unless there are four.
  public init?(corners: [PixelPoint]) {
    guard corners.count == 4 else { return nil }
    self.init(
      upperLeft: corners[0], upperRight: corners[1], lowerRight: corners[2],
      lowerLeft: corners[3])
  }

  /// How many corners there are.
  public static let cornerCount = 4

  /// The corners in their order.
  public var corners: [PixelPoint] { [upperLeft, upperRight, lowerRight, lowerLeft] }

  /// A corner by its place in the order, 0...3.
  ///
  /// - Precondition: `index` is in 0...3.
  public subscript(index: Int) -> PixelPoint {
    get {
      precondition((0..<4).contains(index), "a quadrilateral has the corners 0 to 3")
      return switch index {
      case 0: upperLeft
      case 1: upperRight
      case 2: lowerRight
      default: lowerLeft
      }
    }
    set {
      precondition((0..<4).contains(index), "a quadrilateral has the corners 0 to 3")
      switch index {
      case 0: upperLeft = newValue
      case 1: upperRight = newValue
      case 2: lowerRight = newValue
      default: lowerLeft = newValue
      }
    }
  }

  /// Whether all coordinates are finite numbers.
  public var isFinite: Bool {
    upperLeft.isFinite && upperRight.isFinite && lowerRight.isFinite && lowerLeft.isFinite
  }

  /// Half the cross product of the diagonals: the area, positive where the corners go clockwise as one
  /// sees the picture, and negative where they go the other way.
  ///
  /// In a crossed one the two parts count against each other.
  public var signedArea: Double {
    let (first, second) = diagonals
    return (first.x * second.y - first.y * second.x) / 2
  }

  /// The area in square pixels, the magnitude of ``signedArea``.
  public var area: Double { signedArea.magnitude }

  /// The sum of the lengths of the four sides.
  public var perimeter: Double {
    var sum = 0.0
    for index in 0..<4 {
      sum += self[index].squaredDistance(to: self[(index + 1) & 3]).squareRoot()
    }
    return sum
  }

  /// Whether every corner turns the same way, and none is straight: no corner lies on a line through
  /// its neighbours or within the triangle of the others, and sides do not cross.
  ///
  /// A corner counts as straight below a millionth of the product of its sides (0.2 seconds of arc).
  /// False where a number is not finite.
  public var isConvex: Bool {
    guard isFinite else { return false }
    var isClockwise: Bool?
    for index in 0..<4 {
      let (before, corner, after) = (self[(index + 3) & 3], self[index], self[(index + 1) & 3])
      let (ax, ay) = (corner.x - before.x, corner.y - before.y)
      let (bx, by) = (after.x - corner.x, after.y - corner.y)
      let cross = ax * by - ay * bx
      let lengths = ((ax * ax + ay * ay) * (bx * bx + by * by)).squareRoot()
      guard cross.magnitude > 1e-6 * lengths, lengths.isFinite else { return false }
      if let isClockwise {
        guard isClockwise == (cross > 0) else { return false }
      } else {
        isClockwise = cross > 0
      }
    }
    return true
  }

  /// The mean of the corners.
  public var center: PixelPoint {
    PixelPoint(
      x: (upperLeft.x + upperRight.x + lowerRight.x + lowerLeft.x) / 4,
      y: (upperLeft.y + upperRight.y + lowerRight.y + lowerLeft.y) / 4)
  }

  /// The smallest upright box around the corners; NaN spreads.
  public var boundingBox: BoundingBox {
    var (left, right) = (upperLeft.x, upperLeft.x)
    var (top, bottom) = (upperLeft.y, upperLeft.y)
    for index in 1..<4 {
      let corner = self[index]
      left = min(left, corner.x)
      right = max(right, corner.x)
      top = min(top, corner.y)
      bottom = max(bottom, corner.y)
    }
    return BoundingBox(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The same corners, clockwise as one sees the picture, from the one nearest its upper left.
  ///
  /// Nearest is the corner with the least `x + y`; of two alike, the higher one. Where the quadrilateral
  /// is not convex, the corners are put into the order of their angle around ``center``, so that a crossed
  /// one is not crossed any more. Unchanged where a number is not finite.
  public func clockwiseFromUpperLeft() -> Quadrilateral {
    guard isFinite else { return self }
    var ordered = isConvex ? self : sortedByAngle()
    if ordered.signedArea < 0 {
      ordered = Quadrilateral(
        upperLeft: ordered.upperLeft, upperRight: ordered.lowerLeft,
        lowerRight: ordered.lowerRight, lowerLeft: ordered.upperRight)
    }
    var first = 0
    for index in 1..<4 {
      let sum = ordered[index].x + ordered[index].y
      let least = ordered[first].x + ordered[first].y
      if sum < least || (sum == least && ordered[index].y < ordered[first].y) { first = index }
    }
    var result = ordered
    for index in 0..<4 { result[index] = ordered[(first + index) & 3] }
    return result
  }

  /// The same corners by their angle around ``center``.
  private func sortedByAngle() -> Quadrilateral {
    let middle = center
    var order: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>) = (.zero, .zero, .zero)
    for index in 0..<4 {
      order.0[index] = self[index].x
      order.1[index] = self[index].y
      order.2[index] = arctangent(y: self[index].y - middle.y, x: self[index].x - middle.x)
    }
    // Four corners are sorted by exchanging neighbours.
    for end in (1..<4).reversed() {
      for index in 0..<end where order.2[index] > order.2[index + 1] {
        (order.0[index], order.0[index + 1]) = (order.0[index + 1], order.0[index])
        (order.1[index], order.1[index + 1]) = (order.1[index + 1], order.1[index])
        (order.2[index], order.2[index + 1]) = (order.2[index + 1], order.2[index])
      }
    }
    var result = self
    for index in 0..<4 { result[index] = PixelPoint(x: order.0[index], y: order.1[index]) }
    return result
  }

  /// Whether a point lies inside or on the border of a convex quadrilateral, in either direction of its
  /// corners.
  ///
  /// False where a number is not finite; without meaning where the quadrilateral is not convex.
  public func contains(_ point: PixelPoint) -> Bool {
    guard isFinite, point.isFinite else { return false }
    var (left, right) = (false, false)
    for index in 0..<4 {
      let (from, to) = (self[index], self[(index + 1) & 3])
      let cross = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
      if cross > 0 { right = true } else if cross < 0 { left = true }
    }
    return !(left && right)
  }

  /// The corners multiplied: the quadrilateral in a picture whose sides are so many times as long.
  public func scaled(x: Double, y: Double) -> Quadrilateral {
    mapCorners { PixelPoint(x: $0.x * x, y: $0.y * y) }
  }

  /// The quadrilateral with a map applied to each corner.
  public func mapped(by map: AffineMap) -> Quadrilateral { mapCorners { map.map($0) } }

  /// The greatest distance between corners of the same place, in pixels; NaN spreads.
  public func greatestCornerDistance(to other: Quadrilateral) -> Double {
    var greatest = 0.0
    for index in 0..<4 {
      let distance = self[index].squaredDistance(to: other[index])
      if !(distance <= greatest) { greatest = distance }
    }
    return greatest.squareRoot()
  }

  func mapCorners(_ map: (PixelPoint) -> PixelPoint) -> Quadrilateral {
    Quadrilateral(
      upperLeft: map(upperLeft), upperRight: map(upperRight), lowerRight: map(lowerRight),
      lowerLeft: map(lowerLeft))
  }

  /// From the first corner to the third, and from the second to the fourth.
  private var diagonals: (PixelPoint, PixelPoint) {
    (
      PixelPoint(x: lowerRight.x - upperLeft.x, y: lowerRight.y - upperLeft.y),
      PixelPoint(x: lowerLeft.x - upperRight.x, y: lowerLeft.y - upperRight.y)
    )
  }
}

#if !hasFeature(Embedded)
  extension Quadrilateral: Codable {}
#endif
