public import DiceGeometry
internal import DiceNumerics

/// A rectangle that may be turned, in pixels.
public struct RotatedRectangle: Hashable, Sendable {
  /// Its middle.
  public var center: PixelPoint
  /// The length of the sides in the direction of ``angle``.
  public var width: Double
  /// The length of the other sides.
  public var height: Double
  /// The direction of the width in degrees, from the x axis clockwise as one sees the picture, −180…180.
  public var angle: Double

  /// A rectangle.
  public init(center: PixelPoint, width: Double, height: Double, angle: Double) {
    self.center = center
    self.width = width
    self.height = height
    self.angle = angle
  }

  init(center: PixelPoint, width: Double, height: Double, direction: PixelPoint) {
    self.init(
      center: center, width: width, height: height,
      angle: arctangent(y: direction.y, x: direction.x) * 180 / .pi)
  }

  /// `width * height`.
  public var area: Double { width * height }

  /// The corners, clockwise as one sees the picture from the one nearest its upper left
  /// (``Quadrilateral/clockwiseFromUpperLeft()``).
  public var corners: Quadrilateral {
    let turns = angle / 360
    guard turns.magnitude <= 1 else {
      let nothing = PixelPoint(x: .nan, y: .nan)
      return Quadrilateral(
        upperLeft: nothing, upperRight: nothing, lowerRight: nothing, lowerLeft: nothing)
    }
    let (sine, cosine) = sineAndCosine(turns: turns)
    func corner(_ across: Double, _ down: Double) -> PixelPoint {
      PixelPoint(
        x: center.x + across * width * cosine - down * height * sine,
        y: center.y + across * width * sine + down * height * cosine)
    }
    return Quadrilateral(
      upperLeft: corner(-0.5, -0.5), upperRight: corner(0.5, -0.5),
      lowerRight: corner(0.5, 0.5), lowerLeft: corner(-0.5, 0.5)
    ).clockwiseFromUpperLeft()
  }
}

/// A circle, in pixels.
public struct Circle: Hashable, Sendable {
  /// Its middle.
  public var center: PixelPoint
  /// From the middle to the border.
  public var radius: Double

  /// A circle.
  public init(center: PixelPoint, radius: Double) {
    self.center = center
    self.radius = radius
  }

  /// The circle whose diameter lies between two points.
  init(between a: PixelPoint, _ b: PixelPoint) {
    self.init(
      center: PixelPoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2),
      radius: a.squaredDistance(to: b).squareRoot() / 2)
  }

  /// The circle through three points; nil where they lie on a line.
  init?(through a: PixelPoint, _ b: PixelPoint, _ c: PixelPoint) {
    let (bx, by, cx, cy) = (b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y)
    let determinant = 2 * (bx * cy - by * cx)
    let (squareB, squareC) = (bx * bx + by * by, cx * cx + cy * cy)
    let x = (cy * squareB - by * squareC) / determinant
    let y = (bx * squareC - cx * squareB) / determinant
    guard x.isFinite, y.isFinite else { return nil }
    self.init(center: PixelPoint(x: a.x + x, y: a.y + y), radius: (x * x + y * y).squareRoot())
  }

  /// Whether a point lies in the circle or on its border, but for rounding.
  func holds(_ point: PixelPoint) -> Bool {
    point.squaredDistance(to: center).squareRoot() <= radius * (1 + 1e-12) + 1e-12
  }
}
