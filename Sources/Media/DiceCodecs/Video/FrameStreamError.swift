/// Why a stream gives no more frames.
public enum FrameStreamError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There are no bytes.
  case empty
  /// The first bytes, eight of them where there are as many, are those of no known format.
  case unrecognizedFormat(firstBytes: [UInt8])
  /// The format is known, but is no stream of frames that this library reads.
  case unsupportedFormat(ImageFormat)
  /// The stream is a YUV4MPEG2 stream that breaks a rule.
  case y4m(Y4MError)

  /// One sentence for the user.
  public var description: String {
    switch self {
    case .empty:
      "The stream is empty: a YUV4MPEG2 or motion JPEG stream is required. Of some films ffmpeg makes "
        + "one only with `-pix_fmt yuv420p`."
    case .unrecognizedFormat(let firstBytes):
      "The stream starts with \(Self.hexadecimal(firstBytes)): a YUV4MPEG2 or motion JPEG stream "
        + "is required."
    case .unsupportedFormat(let format):
      "The stream is of the kind \(format.name), which cannot be read as one: a YUV4MPEG2 or "
        + "motion JPEG stream is required."
        + (format.conversion.map { " \(format.conversionVerb) it with `\($0)`." } ?? "")
    case .y4m(let error): error.description
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      if !text.isEmpty { text += " " }
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16, uppercase: true)
    }
    return text
  }
}
