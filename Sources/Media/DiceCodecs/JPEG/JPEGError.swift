/// Why bytes could not be decoded as a JPEG picture, or a picture could not be encoded as one.
///
/// Each case is one rule that was broken; its values say what was found.
public enum JPEGError: Error, Hashable, Sendable {
  /// The bytes do not begin with the start-of-image marker `FF D8`.
  case missingStartOfImage
  /// The bytes end at `offset`, inside a segment or before the picture is complete.
  case truncated(offset: Int)
  /// The file ends properly but holds no picture: there is no frame, or no scan of it.
  case missingPicture
  /// A marker stands where it must not.
  case unexpectedMarker(marker: UInt8, offset: Int)
  /// The length of a marker's segment contradicts what the segment says it holds.
  case invalidSegmentLength(marker: UInt8, length: Int)
  /// The width is zero.
  case zeroWidth
  /// The frame has more pixels than the limits allow.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// A side of the frame is longer than the limits allow.
  case sideTooLong(width: Int, height: Int, limit: Int)
  /// A second frame header follows the first one.
  case repeatedFrame
  /// A component's sampling factors are not within 1 to 4.
  case invalidSamplingFactors(horizontal: Int, vertical: Int)
  /// The scan header breaks a rule: unknown or repeated component, or illegal spectral selection or
  /// successive approximation.
  case invalidScan(offset: Int)
  /// No scan carries data for the component with this index.
  case missingScan(component: Int)
  /// A quantization table is malformed: its number or precision is unknown, or a value is zero.
  case invalidQuantizationTable(index: Int)
  /// A component refers to a quantization table that was not defined.
  case missingQuantizationTable(index: Int)
  /// A Huffman table is malformed: its class, number, code lengths or symbols are illegal.
  case invalidHuffmanTable(index: Int)
  /// A scan refers to a Huffman table that was not defined.
  case missingHuffmanTable(index: Int)
  /// The compressed data holds a bit pattern that is no code, before the byte at `offset`.
  case invalidHuffmanCode(offset: Int)
  /// The compressed data of a scan ends too early, at a marker at `offset` or at the end of the
  /// file.
  case truncatedScan(offset: Int)
  /// The restart marker of the given number (0 to 7) was required at `offset`.
  case missingRestartMarker(number: Int, offset: Int)
  /// The conditioning of arithmetic coding is malformed: its class or number, its bounds, or its band.
  case invalidArithmeticConditioning(index: Int)
  /// The arithmetic-coded data holds a run that leaves its band, or a magnitude of more than 15 bits,
  /// before the byte at `offset`.
  case invalidArithmeticCode(offset: Int)
  /// The scans together visit more blocks than `limit`, as no ordinary file does.
  case tooMuchScanWork(limit: Int)
  /// Samples of 12 or 16 bits, or an illegal number of bits; only 8 are supported.
  case unsupportedPrecision(bits: Int)
  /// Lossless coding is not supported.
  case unsupportedLosslessCoding
  /// Hierarchical coding is not supported.
  case unsupportedHierarchicalCoding
  /// The height is zero: the number of lines is to follow the first scan in a DNL marker, which is
  /// not supported.
  case unsupportedLineCountMarker
  /// The number of components is not 1, 3 or 4.
  case unsupportedComponentCount(Int)
  /// A picture to be encoded is wider or higher than 65535.
  case tooLargeToEncode(width: Int, height: Int)
  /// The quality for encoding is not within 1 to 100.
  case invalidQuality(Int)
}

extension JPEGError: CustomStringConvertible {
  /// One sentence for a user.
  public var description: String {
    switch self {
    case .missingStartOfImage: "The bytes are not a JPEG file: they do not begin with FF D8."
    case .truncated(let offset): "The JPEG file ends too early, at byte \(offset)."
    case .missingPicture: "The JPEG file holds no picture."
    case .unexpectedMarker(let marker, let offset):
      "The JPEG marker FF \(hexadecimal(marker)) at byte \(offset) is out of place."
    case .invalidSegmentLength(let marker, let length):
      "The JPEG segment FF \(hexadecimal(marker)) cannot be \(length) bytes long."
    case .zeroWidth: "A JPEG picture cannot be 0 pixels wide."
    case .tooManyPixels(let width, let height, let limit):
      "The JPEG picture of \(width) by \(height) pixels exceeds the limit of \(limit) pixels."
    case .sideTooLong(let width, let height, let limit):
      "The JPEG picture has \(width) by \(height) pixels, but a side has at most \(limit)."
    case .repeatedFrame: "The JPEG file has more than one frame header."
    case .invalidSamplingFactors(let horizontal, let vertical):
      "JPEG sampling factors must be 1 to 4, found \(horizontal) by \(vertical)."
    case .invalidScan(let offset): "The JPEG scan header at byte \(offset) is not valid."
    case .missingScan(let component): "The JPEG file has no data for component \(component)."
    case .invalidQuantizationTable(let index): "JPEG quantization table \(index) is not valid."
    case .missingQuantizationTable(let index): "JPEG quantization table \(index) is not defined."
    case .invalidHuffmanTable(let index): "JPEG Huffman table \(index) is not valid."
    case .missingHuffmanTable(let index): "JPEG Huffman table \(index) is not defined."
    case .invalidHuffmanCode(let offset):
      "The compressed JPEG data is damaged before byte \(offset)."
    case .truncatedScan(let offset): "The compressed JPEG data ends too early, at byte \(offset)."
    case .missingRestartMarker(let number, let offset):
      "The JPEG restart marker \(number) is missing at byte \(offset)."
    case .invalidArithmeticConditioning(let index):
      "JPEG arithmetic conditioning \(index) is not valid."
    case .invalidArithmeticCode(let offset):
      "The arithmetic-coded JPEG data is damaged before byte \(offset)."
    case .tooMuchScanWork(let limit):
      "The JPEG scans visit more than the \(limit) blocks that are allowed."
    case .unsupportedPrecision(let bits): "JPEG samples of \(bits) bits are not supported, only 8."
    case .unsupportedLosslessCoding: "Lossless JPEG coding is not supported."
    case .unsupportedHierarchicalCoding: "Hierarchical JPEG coding is not supported."
    case .unsupportedLineCountMarker:
      "A JPEG file that gives its height after the picture (DNL) is not supported."
    case .unsupportedComponentCount(let count):
      "JPEG pictures with \(count) components are not supported, only 1, 3 and 4."
    case .tooLargeToEncode(let width, let height):
      "A JPEG file holds at most 65535 by 65535 pixels, not \(width) by \(height)."
    case .invalidQuality(let quality): "JPEG quality must be 1 to 100, found \(quality)."
    }
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + digits : digits
  }
}
