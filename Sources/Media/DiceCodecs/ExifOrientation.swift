internal import DiceGeometry

/// The orientation in EXIF metadata: a TIFF structure, which a JPEG file carries in APP1 behind a
/// prefix and a PNG file in the chunk `eXIf`.
///
/// Source: EXIF 2.32, section 4.6 and tag 0x0112; TIFF 6.0, section 2; PNG specification, chunk `eXIf`.
enum ExifOrientation {
  /// What stands before the TIFF structure in a JPEG file: `Exif\0\0`.
  static let prefix: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
  private static let orientationTag = 0x0112
  private static let shortType = 3

  /// The orientation in the first directory, or nil where there is none or the metadata is damaged:
  /// a picture never fails for its metadata.
  ///
  /// - Parameter metadata: A TIFF structure, with or without the prefix: some writers keep it in PNG
  ///   files.
  static func value(in metadata: ArraySlice<UInt8>) -> ImageOrientation? {
    let bytes = metadata.starts(with: prefix) ? metadata.dropFirst(prefix.count) : metadata
    let isLittleEndian: Bool
    if bytes.starts(with: [0x49, 0x49, 42, 0]) {
      isLittleEndian = true
    } else if bytes.starts(with: [0x4D, 0x4D, 0, 42]) {
      isLittleEndian = false
    } else {
      return nil
    }

    func integer(at offset: Int, byteCount: Int) -> Int? {
      guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
      let first = bytes.startIndex + offset
      var value: UInt32 = 0
      for index in 0..<byteCount {
        value = value << 8 | UInt32(bytes[first + (isLittleEndian ? byteCount - 1 - index : index)])
      }
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

  /// A TIFF structure that holds the orientation and nothing else, 26 bytes, without the prefix.
  static func metadata(for orientation: ImageOrientation) -> [UInt8] {
    [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1]
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation.rawValue, 0, 0]
      + [0, 0, 0, 0]
  }
}
