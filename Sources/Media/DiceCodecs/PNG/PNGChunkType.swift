/// The four letters that name a chunk of a PNG file.
public struct PNGChunkType: Hashable, Sendable, CustomStringConvertible {
  /// The four bytes, the first one in the highest place.
  public let rawValue: UInt32

  /// A chunk type with the given bytes, the first one in the highest place.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Image header, always the first chunk.
  public static let header = PNGChunkType(rawValue: 0x4948_4452)
  /// Palette, `PLTE`.
  public static let palette = PNGChunkType(rawValue: 0x504C_5445)
  /// A part of the compressed rows, `IDAT`.
  public static let imageData = PNGChunkType(rawValue: 0x4944_4154)
  /// The end of the file, `IEND`.
  public static let end = PNGChunkType(rawValue: 0x4945_4E44)
  /// Transparent colour or alpha of the palette, `tRNS`.
  public static let transparency = PNGChunkType(rawValue: 0x7452_4E53)
  /// EXIF metadata, `eXIf`.
  public static let exif = PNGChunkType(rawValue: 0x6558_4966)
  /// Colour profile, `iCCP`.
  public static let profile = PNGChunkType(rawValue: 0x6943_4350)
  /// Text, `tEXt`.
  public static let text = PNGChunkType(rawValue: 0x7445_5874)
  /// Compressed text, `zTXt`.
  public static let compressedText = PNGChunkType(rawValue: 0x7A54_5874)
  /// Text in any language, `iTXt`.
  public static let internationalText = PNGChunkType(rawValue: 0x6954_5874)
  /// The first chunk of files that Apple's tools make for their devices, `CgBI`: they are no PNG files.
  public static let appleOptimization = PNGChunkType(rawValue: 0x4367_4249)

  /// Whether a decoder that does not know the chunk must give up: the first letter is a capital.
  public var isCritical: Bool { rawValue & 0x2000_0000 == 0 }

  /// Whether a picture is the same without the chunk, and all programs agree what it is.
  ///
  /// Of a chunk whose name is not known, damage may have changed the name.
  ///
  /// Source: PNG specification, third edition, 11.3; its extensions and animated PNG.
  var isOptional: Bool { Self.optionalTypes.contains(self) }

  private static let optionalTypes: Set<PNGChunkType> = {
    let names: [StaticString] = [
      "acTL", "bKGD", "cHRM", "cICP", "cLLI", "fcTL", "fdAT", "gAMA", "gIFg", "gIFt", "gIFx",
      "hIST", "iCCP", "iTXt", "mDCV", "oFFs", "pCAL", "pHYs", "sBIT", "sCAL", "sPLT", "sRGB",
      "sTER", "tEXt", "tIME", "zTXt",
    ]
    return Set(
      names.map { name in
        PNGChunkType(
          rawValue: (0..<4).reduce(0) { unsafe $0 << 8 | UInt32(name.utf8Start[$1]) })
      })
  }()

  /// Whether all four bytes are letters of ASCII.
  public var isValid: Bool {
    (0..<4).allSatisfy { index in
      let letter = UInt8(truncatingIfNeeded: rawValue >> (8 * index)) & 0xDF
      return letter >= 0x41 && letter <= 0x5A
    }
  }

  /// The four letters, or the number in hexadecimal digits where they are no letters.
  public var description: String {
    guard isValid else { return "0x" + String(rawValue, radix: 16) }
    var text = ""
    for shift in [24, 16, 8, 0] {
      text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: rawValue >> shift)))
    }
    return text
  }
}
