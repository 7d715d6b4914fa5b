internal import DiceGeometry

/// Finds the orientation tag in the EXIF metadata of a PNG file.
///
/// Source: PNG specification, chunk `eXIf`; TIFF 6.0, section 2; EXIF 2.32, tag 0x0112.
enum PNGOrientation {
  private static let orientationTag = 0x0112
  private static let shortType = 3
  private static let prefix: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

  /// The orientation in the first directory, or nil where there is none or the metadata is damaged:
  /// a picture never fails for its metadata.
  static func value(inExif data: ArraySlice<UInt8>) -> ImageOrientation? {
    // Some writers keep the prefix that EXIF data has in a JPEG file.
    let bytes = Array(data.starts(with: prefix) ? data.dropFirst(prefix.count) : data)
    let isLittleEndian: Bool
    if bytes.starts(with: [0x49, 0x49, 0x2A, 0]) {
      isLittleEndian = true
    } else if bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
      isLittleEndian = false
    } else {
      return nil
    }
    func integer(at offset: Int, byteCount: Int) -> Int? {
      guard offset >= 0, bytes.count - offset >= byteCount else { return nil }
      let field = bytes[offset..<offset + byteCount]
      let value: UInt32 =
        isLittleEndian
        ? field.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        : field.reduce(0) { $0 << 8 | UInt32($1) }
      return Int(exactly: value)
    }
    guard let directory = integer(at: 4, byteCount: 4), directory < bytes.count,
      let entryCount = integer(at: directory, byteCount: 2)
    else { return nil }
    for index in 0..<entryCount {
      // At most 65535 entries of twelve bytes behind an offset inside the array: no overflow.
      let entry = directory + 2 + 12 * index
      guard let tag = integer(at: entry, byteCount: 2) else { return nil }
      if tag != orientationTag { continue }
      guard integer(at: entry + 2, byteCount: 2) == shortType,
        integer(at: entry + 4, byteCount: 4) == 1,
        let value = integer(at: entry + 8, byteCount: 2), let byte = UInt8(exactly: value)
      else { return nil }
      return ImageOrientation(rawValue: byte)
    }
    return nil
  }

  /// EXIF metadata that holds the orientation and nothing else, 26 bytes.
  static func exif(for orientation: ImageOrientation) -> [UInt8] {
    [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1]
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation.rawValue, 0, 0]
      + [0, 0, 0, 0]
  }
}
