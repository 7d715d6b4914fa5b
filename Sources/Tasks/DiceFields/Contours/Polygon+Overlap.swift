internal import DiceGeometry

extension Polygon {
  /// The area that two polygons share, in square pixels.
  ///
  /// Any polygons, convex or not; inside is what a line crosses the polygon an odd number of times to
  /// get out of. 0 where a coordinate is not finite.
  ///
  /// - Complexity: O((n + c) n log n) for n corners together and c crossings of their sides, of which
  ///   there may be as many as pairs of sides. Meant for some hundred corners.
  public func intersectionArea(with other: Polygon) -> Double {
    let (own, others) = (Side.sides(of: self), Side.sides(of: other))
    guard let own, let others else { return 0 }
    // Between heights where a side ends or two cross, what is shared are trapezoids.
    var heights: [Double] = []
    let sides = own + others
    for (index, side) in sides.enumerated() {
      heights.append(side.top.y)
      heights.append(side.bottom.y)
      for another in sides[..<index] {
        if let height = side.heightOfCrossing(with: another) { heights.append(height) }
      }
    }
    heights.sort()
    var area = 0.0
    for (above, below) in zip(heights, heights.dropFirst()) where above < below {
      let middle = above + (below - above) / 2
      area += (below - above) * Self.sharedLength(own, others, at: middle)
    }
    return area.isFinite ? area : 0
  }

  /// The share of the area covered by either polygon that both cover, in 0…1.
  ///
  /// As ``intersectionArea(with:)`` counts areas; 0 where neither has one.
  public func intersectionOverUnion(with other: Polygon) -> Double {
    let shared = intersectionArea(with: other)
    let union = intersectionArea(with: self) + other.intersectionArea(with: other) - shared
    guard union > 0, union.isFinite else { return 0 }
    return min(max(shared / union, 0), 1)
  }

  /// How much of a level line lies within both polygons.
  private static func sharedLength(_ own: [Side], _ others: [Side], at height: Double) -> Double {
    func places(_ sides: [Side]) -> [Double] {
      var places: [Double] = []
      for side in sides where side.top.y < height && height < side.bottom.y {
        places.append(side.place(at: height))
      }
      places.sort()
      return places
    }
    let (first, second) = (places(own), places(others))
    var (sum, i, j) = (0.0, 0, 0)
    while i + 1 < first.count, j + 1 < second.count {
      let left = max(first[i], second[j])
      let right = min(first[i + 1], second[j + 1])
      if right > left { sum += right - left }
      if first[i + 1] < second[j + 1] { i += 2 } else { j += 2 }
    }
    return sum
  }

  /// A side that is not level, from its upper to its lower end.
  private struct Side {
    let top: PixelPoint
    let bottom: PixelPoint

    /// The sides of a polygon; nil where a coordinate is not finite.
    static func sides(of polygon: Polygon) -> [Side]? {
      var sides: [Side] = []
      guard var before = polygon.points.last else { return sides }
      for point in polygon.points {
        guard point.isFinite else { return nil }
        if before.y < point.y { sides.append(Side(top: before, bottom: point)) }
        if before.y > point.y { sides.append(Side(top: point, bottom: before)) }
        before = point
      }
      return sides
    }

    func place(at height: Double) -> Double {
      let share = (height - top.y) / (bottom.y - top.y)
      return top.x + share * (bottom.x - top.x)
    }

    func heightOfCrossing(with other: Side) -> Double? {
      let (above, below) = (max(top.y, other.top.y), min(bottom.y, other.bottom.y))
      guard above < below else { return nil }
      let (start, end) = (
        place(at: above) - other.place(at: above), place(at: below) - other.place(at: below)
      )
      guard start > 0 && end < 0 || start < 0 && end > 0 else { return nil }
      let height = above + (below - above) * (start / (start - end))
      return height.isFinite ? height : nil
    }
  }
}
