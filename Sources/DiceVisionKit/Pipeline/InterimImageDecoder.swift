/// Why an image file cannot be decoded.
public enum ImageDecodingError: Error, Hashable, Sendable {
  /// The first bytes are those of no known format.
  case unknownFormat
  /// The file is a PNG and breaks a rule of it.
  case png(PNGError)
  /// The file is a JPEG and breaks a rule of it.
  case jpeg(JPEGError)
  /// One sentence.
  public var description: String {
    switch self {
    case .unknownFormat: "The file is of no known image format."
    case .png(let error): error.description
    case .jpeg(let error): error.description
    }
  }
}

enum ImageDecoder {
  static func decode(
    _ bytes: [UInt8], limits: DecodingLimits
  ) throws(ImageDecodingError) -> PixelImage {
    if PNGDecoder.matchesSignature(bytes) {
      do { return try PNGDecoder.decode(bytes, limits: limits) } catch { throw .png(error) }
    }
    guard bytes.starts(with: [0xFF, 0xD8]) else { throw .unknownFormat }
    do { return try JPEGDecoder.decode(bytes, limits: limits) } catch { throw .jpeg(error) }
  }
}
