public import DiceGeometry

/// Why a field cannot be looked for, or a view of it not be made: the broken rule.
public enum FieldError: Error, Hashable, Sendable {
  /// The maximum dimension is not in `FieldDetector.Options.dimensionRange`.
  case maximumDimensionOutOfRange(Int)
  /// The least area is not in 0...1.
  case minimumAreaOutOfRange(Double)
  /// The number of candidates is not in `FieldDetector.Options.countRange`.
  case maximumCountOutOfRange(Int)
  /// A side of the field is not positive or not finite.
  case sizeOutOfRange(width: Double, height: Double)
  /// The corners are not those of a convex quadrilateral.
  case notConvex
  /// A side of a top view is not in `FieldPlane.viewRange`.
  case viewSizeOutOfRange(width: Int, height: Int)
  /// The frame's size is out of range.
  case geometry(GeometryError)
}

extension FieldError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .maximumDimensionOutOfRange(let value):
      "The maximum dimension is \(value) pixels; it must be from "
        + "\(FieldDetector.Options.dimensionRange.lowerBound) to "
        + "\(FieldDetector.Options.dimensionRange.upperBound)."
    case .minimumAreaOutOfRange(let value):
      "The least area is \(value) of the picture; it must be from 0 to 1."
    case .maximumCountOutOfRange(let value):
      "The number of candidates is \(value); it must be from 1 to "
        + "\(FieldDetector.Options.countRange.upperBound)."
    case .sizeOutOfRange(let width, let height):
      "The field is \(width) by \(height) large; both must be positive and finite."
    case .notConvex:
      "The corners are not those of a convex quadrilateral."
    case .viewSizeOutOfRange(let width, let height):
      "The view is \(width) by \(height) pixels; each side must be from 1 to "
        + "\(FieldPlane.viewRange.upperBound)."
    case .geometry(let error):
      error.description
    }
  }
}
