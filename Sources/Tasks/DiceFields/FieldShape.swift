public import DiceGeometry

/// The real shape of a field, by which it is told from other outlines: a camera sees a rectangle of these sides only
/// in some ways.
///
/// With a focal length, the map from the field's plane to the picture has two directions in space, along the field's
/// sides. For a rectangle they are at right angles, and as long as its sides are.
public struct FieldShape: Hashable, Sendable {
  /// The length of the side between the first two corners, in any unit.
  public var width: Double
  /// The length of the side between the second and the third corner, in the same unit.
  public var height: Double
  /// The focal length in pixels; nil for that of a camera whose picture is 53 degrees wide along its longer side.
  public var focalLength: Double?

  /// The greatest cosine of the angle between the sides of what fits.
  public static let greatestCosine = 0.4
  /// By what factor the ratio of the sides of what fits may be off.
  public static let greatestStretch = 1.7

  /// A shape.
  public init(width: Double, height: Double, focalLength: Double? = nil) {
    (self.width, self.height, self.focalLength) = (width, height, focalLength)
  }

  /// Whether an outline may be a field of this shape, its sides in either order: at right angles within 24 degrees
  /// (``greatestCosine``), the ratio of its sides off by a factor of 1.7 at most (``greatestStretch``).
  ///
  /// Wide bounds, for unknown focal lengths and corners that are not quite right.
  ///
  /// - Parameters:
  ///   - outline: corners in pixels of the upright picture.
  ///   - pictureWidth: the picture's columns.
  ///   - pictureHeight: its rows.
  public func fits(_ outline: Quadrilateral, pictureWidth: Double, pictureHeight: Double) -> Bool {
    guard let map = Homography(rectangleWidth: width, height: height, to: outline) else {
      return false
    }
    let focalLength = focalLength ?? max(pictureWidth, pictureHeight)
    /// The direction of an axis of the field in space.
    func direction(_ axis: Int) -> SIMD3<Double> {
      let weight = map.third[axis]
      return SIMD3(
        (map.first[axis] - weight * pictureWidth / 2) / focalLength,
        (map.second[axis] - weight * pictureHeight / 2) / focalLength, weight)
    }
    let (along, down) = (direction(0), direction(1))
    let lengths = ((along * along).sum() * (down * down).sum()).squareRoot()
    guard lengths > 0, lengths.isFinite else { return false }
    guard (along * down).sum().magnitude <= Self.greatestCosine * lengths else { return false }
    let stretch = ((along * along).sum() / (down * down).sum()).squareRoot()
    // The same outline with its sides in the other order.
    let turned = stretch * (width / height) * (width / height)
    return [stretch, turned].contains {
      (1 / Self.greatestStretch...Self.greatestStretch).contains($0)
    }
  }
}
