internal import DiceGeometry
public import DiceImaging

/// What the first line of a YUV4MPEG2 stream says about all its frames.
public struct Y4MHeader: Hashable, Sendable {
  /// Which samples a frame has, in the words of the format; 8 bits each.
  public enum ColorSpace: String, CaseIterable, Hashable, Sendable {
    /// 4:2:0, chroma in the middle of its four pixels.
    case yCbCr420JPEG = "420jpeg"
    /// 4:2:0, chroma beside the left pixels of its four.
    case yCbCr420MPEG2 = "420mpeg2"
    /// 4:2:0, chroma on the upper left pixel of its four; Cr is taken to lie where Cb does, though
    /// in DV it lies a row lower.
    case yCbCr420PALDV = "420paldv"
    /// 4:2:0 without a word about the place of chroma, taken for `420jpeg`.
    case yCbCr420 = "420"
    /// 4:2:2, chroma on the left pixel of its two.
    case yCbCr422 = "422"
    /// 4:4:4.
    case yCbCr444 = "444"
    /// Luma alone.
    case mono = "mono"

    /// How many pixels share a chroma sample; nil for `mono`.
    public var chromaSubsampling: RawFrame.ChromaSubsampling? {
      switch self {
      case .yCbCr420JPEG, .yCbCr420MPEG2, .yCbCr420PALDV, .yCbCr420: .s420
      case .yCbCr422: .s422
      case .yCbCr444: .s444
      case .mono: nil
      }
    }

    /// Where chroma samples lie.
    public var chromaSiting: RawFrame.ChromaSiting {
      switch self {
      case .yCbCr420JPEG, .yCbCr420, .yCbCr444, .mono: .center
      case .yCbCr420MPEG2, .yCbCr422: .left
      case .yCbCr420PALDV: .topLeft
      }
    }
  }

  /// Columns of every frame, at least 1.
  public let width: Int
  /// Rows of every frame, at least 1.
  public let height: Int
  /// Frames in a second; nil where the stream does not say.
  public let frameRate: FrameRate?
  /// How much wider than high a pixel is, as a fraction; nil where the stream does not say.
  public let pixelAspectRatio: PixelAspectRatio?
  /// Which samples a frame has; `420jpeg` where the stream does not say.
  public let colorSpace: ColorSpace
  /// Which part of 0...255 the samples use.
  ///
  /// Where the stream does not say (`XCOLORRANGE`), that is `video`, and `full` for `mono`, as in
  /// FFmpeg.
  public let range: YCbCrEncoding.Range

  /// The width of a pixel for a height of `denominator`; both at least 1.
  public struct PixelAspectRatio: Hashable, Sendable {
    /// The width.
    public let numerator: Int
    /// The height.
    public let denominator: Int
  }

  /// The bytes of a frame, without its header.
  public var frameByteCount: Int { width * height + 2 * chromaByteCount }

  /// The bytes of a chroma plane.
  var chromaByteCount: Int {
    guard let subsampling = colorSpace.chromaSubsampling else { return 0 }
    return subsampling.columnCount(forWidth: width) * subsampling.rowCount(forHeight: height)
  }

  /// A frame over samples; nothing is copied.
  ///
  /// - Precondition: there are `frameByteCount` samples or more.
  func frame(_ samples: [UInt8], matrix: YCbCrEncoding.Matrix) -> StoredFrame {
    precondition(samples.count >= frameByteCount)
    let lumaCount = width * height
    guard let subsampling = colorSpace.chromaSubsampling else {
      return StoredFrame(
        width: width, height: height, format: range == .full ? .packed(.gray) : .luma(range),
        chromaSiting: .center, orientation: .up, pixels: samples, bytesPerRow: width,
        chroma: .none)
    }
    return StoredFrame(
      width: width, height: height,
      format: RawFrame.Format(subsampling, YCbCrEncoding(matrix, range)),
      chromaSiting: colorSpace.chromaSiting, orientation: .up, pixels: samples,
      bytesPerRow: width,
      chroma: .behindLuma(
        cbOffset: lumaCount, crOffset: lumaCount + chromaByteCount,
        bytesPerRow: subsampling.columnCount(forWidth: width)))
  }
}
