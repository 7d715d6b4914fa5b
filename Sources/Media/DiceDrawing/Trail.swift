public import DiceGeometry
public import DiceImaging

/// The way that something took over a picture, faint where it began.
public struct Trail: Hashable, Sendable {
  /// The most points of a trail that are drawn, the latest ones.
  public static let pointLimit = 256

  /// The straight parts in their order, with what is left of colour and width at their ends.
  struct Part: Hashable {
    var segment: Segment
    var startStrength: Double
    var endStrength: Double
  }

  let parts: [Part]

  /// The parts between points that are finite; one point, or the same twice, gives none.
  init(_ points: [PixelPoint]) {
    let points = points.suffix(Self.pointLimit)
    let last = Double(max(1, points.count - 1))
    var parts: [Part] = []
    var before: (point: PixelPoint, strength: Double)?
    for (index, point) in points.enumerated() {
      guard point.isFinite else {
        before = nil
        continue
      }
      let strength = Double(index) / last
      if let before, before.point != point {
        parts.append(
          Part(
            segment: Segment(from: before.point, to: point), startStrength: before.strength,
            endStrength: strength))
      }
      before = (point, strength)
    }
    self.parts = parts
  }
}

/// A trail as pixels: each takes the strongest of the parts over it, so that joints do not show.
struct TrailShape: Shape {
  let trail: Trail
  let radius: Double
  let minY: Double
  let maxY: Double

  init(_ trail: Trail, lineWidth: Double) {
    self.trail = trail
    radius = max(lineWidth, 1) / 2
    var (low, high) = (Double.infinity, -Double.infinity)
    for part in trail.parts {
      low = min(low, part.segment.startY, part.segment.endY)
      high = max(high, part.segment.startY, part.segment.endY)
    }
    minY = low - radius - 1
    maxY = high + radius + 1
  }

  func columns(at y: Double) -> (outer: Interval, hole: Interval?) {
    let reach = radius + 1
    var (low, high) = (Double.infinity, -Double.infinity)
    for part in trail.parts {
      let (start, end) = (part.segment.startY, part.segment.endY)
      guard y >= min(start, end) - reach, y <= max(start, end) + reach else { continue }
      low = min(low, part.segment.startX, part.segment.endX)
      high = max(high, part.segment.startX, part.segment.endX)
    }
    return (Interval(minX: low - reach, maxX: high + reach), nil)
  }

  func coverage(x: Double, y: Double) -> Double {
    var greatest = 0.0
    for part in trail.parts {
      let (distance, place) = part.segment.distanceAndPlace(x: x, y: y)
      let strength = part.startStrength + (part.endStrength - part.startStrength) * place
      // The first point is half as wide as the last one.
      let covered = min(0.5 - (distance - radius * (0.5 + 0.5 * strength)), 1) * strength
      if covered > greatest { greatest = covered }
    }
    return greatest
  }
}

extension Segment {
  /// The distance of a point, and how far along the nearest point lies, 0...1.
  func distanceAndPlace(x: Double, y: Double) -> (distance: Double, place: Double) {
    let (dx, dy) = (endX - startX, endY - startY)
    let (px, py) = (x - startX, y - startY)
    let length = dx * dx + dy * dy
    let t = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
    let (rx, ry) = (px - t * dx, py - t * dy)
    return ((rx * rx + ry * ry).nonnegativeSquareRoot, t)
  }
}

extension Canvas {
  /// Draws the way that something took, from faint at its first point to the full colour and width
  /// at its last one.
  ///
  /// - Parameters:
  ///   - points: The way; the last ``Trail/pointLimit`` points count.
  ///   - lineWidth: The width at the last point in pixels; at the first one it is half of that.
  ///   - color: The colour, with its opacity at the last point.
  /// - Complexity: O(points · pixels of the box around them).
  public mutating func drawTrail(_ points: [PixelPoint], lineWidth: Double, color: PixelColor) {
    guard lineWidth > 0, lineWidth.isFinite else { return }
    let trail = Trail(points)
    if trail.parts.isEmpty { return }
    paint(TrailShape(trail, lineWidth: lineWidth), color.thinned(lineWidth))
  }
}
