public import DiceImaging

/// Decodes picture files of every format that this library reads, told apart by their first bytes.
public enum ImageDecoder {
  /// Decodes a PNG, JPEG or portable map file.
  ///
  ///     let image = try ImageDecoder.decode(bytes)
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: Bounds on the picture's size, checked before memory is taken.
  ///   - keepsAlpha: Whether the alpha of PNG files is of use; without it they take less memory.
  /// - Returns: the picture, its rows as stored with the orientation that the file gives.
  /// - Throws: `ImageDecodingError`: `empty`, `unsupportedFormat` for a format that is known but
  ///   not read, `unrecognizedFormat`, or the error of the decoder that was chosen.
  /// - Complexity: that of the decoder that is chosen.
  public static func decode(
    _ bytes: [UInt8], limits: DecodingLimits = .init(), keepsAlpha: Bool = true
  ) throws(ImageDecodingError) -> PixelImage {
    switch try format(of: bytes) {
    case .png:
      do throws(PNGError) {
        return try PNGDecoder.decode(bytes, limits: limits, keepsAlpha: keepsAlpha)
      } catch {
        throw .png(error)
      }
    case .jpeg:
      do throws(JPEGError) {
        return try JPEGDecoder.decode(bytes, limits: limits)
      } catch {
        throw .jpeg(error)
      }
    case .portableMap:
      do throws(PortableMapError) {
        return try PortableMapDecoder.decode(bytes, limits: limits)
      } catch {
        throw .portableMap(error)
      }
    case let other:
      throw .unsupportedFormat(other)
    }
  }

  /// Whether a file that begins with the given bytes is of a format that is decoded, so that reading
  /// all of it pays.
  ///
  /// - Parameter beginning: The first 1024 bytes of the file, or more, or all of a shorter one.
  public static func decodes(beginning: [UInt8]) -> Bool {
    ImageFormat(recognizing: beginning)?.isDecodable ?? false
  }

  /// Recognises the format of a file.
  ///
  /// - Returns: the format, whether it can be decoded or not.
  /// - Throws: `empty` or `unrecognizedFormat`.
  public static func format(of bytes: [UInt8]) throws(ImageDecodingError) -> ImageFormat {
    if bytes.isEmpty { throw .empty }
    guard let format = ImageFormat(recognizing: bytes) else {
      throw .unrecognizedFormat(firstBytes: Array(bytes.prefix(8)))
    }
    return format
  }
}

/// Why a file could not be decoded as a picture.
public enum ImageDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There are no bytes.
  case empty
  /// The first bytes, eight of them where there are as many, are those of no known format.
  case unrecognizedFormat(firstBytes: [UInt8])
  /// The format is known, but this library does not read it.
  case unsupportedFormat(ImageFormat)
  /// The file is a PNG file that breaks a rule.
  case png(PNGError)
  /// The file is a JPEG file that breaks a rule.
  case jpeg(JPEGError)
  /// The file is a portable map that breaks a rule.
  case portableMap(PortableMapError)

  /// One sentence for the user.
  public var description: String {
    switch self {
    case .empty:
      "The file is empty: a PNG, JPEG, PGM or PPM file is required."
    case .unrecognizedFormat(let firstBytes):
      "The file starts with \(Self.hexadecimal(firstBytes)), which is no known kind of picture: "
        + "a PNG, JPEG, PGM or PPM file is required."
    case .unsupportedFormat(let format):
      "The file is of the kind \(format.name), which cannot be read: a PNG, JPEG, PGM or PPM file "
        + "is required."
        + (format.pictureConversion.map { " Convert it with `\($0)`." } ?? "")
    case .png(let error): error.description
    case .jpeg(let error): error.description
    case .portableMap(let error): error.description
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      if !text.isEmpty { text += " " }
      for digit in [byte >> 4, byte & 15] {
        text.unicodeScalars.append(Unicode.Scalar(digit < 10 ? 48 + digit : 55 + digit))
      }
    }
    return text
  }
}
