import DiceGeometry
import DiceImaging
import DiceCodecs

/// JPEG files, at full size and, by their size, at a smaller scale; and their colour profiles, which are
/// written and read once more.
enum Target {
  static let limits = DecodingLimits(pixelCount: 4096)

  static func run(_ bytes: [UInt8]) {
    let scale = JPEGScale.allCases[bytes.count % JPEGScale.allCases.count]
    let header = try? JPEGDecoder.decodeHeader(bytes)
    if bytes.starts(with: [0xFF, 0xD8]), let profile = ImageDecoder.colorProfile(of: bytes) {
      for format in [PixelImage.Format.gray, .rgb] where profile.fits(format) {
        let samples = [UInt8](repeating: 9, count: format.channelCount)
        let image = PixelImage(width: 1, height: 1, format: format, samples: samples)
        let file = try? JPEGEncoder.encode(image, colorProfile: profile)
        require(ImageDecoder.colorProfile(of: file ?? []) == profile, "a profile is read back")
      }
    }
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
    let files = fixtures("Fixtures/golden/jpeg", suffix: ".jpg", byteLimit: 900)
    let part = Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + smallProfile
    let segment = [0xFF, 0xE2, 0, UInt8(part.count + 2)] + part
    return files + files.prefix(3).map { $0.prefix(2) + segment + $0.dropFirst(2) }
  }
}
