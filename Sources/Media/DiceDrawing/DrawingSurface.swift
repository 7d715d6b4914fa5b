public import DiceGeometry
public import DiceImaging

/// What boxes, labels and trails are drawn on: a picture's pixels (``Canvas``) or a drawing that
/// stays sharp at every size (``SVGCanvas``).
///
/// Coordinates are continuous pixels with the origin at the outer corner of the top-left pixel. What
/// has a coordinate or a size that is NaN or infinite, or a size that is not positive, is not drawn.
public protocol DrawingSurface {
  /// Columns of the picture.
  var width: Int { get }
  /// Rows of the picture.
  var height: Int { get }

  /// Fills a box with corners of a radius, which is at most half the shorter side.
  mutating func fill(_ box: BoundingBox, cornerRadius: Double, color: PixelColor)

  /// Draws the outline of a box, with its middle on the box's edges.
  mutating func stroke(
    _ box: BoundingBox, cornerRadius: Double, lineWidth: Double, color: PixelColor)

  /// Writes text; `origin` is the left edge of the first stroke and the lower edge of capitals.
  mutating func drawText(
    _ text: String, at origin: PixelPoint, size: Double, weight: TextWeight, color: PixelColor)

  /// Draws the way that something took, from faint at its first point to the full colour and width
  /// at its last one.
  ///
  /// Parts of the way at a point that is not finite are left out, and all but the last
  /// ``Trail/pointLimit`` points.
  mutating func drawTrail(_ points: [PixelPoint], lineWidth: Double, color: PixelColor)

  /// Draws what belongs together and means what `title` says, for surfaces that can tell.
  mutating func drawGroup(titled title: String, _ draw: (inout Self) -> Void)
}

extension DrawingSurface {
  /// Draws the parts and forgets the title.
  public mutating func drawGroup(titled title: String, _ draw: (inout Self) -> Void) {
    draw(&self)
  }
}
