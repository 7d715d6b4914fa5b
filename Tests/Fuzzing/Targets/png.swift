import DiceGeometry
import DiceCodecs

/// PNG files.
///
/// Chunk checksums are repaired, so that changes get past them; every sixteenth input,
/// by its size, is given as it is.
enum Target {
  static let limits = DecodingLimits(pixelCount: 4096)

  static func run(_ bytes: [UInt8]) {
    let file = bytes.count % 16 == 0 ? bytes : repairingChecksums(bytes)
    let header = try? PNGDecoder.decodeHeader(file)
    do throws(PNGError) {
      let image = try PNGDecoder.decode(file, limits: limits)
      require(header != nil, "a file whose picture is read has a header")
      require(image.width == header?.width && image.height == header?.height, "one size")
      require(
        image.samples.count == image.width * image.height * image.format.channelCount,
        "all samples")
      let opaque = try? PNGDecoder.decode(file, limits: limits, keepsAlpha: false)
      require(opaque?.orientation == image.orientation, "the same picture without alpha")
      if let profile = ImageDecoder.colorProfile(of: file), profile.fits(image.format) {
        let again = PNGEncoder.encode(image, compression: .fast, colorProfile: profile)
        require(ImageDecoder.colorProfile(of: again) == profile, "a profile is read back")
      }
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  /// The file with the right checksum behind each chunk, as far as its lengths lead.
  static func repairingChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var offset = 8
    while bytes.count - offset >= 12 {
      let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - offset - 12 else { break }
      let end = offset + 8 + length
      let checksum = CRC32.checksum(bytes[offset + 4..<end])
      for index in 0..<4 {
        bytes[end + index] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * UInt32(index)))
      }
      offset = end + 4
    }
    return bytes
  }

  /// The small files of the golden pack, whose layout `Fixtures/golden/png/generate.py` describes.
  static func seeds() -> [[UInt8]] {
    var reader = InputReader(fixture("Fixtures/golden/png/pictures.pack"))
    var seeds: [[UInt8]] = []
    func skip(_ count: Int) { for _ in 0..<count { _ = reader.byte() } }
    for _ in 0..<reader.word(4) {
      skip(Int(reader.word(1)))
      skip(10)
      skip(Int(reader.word(4)))
      for _ in 0..<reader.word(2) {
        skip(Int(reader.word(1)))
        let file = (0..<reader.word(4)).map { _ in reader.byte() }
        if file.count <= 600 { seeds.append(file) }
      }
    }
    // A profile behind the header, whose checksum is repaired.
    let data = Array("p\0\0".utf8) + Deflate.zlib(smallProfile)
    let chunk = [0, 0, 0, UInt8(data.count)] + Array("iCCP".utf8) + data + [0, 0, 0, 0]
    return seeds + seeds.prefix(9).map { $0.prefix(33) + chunk + $0.dropFirst(33) }
  }
}
