public import DiceImaging

/// An ICC colour profile, as a picture file carries it.
///
/// Profiles change no picture here: samples are taken as sRGB. They are handed on, so that a copy
/// of a picture looks as the picture does.
///
/// Source: ICC.1:2022, section 7.2.
public struct ColorProfile: Hashable, Sendable {
  /// The most bytes of a profile: 4 MiB.
  public static let byteLimit = 1 << 22
  private static let headerByteCount = 128

  /// The profile.
  public let bytes: [UInt8]

  /// A profile, or nil where the bytes are none, or more than `byteLimit`.
  ///
  /// Its header is looked at, and what stands behind the size that it states is left out.
  public init?(_ bytes: [UInt8]) {
    guard (Self.headerByteCount...Self.byteLimit).contains(bytes.count) else { return nil }
    let byteCount = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
    guard (Self.headerByteCount...bytes.count).contains(byteCount),
      bytes[36..<40].elementsEqual("acsp".utf8)
    else { return nil }
    self.bytes = byteCount == bytes.count ? bytes : Array(bytes[..<byteCount])
  }

  /// Whether a picture of a format can have the profile: one of gray or of red, green and blue.
  public func fits(_ format: PixelImage.Format) -> Bool {
    bytes[16..<20].elementsEqual(format == .gray ? "GRAY".utf8 : "RGB ".utf8)
  }
}

extension ImageDecoder {
  /// The colour profile in a PNG or JPEG file; nil where there is none that is whole.
  ///
  /// - Complexity: O(n) in the bytes ahead of the picture's samples, and in those of the profile.
  public static func colorProfile(of bytes: [UInt8]) -> ColorProfile? {
    switch ImageFormat(recognizing: bytes) {
    case .png: PNGFile.colorProfile(of: bytes)
    case .jpeg: JPEGParser.colorProfile(of: bytes)
    default: nil
    }
  }
}
