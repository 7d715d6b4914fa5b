/// A map of the plane that keeps straight lines straight: `x' = a x + b y + tx`,
/// `y' = c x + d y + ty`.
///
/// As a matrix on column vectors:
///
///     | x' |   | a  b | | x |   | tx |
///     | y' | = | c  d | | y | + | ty |
public struct AffineMap: Hashable, Sendable {
  /// How far x' moves for each x.
  public var a: Double
  /// How far x' moves for each y.
  public var b: Double
  /// How far y' moves for each x.
  public var c: Double
  /// How far y' moves for each y.
  public var d: Double
  /// Where the origin lands: its x'.
  public var tx: Double
  /// Where the origin lands: its y'.
  public var ty: Double

  /// The map with the given coefficients.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.tx = tx
    self.ty = ty
  }

  /// The map that scales each axis about the origin and then moves:
  /// `x' = scaleX x + translationX`, `y' = scaleY y + translationY`.
  public init(
    scaleX: Double, scaleY: Double, translationX: Double = 0, translationY: Double = 0
  ) {
    self.init(a: scaleX, b: 0, c: 0, d: scaleY, tx: translationX, ty: translationY)
  }

  /// The map that leaves every point where it is.
  public static let identity = AffineMap(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// The signed factor by which areas grow, `a d − b c`; negative for a mirroring map.
  public var determinant: Double { a * d - b * c }

  /// The map that undoes this one, or nil where there is none.
  ///
  /// With `D = a d − b c`: `a' = d / D`, `b' = −b / D`, `c' = −c / D`, `d' = a / D`,
  /// `tx' = −(a' tx + b' ty)`, `ty' = −(c' tx + d' ty)`. Nil where the determinant is zero or not
  /// finite, or a coefficient of the result is not finite.
  public var inverse: AffineMap? {
    let determinant = determinant
    guard determinant != 0, determinant.isFinite else { return nil }
    var result = AffineMap(
      a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
      tx: 0, ty: 0)
    result.tx = -(result.a * tx + result.b * ty)
    result.ty = -(result.c * tx + result.d * ty)
    return result.isFinite ? result : nil
  }

  /// Whether all six coefficients are finite.
  public var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
  }

  /// This map followed by the next one: `p ↦ next(self(p))`.
  public func concatenated(with next: AffineMap) -> AffineMap {
    AffineMap(
      a: next.a * a + next.b * c, b: next.a * b + next.b * d,
      c: next.c * a + next.d * c, d: next.c * b + next.d * d,
      tx: next.a * tx + next.b * ty + next.tx,
      ty: next.c * tx + next.d * ty + next.ty)
  }

  /// Where a point lands.
  public func map(_ point: PixelPoint) -> PixelPoint {
    PixelPoint(x: a * point.x + b * point.y + tx, y: c * point.x + d * point.y + ty)
  }

  /// The smallest upright box around the image of a box.
  ///
  /// Its width is `|a| width + |b| height` and its height `|c| width + |d| height`: exactly the image
  /// where the map only scales, moves, mirrors and turns by right angles. A proper box gives a proper
  /// one. A negative size is carried over as one in a map without rotation; NaN and infinities spread.
  public func map(_ box: BoundingBox) -> BoundingBox {
    BoundingBox(
      x: a * (a < 0 ? box.maxX : box.minX) + b * (b < 0 ? box.maxY : box.minY) + tx,
      y: c * (c < 0 ? box.maxX : box.minX) + d * (d < 0 ? box.maxY : box.minY) + ty,
      width: a.magnitude * box.width + b.magnitude * box.height,
      height: c.magnitude * box.width + d.magnitude * box.height)
  }
}
