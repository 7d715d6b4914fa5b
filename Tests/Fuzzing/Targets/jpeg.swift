import DiceGeometry
import DiceCodecs

/// JPEG files, at full size and, by their size, at a smaller scale.
enum Target {
  static let limits = DecodingLimits(pixelCount: 4096)

  static func run(_ bytes: [UInt8]) {
    let scale = JPEGScale.allCases[bytes.count % JPEGScale.allCases.count]
    let header = try? JPEGDecoder.decodeHeader(bytes)
    do throws(JPEGError) {
      let image = try JPEGDecoder.decode(bytes, scale: scale, limits: limits)
      guard let header else { fatalError("broken promise: a picture has a header") }
      require(
        image.width == (header.width + scale.rawValue - 1) / scale.rawValue
          && image.height == (header.height + scale.rawValue - 1) / scale.rawValue,
        "the stored size divided by the scale, rounded up")
      require(
        image.samples.count == image.width * image.height * image.format.channelCount,
        "all samples")
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func seeds() -> [[UInt8]] {
    fixtures("Fixtures/golden/jpeg", suffix: ".jpg", byteLimit: 900)
  }
}
