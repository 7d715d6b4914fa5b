internal import DiceGeometry

/// What the chunks of a PNG file say about its picture that does not change its samples.
///
/// Of each kind the first one counts, so that few chunks are unpacked however many there are.
struct PNGMetadata {
  /// The most bytes that a text is unpacked to.
  static let textByteLimit = 1 << 20

  /// The data of the `iCCP` chunk.
  var profile: ArraySlice<UInt8>?
  private var exifOrientation: ImageOrientation?
  private var textOrientations: [ImageOrientation?] = Array(repeating: nil, count: keywords.count)
  private var isTextKnown: [Bool] = Array(repeating: false, count: keywords.count)

  /// The texts that may hold an orientation, the most trusted first: what ImageMagick makes of an EXIF
  /// block, the same under its older name, and XMP.
  private static let keywords = [
    Array("Raw profile type exif".utf8), Array("Raw profile type APP1".utf8),
    XMPOrientation.keyword,
  ]

  /// How the rows must be turned: what an `eXIf` chunk says, else a text.
  var orientation: ImageOrientation? {
    exifOrientation ?? textOrientations.lazy.compactMap { $0 }.first
  }

  /// The colour profile, unpacked.
  var colorProfile: ColorProfile? {
    guard let profile, let zero = profile.firstIndex(of: 0), profile.endIndex - zero > 2,
      profile[zero + 1] == 0
    else { return nil }
    guard let bytes = Self.unpacked(profile[(zero + 2)...], limit: ColorProfile.byteLimit) else {
      return nil
    }
    return ColorProfile(bytes)
  }

  /// Takes up the data of an `eXIf` chunk.
  mutating func addExif(_ data: ArraySlice<UInt8>) {
    if exifOrientation == nil { exifOrientation = ExifOrientation.value(in: data) }
  }

  /// Takes up the data of a text chunk where it may hold an orientation.
  ///
  /// - Parameter isIntact: whether the checksum of the chunk is right; asked only where it matters.
  mutating func addText(
    _ type: PNGChunkType, _ data: ArraySlice<UInt8>, isIntact: () -> Bool
  ) {
    for (index, keyword) in Self.keywords.enumerated()
    where !isTextKnown[index] && data.starts(with: keyword)
      && data.dropFirst(keyword.count).first == 0
    {
      guard isIntact() else { return }
      isTextKnown[index] = true
      guard let text = Self.text(type, data.dropFirst(keyword.count + 1)) else { return }
      textOrientations[index] =
        keyword == XMPOrientation.keyword
        ? XMPOrientation.value(in: text[...]) : Self.orientation(inRawProfile: text)
    }
  }

  /// What stands behind the keyword of a text chunk, unpacked; nil where it is damaged.
  private static func text(_ type: PNGChunkType, _ data: ArraySlice<UInt8>) -> [UInt8]? {
    let bytes = Array(data)
    if type == .text { return bytes }
    let isInternational = type == .internationalText
    // A flag where both are allowed, and the only method.
    let headByteCount = isInternational ? 2 : 1
    guard bytes.count >= headByteCount, bytes[headByteCount - 1] == 0 else { return nil }
    let isPacked = !isInternational || bytes[0] == 1
    // The language and the keyword in it, which end with zeros.
    guard let start = end(ofStrings: isInternational ? 2 : 0, in: bytes, from: headByteCount) else {
      return nil
    }
    let content = bytes[start...]
    return isPacked ? unpacked(content, limit: textByteLimit) : Array(content)
  }

  /// Where so many strings end that end with zeros.
  private static func end(ofStrings count: Int, in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    for _ in 0..<count {
      while index < bytes.count, bytes[index] != 0 { index += 1 }
      if index == bytes.count { return nil }
      index += 1
    }
    return index
  }

  /// What a zlib stream holds; nil where it is damaged or longer.
  private static func unpacked(_ stream: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
    do throws(InflateError) {
      return try Inflate.zlib(Array(stream), outputLimit: limit)
    } catch {
      return nil
    }
  }

  /// The orientation in what ImageMagick writes: a line with a name, one with a number of bytes, and
  /// the bytes in hexadecimal digits.
  private static func orientation(inRawProfile text: [UInt8]) -> ImageOrientation? {
    let lines = text.split(separator: 10, maxSplits: 2)
    guard lines.count == 3 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in lines[2] {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
      case 9, 10, 13, 32: continue
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes.starts(with: XMPOrientation.prefix)
      ? XMPOrientation.value(in: bytes[...]) : ExifOrientation.value(in: bytes[...])
  }
}
