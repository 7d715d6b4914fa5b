public import DiceGeometry

/// What a JPEG file says about its picture ahead of the compressed data.
public struct JPEGHeader: Hashable, Sendable {
  /// Columns of the stored picture, 1 to 65535.
  public let width: Int
  /// Rows of the stored picture, 1 to 65535.
  public let height: Int
  /// 1 for grey, 3 for colour, 4 for colour with black.
  public let componentCount: Int
  /// Whether the picture comes in several passes of increasing detail.
  public let isProgressive: Bool
  /// How the stored rows must be turned to stand upright; `.up` where neither EXIF nor XMP says so.
  public let orientation: ImageOrientation
}
