package import DiceGeometry

/// Which part of a picture a second-stage classifier sees of a proposal.
///
/// A crop has the proposal's box in its middle, scaled so that the box's longer side has a given
/// length in the classifier's input.
package struct CropGeometry: Hashable, Sendable {
  /// Columns of the classifier's input.
  package let width: Int
  /// Rows of the classifier's input.
  package let height: Int
  /// How long the longer side of a proposal's box is in the classifier's input, in pixels; more
  /// than 0.
  package let objectSide: Float

  /// The geometry of a classifier's crops.
  package init(width: Int, height: Int, objectSide: Float) {
    self.width = width
    self.height = height
    self.objectSide = objectSide
  }

  /// The part of the picture that the crop of a box shows, in the box's pixels; it may reach
  /// outside.
  package func window(around box: BoundingBox) -> BoundingBox {
    let scale = max(box.width, box.height) / Double(objectSide)
    return BoundingBox(
      midX: box.midX, midY: box.midY, width: Double(width) * scale,
      height: Double(height) * scale)
  }
}
