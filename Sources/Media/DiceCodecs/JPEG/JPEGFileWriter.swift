internal import DiceGeometry
internal import DiceImaging

/// Writes the segments of a JPEG file.
///
/// Source: ITU-T T.81, annex B.
struct JPEGFileWriter {
  var bytes: [UInt8] = []

  mutating func writeMarker(_ marker: UInt8) { bytes += [0xFF, marker] }

  /// Writes a segment; `content` has at most 65533 bytes.
  mutating func writeSegment(_ marker: UInt8, _ content: [UInt8]) {
    writeMarker(marker)
    bytes += word(content.count + 2)
    bytes += content
  }

  /// Writes an EXIF block that holds the orientation alone.
  mutating func writeOrientation(_ orientation: ImageOrientation) {
    writeSegment(0xE1, ExifOrientation.prefix + ExifOrientation.metadata(for: orientation))
  }

  /// Writes a colour profile in as many segments as it needs; its limit keeps them below 256.
  mutating func writeColorProfile(_ profile: ColorProfile) {
    let partByteCount = 65533 - JPEGParser.profilePrefix.count - 2
    let count = ceilingDivide(profile.bytes.count, partByteCount)
    for index in 0..<count {
      let part = profile.bytes.dropFirst(index * partByteCount).prefix(partByteCount)
      writeSegment(0xE2, JPEGParser.profilePrefix + [UInt8(index + 1), UInt8(count)] + part)
    }
  }

  /// Writes a table that is given in row-major order.
  mutating func writeQuantizationTable(_ table: [Int], index: UInt8) {
    writeSegment(0xDB, [index] + JPEGZigzag.natural.prefix(64).map { UInt8(table[$0]) })
  }

  mutating func writeFrame(_ image: PixelImage, componentCount: Int, factor: Int) {
    var content: [UInt8] = [8] + word(image.height) + word(image.width) + [UInt8(componentCount)]
    for component in 0..<componentCount {
      let sampling = component == 0 ? UInt8(factor << 4 | factor) : 0x11
      content += [UInt8(component + 1), sampling, component == 0 ? 0 : 1]
    }
    writeSegment(0xC0, content)
  }

  mutating func writeHuffmanTable(
    _ table: JPEGStandardTables.HuffmanSpecification, head: UInt8
  ) {
    writeSegment(0xC4, [head] + table.counts + table.values)
  }

  mutating func writeScan(componentCount: Int) {
    var content: [UInt8] = [UInt8(componentCount)]
    for component in 0..<componentCount {
      content += [UInt8(component + 1), component == 0 ? 0 : 0x11]
    }
    writeSegment(0xDA, content + [0, 63, 0])
  }

  private func word(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }
}
