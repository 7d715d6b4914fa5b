/// What can be wrong with a PNG file: each case is the rule that the file breaks.
public enum PNGError: Error, Hashable, Sendable {
  /// The file does not start with the eight bytes of every PNG file.
  case invalidSignature
  /// The file ends inside a chunk, or before all rows are there.
  case truncated(byteCount: Int, requiredByteCount: Int)
  /// The four bytes that name a chunk are not letters.
  case invalidChunkType(PNGChunkType, offset: Int)
  /// A chunk claims more than 2³¹ - 1 bytes.
  case chunkTooLong(PNGChunkType, byteCount: UInt32)
  /// A chunk has a length that its type does not allow.
  case invalidChunkLength(PNGChunkType, byteCount: Int, allowed: ClosedRange<Int>)
  /// The CRC-32 at the end of a chunk is not that of its type and data.
  case checksumMismatch(PNGChunkType, stored: UInt32, computed: UInt32)
  /// A chunk that a decoder must understand is unknown.
  case unknownCriticalChunk(PNGChunkType)
  /// The first chunk is not `IHDR`.
  case missingHeader(found: PNGChunkType)
  /// The file is one that Apple's tools made for their devices, by the chunk `CgBI`, and no PNG file.
  case appleOptimization
  /// A picture with a palette has no `PLTE` chunk before its rows.
  case missingPalette
  /// The file has no `IDAT` chunk.
  case missingImageData
  /// A chunk that may occur once occurs twice.
  case duplicateChunk(PNGChunkType)
  /// A chunk comes after one that must follow it.
  case misplacedChunk(PNGChunkType, after: PNGChunkType)
  /// The rows end before the picture does, and more image data follows behind other chunks.
  case interruptedImageData
  /// A chunk must not occur with the picture's colour type.
  case forbiddenChunk(PNGChunkType, colorType: PNGHeader.ColorType)
  /// A width or height is zero or above 2³¹ - 1.
  case invalidSize(width: UInt32, height: UInt32)
  /// The picture has more pixels than `DecodingLimits` allow, or than memory can address.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// A side of the picture is longer than `DecodingLimits` allow.
  case sideTooLong(width: Int, height: Int, limit: Int)
  /// The colour type is none of 0, 2, 3, 4 and 6.
  case invalidColorType(UInt8)
  /// The colour type does not allow the bit depth.
  case invalidBitDepth(UInt8, colorType: PNGHeader.ColorType)
  /// The compression method is not 0, the only one.
  case invalidCompressionMethod(UInt8)
  /// The filter method is not 0, the only one.
  case invalidFilterMethod(UInt8)
  /// The interlace method is neither 0, none, nor 1, Adam7.
  case invalidInterlaceMethod(UInt8)
  /// The length of a palette is not a multiple of three, or it has no entry, or more than 256.
  case invalidPaletteLength(byteCount: Int)
  /// A pixel has an index that is not in the palette.
  case paletteIndexOutOfRange(index: Int, paletteCount: Int)
  /// The filter of a row is none of 0 to 4.
  case invalidFilter(UInt8)
  /// The compressed rows are damaged.
  case invalidCompression(InflateError)
  /// The compressed rows end before the last row does.
  case imageDataTooShort(requiredByteCount: Int)
}

extension PNGError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .invalidSignature:
      "The file does not start with the signature of a PNG file."
    case .truncated(let byteCount, let requiredByteCount):
      "The PNG file ends after \(byteCount) bytes, but needs at least \(requiredByteCount)."
    case .invalidChunkType(let type, let offset):
      "The PNG chunk at byte \(offset) is named \(type), which is not four letters."
    case .chunkTooLong(let type, let byteCount):
      "The PNG chunk \(type) claims \(byteCount) bytes, but at most 2147483647 are allowed."
    case .invalidChunkLength(let type, let byteCount, let allowed):
      "The PNG chunk \(type) has \(byteCount) bytes, but \(Self.text(of: allowed)) are required."
    case .checksumMismatch(let type, let stored, let computed):
      "The PNG chunk \(type) is damaged: its checksum is \(computed), but the file says \(stored)."
    case .unknownCriticalChunk(let type):
      "The PNG file needs the chunk \(type), which is unknown."
    case .missingHeader(let found):
      "The PNG file starts with the chunk \(found) instead of IHDR."
    case .appleOptimization:
      "The file is a PNG that Apple's tools changed for iPhones (CgBI): save it again as PNG, or "
        + "undo that with `pngcrush -revert-iphone-optimizations in.png out.png`."
    case .missingPalette:
      "The PNG file has a palette picture but no palette before its rows."
    case .missingImageData:
      "The PNG file has no picture data."
    case .duplicateChunk(let type):
      "The PNG file has the chunk \(type) twice."
    case .misplacedChunk(let type, let after):
      "The PNG file has the chunk \(type) after \(after), but it must come before."
    case .interruptedImageData:
      "The PNG file has other chunks between its IDAT chunks, and too few rows before them."
    case .forbiddenChunk(let type, let colorType):
      "The PNG chunk \(type) is not allowed in a picture of colour type \(colorType.rawValue)."
    case .invalidSize(let width, let height):
      "The PNG file claims \(width) by \(height) pixels, but each must be 1 to 2147483647."
    case .tooManyPixels(let width, let height, let limit):
      "The PNG file has \(width) by \(height) pixels, but the limit is \(limit) in all."
    case .sideTooLong(let width, let height, let limit):
      "The PNG file has \(width) by \(height) pixels, but a side has at most \(limit)."
    case .invalidColorType(let value):
      "The PNG file has colour type \(value), but only 0, 2, 3, 4 and 6 exist."
    case .invalidBitDepth(let bitDepth, let colorType):
      "The PNG file has \(bitDepth) bits for a sample, which colour type \(colorType.rawValue) "
        + "does not allow."
    case .invalidCompressionMethod(let value):
      "The PNG file has compression method \(value), but only 0 exists."
    case .invalidFilterMethod(let value):
      "The PNG file has filter method \(value), but only 0 exists."
    case .invalidInterlaceMethod(let value):
      "The PNG file has interlace method \(value), but only 0 and 1 exist."
    case .invalidPaletteLength(let byteCount):
      "The PNG palette has \(byteCount) bytes, but 3 for each of 1 to 256 colours are required."
    case .paletteIndexOutOfRange(let index, let paletteCount):
      "A PNG pixel has the colour \(index), but the palette has only \(paletteCount)."
    case .invalidFilter(let value):
      "A PNG row has filter \(value), but only 0 to 4 exist."
    case .invalidCompression(let error):
      "The PNG picture data is damaged: \(error)"
    case .imageDataTooShort(let requiredByteCount):
      "The PNG picture data ends before the \(requiredByteCount) bytes that the picture needs."
    }
  }

  private static func text(of range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound
      ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }
}
