public import DiceGeometry

/// A picture of 8-bit samples that owns its memory.
///
/// Layout: `[height, width, channelCount]`, rows from top to bottom without padding, samples
/// interleaved, sRGB as stored in the file. Rows stand as stored: `orientation` says how to turn
/// them.
public struct PixelImage: Hashable, Sendable {
  /// What the samples of a pixel mean.
  public enum Format: UInt8, Hashable, Sendable {
    /// One luminance sample.
    case gray = 1
    /// Red, green, blue.
    case rgb = 3
    /// Red, green, blue, alpha (not premultiplied).
    case rgba = 4

    /// Samples for each pixel: 1, 3 or 4.
    public var channelCount: Int { Int(rawValue) }
  }

  /// Columns of the stored picture, at least 1.
  public let width: Int
  /// Rows of the stored picture, at least 1.
  public let height: Int
  /// What the samples of a pixel mean.
  public let format: Format
  /// How the stored rows must be turned to stand upright.
  public var orientation: ImageOrientation

  /// The samples, `width * height * format.channelCount` of them; changed in place, without a copy.
  ///
  /// - Precondition: a change keeps the number of samples.
  public var samples: [UInt8] {
    get { storage }
    set {
      precondition(newValue.count == storage.count, "the number of samples is fixed")
      storage = newValue
    }
    _modify {
      let count = storage.count
      defer { precondition(storage.count == count, "the number of samples is fixed") }
      yield &storage
    }
  }

  private var storage: [UInt8]

  /// Wraps samples in the layout that the type describes.
  ///
  /// - Precondition: `width` and `height` are positive and `samples.count` is
  ///   `width * height * format.channelCount`.
  public init(
    width: Int, height: Int, format: Format, samples: [UInt8], orientation: ImageOrientation = .up
  ) {
    precondition(width > 0 && height > 0, "a picture has at least one pixel")
    precondition(
      samples.count == width * height * format.channelCount,
      "the number of samples must be width * height * channelCount")
    self.width = width
    self.height = height
    self.format = format
    self.storage = samples
    self.orientation = orientation
  }
}
