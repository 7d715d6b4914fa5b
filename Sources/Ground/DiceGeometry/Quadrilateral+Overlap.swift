extension Quadrilateral {
  /// The area that two convex quadrilaterals share, in square pixels.
  ///
  /// Either may go clockwise or the other way. 0 where one of them is not convex (``isConvex``).
  public func intersectionArea(with other: Quadrilateral) -> Double {
    guard isConvex, other.isConvex else { return 0 }
    var part = ConvexPart(self)
    let direction: Double = other.signedArea > 0 ? 1 : -1
    for index in 0..<4 {
      part.clip(from: other[index], to: other[(index + 1) & 3], direction: direction)
    }
    return part.area
  }

  /// The share of the area covered by either quadrilateral that both cover, in 0…1.
  ///
  /// 0 where one of them is not convex (``isConvex``).
  public func intersectionOverUnion(with other: Quadrilateral) -> Double {
    let shared = intersectionArea(with: other)
    let union = area + other.area - shared
    guard union > 0, union.isFinite else { return 0 }
    return min(max(shared / union, 0), 1)
  }
}

/// What is left of a convex quadrilateral cut by lines: at most one corner more for each cut.
private struct ConvexPart {
  private var x = SIMD16<Double>.zero
  private var y = SIMD16<Double>.zero
  private var count = 4

  /// Coordinates are counted from the first corner, so that far away ones lose no digits.
  private let origin: PixelPoint

  init(_ quadrilateral: Quadrilateral) {
    origin = quadrilateral.upperLeft
    for index in 0..<4 {
      x[index] = quadrilateral[index].x - origin.x
      y[index] = quadrilateral[index].y - origin.y
    }
  }

  /// Keeps what lies to the right of a line as one sees the picture, or to the left for a direction
  /// of −1.
  mutating func clip(from: PixelPoint, to: PixelPoint, direction: Double) {
    let (fromX, fromY) = (from.x - origin.x, from.y - origin.y)
    let (alongX, alongY) = ((to.x - from.x) * direction, (to.y - from.y) * direction)
    var (keptX, keptY) = (SIMD16<Double>.zero, SIMD16<Double>.zero)
    var keptCount = 0
    guard count > 0 else { return }
    var before = count - 1
    var sideBefore = alongX * (y[before] - fromY) - alongY * (x[before] - fromX)
    for index in 0..<count {
      let side = alongX * (y[index] - fromY) - alongY * (x[index] - fromX)
      if (side >= 0) != (sideBefore >= 0), keptCount < 16 {
        let share = sideBefore / (sideBefore - side)
        keptX[keptCount] = x[before] + share * (x[index] - x[before])
        keptY[keptCount] = y[before] + share * (y[index] - y[before])
        keptCount += 1
      }
      if side >= 0, keptCount < 16 {
        keptX[keptCount] = x[index]
        keptY[keptCount] = y[index]
        keptCount += 1
      }
      (before, sideBefore) = (index, side)
    }
    (x, y, count) = (keptX, keptY, keptCount)
  }

  var area: Double {
    var twice = 0.0
    guard count > 2 else { return 0 }
    var before = count - 1
    for index in 0..<count {
      twice += x[before] * y[index] - y[before] * x[index]
      before = index
    }
    return twice.magnitude / 2
  }
}
