/// How stored pixels must be turned to stand upright: the eight values of EXIF's orientation tag.
///
/// The case says where the stored row 0 and column 0 lie in the upright picture. Raw values are
/// EXIF's, and `CGImagePropertyOrientation`'s.
///
/// Source: EXIF 2.32, tag 0x0112.
public enum ImageOrientation: UInt8, CaseIterable, Hashable, Sendable {
  /// Stored upright.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Turned by 180 degrees.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored along the main diagonal (transposed).
  case leftMirrored = 5
  /// To be turned 90 degrees clockwise for display: a phone held upright.
  case right = 6
  /// Mirrored along the other diagonal.
  case rightMirrored = 7
  /// To be turned 90 degrees counterclockwise for display.
  case left = 8

  /// Whether width and height change places between the stored and the upright picture.
  public var swapsAxes: Bool { rawValue >= 5 }
}
