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
  /// A camera's buffer holds pixels of a format that cannot be read: its code, four characters.
  case unsupportedPixelFormat(code: UInt32)
  /// A camera's buffer cannot be locked for reading: the status that Core Video gave.
  case bufferNotLocked(status: Int32)
  /// A buffer has no samples to look at: no picture, or planes that are not in memory.
  case noSamples
  /// A sample buffer does not say when it was taken.
  case noTimestamp
  /// A picture has more pixels than the caller's limits allow.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// Core Graphics cannot draw the picture into memory.
  case notDrawable(width: Int, height: Int)

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
    case .unsupportedPixelFormat(let code):
      "The buffer's pixel format \(Self.characters(code)) cannot be read; ask for 32BGRA, 420v or 420f."
    case .bufferNotLocked(let status):
      "The buffer cannot be locked for reading: Core Video says \(status)."
    case .noSamples:
      "The buffer holds no samples of a picture in memory."
    case .noTimestamp:
      "The sample buffer does not say when it was taken."
    case .tooManyPixels(let width, let height, let limit):
      "The picture has \(width) by \(height) pixels; at most \(limit) are read."
    case .notDrawable(let width, let height):
      "The picture, \(width) by \(height), cannot be drawn into memory."
    }
  }
}

extension FrameError {
  /// A code as Core Video's names have it, `'420v'`; as a number where a byte is no printable
  /// character.
  private static func characters(_ code: UInt32) -> String {
    var text = ""
    for shift in [24, 16, 8, 0] {
      let byte = UInt8(truncatingIfNeeded: code >> UInt32(shift))
      guard (0x20..<0x7F).contains(byte) else { return "\(code)" }
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return "'\(text)'"
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
