import DiceGeometry
import DiceCodecs

/// Rows of PNG files, behind a right header and right checksums: filters, bit depths, interlacing,
/// palettes and transparency.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var reader = InputReader(bytes)
    let width = 1 + reader.byte() % 24
    let height = 1 + reader.byte() % 12
    let bitDepth = [1, 2, 4, 8, 16][Int(reader.byte() % 5)] as UInt8
    let colorType = [0, 2, 3, 4, 6][Int(reader.byte() % 5)] as UInt8
    let interlacing = reader.byte() & 1
    let paletteCount = Int(reader.byte())
    let transparencyCount = Int(reader.byte())
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    func append(_ type: String, _ content: [UInt8]) {
      let body = Array(type.utf8) + content
      file += bigEndian(UInt32(content.count)) + body + bigEndian(CRC32.checksum(body))
    }
    func bigEndian(_ word: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) }
    }
    append(
      "IHDR", [0, 0, 0, width, 0, 0, 0, height, bitDepth, colorType, 0, 0, interlacing])
    if paletteCount > 0 { append("PLTE", (0..<paletteCount * 3).map { UInt8($0 % 251) }) }
    if transparencyCount > 0 {
      append("tRNS", (0..<transparencyCount).map { _ in reader.byte() })
    }
    append("IDAT", Deflate.zlib(reader.rest(), level: .stored))
    append("IEND", [])
    guard let image = try? PNGDecoder.decode(file) else { return }
    require(image.width == Int(width) && image.height == Int(height), "the header's size")
    // Writing takes far longer than reading.
    guard bytes.count % 8 == 0 else { return }
    let again = try? PNGDecoder.decode(PNGEncoder.encode(image, compression: .fast))
    require(again == image, "what is written is read back")
  }

  static func seeds() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 1)
    var seeds: [[UInt8]] = []
    let channelCounts = [1, 3, 1, 2, 4]
    for (colorIndex, channelCount) in channelCounts.enumerated() {
      for (depthIndex, depth) in [1, 2, 4, 8, 16].enumerated() {
        for interlacing in 0...1 {
          let needsPalette = colorIndex == 2
          var seed: [UInt8] = [
            4, 4, UInt8(depthIndex), UInt8(colorIndex), UInt8(interlacing),
            needsPalette ? UInt8(min(1 << depth, 255)) : 0, 0,
          ]
          let passes =
            interlacing == 0 ? [(5, 5)] : [(1, 1), (1, 1), (2, 1), (1, 2), (3, 1), (2, 3), (5, 2)]
          for (columns, rows) in passes {
            for _ in 0..<rows {
              seed.append(UInt8.random(in: 0...4, using: &generator))
              let count = (columns * depth * channelCount + 7) / 8
              seed += (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            }
          }
          seeds.append(seed)
        }
      }
    }
    return seeds
  }
}
