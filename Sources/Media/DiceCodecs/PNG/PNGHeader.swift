public import DiceImaging

/// What a PNG file says about its picture before the compressed rows.
public struct PNGHeader: Hashable, Sendable {
  /// What the samples of a stored pixel mean.
  ///
  /// Raw values are those of the file.
  public enum ColorType: UInt8, CaseIterable, Hashable, Sendable {
    /// One luminance sample of 1, 2, 4, 8 or 16 bits.
    case gray = 0
    /// Red, green, blue, 8 or 16 bits each.
    case rgb = 2
    /// An index of 1, 2, 4 or 8 bits into the palette.
    case palette = 3
    /// Luminance and alpha, 8 or 16 bits each.
    case grayAlpha = 4
    /// Red, green, blue and alpha, 8 or 16 bits each.
    case rgba = 6

    /// Samples for each stored pixel: 1 to 4.
    public var channelCount: Int {
      switch self {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }

    /// Whether the file may store samples of so many bits in this colour type.
    public func allows(bitDepth: Int) -> Bool {
      switch self {
      case .gray: [1, 2, 4, 8, 16].contains(bitDepth)
      case .palette: [1, 2, 4, 8].contains(bitDepth)
      case .rgb, .grayAlpha, .rgba: bitDepth == 8 || bitDepth == 16
      }
    }
  }

  /// Columns of the picture, at least 1.
  public let width: Int
  /// Rows of the picture, at least 1.
  public let height: Int
  /// Bits of a stored sample: 1, 2, 4, 8 or 16.
  public let bitDepth: Int
  /// What the samples of a stored pixel mean.
  public let colorType: ColorType
  /// Whether the rows are stored in the seven passes of Adam7.
  public let isInterlaced: Bool
  /// Whether a `tRNS` chunk makes a colour, or entries of the palette, transparent.
  public internal(set) var hasTransparency = false

  /// The format that the decoded picture has.
  ///
  /// Gray stays gray, and colour and palettes become red, green, blue. Anything with alpha or with
  /// a transparent colour becomes red, green, blue, alpha.
  public var format: PixelImage.Format { format(keepsAlpha: true) }

  /// The format that the decoded picture has, with or without alpha.
  func format(keepsAlpha: Bool) -> PixelImage.Format {
    if keepsAlpha, hasTransparency || colorType == .grayAlpha || colorType == .rgba {
      return .rgba
    }
    return colorType == .gray || colorType == .grayAlpha ? .gray : .rgb
  }

  /// Refuses pictures that are larger than allowed, or than memory can address.
  func check(_ limits: DecodingLimits) throws(PNGError) {
    let pixels = width.multipliedReportingOverflow(by: height)
    // Eight bytes for each pixel and one for each of the rows of all passes bound what follows;
    // the passes have at most two rows for each row of the picture.
    if pixels.overflow || pixels.partialValue > limits.pixelCount
      || pixels.partialValue.multipliedReportingOverflow(by: 8 + 2 * 8).overflow
    {
      throw .tooManyPixels(width: width, height: height, limit: limits.pixelCount)
    }
    guard limits.allowSides(width, height) else {
      throw .sideTooLong(width: width, height: height, limit: limits.sideLength)
    }
  }

  /// Bits of a stored pixel: 1 to 64.
  var bitsPerPixel: Int { bitDepth * colorType.channelCount }

  /// Whole bytes from one pixel to the one that a filter calls its left neighbour: 1 to 8.
  var filterDistance: Int { max(1, bitsPerPixel / 8) }
}

extension PNGHeader {
  /// Bytes of the data of an `IHDR` chunk.
  static let byteCount = 13

  /// The largest width and height that a file may state.
  static let largestExtent: UInt32 = 0x7FFF_FFFF

  /// Reads the 13 bytes of an `IHDR` chunk.
  init(_ bytes: ArraySlice<UInt8>) throws(PNGError) {
    precondition(bytes.count == Self.byteCount, "the caller checks the length")
    let fields = Array(bytes)
    func integer(at index: Int) -> UInt32 {
      fields[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let width = integer(at: 0)
    let height = integer(at: 4)
    let extents = 1...Self.largestExtent
    guard extents.contains(width), extents.contains(height) else {
      throw .invalidSize(width: width, height: height)
    }
    guard let colorType = ColorType(rawValue: fields[9]) else {
      throw .invalidColorType(fields[9])
    }
    guard colorType.allows(bitDepth: Int(fields[8])) else {
      throw .invalidBitDepth(fields[8], colorType: colorType)
    }
    if fields[10] != 0 { throw .invalidCompressionMethod(fields[10]) }
    if fields[11] != 0 { throw .invalidFilterMethod(fields[11]) }
    if fields[12] > 1 { throw .invalidInterlaceMethod(fields[12]) }
    self.width = Int(width)
    self.height = Int(height)
    self.bitDepth = Int(fields[8])
    self.colorType = colorType
    self.isInterlaced = fields[12] == 1
  }
}
