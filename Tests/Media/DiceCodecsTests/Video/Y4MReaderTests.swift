import MediaTestSupport
import TestSupport
import Testing

@testable import DiceImaging
@testable import DiceCodecs

struct Y4MReaderTests {
  @Test func framesDoNotDependOnChunks() throws {
    for name in ["420paldv", "mono", "ffmpeg-yuv422p"] {
      let bytes = try VideoFixtures.bytes("\(name).y4m")
      let whole = try VideoFixtures.frames(bytes)
      expectEqual(whole.count, 2)
      for chunk in Array(1...90) + [937, bytes.count - 1] {
        try expectEqual(VideoFixtures.frames(bytes, chunk: chunk), whole, "\(name) by \(chunk)")
      }
    }
  }

  @Test func eachCutIsNamedAndTheFramesBeforeItStay() throws {
    let bytes = try VideoFixtures.bytes("420mpeg2.y4m")
    let headerCount = try #require(bytes.firstIndex(of: 10)) + 1
    let frameCount = 26 * 18 * 3 / 2
    let ends = [
      headerCount, headerCount + 6 + frameCount, headerCount + 6 + frameCount + 15 + frameCount,
    ]
    expectEqual(ends[2], bytes.count)
    var errors = 0
    for length in 0...bytes.count {
      var reader = Y4MReader()
      var rest = bytes.prefix(length)
      var frames = 0
      while try reader.nextFrame(from: &rest) != nil { frames += 1 }
      #expect(frames == ends.dropFirst().count { $0 <= length } && frames == reader.frameCount)
      do throws(Y4MError) {
        try reader.finish()
        #expect(ends.contains(length))
      } catch {
        errors += 1
        #expect(error.description.hasSuffix("."))
        switch error {
        case .truncatedHeader(let found): expectEqual(found, length)
        case .truncatedFrameHeader(let frame, let found):
          #expect(frame == frames && ends[frame] + found == length)
        case .truncatedFrame(let frame, let found, let required):
          expectEqual(required, frameCount)
          expectEqual(ends[frame] + (frame == 0 ? 6 : 15) + found, length)
        default: Issue.record("\(error)")
        }
        // The error stays.
        #expect(throws: error) { try reader.finish() }
        var more: ArraySlice<UInt8> = [1, 2, 3]
        #expect(throws: error) { try reader.nextFrame(from: &more) }
      }
    }
    expectEqual(errors, bytes.count - 2)
  }

  @Test func eachFlippedByteGivesFramesOrAnErrorWhateverTheChunks() throws {
    var (good, bad) = (0, 0)
    for name in ["420mpeg2", "mono-limited"] {
      // Every byte of the headers and some of the samples.
      let bytes = try VideoFixtures.bytes("\(name).y4m")
      let places = Array(0..<100) + Array(stride(from: 100, to: bytes.count, by: 7))
      for place in places {
        for mask: UInt8 in [1, 2, 16, 32, 128, 255] {
          var damaged = bytes
          damaged[place] ^= mask
          let limits = DecodingLimits(pixelCount: 1_000_000)
          let whole = Result { () throws(Y4MError) in
            try VideoFixtures.frames(damaged, limits: limits)
          }
          switch whole {
          case .success: good += 1
          case .failure(let error):
            bad += 1
            #expect(error.description.hasSuffix("."))
          }
          let cut = Result { () throws(Y4MError) in
            try VideoFixtures.frames(damaged, chunk: 61, limits: limits)
          }
          expectEqual(cut, whole)
        }
      }
    }
    #expect(good > 500 && bad > 500)
  }

  @Test func brokenRulesOfTheHeaderAreNamed() {
    let cases: [(String, Y4MError)] = [
      ("YUV4MPEG W2 H2\n", .missingSignature(found: "YUV4MPEG ")),
      ("YUV4MPEG2W2 H2\n", .missingSignature(found: "YUV4MPEG2W")),
      ("\u{1B}[31m", .missingSignature(found: "?")),
      ("YUV4MPEG2\n", .missingParameter(.width)),
      ("YUV4MPEG2 H2\n", .missingParameter(.width)),
      ("YUV4MPEG2 W2\n", .missingParameter(.height)),
      ("YUV4MPEG2 W2 H2 W2\n", .repeatedParameter(.width)),
      ("YUV4MPEG2 W2 H2 H3\n", .repeatedParameter(.height)),
      ("YUV4MPEG2 W2 H2 F1:1 F1:1\n", .repeatedParameter(.frameRate)),
      ("YUV4MPEG2 W2 H2 Ip Ip\n", .repeatedParameter(.interlacing)),
      ("YUV4MPEG2 W2 H2 A0:0 A1:1\n", .repeatedParameter(.pixelAspectRatio)),
      ("YUV4MPEG2 W2 H2 C444 C444\n", .repeatedParameter(.colorSpace)),
      (
        "YUV4MPEG2 W2 H2 XCOLORRANGE=FULL XCOLORRANGE=FULL\n", .repeatedParameter(.colorRange)
      ),
      ("YUV4MPEG2 W H2\n", .invalidNumber(.width, found: "")),
      ("YUV4MPEG2 W-2 H2\n", .invalidNumber(.width, found: "-2")),
      ("YUV4MPEG2 W2 H0x2\n", .invalidNumber(.height, found: "0x2")),
      ("YUV4MPEG2 W2 H2\r\n", .invalidNumber(.height, found: "2?")),
      ("YUV4MPEG2 W9999999999 H2\n", .invalidNumber(.width, found: "9999999999")),
      ("YUV4MPEG2 W0 H2\n", .noPixels(width: 0, height: 2)),
      ("YUV4MPEG2 W2 H0\n", .noPixels(width: 2, height: 0)),
      (
        "YUV4MPEG2 W999999999 H999999999\n",
        .tooManyPixels(width: 999_999_999, height: 999_999_999, limit: 100_000_000)
      ),
      (
        "YUV4MPEG2 W10001 H10000\n",
        .tooManyPixels(width: 10001, height: 10000, limit: 100_000_000)
      ),
      ("YUV4MPEG2 W2 H2 F30\n", .invalidRatio(.frameRate, found: "30")),
      ("YUV4MPEG2 W2 H2 F0:1\n", .invalidRatio(.frameRate, found: "0:1")),
      ("YUV4MPEG2 W2 H2 F1:2:3\n", .invalidRatio(.frameRate, found: "1:2:3")),
      ("YUV4MPEG2 W2 H2 F2147483648:1\n", .invalidRatio(.frameRate, found: "2147483648:1")),
      ("YUV4MPEG2 W2 H2 A1:0\n", .invalidRatio(.pixelAspectRatio, found: "1:0")),
      ("YUV4MPEG2 W2 H2 Ix\n", .invalidInterlacing(found: "x")),
      ("YUV4MPEG2 W2 H2 Ipp\n", .invalidInterlacing(found: "pp")),
      ("YUV4MPEG2 W2 H2 It\n", .unsupportedInterlacing(found: "t")),
      ("YUV4MPEG2 W2 H2 Ib\n", .unsupportedInterlacing(found: "b")),
      ("YUV4MPEG2 W2 H2 Im\n", .unsupportedInterlacing(found: "m")),
      ("YUV4MPEG2 W2 H2 C420JPEG\n", .unknownColorSpace(found: "420JPEG")),
      ("YUV4MPEG2 W2 H2 C\n", .unknownColorSpace(found: "")),
      ("YUV4MPEG2 W2 H2 C410\n", .unsupportedColorSpace(name: "410")),
      ("YUV4MPEG2 W2 H2 C440\n", .unsupportedColorSpace(name: "440")),
      ("YUV4MPEG2 W2 H2 C440p10\n", .unsupportedColorSpace(name: "440p10")),
      ("YUV4MPEG2 W2 H2 C420p11\n", .unknownColorSpace(found: "420p11")),
      ("YUV4MPEG2 W2 H2 C444p1\n", .unknownColorSpace(found: "444p1")),
      ("YUV4MPEG2 W2 H2 XCOLORRANGE=full\n", .invalidColorRange(found: "full")),
      ("YUV4MPEG2 W2 H2 Q1\n", .unknownParameter(found: "Q1")),
      ("YUV4MPEG2 W2 H2\nFRAMES\n", .missingFrameMarker(frame: 0, found: "FRAMES")),
      ("YUV4MPEG2 W2 H2\nframe\n", .missingFrameMarker(frame: 0, found: "f")),
      (
        "YUV4MPEG2 W2 H2\nFRAME\nabcdefYUV4MPEG2 W2 H2\n",
        .missingFrameMarker(frame: 1, found: "Y")
      ),
    ]
    for (text, error) in cases {
      for chunk in [1, 5, 1000] {
        #expect(throws: error, "\(text)") {
          try VideoFixtures.frames([UInt8](text.utf8), chunk: chunk)
        }
      }
      #expect(error.description.hasSuffix("."))
    }
    expectEqual(cases.count, 44)
  }

  @Test func linesThatDoNotEndAreRefusedAtTheirLimit() throws {
    for chunk in [1, 100, 100_000] {
      let endless = [UInt8]("YUV4MPEG2 X".utf8) + [UInt8](repeating: 0x61, count: 50_000)
      #expect(throws: Y4MError.headerTooLong(limit: 4096)) {
        try VideoFixtures.frames(endless, chunk: chunk)
      }
      let frame = [UInt8]("YUV4MPEG2 W1 H1\nFRAME ".utf8) + [UInt8](repeating: 0x20, count: 5000)
      #expect(throws: Y4MError.frameHeaderTooLong(frame: 0, limit: 1024)) {
        try VideoFixtures.frames(frame, chunk: chunk)
      }
    }
    // The longest lines that are allowed.
    let head = "YUV4MPEG2 W1 H1 Cmono X"
    let mark = "FRAME X"
    let longest =
      head + String(repeating: "a", count: 4095 - head.utf8.count) + "\n" + mark
      + String(repeating: "b", count: 1023 - mark.utf8.count) + "\n!"
    try expectEqual(VideoFixtures.frames([UInt8](longest.utf8)).count, 1)
  }

  @Test func parametersMayBeMissingOrUnknownToTheStream() throws {
    let frame = "FRAME Ippp Xnote\n"
    let cases: [(String, Int, Y4MHeader.ColorSpace)] = [
      ("YUV4MPEG2 W3 H5\n", 15 + 12, .yCbCr420JPEG),
      ("YUV4MPEG2  H5   W3 \n", 15 + 12, .yCbCr420JPEG),
      ("YUV4MPEG2 W3 H5 XYSCSS=422\n", 15 + 20, .yCbCr422),
      ("YUV4MPEG2 W3 H5 XYSCSS=420MPEG2 C444\n", 45, .yCbCr444),
      ("YUV4MPEG2 W3 H5 XYSCSS=420PALDV\n", 15 + 12, .yCbCr420PALDV),
      ("YUV4MPEG2 W3 H5 XYSCSS=strange I?\n", 15 + 12, .yCbCr420JPEG),
      ("YUV4MPEG2 W3 H5 C420\n", 15 + 12, .yCbCr420),
      ("YUV4MPEG2 W3 H5 Cmono\n", 15, .mono),
      ("YUV4MPEG2 W3 H5 Cmono12\n", 30, .mono),
      ("YUV4MPEG2 W3 H5 C420p10\n", 54, .yCbCr420MPEG2),
      ("YUV4MPEG2 W3 H5 XYSCSS=422P16\n", 70, .yCbCr422),
      ("YUV4MPEG2 W5 H2 C411\n", 18, .yCbCr411),
      ("YUV4MPEG2 W3 H5 C444alpha\n", 60, .yCbCr444Alpha),
    ]
    for (header, count, space) in cases {
      let bytes = VideoFixtures.stream(
        header, frames: [(frame, count), ("FRAME\n", count), ("FRAME \n", count)])
      var reader = Y4MReader()
      var rest = bytes[...]
      var found = 0
      while try reader.nextFrame(from: &rest) != nil { found += 1 }
      try reader.finish()
      #expect(found == 3 && reader.header?.colorSpace == space, "\(header)")
      expectEqual(reader.header?.frameByteCount, count)
    }
    expectEqual(cases.count, 13)
  }

  @Test func claimedSizesTakeNoMemoryUntilBytesArrive() throws {
    var reader = Y4MReader(limits: DecodingLimits(pixelCount: .max, sideLength: .max))
    var bytes = [UInt8]("YUV4MPEG2 W999999999 H999999999 C444\nFRAME\nabc".utf8)[...]
    try expectEqual(reader.nextFrame(from: &bytes), nil)
    let required = 3 * 999_999_999 * 999_999_999
    #expect(throws: Y4MError.truncatedFrame(frame: 0, found: 3, required: required)) {
      try reader.finish()
    }
  }

  @Test func memoryIsUsedAgainAndAFrameThatIsKeptStaysAsItIs() throws {
    func frame(_ value: UInt8) -> [UInt8] {
      [UInt8]("FRAME\n".utf8) + [UInt8](repeating: value, count: 6)
    }
    var reader = Y4MReader()
    var addresses: Set<UnsafeRawPointer> = []
    var bytes = [UInt8]("YUV4MPEG2 W2 H2\n".utf8)[...]
    try expectEqual(reader.nextFrame(from: &bytes), nil)
    for value in 0..<200 as Range<UInt8> {
      bytes = frame(value)[...]
      let found = try #require(try reader.nextFrame(from: &bytes))
      found.withFrame { _ = addresses.insert($0.pixels.base) }
    }
    expectEqual(addresses.count, 1)
    bytes = frame(10)[...]
    let kept = try #require(try reader.nextFrame(from: &bytes))
    bytes = frame(20)[...]
    let next = try #require(try reader.nextFrame(from: &bytes))
    expectEqual(kept.pixels, [UInt8](repeating: 10, count: 6))
    expectEqual(next.pixels, [UInt8](repeating: 20, count: 6))
  }
}

struct Y4MWriterTests {
  @Test func headersAreThoseOfTheFormat() throws {
    let rate = try #require(FrameRate(numerator: 24000, denominator: 1001))
    let writer = try Y4MWriter(width: 3, height: 5, frameRate: rate, chroma: .s444, range: .full)
    expectEqual(
      String(decoding: writer.header, as: UTF8.self),
      "YUV4MPEG2 W3 H5 F24000:1001 Ip A1:1 C444 XCOLORRANGE=FULL\n")
    expectEqual(
      String(decoding: try Y4MWriter(width: 3, height: 5).header, as: UTF8.self),
      "YUV4MPEG2 W3 H5 F30:1 Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\n")
  }

  @Test func blocksOfOddPicturesGetTheMeanOfThePixelsThatAreThere() throws {
    // 3 x 3 pixels: flat blocks of 4, 2, 2 and 1 pixels keep their colours.
    let colors: [[UInt8]] = [[200, 40, 90], [10, 220, 30], [90, 90, 250], [255, 255, 255]]
    var samples: [UInt8] = []
    for y in 0..<3 { for x in 0..<3 { samples += colors[y / 2 * 2 + x / 2] } }
    let image = PixelImage(width: 3, height: 3, format: .rgb, samples: samples)
    for range in YCbCrEncoding.Range.allCases {
      let writer = try Y4MWriter(width: 3, height: 3, range: range)
      let frames = try VideoFixtures.frames(writer.header + (try writer.frame(image)))
      expectEqual(frames.count, 1)
      #expect(TestPictures.largestDifference(frames[0].makeImage().samples, samples) <= 3)
    }
  }

  @Test func grayAlphaAndTurnedPicturesAreWritten() throws {
    let gray = TestPictures.formula(width: 7, height: 5, format: .gray)
    for chroma in Y4MWriter.Chroma.allCases {
      let writer = try Y4MWriter(width: 7, height: 5, chroma: chroma, range: .full)
      let frame = try writer.frame(gray)
      expectEqual(Array(frame[6..<41]), gray.samples)
      #expect(frame[41...].allSatisfy { $0 == 128 })
      try expectEqual(writer.frame(gray.converted(to: .rgb)), frame)
      try expectEqual(writer.frame(gray.converted(to: .rgba)), frame)
    }
    var turned = gray
    turned.orientation = .right
    let writer = try Y4MWriter(width: 5, height: 7)
    try expectEqual(writer.frame(turned), writer.frame(turned.oriented()))
    #expect(
      throws: Y4MError.wrongPictureSize(
        width: 7, height: 5, requiredWidth: 5, requiredHeight: 7)
    ) { try writer.frame(gray) }
    #expect(throws: Y4MError.noPixels(width: 0, height: 7)) { try Y4MWriter(width: 0, height: 7) }
    #expect(
      throws: Y4MError.tooManyPixels(width: .max, height: 2, limit: .max / 8)
    ) { try Y4MWriter(width: .max, height: 2) }
  }
}
