internal import DiceGeometry

/// The orientation in an EXIF block: a TIFF structure, as APP1 carries it behind `Exif\0\0`.
///
/// Anything malformed is no orientation, never an error.
///
/// Source: EXIF 2.32, section 4.6; TIFF 6.0, section 2.
enum JPEGExif {
  static let signature: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
  private static let orientationTag = 0x0112
  private static let shortType = 3

  /// The orientation that `bytes[range]`, a TIFF structure, holds in its first directory.
  static func orientation(in bytes: [UInt8], _ range: Range<Int>) -> ImageOrientation? {
    guard range.count >= 8, range.lowerBound >= 0, range.upperBound <= bytes.count else {
      return nil
    }
    let isLittle: Bool
    switch (bytes[range.lowerBound], bytes[range.lowerBound + 1]) {
    case (0x49, 0x49): isLittle = true
    case (0x4D, 0x4D): isLittle = false
    default: return nil
    }

    func value(at offset: Int, bytes count: Int) -> Int? {
      guard offset >= 0, offset <= range.count - count else { return nil }
      var value: UInt32 = 0
      for index in 0..<count {
        let byte = UInt32(bytes[range.lowerBound + offset + index])
        value = isLittle ? value | byte << UInt32(8 * index) : value << 8 | byte
      }
      return Int(exactly: value)
    }

    guard value(at: 2, bytes: 2) == 42, let directory = value(at: 4, bytes: 4),
      directory <= range.count, let entryCount = value(at: directory, bytes: 2)
    else { return nil }
    for index in 0..<entryCount {
      let entry = directory + 2 + 12 * index
      guard let tag = value(at: entry, bytes: 2) else { return nil }
      if tag == orientationTag {
        guard value(at: entry + 2, bytes: 2) == shortType, value(at: entry + 4, bytes: 4) == 1,
          let raw = value(at: entry + 8, bytes: 2), raw <= 8
        else { return nil }
        return ImageOrientation(rawValue: UInt8(raw))
      }
    }
    return nil
  }
}
