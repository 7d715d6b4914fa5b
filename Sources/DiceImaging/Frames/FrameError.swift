/// Why samples in memory cannot be taken as a frame: the broken rule.
public enum FrameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part of a frame that a rule speaks about.
  public enum Plane: UInt8, Hashable, Sendable {
    /// Interleaved colour samples, or the samples of a gray frame.
    case pixels
    /// The luma samples of a frame with separate planes.
    case luma
    /// The chroma samples of a frame with separate planes.
    case chroma
  }

  /// A frame has at least one column and one row.
  case noPixels(width: Int, height: Int)
  /// The number of bytes of a plane must be representable.
  case sizeOverflow(plane: Plane, width: Int, height: Int, bytesPerRow: Int)
  /// A row must not reach into the next one.
  case rowTooShort(plane: Plane, found: Int, required: Int)
  /// The bytes must hold every row; only the padding after the last row may be absent.
  case tooFewBytes(plane: Plane, found: Int, required: Int)

  /// One sentence for the user.
  public var description: String {
    switch self {
    case .noPixels(let width, let height):
      "A frame needs at least one column and one row, but this one is \(width) by \(height)."
    case .sizeOverflow(let plane, let width, let height, let bytesPerRow):
      "The \(plane) of a frame, \(width) by \(height) with \(bytesPerRow) bytes per row, are too "
        + "large for memory."
    case .rowTooShort(let plane, let found, let required):
      "A row of \(plane) needs \(required) bytes, but rows lie \(found) bytes apart."
    case .tooFewBytes(let plane, let found, let required):
      "The \(plane) of the frame need \(required) bytes, but there are \(found)."
    }
  }
}

extension FrameError.Plane: CustomStringConvertible {
  /// The word for it in a sentence.
  public var description: String {
    switch self {
    case .pixels: "pixels"
    case .luma: "luma samples"
    case .chroma: "chroma samples"
    }
  }
}
