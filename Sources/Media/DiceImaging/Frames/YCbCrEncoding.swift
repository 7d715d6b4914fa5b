/// How luma and chroma samples stand for colours: the matrix and the range of the samples.
///
/// With `y`, `cb`, `cr` the samples and `kr`, `kb` the constants of the matrix:
///
///     full range:   Y = y                      Pb = cb - 128               Pr = cr - 128
///     video range:  Y = (y - 16) * 255 / 219   Pb = (cb - 128) * 255 / 224   Pr likewise
///
///     red   = Y + 2 (1 - kr) Pr
///     blue  = Y + 2 (1 - kb) Pb
///     green = (Y - kr red - kb blue) / (1 - kr - kb)
///
/// Results are clamped to 0...255. Source: ITU-R BT.601-7 and BT.709-6, section 3 of each.
public struct YCbCrEncoding: Hashable, Sendable {
  /// The weights of red and blue in luma.
  public enum Matrix: UInt8, CaseIterable, Hashable, Sendable {
    /// Standard definition, JPEG: `kr = 0.299`, `kb = 0.114`.
    case bt601
    /// High definition, most cameras: `kr = 0.2126`, `kb = 0.0722`.
    case bt709

    /// The weight of red in luma.
    public var redWeight: Float {
      switch self {
      case .bt601: 0.299
      case .bt709: 0.2126
      }
    }

    /// The weight of blue in luma.
    public var blueWeight: Float {
      switch self {
      case .bt601: 0.114
      case .bt709: 0.0722
      }
    }
  }

  /// Which part of 0...255 the samples use.
  public enum Range: UInt8, CaseIterable, Hashable, Sendable {
    /// Luma from 16 to 235, chroma from 16 to 240 (`420v` of Core Video).
    case video
    /// Luma and chroma from 0 to 255 (`420f` of Core Video, JPEG).
    case full
  }

  /// The weights of red and blue in luma.
  public var matrix: Matrix
  /// Which part of 0...255 the samples use.
  public var range: Range

  /// An encoding with the given matrix and range.
  public init(_ matrix: Matrix, _ range: Range) {
    self.matrix = matrix
    self.range = range
  }

  /// The factors of the conversion to red, green and blue.
  var factors: YCbCrFactors { YCbCrFactors(self) }
}

/// The conversion of `YCbCrEncoding` as one multiplication for each sample.
struct YCbCrFactors: Hashable, Sendable {
  let lumaOffset: Float
  let luma: Float
  let redFromCr: Float
  let greenFromCb: Float
  let greenFromCr: Float
  let blueFromCb: Float

  init(_ encoding: YCbCrEncoding) {
    let kr = encoding.matrix.redWeight
    let kb = encoding.matrix.blueWeight
    let kg = 1 - kr - kb
    let chroma: Float
    switch encoding.range {
    case .video:
      lumaOffset = 16
      luma = 255 / 219
      chroma = 255 / 224
    case .full:
      lumaOffset = 0
      luma = 1
      chroma = 1
    }
    redFromCr = 2 * (1 - kr) * chroma
    blueFromCb = 2 * (1 - kb) * chroma
    greenFromCb = -2 * (1 - kb) * kb / kg * chroma
    greenFromCr = -2 * (1 - kr) * kr / kg * chroma
  }

  /// Red, green, blue and 0, not clamped.
  @inline(__always)
  func color(y: Float, cb: Float, cr: Float) -> SIMD4<Float> {
    let base = (y - lumaOffset) * luma
    let pb = cb - 128
    let pr = cr - 128
    return SIMD4(
      base + redFromCr * pr, base + greenFromCb * pb + greenFromCr * pr, base + blueFromCb * pb, 0)
  }
}
