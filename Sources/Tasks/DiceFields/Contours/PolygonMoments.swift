public import DiceGeometry

/// The moments of a polygon's area, `mᵢⱼ = ∬ xⁱ yʲ`, up to the third order.
///
/// They are those of the area on one side, whichever way the polygon goes: ``m00`` is its area. All are
/// 0 where the area is.
///
/// Source: by Green's theorem, as in C. Steger, On the Calculation of Moments of Polygons, 1996.
public struct PolygonMoments: Hashable, Sendable {
  /// The area.
  public private(set) var m00 = 0.0
  /// Of x.
  public private(set) var m10 = 0.0
  /// Of y.
  public private(set) var m01 = 0.0
  /// Of x².
  public private(set) var m20 = 0.0
  /// Of x y.
  public private(set) var m11 = 0.0
  /// Of y².
  public private(set) var m02 = 0.0
  /// Of x³.
  public private(set) var m30 = 0.0
  /// Of x² y.
  public private(set) var m21 = 0.0
  /// Of x y².
  public private(set) var m12 = 0.0
  /// Of y³.
  public private(set) var m03 = 0.0

  /// The moments of a polygon.
  public init(_ polygon: Polygon) {
    guard var before = polygon.points.last else { return }
    for point in polygon.points {
      let (x, y, u, v) = (before.x, before.y, point.x, point.y)
      let cross = x * v - u * y
      let (sumX, sumY) = (x + u, y + v)
      m00 += cross
      m10 += cross * sumX
      m01 += cross * sumY
      m20 += cross * (x * sumX + u * u)
      m11 += cross * (x * (sumY + y) + u * (sumY + v))
      m02 += cross * (y * sumY + v * v)
      m30 += cross * sumX * (x * x + u * u)
      m03 += cross * sumY * (y * y + v * v)
      m21 += cross * (x * x * (3 * y + v) + 2 * u * x * sumY + u * u * (y + 3 * v))
      m12 += cross * (y * y * (3 * x + u) + 2 * v * y * sumX + v * v * (x + 3 * u))
      before = point
    }
    guard m00 != 0 else {
      self = PolygonMoments()
      return
    }
    let sign: Double = m00 > 0 ? 1 : -1
    m00 *= sign / 2
    m10 *= sign / 6
    m01 *= sign / 6
    m20 *= sign / 12
    m11 *= sign / 24
    m02 *= sign / 12
    m30 *= sign / 20
    m21 *= sign / 60
    m12 *= sign / 60
    m03 *= sign / 20
  }

  private init() {}

  /// The centre of gravity, or nil where there is no area.
  public var centroid: PixelPoint? {
    m00 > 0 ? PixelPoint(x: m10 / m00, y: m01 / m00) : nil
  }

  /// The moment of x² about the centre of gravity; 0 where there is no area.
  public var mu20: Double { m00 > 0 ? m20 - m10 * (m10 / m00) : 0 }
  /// The moment of x y about the centre of gravity; 0 where there is no area.
  public var mu11: Double { m00 > 0 ? m11 - m10 * (m01 / m00) : 0 }
  /// The moment of y² about the centre of gravity; 0 where there is no area.
  public var mu02: Double { m00 > 0 ? m02 - m01 * (m01 / m00) : 0 }
}

extension Polygon {
  /// The moments of the area.
  public var moments: PolygonMoments { PolygonMoments(self) }
}
