internal import DiceGeometry

/// Something that covers pixels.
protocol Shape {
  /// Above this nothing is covered.
  var minY: Double { get }
  /// Below this nothing is covered.
  var maxY: Double { get }

  /// Where a row may be covered, and the part in between that is not.
  ///
  /// - Parameter y: The middle of the row of pixels.
  func columns(at y: Double) -> (outer: Interval, hole: Interval?)

  /// The covered share of the pixel with its middle at a point: 0 or less for none, 1 or more for
  /// all; NaN for none.
  func coverage(x: Double, y: Double) -> Double
}

/// Something that gives pixels colours.
protocol Texture {
  /// Above this nothing is covered.
  var minY: Double { get }
  /// Below this nothing is covered.
  var maxY: Double { get }

  /// Where a row of pixels with its middle at a height may be covered.
  func columns(at y: Double) -> Interval
  /// Where it stays as it is, all the same.
  func sparedColumns(at y: Double) -> [Interval]
  /// The colour at the middle of a pixel, 0...255, and the share of the pixel that it covers.
  func color(x: Double, y: Double) -> SIMD4<Float>
}

/// A part of an axis; empty where `maxX` is not above `minX`.
struct Interval {
  var minX: Double
  var maxX: Double
}

/// A filled box with round corners.
struct RoundedBox: Shape {
  let box: BoundingBox
  let radius: Double
  private let centerX: Double
  private let centerY: Double
  private let innerHalfWidth: Double
  private let innerHalfHeight: Double

  init(_ box: BoundingBox, cornerRadius: Double) {
    self.box = box
    radius = max(0, min(cornerRadius, min(box.width, box.height) / 2))
    centerX = box.midX
    centerY = box.midY
    innerHalfWidth = box.width / 2 - radius
    innerHalfHeight = box.height / 2 - radius
  }

  var minY: Double { box.minY - 1 }
  var maxY: Double { box.maxY + 1 }

  func columns(at y: Double) -> (outer: Interval, hole: Interval?) {
    (Interval(minX: box.minX - 1, maxX: box.maxX + 1), nil)
  }

  /// How far a point lies outside; negative inside.
  @inline(__always)
  func distance(x: Double, y: Double) -> Double {
    let dx = (x - centerX).magnitude - innerHalfWidth
    let dy = (y - centerY).magnitude - innerHalfHeight
    if dx > 0 && dy > 0 { return (dx * dx + dy * dy).nonnegativeSquareRoot - radius }
    return max(dx, dy) - radius
  }

  func coverage(x: Double, y: Double) -> Double {
    if radius == 0 {
      // The exact area of the pixel that the box covers.
      let across = min(x + 0.5, box.maxX) - max(x - 0.5, box.minX)
      let down = min(y + 0.5, box.maxY) - max(y - 0.5, box.minY)
      return across > 0 && down > 0 ? across * down : 0
    }
    return 0.5 - distance(x: x, y: y)
  }
}

/// The outline of a box with round corners.
struct BoxOutline: Shape {
  let box: RoundedBox
  let width: Double

  private var reach: Double { width / 2 + 1 }
  var minY: Double { box.box.minY - reach }
  var maxY: Double { box.box.maxY + reach }

  func columns(at y: Double) -> (outer: Interval, hole: Interval?) {
    let outer = Interval(minX: box.box.minX - reach, maxX: box.box.maxX + reach)
    let inset = reach + box.radius
    guard y > box.box.minY + inset, y < box.box.maxY - inset else { return (outer, nil) }
    return (outer, Interval(minX: box.box.minX + inset, maxX: box.box.maxX - inset))
  }

  func coverage(x: Double, y: Double) -> Double {
    0.5 - (box.distance(x: x, y: y).magnitude - width / 2)
  }
}

/// The points near a segment: a line with round ends.
struct Capsule: Shape {
  let segment: Segment
  let radius: Double

  var minY: Double { min(segment.startY, segment.endY) - radius - 1 }
  var maxY: Double { max(segment.startY, segment.endY) + radius + 1 }

  func columns(at y: Double) -> (outer: Interval, hole: Interval?) {
    let reach = radius + 1
    // The part of the segment whose rows are near enough.
    var (first, last) = (0.0, 1.0)
    let rise = segment.endY - segment.startY
    if rise != 0 {
      let a = (y - reach - segment.startY) / rise
      let b = (y + reach - segment.startY) / rise
      first = max(0, min(a, b))
      last = min(1, max(a, b))
    }
    let run = segment.endX - segment.startX
    let (x0, x1) = (segment.startX + run * first, segment.startX + run * last)
    return (Interval(minX: min(x0, x1) - reach, maxX: max(x0, x1) + reach), nil)
  }

  func coverage(x: Double, y: Double) -> Double {
    0.5 - (segment.squaredDistance(x: x, y: y).nonnegativeSquareRoot - radius)
  }
}

/// A straight line between two points.
struct Segment: Hashable {
  var startX: Double
  var startY: Double
  var endX: Double
  var endY: Double

  init(startX: Double, startY: Double, endX: Double, endY: Double) {
    self.startX = startX
    self.startY = startY
    self.endX = endX
    self.endY = endY
  }

  init(from start: PixelPoint, to end: PixelPoint) {
    self.init(startX: start.x, startY: start.y, endX: end.x, endY: end.y)
  }

  /// The square of the distance of a point.
  @inline(__always)
  func squaredDistance(x: Double, y: Double) -> Double {
    let (dx, dy) = (endX - startX, endY - startY)
    let (px, py) = (x - startX, y - startY)
    let length = dx * dx + dy * dy
    let t = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
    let (rx, ry) = (px - t * dx, py - t * dy)
    return rx * rx + ry * ry
  }

  /// The part inside a box, or nil where there is none.
  ///
  /// Source: Liang and Barsky, "A New Concept and Method for Line Clipping", 1984.
  func clipped(to box: BoundingBox) -> Segment? {
    // Halves, since the difference of two large numbers can be infinite.
    let (dx, dy) = (endX / 2 - startX / 2, endY / 2 - startY / 2)
    var (first, last) = (0.0, 1.0)
    for (step, room) in [
      (-dx, startX / 2 - box.minX / 2), (dx, box.maxX / 2 - startX / 2),
      (-dy, startY / 2 - box.minY / 2), (dy, box.maxY / 2 - startY / 2),
    ] {
      if step == 0 {
        if room < 0 { return nil }
      } else if step < 0 {
        first = max(first, room / step)
      } else {
        last = min(last, room / step)
      }
    }
    guard first <= last else { return nil }
    func point(_ t: Double) -> (Double, Double) {
      if t == 0 { return (startX, startY) }
      if t == 1 { return (endX, endY) }
      // Rounding of large numbers must not lead out of the box again.
      return (
        min(max(startX * (1 - t) + endX * t, box.minX), box.maxX),
        min(max(startY * (1 - t) + endY * t, box.minY), box.maxY)
      )
    }
    let (start, end) = (point(first), point(last))
    return Segment(startX: start.0, startY: start.1, endX: end.0, endY: end.1)
  }
}

extension Double {
  /// The square root of a number known not to be negative.
  ///
  /// Dropping the sign lets the compiler use one instruction, without a call of the C library for
  /// negative numbers.
  @inline(__always)
  var nonnegativeSquareRoot: Double { magnitude.squareRoot() }
}
