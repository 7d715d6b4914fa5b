public import DiceGeometry

/// A picture in memory as a camera or a decoder left it, looked at in place and never copied.
///
/// A frame borrows its samples. It cannot be copied or sent to another thread, and the closures
/// that lend one (`PixelImage.withFrame(_:)`, `StoredFrame.withFrame(_:)`, `withUnsafePixels`)
/// cannot give it away, so it does not outlive the memory that it looks at:
///
///     let dice = image.withFrame { frame in detector.detect(in: frame) }
///
/// Camera buffers enter through the initializers whose first label starts with `unsafe`.
///
/// Layout: rows stand as stored, from top to bottom, `bytesPerRow` apart; bytes between the last
/// sample of a row and the next row are never read. Frames with separate planes have luma
/// `[height, width]` and chroma `[chroma rows, chroma columns, 2]` where Cb and Cr are interleaved, or
/// a plane `[chroma rows, chroma columns]` for each; `ChromaSubsampling` says how many that are, half
/// as many rounded up where chroma is shared. `orientation` says how to turn the rows upright.
@safe
public struct RawFrame: ~Copyable {
  /// The order of interleaved 8-bit samples in a pixel.
  public enum PixelFormat: UInt8, CaseIterable, Hashable, Sendable {
    /// One luminance sample.
    case gray
    /// Red, green, blue.
    case rgb
    /// Red, green, blue, and a fourth sample that is not looked at.
    case rgba
    /// Blue, green, red, and a fourth sample that is not looked at (`32BGRA` of Core Video).
    case bgra

    /// Bytes for each pixel: 1, 3 or 4.
    public var channelCount: Int {
      switch self {
      case .gray: 1
      case .rgb: 3
      case .rgba, .bgra: 4
      }
    }
  }

  /// What the samples of a frame mean.
  public enum Format: Hashable, Sendable {
    /// Whole pixels, one after another.
    case packed(PixelFormat)
    /// Luma alone: gray pixels whose samples use a part of 0...255.
    case luma(YCbCrEncoding.Range)
    /// Luma for each pixel, and chroma for each block of 2 x 2 pixels, in planes of their own.
    case yCbCr420(YCbCrEncoding)
    /// Luma for each pixel, and chroma for each two pixels side by side, in planes of their own.
    case yCbCr422(YCbCrEncoding)
    /// Luma and chroma for each pixel, in planes of their own.
    case yCbCr444(YCbCrEncoding)

    /// A format with chroma in planes of its own.
    public init(_ subsampling: ChromaSubsampling, _ encoding: YCbCrEncoding) {
      switch subsampling {
      case .s420: self = .yCbCr420(encoding)
      case .s422: self = .yCbCr422(encoding)
      case .s444: self = .yCbCr444(encoding)
      }
    }

    /// How many pixels share a chroma sample; nil where there is no chroma plane.
    public var chromaSubsampling: ChromaSubsampling? {
      switch self {
      case .packed, .luma: nil
      case .yCbCr420: .s420
      case .yCbCr422: .s422
      case .yCbCr444: .s444
      }
    }

    /// Whether pictures of this format have no colours.
    public var isGray: Bool {
      switch self {
      case .packed(let format): format == .gray
      case .luma: true
      case .yCbCr420, .yCbCr422, .yCbCr444: false
      }
    }
  }

  /// Which of two interleaved chroma samples comes first.
  public enum ChromaOrder: UInt8, Hashable, Sendable {
    /// Cb, then Cr: NV12, and the bi-planar formats of Core Video.
    case cbCr
    /// Cr, then Cb: NV21.
    case crCb
  }

  /// One plane of samples: where it starts and how far its rows lie apart.
  @unsafe struct Plane {
    let base: UnsafeRawPointer
    let bytesPerRow: Int
  }

  /// The chroma planes of a frame.
  @unsafe enum Chroma {
    case none
    case interleaved(Plane, ChromaOrder)
    case separate(cb: Plane, cr: Plane)
  }

  /// Columns of the stored picture, at least 1.
  public let width: Int
  /// Rows of the stored picture, at least 1.
  public let height: Int
  /// What the samples mean.
  public let format: Format
  /// Where chroma samples lie among the pixels that share them; without meaning where none do.
  public let chromaSiting: ChromaSiting
  /// How the stored rows must be turned to stand upright.
  public let orientation: ImageOrientation

  /// Whole pixels, or luma.
  let pixels: Plane
  let chroma: Chroma

  /// Takes planes whose rules have been checked.
  @unsafe init(
    width: Int, height: Int, format: Format, chromaSiting: ChromaSiting = .center,
    orientation: ImageOrientation, pixels: Plane, chroma: Chroma
  ) {
    self.width = width
    self.height = height
    self.format = format
    self.chromaSiting = chromaSiting
    self.orientation = orientation
    unsafe self.pixels = pixels
    unsafe self.chroma = chroma
  }

  /// Width of the picture turned upright.
  public var uprightWidth: Int { orientation.swapsAxes ? height : width }
  /// Height of the picture turned upright.
  public var uprightHeight: Int { orientation.swapsAxes ? width : height }
}

/// The rules that every frame keeps.
enum FrameRules {
  /// The number of bytes that a plane reaches over.
  ///
  /// - Returns: `(height - 1) * bytesPerRow + width * bytesPerPixel`.
  /// - Throws: `noPixels`, `sizeOverflow` or `rowTooShort`, checked in this order.
  static func byteCount(
    of plane: FrameError.Plane, width: Int, height: Int, bytesPerPixel: Int, bytesPerRow: Int
  ) throws(FrameError) -> Int {
    guard width > 0 && height > 0 else { throw .noPixels(width: width, height: height) }
    let row = width.multipliedReportingOverflow(by: bytesPerPixel)
    let rows = (height - 1).multipliedReportingOverflow(by: bytesPerRow)
    let total = rows.partialValue.addingReportingOverflow(row.partialValue)
    if row.overflow || rows.overflow || total.overflow {
      throw .sizeOverflow(plane: plane, width: width, height: height, bytesPerRow: bytesPerRow)
    }
    guard bytesPerRow >= row.partialValue else {
      throw .rowTooShort(plane: plane, found: bytesPerRow, required: row.partialValue)
    }
    return total.partialValue
  }

  /// As `byteCount`, and the bytes must be there.
  ///
  /// - Throws: as `byteCount`, then `tooFewBytes`.
  static func check(
    _ plane: FrameError.Plane, width: Int, height: Int, bytesPerPixel: Int, bytesPerRow: Int,
    available: Int
  ) throws(FrameError) {
    let required = try byteCount(
      of: plane, width: width, height: height, bytesPerPixel: bytesPerPixel,
      bytesPerRow: bytesPerRow)
    guard available >= required else {
      throw .tooFewBytes(plane: plane, found: available, required: required)
    }
  }

  /// Half a side, rounded up: the side of a chroma plane.
  static func half(_ side: Int) -> Int { side / 2 + side % 2 }
}
