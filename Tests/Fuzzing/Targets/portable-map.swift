import DiceGeometry
import DiceCodecs

/// Portable bitmaps, graymaps and pixmaps, plain and raw.
enum Target {
  static func run(_ bytes: [UInt8]) {
    do throws(PortableMapError) {
      let image = try PortableMapDecoder.decode(bytes, limits: DecodingLimits(pixelCount: 4096))
      require(
        image.samples.count == image.width * image.height * image.format.channelCount,
        "all samples")
      let again = try? PortableMapDecoder.decode(PortableMapEncoder.encode(image))
      require(again == image, "what is written is read back")
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func seeds() -> [[UInt8]] {
    let texts = [
      "P1\n3 2\n101\n010\n", "P1 1 1 1", "P2\n2 2\n255\n1 2\n3 255\n", "P2 1 1 65535 40000",
      "P3\n# a\n1 2\n9\n1 2 3 4 5 9\n", "P4 9 2 ABCD", "P5\n2 2\n255\nABCD", "P5 1 1 300 \u{1}A",
      "P6 2 1 255\nABCDEF", "P6 1 1 1000 \u{1}A\u{1}B\u{1}C",
    ]
    return texts.map { Array($0.utf8) }
  }
}
