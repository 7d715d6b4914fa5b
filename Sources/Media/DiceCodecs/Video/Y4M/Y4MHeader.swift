internal import DiceGeometry
public import DiceImaging

/// What the first line of a YUV4MPEG2 stream says about all its frames.
public struct Y4MHeader: Hashable, Sendable {
  /// Which samples a frame has, in the words of the format for 8 bits.
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
    /// 4:1:1, chroma on the first pixel of its four in a row; frames are given as 4:2:2.
    case yCbCr411 = "411"
    /// 4:4:4.
    case yCbCr444 = "444"
    /// 4:4:4 with alpha, which is left out.
    case yCbCr444Alpha = "444alpha"
    /// Luma alone.
    case mono = "mono"

    /// How many pixels share a chroma sample in the frames that are given; nil for `mono`.
    public var chromaSubsampling: RawFrame.ChromaSubsampling? {
      switch self {
      case .yCbCr420JPEG, .yCbCr420MPEG2, .yCbCr420PALDV, .yCbCr420: .s420
      case .yCbCr422, .yCbCr411: .s422
      case .yCbCr444, .yCbCr444Alpha: .s444
      case .mono: nil
      }
    }

    /// Where chroma samples lie.
    public var chromaSiting: RawFrame.ChromaSiting {
      switch self {
      case .yCbCr420JPEG, .yCbCr420, .yCbCr444, .yCbCr444Alpha, .mono: .center
      case .yCbCr420MPEG2, .yCbCr422, .yCbCr411: .left
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
  ///
  /// What the format calls `420p10` is taken for `420mpeg2` of 10 bits, and so are its like.
  public let colorSpace: ColorSpace
  /// Bits of a sample in the stream, 8 to 16; the frames that are given have 8.
  public let bitDepth: Int
  /// Which part of 0...255, or of what more bits can count, the samples use.
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

  /// The bytes of a frame in the stream, without its header.
  public var frameByteCount: Int {
    let planeCount = colorSpace == .yCbCr444Alpha ? 2 : 1
    let sampleCount =
      planeCount * width * height + 2 * storedChromaColumnCount * chromaRowCount
    return bitDepth > 8 ? 2 * sampleCount : sampleCount
  }

  /// Columns of a chroma plane in the stream.
  var storedChromaColumnCount: Int {
    colorSpace == .yCbCr411 ? (width - 1) / 4 + 1 : chromaColumnCount
  }
  /// Columns of a chroma plane in a frame that is given.
  var chromaColumnCount: Int {
    colorSpace.chromaSubsampling?.columnCount(forWidth: width) ?? 0
  }
  /// Rows of a chroma plane.
  var chromaRowCount: Int { colorSpace.chromaSubsampling?.rowCount(forHeight: height) ?? 0 }

  /// The bytes of luma and chroma in a frame that is given.
  var planesByteCount: Int { width * height + 2 * chromaColumnCount * chromaRowCount }

  /// A frame over samples of 8 bits; nothing is copied.
  ///
  /// - Precondition: there are `planesByteCount` samples or more.
  func frame(_ samples: [UInt8], matrix: YCbCrEncoding.Matrix) -> StoredFrame {
    precondition(samples.count >= planesByteCount)
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
        cbOffset: lumaCount, crOffset: lumaCount + chromaColumnCount * chromaRowCount,
        bytesPerRow: chromaColumnCount))
  }
}
