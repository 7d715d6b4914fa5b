import DiceCodecs
import MediaTestSupport
import TestSupport
import Testing

struct ColorProfileTests {
  /// A profile of the given size with nothing but what is looked at.
  private func profile(_ byteCount: Int, space: String = "RGB ") throws -> ColorProfile {
    var bytes = TestPictures.noise(byteCount, seed: 4)
    for index in 0..<4 { bytes[index] = UInt8(byteCount >> (24 - 8 * index) & 255) }
    bytes.replaceSubrange(16..<20, with: space.utf8)
    bytes.replaceSubrange(36..<40, with: "acsp".utf8)
    return try #require(ColorProfile(bytes))
  }

  @Test func profilesOfOtherProgramsAreHandedOut() throws {
    let expected = try JPEGFixtures.bytes("profile.icc")
    let file = try JPEGFixtures.picture("with-profile")
    let profile = try #require(ImageDecoder.colorProfile(of: file))
    #expect(profile.bytes == expected && profile.fits(.rgb) && profile.fits(.rgba))
    #expect(!profile.fits(.gray))
    expectEqual(ImageDecoder.colorProfile(of: try JPEGFixtures.picture("plain-17x9")), nil)
    expectEqual(ImageDecoder.colorProfile(of: Array("P5 1 1 255 a".utf8)), nil)
    expectEqual(ImageDecoder.colorProfile(of: []), nil)
  }

  @Test func whatIsWrittenIsReadBackAndThePictureStays() throws {
    for format in [PixelImage.Format.gray, .rgb, .rgba] {
      let image = TestPictures.formula(width: 9, height: 7, format: format)
      // The last one takes three segments of a JPEG file.
      for byteCount in [128, 600, 65_519, 65_520, 150_000] {
        let profile = try profile(byteCount, space: format == .gray ? "GRAY" : "RGB ")
        let png = PNGEncoder.encode(image, colorProfile: profile)
        expectEqual(ImageDecoder.colorProfile(of: png), profile)
        try expectEqual(ImageDecoder.decode(png), image)
        let jpeg = try JPEGEncoder.encode(image, colorProfile: profile)
        expectEqual(ImageDecoder.colorProfile(of: jpeg), profile)
        try expectEqual(ImageDecoder.decode(jpeg), ImageDecoder.decode(JPEGEncoder.encode(image)))
      }
      // One of another kind of picture is left out.
      let wrong = try profile(200, space: format == .gray ? "RGB " : "CMYK")
      expectEqual(PNGEncoder.encode(image, colorProfile: wrong), PNGEncoder.encode(image))
      try expectEqual(
        JPEGEncoder.encode(image, colorProfile: wrong), JPEGEncoder.encode(image))
    }
  }

  @Test func bytesThatAreNoProfileAreNotHandedOut() throws {
    let sound = try profile(200).bytes
    expectEqual(ColorProfile(Array(sound.prefix(199))), nil)
    expectEqual(ColorProfile(sound + [1, 2, 3])?.bytes, sound)
    expectEqual(ColorProfile([]), nil)
    for index in [0, 1, 2, 36, 39] {
      var damaged = sound
      damaged[index] ^= 0xFF
      expectEqual(ColorProfile(damaged), nil)
    }
    expectEqual(ColorProfile([UInt8](repeating: 0, count: ColorProfile.byteLimit + 1)), nil)
  }

  /// A JPEG file with parts of a profile, each with its number and the count.
  private func jpeg(_ parts: [(number: UInt8, count: UInt8, bytes: ArraySlice<UInt8>)]) throws
    -> [UInt8]
  {
    var builder = JPEGFileBuilder()
    for part in parts {
      builder.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [part.number, part.count] + part.bytes)
    }
    return builder.bytes + (try JPEGFixtures.picture("plain-17x9").dropFirst(2))
  }

  @Test func partsArePutInOrderAndMustBeWhole() throws {
    let profile = try profile(300)
    let a = profile.bytes[..<100]
    let b = profile.bytes[100..<250]
    let c = profile.bytes[250...]
    expectEqual(
      ImageDecoder.colorProfile(of: try jpeg([(2, 3, b), (3, 3, c), (1, 3, a)])), profile)
    for parts in [
      [(1, 3, a), (2, 3, b)], [(1, 3, a), (2, 3, b), (2, 3, c)], [(0, 3, a), (1, 3, b), (2, 3, c)],
      [(1, 2, a), (2, 2, b), (3, 2, c)], [(1, 3, a), (2, 3, b), (4, 3, c)],
      [(2, 3, a), (1, 3, b), (3, 3, c)],
    ] as [[(UInt8, UInt8, ArraySlice<UInt8>)]] {
      let file = try jpeg(parts.map { (number: $0.0, count: $0.1, bytes: $0.2) })
      expectEqual(ImageDecoder.colorProfile(of: file), nil)
      try expectEqual(JPEGDecoder.decode(file).width, 17)
    }
    // Too many and too much.
    let many = try jpeg((0..<300).map { (UInt8(truncatingIfNeeded: $0), 44, a) })
    expectEqual(ImageDecoder.colorProfile(of: many), nil)
  }

  @Test func damagedProfilesChangeNoPicture() throws {
    let profile = try profile(200)
    let packed = Array("a name\0\0".utf8) + Deflate.zlib(profile.bytes)
    func file(_ data: [UInt8]) -> [UInt8] {
      PNGBuilder().adding("iCCP", data).adding(rows: [0, 7]).ended()
    }
    expectEqual(ImageDecoder.colorProfile(of: file(packed)), profile)
    for index in packed.indices {
      expectEqual(ImageDecoder.colorProfile(of: file(Array(packed[..<index]))), nil)
      var damaged = packed
      damaged[index] ^= 0x81
      let found = ImageDecoder.colorProfile(of: file(damaged))
      #expect(found == nil || found == profile)
      try expectEqual(PNGDecoder.decode(file(damaged)).samples, [7])
    }
  }
}
