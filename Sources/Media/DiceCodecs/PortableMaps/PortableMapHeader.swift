public import DiceImaging

/// What a portable bitmap, graymap or pixmap says about its picture.
public struct PortableMapHeader: Hashable, Sendable {
  /// The six formats, by the digit in their first two bytes, `P1` to `P6`.
  public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
    /// Bitmap, decimal digits.
    case plainBitmap = 1
    /// Graymap, decimal numbers.
    case plainGraymap = 2
    /// Pixmap, decimal numbers.
    case plainPixmap = 3
    /// Bitmap, eight pixels for each byte.
    case bitmap = 4
    /// Graymap, bytes.
    case graymap = 5
    /// Pixmap, bytes.
    case pixmap = 6

    /// Whether the samples are written as decimal numbers.
    public var isPlain: Bool { rawValue <= 3 }
    /// Whether each pixel is a bit.
    public var isBitmap: Bool { self == .plainBitmap || self == .bitmap }

    /// The format of the decoded picture.
    public var format: PixelImage.Format {
      self == .plainPixmap || self == .pixmap ? .rgb : .gray
    }
  }

  /// Which of the six formats it is.
  public let kind: Kind
  /// Columns of the picture, at least 1.
  public let width: Int
  /// Rows of the picture, at least 1.
  public let height: Int
  /// The sample that stands for full brightness, 1 to 65535; 1 for a bitmap.
  public let maximum: Int

  /// The format of the decoded picture.
  public var format: PixelImage.Format { kind.format }
}
