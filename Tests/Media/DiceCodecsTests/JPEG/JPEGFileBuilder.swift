/// Puts JPEG files together bit by bit, to test what encoders do not write.
struct JPEGFileBuilder {
  var bytes: [UInt8] = [0xFF, 0xD8]

  mutating func marker(_ marker: UInt8) { bytes += [0xFF, marker] }

  mutating func segment(_ marker: UInt8, _ content: [UInt8]) {
    bytes += [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)]
    bytes += content
  }

  /// A quantization table of ones.
  mutating func flatQuantization() { segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)) }

  /// A frame; each component has an identifier from 1 on and the given sampling factors.
  mutating func frame(
    _ marker: UInt8, width: Int, height: Int, sampling: [UInt8] = [0x11]
  ) {
    var content: [UInt8] = [
      8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255),
      UInt8(sampling.count),
    ]
    for (index, factors) in sampling.enumerated() { content += [UInt8(index + 1), factors, 0] }
    segment(0xC0 | marker, content)
  }

  /// A table with a code for each symbol: 0, 10, 110 and so on.
  mutating func huffman(_ head: UInt8, symbols: [UInt8]) {
    var counts = [UInt8](repeating: 0, count: 16)
    for index in symbols.indices { counts[index] = 1 }
    segment(0xC4, [head] + counts + symbols)
  }

  mutating func scan(components: [UInt8], band: [UInt8] = [0, 63, 0]) {
    var content = [UInt8(components.count)]
    for component in components { content += [component, 0] }
    segment(0xDA, content + band)
  }

  /// Compressed data from a text of ones and zeros, filled up with ones.
  mutating func data(_ bits: String) {
    var byte: UInt8 = 0
    var count = 0
    for bit in bits + String(repeating: "1", count: (8 - bits.count % 8) % 8) {
      byte = byte << 1 | (bit == "1" ? 1 : 0)
      count += 1
      if count % 8 == 0 {
        bytes.append(byte)
        if byte == 0xFF { bytes.append(0) }
      }
    }
  }
}
