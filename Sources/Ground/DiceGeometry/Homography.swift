/// A map of one plane to another that keeps straight lines straight: what a camera does to a table.
///
///     | X |   | first  |   | x |
///     | Y | = | second | * | y |        (x, y) lands on (X / W, Y / W)
///     | W |   | third  |   | 1 |
///
/// A matrix and its multiples are the same map; two homographies are equal when their nine numbers are.
/// Points are in pixels, or in any unit that the plane has, such as centimetres on a board.
public struct Homography: Hashable, Sendable {
  /// The first row of the matrix.
  public var first: SIMD3<Double>
  /// The second row of the matrix.
  public var second: SIMD3<Double>
  /// The third row of the matrix.
  public var third: SIMD3<Double>

  /// The map with the given rows.
  public init(first: SIMD3<Double>, second: SIMD3<Double>, third: SIMD3<Double>) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// The map that leaves every point where it is.
  public static let identity = Homography(
    first: SIMD3(1, 0, 0), second: SIMD3(0, 1, 0), third: SIMD3(0, 0, 1))

  /// The same map as an affine one.
  public init(_ map: AffineMap) {
    self.init(
      first: SIMD3(map.a, map.b, map.tx), second: SIMD3(map.c, map.d, map.ty),
      third: SIMD3(0, 0, 1))
  }

  /// An element of the matrix, by its row and column, each 0...2.
  ///
  /// - Precondition: Both are in 0...2.
  public subscript(row: Int, column: Int) -> Double {
    precondition((0..<3).contains(row) && (0..<3).contains(column), "the matrix is 3 by 3")
    return row == 0 ? first[column] : row == 1 ? second[column] : third[column]
  }

  /// Whether all nine numbers are finite.
  public var isFinite: Bool {
    for index in 0..<3 {
      guard first[index].isFinite, second[index].isFinite, third[index].isFinite else {
        return false
      }
    }
    return true
  }

  /// `third · (x, y, 1)`: the weight that a point is divided by.
  ///
  /// Points of the plane in front of the camera have weights of one sign, those behind it the other, and
  /// those on the horizon 0.
  public func weight(at point: SIMD2<Double>) -> Double {
    third.x * point.x + third.y * point.y + third.z
  }

  /// Where a point lands; not finite for a point on the horizon, whose weight is 0.
  public func map(_ point: SIMD2<Double>) -> SIMD2<Double> {
    let weight = weight(at: point)
    return SIMD2(
      (first.x * point.x + first.y * point.y + first.z) / weight,
      (second.x * point.x + second.y * point.y + second.z) / weight)
  }

  /// Where a point lands; not finite for a point on the horizon, whose weight is 0.
  public func map(_ point: PixelPoint) -> PixelPoint {
    let result = map(SIMD2(point.x, point.y))
    return PixelPoint(x: result.x, y: result.y)
  }

  /// Where the corners land, kept in their order.
  public func map(_ quadrilateral: Quadrilateral) -> Quadrilateral {
    quadrilateral.mapCorners { map($0) }
  }

  /// The determinant of the matrix.
  ///
  /// The map mirrors where its sign is not that of the weight.
  public var determinant: Double { (first * Self.cross(second, third)).sum() }

  /// The map that undoes this one, or nil where there is none.
  ///
  /// The transposed matrix of cofactors, divided by its greatest element. Nil where a number is not
  /// finite, or the determinant is 0 but for rounding: below 1e-14 of the sum of the magnitudes of its
  /// six products.
  public var inverse: Homography? {
    let (determinant, products) = (determinant, sumOfProducts)
    guard products.isFinite, determinant.magnitude > 1e-14 * products else { return nil }
    let a = Self.cross(second, third)
    let b = Self.cross(third, first)
    let c = Self.cross(first, second)
    let result = Homography(
      first: SIMD3(a.x, b.x, c.x), second: SIMD3(a.y, b.y, c.y), third: SIMD3(a.z, b.z, c.z))
    // The sign of weights stays, in front of the camera positive as before.
    return result.scaled(determinant > 0 ? 1 : -1)
  }

  /// The map that does what this one does and then what the next one does.
  public func concatenated(with next: Homography) -> Homography {
    func row(_ factors: SIMD3<Double>) -> SIMD3<Double> {
      first * factors.x + second * factors.y + third * factors.z
    }
    return Homography(first: row(next.first), second: row(next.second), third: row(next.third))
  }

  /// The same map with 1 at the lower right of its matrix; nil where that element is 0, so that the
  /// origin lies on the horizon, or a number is not finite.
  public var normalized: Homography? {
    let result = Homography(
      first: first / third.z, second: second / third.z, third: third / third.z)
    return third.z != 0 && result.isFinite ? result : nil
  }

  /// Divided by the magnitude of the greatest element, and multiplied with a sign.
  private func scaled(_ sign: Double) -> Homography? {
    let greatest = max(Self.greatest(first), Self.greatest(second), Self.greatest(third))
    guard greatest > 0, greatest.isFinite else { return nil }
    let factor = sign / greatest
    return Homography(first: first * factor, second: second * factor, third: third * factor)
  }

  /// The six products that make the determinant, all taken as positive.
  private var sumOfProducts: Double {
    let (a, b, c) = (Self.magnitudes(first), Self.magnitudes(second), Self.magnitudes(third))
    return a.x * (b.y * c.z + b.z * c.y) + a.y * (b.x * c.z + b.z * c.x)
      + a.z * (b.x * c.y + b.y * c.x)
  }

  private static func magnitudes(_ row: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(row.x.magnitude, row.y.magnitude, row.z.magnitude)
  }

  private static func greatest(_ row: SIMD3<Double>) -> Double {
    max(row.x.magnitude, row.y.magnitude, row.z.magnitude)
  }

  static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  static func length(_ a: SIMD3<Double>) -> Double { (a * a).sum().squareRoot() }
}

extension Homography {
  /// The one map that takes the corners of a quadrilateral to those of another.
  ///
  /// Weights are positive within `source`, and at its first corner 1. Nil unless both are convex
  /// (``Quadrilateral/isConvex``). One may go clockwise and the other not: the map then mirrors.
  ///
  /// Source: P. Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3.
  public init?(from source: Quadrilateral, to target: Quadrilateral) {
    guard source.isConvex, target.isConvex,
      let toSquare = Self.fromUnitSquare(to: source)?.inverse,
      let fromSquare = Self.fromUnitSquare(to: target)
    else { return nil }
    let map = toSquare.concatenated(with: fromSquare)
    let corner = source.upperLeft
    let weight = map.weight(at: SIMD2(corner.x, corner.y))
    self.init(
      first: map.first / weight, second: map.second / weight, third: map.third / weight)
    guard isFinite else { return nil }
  }

  /// The map from a rectangle, whose upper left corner is the origin, to a quadrilateral in a picture.
  ///
  /// - Parameters:
  ///   - width: The rectangle's width in any unit.
  ///   - height: The rectangle's height in the same unit.
  ///   - target: Where its corners lie, from the upper left one clockwise.
  /// - Returns: Nil where a side is not positive or the quadrilateral is not convex.
  public init?(rectangleWidth width: Double, height: Double, to target: Quadrilateral) {
    guard width > 0, height > 0 else { return nil }
    self.init(
      from: Quadrilateral(BoundingBox(x: 0, y: 0, width: width, height: height)), to: target)
  }

  /// The map from the corners (0, 0), (1, 0), (1, 1) and (0, 1).
  private static func fromUnitSquare(to target: Quadrilateral) -> Homography? {
    let (p, q, r, s) = (
      target.upperLeft, target.upperRight, target.lowerRight, target.lowerLeft
    )
    let (ax, ay) = (q.x - r.x, q.y - r.y)
    let (bx, by) = (s.x - r.x, s.y - r.y)
    let (sumX, sumY) = (p.x - q.x + r.x - s.x, p.y - q.y + r.y - s.y)
    let determinant = ax * by - ay * bx
    guard determinant != 0 else { return nil }
    let g = (sumX * by - sumY * bx) / determinant
    let h = (ax * sumY - ay * sumX) / determinant
    return Homography(
      first: SIMD3(q.x - p.x + g * q.x, s.x - p.x + h * s.x, p.x),
      second: SIMD3(q.y - p.y + g * q.y, s.y - p.y + h * s.y, p.y), third: SIMD3(g, h, 1))
  }
}

#if !hasFeature(Embedded)
  extension Homography: Codable {}
#endif
