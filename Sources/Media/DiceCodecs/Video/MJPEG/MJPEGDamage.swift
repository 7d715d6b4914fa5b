/// A rule that a stream of JPEG pictures breaks, and where; offsets count from the stream's start.
///
/// The stream goes on: reading is taken up again at the next start of a picture.
public enum MJPEGDamage: Error, Hashable, Sendable {
  /// Between pictures there is nothing but padding (`00`, `FF`) and lines of text, at most
  /// `MJPEGSplitter.strayByteLimit` bytes of it; but `count` others stand at `offset`.
  case strayBytes(offset: Int, count: Int)
  /// A segment is followed by a marker.
  case missingMarker(offset: Int, found: UInt8)
  /// A marker that a picture cannot have stands at `offset`.
  case unexpectedMarker(marker: UInt8, offset: Int)
  /// A segment's length counts its own two bytes.
  case invalidSegmentLength(marker: UInt8, length: Int, offset: Int)
  /// A picture has compressed data before the next picture starts, at `offset`.
  case pictureInterrupted(offset: Int)
  /// A picture, which started at `offset`, has no more than `limit` bytes.
  case pictureTooLarge(offset: Int, limit: Int)
  /// The stream ends, at `offset`, before the compressed data of its last picture.
  case truncated(offset: Int)
}

extension MJPEGDamage: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String {
    switch self {
    case .strayBytes(let offset, let count):
      "\(count) bytes at byte \(offset) of the motion JPEG stream belong to no picture."
    case .missingMarker(let offset, let found):
      "The motion JPEG stream has \(Self.hexadecimal(found)) at byte \(offset), where a marker "
        + "is required."
    case .unexpectedMarker(let marker, let offset):
      "The marker FF \(Self.hexadecimal(marker)) at byte \(offset) of the motion JPEG stream is "
        + "out of place."
    case .invalidSegmentLength(let marker, let length, let offset):
      "The segment FF \(Self.hexadecimal(marker)) at byte \(offset) of the motion JPEG stream "
        + "cannot be \(length) bytes long."
    case .pictureInterrupted(let offset):
      "A picture of the motion JPEG stream is cut short by the next one at byte \(offset)."
    case .pictureTooLarge(let offset, let limit):
      "The picture at byte \(offset) of the motion JPEG stream is larger than \(limit) bytes."
    case .truncated(let offset):
      "The motion JPEG stream ends inside a picture, at byte \(offset)."
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + digits : digits
  }
}
