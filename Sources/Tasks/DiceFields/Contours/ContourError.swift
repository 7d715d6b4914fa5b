public import DiceGeometry

/// Why contours cannot be looked for in a frame: the broken rule.
public enum ContourError: Error, Hashable, Sendable {
  /// The contrast is not in `ContourDetector.Options.contrastRange`.
  case contrastAdjustmentOutOfRange(Double)
  /// The pivot is not in 0...1.
  case contrastPivotOutOfRange(Double)
  /// The greatest dimension is not in `ContourDetector.Options.dimensionRange`.
  case maximumDimensionOutOfRange(Int)
  /// A side of the region of interest is longer than `BinaryImage.maximumSide` pixels, and no greatest
  /// dimension was given.
  case regionTooLarge(width: Int, height: Int)
  /// The frame's size or the region of interest is out of range.
  case geometry(GeometryError)
}

extension ContourError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .contrastAdjustmentOutOfRange(let value):
      "The contrast adjustment is \(value); it must be from 0 to 3."
    case .contrastPivotOutOfRange(let value):
      "The contrast's pivot is \(value); it must be from 0 to 1."
    case .maximumDimensionOutOfRange(let value):
      "The maximum dimension is \(value) pixels; it must be from 16 to \(BinaryImage.maximumSide)."
    case .regionTooLarge(let width, let height):
      "The region is \(width) by \(height) pixels; neither side may be longer than "
        + "\(BinaryImage.maximumSide) without a maximum dimension."
    case .geometry(let error):
      error.description
    }
  }
}
