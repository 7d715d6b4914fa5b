/// Why planes cannot be registered.
public enum ImageRegistrationError: Error, Hashable, Sendable {
  /// A side of the reduced plane is not a power of two in 16...512.
  case planeSizeOutOfRange(width: Int, height: Int)
  /// The reduced plane has not one byte for each sample.
  case planeByteCount(found: Int, required: Int)
  /// A scale is not positive, or beyond 100,000 pixels a sample.
  case scaleOutOfRange(pixelsPerColumn: Double, pixelsPerRow: Double)
}

extension ImageRegistrationError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .planeSizeOutOfRange(let width, let height):
      "The reduced plane is \(width) by \(height); its sides must be powers of two from 16 to 512."
    case .planeByteCount(let found, let required):
      "The reduced plane has \(found) bytes; \(required) are required."
    case .scaleOutOfRange(let pixelsPerColumn, let pixelsPerRow):
      "A sample stands for \(pixelsPerColumn) by \(pixelsPerRow) pixels; both must be above 0 and at "
        + "most 100000."
    }
  }
}
