public import DiceGeometry
public import DiceImaging

/// A surface that fills polygons as well: ``Canvas`` and ``SVGCanvas`` do.
public protocol PolygonSurface: DrawingSurface {
  /// Fills a closed polygon; where it crosses itself, parts that are enclosed twice are outside.
  ///
  /// Nothing is drawn of fewer than three points, or where one is not finite.
  mutating func fillPolygon(_ points: [PixelPoint], color: PixelColor)
}

/// A filled polygon, by the even-odd rule.
struct PolygonShape: Shape {
  private let segments: [Segment]
  let minY: Double
  let maxY: Double

  /// Nil for fewer than three points, and where one is not finite.
  init?(_ points: [PixelPoint]) {
    guard points.count >= 3 else { return nil }
    var segments: [Segment] = []
    segments.reserveCapacity(points.count)
    var (low, high) = (Double.infinity, -Double.infinity)
    var last = points[points.count - 1]
    for point in points {
      guard point.isFinite else { return nil }
      segments.append(Segment(from: last, to: point))
      low = min(low, point.y)
      high = max(high, point.y)
      last = point
    }
    self.segments = segments
    minY = low - 1
    maxY = high + 1
  }

  func columns(at y: Double) -> (outer: Interval, hole: Interval?) {
    (reach(at: y, margin: 1), nil)
  }

  /// The columns between the outermost edges in the rows about a height, a margin more on every side.
  func reach(at y: Double, margin: Double) -> Interval {
    var (low, high) = (Double.infinity, -Double.infinity)
    for segment in segments {
      let (start, end) = (segment.startY, segment.endY)
      guard max(start, end) >= y - margin, min(start, end) <= y + margin else { continue }
      let rise = end - start
      var (first, last) = (0.0, 1.0)
      if rise != 0 {
        let (a, b) = ((y - margin - start) / rise, (y + margin - start) / rise)
        first = min(max(min(a, b), 0), 1)
        last = min(max(max(a, b), 0), 1)
      }
      let run = segment.endX - segment.startX
      let (x0, x1) = (segment.startX + run * first, segment.startX + run * last)
      low = min(low, x0, x1)
      high = max(high, x0, x1)
    }
    return Interval(minX: low - margin, maxX: high + margin)
  }

  func coverage(x: Double, y: Double) -> Double {
    var nearest = Double.infinity
    var isInside = false
    for segment in segments {
      nearest = min(nearest, segment.squaredDistance(x: x, y: y))
      guard (segment.startY > y) != (segment.endY > y) else { continue }
      let share = (y - segment.startY) / (segment.endY - segment.startY)
      if x < segment.startX + share * (segment.endX - segment.startX) { isInside.toggle() }
    }
    let distance = nearest.nonnegativeSquareRoot
    return isInside ? 0.5 + distance : 0.5 - distance
  }
}

extension Canvas: PolygonSurface {
  /// Fills a closed polygon; where it crosses itself, parts that are enclosed twice are outside.
  ///
  /// - Complexity: O(points · pixels of the box around them).
  public mutating func fillPolygon(_ points: [PixelPoint], color: PixelColor) {
    guard let shape = PolygonShape(points) else { return }
    paint(shape, color)
  }
}
