import MediaTestSupport
import DiceGeometry
@testable import DiceCodecs
import TestSupport
import Testing

struct ImageDecoderTests {
  static let picture = TestPictures.formula(width: 24, height: 17, format: .rgb)

  @Test func decodesEachFormatByItsContent() throws {
    let png = PNGEncoder.encode(Self.picture)
    try expectEqual(ImageDecoder.decode(png), Self.picture)
    let map = PortableMapEncoder.encode(Self.picture)
    try expectEqual(ImageDecoder.decode(map), Self.picture)
    let jpeg = try JPEGEncoder.encode(Self.picture, quality: 95)
    let decoded = try ImageDecoder.decode(jpeg)
    expectEqual(decoded, (try JPEGDecoder.decode(jpeg)))
    #expect(decoded.width == 24 && decoded.height == 17)
  }

  @Test func leavesOutPixelsThatAreNotAskedFor() throws {
    let picture = TestPictures.formula(width: 203, height: 96, format: .rgb)
    let jpeg = try JPEGEncoder.encode(picture, quality: 95)
    for (side, scale): (Int, JPEGScale) in [
      (.max, .full), (204, .full), (102, .full), (101, .half), (51, .half), (50, .quarter),
      (26, .quarter), (25, .eighth), (1, .eighth), (0, .eighth), (.min, .eighth),
    ] {
      let reduced = try ImageDecoder.decode(jpeg, longerSide: side)
      expectEqual(reduced.image, (try JPEGDecoder.decode(jpeg, scale: scale)), "\(side)")
      #expect(reduced.fullWidth == 203 && reduced.fullHeight == 96)
      expectEqual(reduced.isReduced, (scale != .full))
    }
    let png = try ImageDecoder.decode(PNGEncoder.encode(picture), longerSide: 10)
    #expect(png.image == picture && !png.isReduced)
    #expect(throws: ImageDecodingError.jpeg(.tooManyPixels(width: 203, height: 96, limit: 1000))) {
      try ImageDecoder.decode(jpeg, longerSide: 10, limits: DecodingLimits(pixelCount: 1000))
    }
  }

  @Test func boxesOfReducedPicturesAreThoseOfTheFile() throws {
    let image = TestPictures.formula(width: 26, height: 12, format: .gray)
    var reduced = ReducedImage(image, fullWidth: 208, fullHeight: 93)
    let box = BoundingBox(x: 2, y: 3, width: 4, height: 6)
    expectEqual(
      reduced.fullBox(box), BoundingBox(x: 16, y: 3 * 7.75, width: 32, height: 6 * 7.75))
    expectEqual(
      reduced.fullBox(box, orientation: .right),
      BoundingBox(x: 2 * 7.75, y: 24, width: 4 * 7.75, height: 48))
    reduced.image.orientation = .left
    expectEqual(reduced.fullBox(box), reduced.fullBox(box, orientation: .right))
    #expect(reduced.uprightSize() == (93, 208) && reduced.uprightSize(.up) == (208, 93))
    let same = ReducedImage(image, fullWidth: 26, fullHeight: 12)
    #expect(same.fullBox(box) == box && !same.isReduced)
  }

  @Test func passesTheErrorsOfTheCodecsOn() throws {
    var png = PNGEncoder.encode(Self.picture)
    png.removeLast(20)
    #expect {
      try ImageDecoder.decode(png)
    } throws: { error in
      guard case .png = error as? ImageDecodingError else { return false }
      return true
    }
    var jpeg = try JPEGEncoder.encode(Self.picture)
    jpeg.removeLast(jpeg.count / 2)
    #expect {
      try ImageDecoder.decode(jpeg)
    } throws: { error in
      guard case .jpeg = error as? ImageDecodingError else { return false }
      return true
    }
    #expect(throws: ImageDecodingError.portableMap(.invalidMaximum(0))) {
      try ImageDecoder.decode(Array("P5\n1 1\n0\n0".utf8))
    }
    #expect(throws: ImageDecodingError.png(.invalidSignature)) {
      // What a transfer as text does to the signature.
      try ImageDecoder.decode([0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
    }
  }

  @Test func passesTheLimitsOn() throws {
    let limits = DecodingLimits(pixelCount: 24 * 17 - 1)
    let files = [
      PNGEncoder.encode(Self.picture), PortableMapEncoder.encode(Self.picture),
      try JPEGEncoder.encode(Self.picture),
    ]
    for file in files {
      #expect(throws: ImageDecodingError.self) { try ImageDecoder.decode(file, limits: limits) }
      #expect(throws: Never.self) {
        try ImageDecoder.decode(file, limits: DecodingLimits(pixelCount: 24 * 17))
      }
    }
  }

  @Test func refusesWhatIsNoPicture() {
    #expect(throws: ImageDecodingError.empty) { try ImageDecoder.decode([]) }
    #expect(throws: ImageDecodingError.unrecognizedFormat(firstBytes: [0])) {
      try ImageDecoder.decode([0])
    }
    let text = Array("roll the dice".utf8)
    #expect(throws: ImageDecodingError.unrecognizedFormat(firstBytes: Array("roll the".utf8))) {
      try ImageDecoder.decode(text)
    }
    #expect(throws: ImageDecodingError.unsupportedFormat(.heic)) {
      try ImageDecoder.decode(Array("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic".utf8))
    }
  }

  @Test func recognizesFilesOfOtherPrograms() throws {
    let text = String(decoding: try Fixtures.bytes("golden/formats/beginnings.txt"), as: UTF8.self)
    var seen = Set<ImageFormat>()
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      let digits = Array(words[2])
      let bytes = stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)!
      }
      let format = try #require(ImageFormat(recognizing: bytes), "\(line)")
      expectEqual("\(format)", words[0], "\(words[1])")
      seen.insert(format)
      if !format.isDecodable {
        #expect(throws: ImageDecodingError.unsupportedFormat(format)) {
          try ImageDecoder.decode(bytes)
        }
      }
    }
    #expect(Set(ImageFormat.allCases).subtracting(seen).isEmpty)
  }

  @Test func whatIsNotReadIsNamedWithTheCommandThatConvertsIt() {
    for format in ImageFormat.allCases {
      let error = ImageDecodingError.unsupportedFormat(format).description
      #expect(error.hasSuffix(".") && error.contains(format.name))
      if let command = format.pictureConversion { #expect(error.contains("`\(command)`")) }
      #expect(!format.isDecodable || format.conversion == nil)
    }
    expectEqual(ImageFormat.heic.conversion, "heif-convert in.heic out.jpg")
    expectEqual(ImageFormat.webP.conversion, "magick in.webp out.png")
    let film = "`ffmpeg -i in.mp4 -pix_fmt yuv420p -f yuv4mpegpipe - | dicevision track -`."
    #expect(
      ImageDecodingError.unsupportedFormat(.video).description.hasSuffix(
        "Convert it with `ffmpeg -i in.mp4 out-%04d.png`."))
    #expect(FrameStreamError.unsupportedFormat(.video).description.hasSuffix(film))
  }

  @Test func brandsOfPicturesAreNeverTakenForFilms() {
    for brand in [
      "mif1", "mif2", "mif3", "msf1", "miaf", "heic", "heix", "heim", "heis", "hevc", "hevx",
      "hevm",
      "hevs", "avci", "avcs", "jpeg", "j2ki", "vvic",
    ] {
      expectEqual(ImageFormat(recognizing: Array("\0\0\0\u{10}ftyp\(brand)\0\0\0\0".utf8)), .heic)
      expectEqual(
        ImageFormat(recognizing: Array("\0\0\0\u{14}ftypxxxx\0\0\0\0\(brand)".utf8)), .heic)
    }
    for brand in ["avif", "avis", "MA1A", "MA1B"] {
      expectEqual(
        ImageFormat(recognizing: Array("\0\0\0\u{14}ftypmif1\0\0\0\0\(brand)".utf8)), .avif)
    }
    for brand in ["isom", "mp42", "qt  ", "M4V ", "3gp5", "iso5", "dash", "hvc1"] {
      expectEqual(ImageFormat(recognizing: Array("\0\0\0\u{10}ftyp\(brand)\0\0\0\0".utf8)), .video)
    }
  }

  @Test func aBeginningTellsWhetherAFileIsRead() throws {
    for bytes in [
      PNGEncoder.encode(Self.picture), PortableMapEncoder.encode(Self.picture),
      try JPEGEncoder.encode(Self.picture),
    ] {
      #expect(ImageDecoder.decodes(beginning: Array(bytes.prefix(8))))
    }
    for bytes in [[], [UInt8](repeating: 0, count: 1024), Array("GIF89a".utf8)] {
      #expect(!ImageDecoder.decodes(beginning: bytes))
    }
  }

  @Test func anyFirstBytesAreAnsweredWithoutAStop() {
    var answers = 0
    for seed in UInt32(0)..<400 {
      let noise = TestPictures.noise(Int(seed) % 40, seed: seed)
      for start in [[], Array("RIFF".utf8), Array("\0\0\0\u{FF}ftyp".utf8), Array("<?xml".utf8)] {
        _ = ImageFormat(recognizing: start + noise)
        answers += 1
      }
    }
    for size: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0, 0, 0, 9]] {
      expectEqual(ImageFormat(recognizing: size + Array("ftyp".utf8)), .video)
      expectEqual(ImageFormat(recognizing: size + Array("ftypavif".utf8)), .avif)
    }
    expectEqual(answers, 1600)
  }

  @Test func errorsAreSentences() {
    let errors: [ImageDecodingError] = [
      .empty, .unrecognizedFormat(firstBytes: [0xAB, 0x01]), .unsupportedFormat(.heic),
      .png(.invalidSignature), .jpeg(.missingStartOfImage), .portableMap(.truncatedHeader),
    ]
    for error in errors {
      #expect(error.description.hasSuffix("."))
      #expect(error.description.first!.isUppercase)
    }
    #expect(errors[1].description.contains("AB 01"))
    #expect(errors[2].description.contains("HEIC"))
  }
}
