import MediaTestSupport
import DiceGeometry
import TestSupport
import Testing

@testable import DiceImaging
@testable import DiceCodecs

/// Streams against what FFmpeg makes of them.
struct Y4MGoldenTests {
  static let names = [
    "420jpeg", "420mpeg2", "420paldv", "422", "444", "444-full", "420-full", "mono",
    "mono-limited",
  ]

  @Test(arguments: names)
  func copiedFramesAreWithinOneLevelOfFFmpeg(_ name: String) throws {
    let frames = try VideoFixtures.frames(try VideoFixtures.bytes("\(name).y4m"))
    let isShared = name.hasPrefix("42")
    let expected = try VideoFixtures.pictures("\(name)-\(isShared ? "nearest" : "linear").rgb")
    #expect(frames.count == 2 && expected.count == 2)
    for (frame, picture) in zip(frames, expected) {
      let image = frame.makeImage()
      expectEqual(image.format, (name.hasPrefix("mono") ? .gray : .rgb))
      let found = image.converted(to: .rgb).samples
      #expect(TestPictures.largestDifference(found, picture.samples) <= 1)
      // One pixel at a time gives the same colours.
      let colors = frame.withFrame { frame in
        (0..<18).flatMap { row in
          (0..<26).flatMap { column in
            let color = frame.color(column: column, row: row)
            return [color.red, color.green, color.blue]
          }
        }
      }
      expectEqual(colors, found)
    }
  }

  @Test(arguments: names)
  func sampledFramesEqualFFmpegsWithChromaWhereItLies(_ name: String) throws {
    let frames = try VideoFixtures.frames(try VideoFixtures.bytes("\(name).y4m"))
    let expected = try VideoFixtures.pictures("\(name)-linear.rgb")
    #expect(frames.count == 2 && expected.count == 2)
    let transform = try ImageTransform(
      storedWidth: 26, storedHeight: 18, cropAndScale: .scaleFill, inputWidth: 26,
      inputHeight: 18)
    var sampler = InputSampler()
    for (frame, picture) in zip(frames, expected) {
      var result = [UInt8](repeating: 7, count: 26 * 18 * 3)
      frame.withFrame {
        sampler.sample($0, through: transform, into: &result, layout: .interleaved(width: 26))
      }
      // One level: ties of rounding.
      #expect(TestPictures.largestDifference(result, picture.samples) <= 1)
    }
  }

  @Test func headersSayWhatTheyHold() throws {
    func header(_ name: String) throws -> Y4MHeader {
      var reader = Y4MReader()
      var bytes = try VideoFixtures.bytes(name)[...]
      _ = try reader.nextFrame(from: &bytes)
      return try #require(reader.header)
    }
    let first = try header("420jpeg.y4m")
    expectEqual(first.frameRate, FrameRate(numerator: 30000, denominator: 1001))
    #expect(first.colorSpace == .yCbCr420JPEG && first.range == .video)
    expectEqual(first.pixelAspectRatio?.numerator, 1)
    expectEqual(first.frameByteCount, 26 * 18 * 3 / 2)
    try expectEqual(header("420mpeg2.y4m").pixelAspectRatio, nil)
    try expectEqual(header("422.y4m").frameRate, nil)
    try expectEqual(header("mono.y4m").range, .full)
    try expectEqual(header("mono-limited.y4m").range, .video)
    try expectEqual(header("444-full.y4m").range, .full)
    let written: [(String, Y4MHeader.ColorSpace, YCbCrEncoding.Range)] = [
      ("yuv420p", .yCbCr420JPEG, .video), ("yuvj420p", .yCbCr420JPEG, .full),
      ("yuv422p", .yCbCr422, .video), ("yuv444p", .yCbCr444, .video), ("gray", .mono, .full),
    ]
    for (name, space, range) in written {
      let header = try header("ffmpeg-\(name).y4m")
      #expect(header.colorSpace == space && header.range == range)
      #expect(header.width == 26 && header.height == 18)
      let bytes = try VideoFixtures.bytes("ffmpeg-\(name).y4m")
      try expectEqual(VideoFixtures.frames(bytes).count, 2)
    }
  }

  @Test func writtenFramesAreWithinTwoLevelsOfFFmpegs() throws {
    let source = try VideoFixtures.pictures("source.rgb")
    let cases: [(Y4MWriter.Chroma, YCbCrEncoding.Range, String)] = [
      (.s444, .video, "444"), (.s444, .full, "444-full"), (.s420, .video, "420jpeg"),
      (.s420, .full, "420-full"),
    ]
    for (chroma, range, name) in cases {
      let writer = try Y4MWriter(width: 26, height: 18, chroma: chroma, range: range)
      let stream = try source.reduce(into: writer.header) { $0 += try writer.frame($1) }
      let found = try VideoFixtures.frames(stream)
      let expected = try VideoFixtures.frames(try VideoFixtures.bytes("\(name).y4m"))
      #expect(found.count == 2 && expected.count == 2)
      for (a, b) in zip(found, expected) {
        #expect(a.format == b.format && a.chromaSiting == b.chromaSiting)
        // FFmpeg shrinks chroma with a wider filter than the mean of a block: luma alone there.
        let count = chroma == .s444 ? 26 * 18 * 3 : 26 * 18
        #expect(
          TestPictures.largestDifference(
            Array(a.pixels.prefix(count)), Array(b.pixels.prefix(count))) <= 1)
      }
      // And back again: 4:4:4 loses what rounding takes.
      if chroma == .s444 {
        for (frame, picture) in zip(found, source) {
          let back = frame.makeImage().samples
          #expect(TestPictures.largestDifference(back, picture.samples) <= (range == .full ? 2 : 3))
        }
      }
    }
  }
}
