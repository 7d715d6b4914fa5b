/// Tells the kind of a stream by its first bytes.
enum FrameStreamProbe {
  /// How many bytes are looked at before a stream is refused.
  static let byteLimit = 1024

  /// What the first bytes say.
  enum Finding {
    case needsMoreBytes
    case found(FrameStream.Kind)
    case refused(FrameStreamError)
  }

  /// Looks at the first bytes.
  ///
  /// - Parameter isWhole: whether the stream ends with them.
  static func examine(_ bytes: [UInt8], isWhole: Bool) -> Finding {
    if begins(bytes, Y4MHeaderParser.signature) { return .found(.y4m) }
    if begins(bytes, [0xFF, 0xD8]) { return .found(.motionJPEG) }
    if isMultipart(bytes), holdsStartOfPicture(bytes) { return .found(.motionJPEG) }
    if bytes.count < byteLimit, !isWhole { return .needsMoreBytes }
    if bytes.isEmpty { return .refused(.empty) }
    if let format = ImageFormat(recognizing: bytes) { return .refused(.unsupportedFormat(format)) }
    return .refused(.unrecognizedFormat(firstBytes: Array(bytes.prefix(8))))
  }

  private static func begins(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
    bytes.count >= word.count && bytes.starts(with: word)
  }

  /// Whether the bytes begin as the answer of a web server or a part of a multipart message does.
  private static func isMultipart(_ bytes: [UInt8]) -> Bool {
    let text = bytes.drop { $0 == 0x0D || $0 == 0x0A }
    return ["--", "HTTP/", "Content-", "content-"].contains { text.starts(with: $0.utf8) }
  }

  private static func holdsStartOfPicture(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 3 else { return false }
    return (0...bytes.count - 3).contains {
      bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 && bytes[$0 + 2] == 0xFF
    }
  }
}
