public import DiceGeometry
internal import DiceNumerics

/// An ellipse, in pixels.
public struct Ellipse: Hashable, Sendable {
  /// Its middle.
  public var center: PixelPoint
  /// Half the longest diameter.
  public var semiMajorAxis: Double
  /// Half the shortest diameter, at right angles to the longest.
  public var semiMinorAxis: Double
  /// The direction of the longest diameter in degrees, from the x axis clockwise as one sees the picture,
  /// −90…90.
  public var angle: Double

  /// An ellipse.
  public init(
    center: PixelPoint, semiMajorAxis: Double, semiMinorAxis: Double, angle: Double
  ) {
    self.center = center
    self.semiMajorAxis = semiMajorAxis
    self.semiMinorAxis = semiMinorAxis
    self.angle = angle
  }

  /// `π · semiMajorAxis · semiMinorAxis`.
  public var area: Double { .pi * semiMajorAxis * semiMinorAxis }

  /// How much farther from the middle a point lies than the border in that direction: 1 on the border,
  /// less inside.
  ///
  /// NaN where an axis is not positive or a number is not finite.
  public func relativeDistance(of point: PixelPoint) -> Double {
    guard semiMinorAxis > 0, semiMajorAxis > 0, angle.magnitude <= 360 else { return .nan }
    let (sine, cosine) = sineAndCosine(turns: angle / 360)
    let (x, y) = (point.x - center.x, point.y - center.y)
    let along = (x * cosine + y * sine) / semiMajorAxis
    let across = (y * cosine - x * sine) / semiMinorAxis
    return (along * along + across * across).squareRoot()
  }

  /// The root of the mean squared distance of points from the border, each measured towards the middle;
  /// 0 for no points.
  public func rootMeanSquareDistance(of points: [PixelPoint]) -> Double {
    guard !points.isEmpty else { return 0 }
    var sum = 0.0
    for point in points {
      let relative = relativeDistance(of: point)
      let distance =
        relative > 0
        ? point.squaredDistance(to: center).squareRoot() * (1 - 1 / relative) : semiMinorAxis
      sum += distance * distance
    }
    return (sum / Double(points.count)).squareRoot()
  }
}

/// Why a shape cannot be fitted to points: the broken rule.
public enum ShapeFittingError: Error, Hashable, Sendable {
  /// There are fewer points than are needed.
  case tooFewPoints(found: Int, required: Int)
  /// A point holds a number that is not finite.
  case pointNotFinite(index: Int)
  /// The points do not determine an ellipse, as where they lie on a line.
  case degenerate
}

extension ShapeFittingError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .tooFewPoints(let found, let required):
      "There are \(found) points; at least \(required) are required."
    case .pointNotFinite(let index):
      "Point \(index) holds a number that is not finite."
    case .degenerate:
      "The points do not determine an ellipse."
    }
  }
}
