/// Why bytes could not be read as a YUV4MPEG2 stream, or a picture could not be written to one.
///
/// Each case is one rule that was broken. Text from the stream is given with at most 32 characters,
/// those that are not printable ASCII as `?`. Frames are counted from 0.
public enum Y4MError: Error, Hashable, Sendable {
  /// A parameter of the stream header.
  public enum Parameter: String, CaseIterable, Hashable, Sendable {
    /// `W`: columns.
    case width = "W"
    /// `H`: rows.
    case height = "H"
    /// `F`: frames in a second, as a ratio.
    case frameRate = "F"
    /// `I`: interlacing.
    case interlacing = "I"
    /// `A`: the shape of a pixel, as a ratio.
    case pixelAspectRatio = "A"
    /// `C`: the colour space.
    case colorSpace = "C"
    /// `XCOLORRANGE`: which part of 0...255 the samples use.
    case colorRange = "XCOLORRANGE"
  }

  /// The stream begins with `YUV4MPEG2` and a space or the end of the line.
  case missingSignature(found: String)
  /// The stream header ends with a line feed; the stream ended after `found` bytes of it.
  case truncatedHeader(found: Int)
  /// The stream header has at most `limit` bytes.
  case headerTooLong(limit: Int)
  /// A parameter begins with one of `W`, `H`, `F`, `I`, `A`, `C` and `X`.
  case unknownParameter(found: String)
  /// A parameter is given once.
  case repeatedParameter(Parameter)
  /// Width and height must be given.
  case missingParameter(Parameter)
  /// A width or height is written with decimal digits, nine at most.
  case invalidNumber(Parameter, found: String)
  /// A picture has at least one column and one row.
  case noPixels(width: Int, height: Int)
  /// A frame has no more pixels than the limits allow.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// A side of a frame is no longer than the limits allow.
  case sideTooLong(width: Int, height: Int, limit: Int)
  /// A ratio is two numbers with a colon between, both from 1 to 2147483647, or both 0 for unknown.
  case invalidRatio(Parameter, found: String)
  /// Interlacing is one of `p`, `t`, `b`, `m` and `?`.
  case invalidInterlacing(found: String)
  /// Only whole frames are read: `p`, and `?`, which is taken for it.
  case unsupportedInterlacing(found: String)
  /// The colour space is none that the format has.
  case unknownColorSpace(found: String)
  /// The colour space is known but not read: a rare subsampling.
  case unsupportedColorSpace(name: String)
  /// The colour range is `FULL` or `LIMITED`.
  case invalidColorRange(found: String)
  /// A frame begins with `FRAME` and a space or the end of the line.
  case missingFrameMarker(frame: Int, found: String)
  /// A frame header has at most `limit` bytes.
  case frameHeaderTooLong(frame: Int, limit: Int)
  /// A frame header ends with a line feed; the stream ended after `found` bytes of it.
  case truncatedFrameHeader(frame: Int, found: Int)
  /// A frame has `required` bytes; the stream ended after `found` of them.
  case truncatedFrame(frame: Int, found: Int, required: Int)
  /// All pictures of a stream that is written have its size, turned upright.
  case wrongPictureSize(
    width: Int, height: Int, requiredWidth: Int, requiredHeight: Int)
}

extension Y4MError: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String {
    switch self {
    case .missingSignature(let found):
      "A YUV4MPEG2 stream begins with that word, but this one begins with \"\(found)\"."
    case .truncatedHeader(let found):
      "The YUV4MPEG2 stream ends inside its header, after \(found) bytes."
    case .headerTooLong(let limit):
      "The YUV4MPEG2 stream header is longer than \(limit) bytes."
    case .unknownParameter(let found):
      "The YUV4MPEG2 parameter \"\(found)\" is not known."
    case .repeatedParameter(let parameter):
      "The YUV4MPEG2 header gives the \(parameter) twice."
    case .missingParameter(let parameter):
      "The YUV4MPEG2 header does not give the \(parameter)."
    case .invalidNumber(let parameter, let found):
      "The YUV4MPEG2 \(parameter) must be a whole number, found \"\(found)\"."
    case .noPixels(let width, let height):
      "A YUV4MPEG2 frame needs at least one column and one row, found \(width) by \(height)."
    case .tooManyPixels(let width, let height, let limit):
      "The YUV4MPEG2 frames of \(width) by \(height) pixels exceed the limit of \(limit) pixels."
    case .sideTooLong(let width, let height, let limit):
      "The YUV4MPEG2 frames have \(width) by \(height) pixels, but a side has at most \(limit)."
    case .invalidRatio(let parameter, let found):
      "The YUV4MPEG2 \(parameter) must be two numbers such as 30:1, found \"\(found)\"."
    case .invalidInterlacing(let found):
      "The YUV4MPEG2 interlacing must be p, t, b, m or ?, found \"\(found)\"."
    case .unsupportedInterlacing(let found):
      "Interlaced YUV4MPEG2 streams are not supported, found \"\(found)\"; p is required: "
        + "`ffmpeg -i in -vf yadif -pix_fmt yuv420p -f yuv4mpegpipe -` makes whole frames."
    case .unknownColorSpace(let found):
      "The YUV4MPEG2 colour space \"\(found)\" is not known."
    case .unsupportedColorSpace(let name):
      "The YUV4MPEG2 colour space \(name) is not supported: "
        + "`ffmpeg -i in -pix_fmt yuv420p -f yuv4mpegpipe -` makes one that is."
    case .invalidColorRange(let found):
      "The YUV4MPEG2 colour range must be FULL or LIMITED, found \"\(found)\"."
    case .missingFrameMarker(let frame, let found):
      "Frame \(frame) of the YUV4MPEG2 stream must begin with FRAME, found \"\(found)\"."
    case .frameHeaderTooLong(let frame, let limit):
      "The header of frame \(frame) of the YUV4MPEG2 stream is longer than \(limit) bytes."
    case .truncatedFrameHeader(let frame, let found):
      "The YUV4MPEG2 stream ends inside the header of frame \(frame), after \(found) bytes."
    case .truncatedFrame(let frame, let found, let required):
      "The YUV4MPEG2 stream ends inside frame \(frame): \(required) bytes are required, "
        + "\(found) are there."
    case .wrongPictureSize(let width, let height, let requiredWidth, let requiredHeight):
      "The YUV4MPEG2 stream has frames of \(requiredWidth) by \(requiredHeight) pixels, but the "
        + "picture has \(width) by \(height)."
    }
  }

  /// Bytes of a stream as a short text that cannot steer a terminal.
  static func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    for byte in bytes.prefix(32) {
      let isPrintable = (0x20...0x7E).contains(byte)
      text.unicodeScalars.append(isPrintable ? Unicode.Scalar(byte) : "?")
    }
    return text
  }
}

extension Y4MError.Parameter: CustomStringConvertible {
  /// The words for it in a sentence.
  public var description: String {
    switch self {
    case .width: "width"
    case .height: "height"
    case .frameRate: "frame rate"
    case .interlacing: "interlacing"
    case .pixelAspectRatio: "pixel aspect ratio"
    case .colorSpace: "colour space"
    case .colorRange: "colour range"
    }
  }
}
