internal import DiceGeometry
public import DiceImaging

/// Writes PNG files of 8 bits for each sample.
///
/// Gray, red-green-blue and red-green-blue-alpha pictures become files of colour type 0, 2 and 6,
/// without interlacing. Decoding such a file gives back an equal picture, its orientation included:
/// one other than `up` is written as an `eXIf` chunk of 26 bytes. Samples are marked as sRGB, or with
/// the profile that is given.
///
/// Source: Portable Network Graphics (PNG) Specification, third edition.
public enum PNGEncoder {
  /// The most bytes in one `IDAT` chunk; a reader then needs no copy of the usual picture.
  private static let chunkByteCount = 1 << 30

  /// Filtered rows are mostly noise around zero, whose literals are cheaper than short matches.
  private static let minimumMatchLength = 6

  /// The bytes of a PNG file with the given picture.
  ///
  /// Each row gets the filter whose bytes, taken as signed numbers, have the smallest sum of
  /// magnitudes; ties go to the filter with the smallest number. Uncompressed rows are not
  /// filtered. The same picture and compression always give the same bytes.
  ///
  /// - Parameters:
  ///   - image: the picture; at most 2³¹ - 1 columns and rows.
  ///   - compression: how much work goes into a small file.
  ///   - colorProfile: what the samples mean, for other programs; left out where it does not fit the
  ///     picture's format.
  /// - Precondition: no side is longer than a PNG file can state.
  /// - Complexity: O(n) in the samples.
  public static func encode(
    _ image: PixelImage, compression: Deflate.Level = .balanced,
    colorProfile: ColorProfile? = nil
  ) -> [UInt8] {
    let largest = Int(exactly: PNGHeader.largestExtent) ?? .max
    precondition(
      image.width <= largest && image.height <= largest, "a PNG side has at most 2^31 - 1 pixels")
    var bytes = PNGFile.signature
    append(.header, header(of: image), to: &bytes)
    if let colorProfile, colorProfile.fits(image.format) {
      append(
        .profile, Array("ICC profile\0\0".utf8) + Deflate.zlib(colorProfile.bytes), to: &bytes)
    } else {
      // Rendering intent: perceptual.
      append(PNGChunkType(rawValue: 0x7352_4742), [0], to: &bytes)
    }
    if image.orientation != .up {
      append(.exif, ExifOrientation.metadata(for: image.orientation), to: &bytes)
    }
    let rows = filteredRows(of: image, filters: compression != .stored)
    let data = Deflate.zlib(rows, level: compression, minimumMatchLength: minimumMatchLength)
    var start = 0
    while start < data.count {
      let end = min(data.count, start + chunkByteCount)
      append(.imageData, data[start..<end], to: &bytes)
      start = end
    }
    append(.end, [], to: &bytes)
    return bytes
  }

  private static func header(of image: PixelImage) -> ArraySlice<UInt8> {
    let colorType: PNGHeader.ColorType =
      switch image.format {
      case .gray: .gray
      case .rgb: .rgb
      case .rgba: .rgba
      }
    var data: ArraySlice<UInt8> = []
    append(UInt32(image.width), to: &data)
    append(UInt32(image.height), to: &data)
    data.append(contentsOf: [8, colorType.rawValue, 0, 0, 0])
    return data
  }

  private static func append(
    _ type: PNGChunkType, _ data: ArraySlice<UInt8>, to bytes: inout [UInt8]
  ) {
    var head: ArraySlice<UInt8> = []
    append(UInt32(data.count), to: &head)
    append(type.rawValue, to: &head)
    bytes.append(contentsOf: head)
    bytes.append(contentsOf: data)
    var tail: ArraySlice<UInt8> = []
    append(CRC32.checksum(bytes[(bytes.count - data.count - 4)...]), to: &tail)
    bytes.append(contentsOf: tail)
  }

  private static func append(
    _ type: PNGChunkType, _ data: [UInt8], to bytes: inout [UInt8]
  ) {
    append(type, data[...], to: &bytes)
  }

  private static func append(_ value: UInt32, to bytes: inout ArraySlice<UInt8>) {
    for shift: UInt32 in [24, 16, 8, 0] {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// All rows, each behind the number of its filter.
  private static func filteredRows(of image: PixelImage, filters: Bool) -> [UInt8] {
    let rowByteCount = image.width * image.format.channelCount
    var output: [UInt8] = []
    output.reserveCapacity((rowByteCount + 1) * image.height)
    var chooser = PNGFilterChooser(
      rowByteCount: rowByteCount, distance: image.format.channelCount)
    for y in 0..<image.height {
      let row = image.samples[y * rowByteCount..<(y + 1) * rowByteCount]
      if filters {
        let above =
          y == 0 ? nil : image.samples[(y - 1) * rowByteCount..<y * rowByteCount]
        chooser.append(row, above: above, to: &output)
      } else {
        output.append(PNGFilter.none.rawValue)
        output.append(contentsOf: row)
      }
    }
    return output
  }
}
