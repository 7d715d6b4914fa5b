public import DiceGeometry

/// A field of play in a picture: a board, a sheet, a tray or a mat.
public struct Field: Hashable, Sendable {
  /// What a field was recognised by.
  public enum Kind: Hashable, Sendable {
    /// Lines or squares in rows: how many cells were counted along the upper and the left side. Where
    /// things lie on the board, or lines are faint, the number may be a multiple or a part of the true
    /// one.
    case grid(columns: Int, rows: Int)
    /// Four straight sides.
    case outline
  }

  /// The corners in pixels of the upright picture, clockwise from the upper left; convex.
  public var outline: Quadrilateral
  /// What the field was recognised by.
  public var kind: Kind
  /// How much of what a field should show is there, 0...1.
  ///
  /// It ranks candidates, and is not a probability.
  public var confidence: Double
  /// The width of the upright picture in pixels.
  public var imageWidth: Double
  /// The height of the upright picture in pixels.
  public var imageHeight: Double

  /// A field with the given corners, kept as they are.
  public init(
    outline: Quadrilateral, kind: Kind = .outline, confidence: Double = 1, imageWidth: Double,
    imageHeight: Double
  ) {
    self.outline = outline
    self.kind = kind
    self.confidence = confidence
    self.imageWidth = imageWidth
    self.imageHeight = imageHeight
  }

  /// The corners in pixels of the upright picture, clockwise from the upper left.
  public var corners: [PixelPoint] { outline.corners }

  /// The corners as shares of the upright picture's sides, with the origin at the lower left.
  public var normalizedCorners: [NormalizedPoint] {
    corners.map { NormalizedPoint(imagePoint: $0, width: imageWidth, height: imageHeight) }
  }
}
