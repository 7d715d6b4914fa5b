import MediaTestSupport
import TestSupport
import Testing

@testable import DiceCodecs
@testable import DiceImaging

/// Frames of more than 8 bits, of 4:1:1 and with alpha, against what zimg and NumPy make of them.
struct DeepFrameTests {
  private static let names = [
    "420p9", "420p10", "420p10-full", "420p14", "422p10", "444p10", "444p12-full", "444p16",
    "mono10", "mono16", "444alpha", "411",
  ]

  @Test(arguments: names)
  func planesAreThoseOfOtherPrograms(_ name: String) throws {
    let frames = try VideoFixtures.frames(try VideoFixtures.bytes("deep-\(name).y4m"))
    let expected = try VideoFixtures.bytes("deep-\(name).planes")
    let frame = try #require(frames.first)
    #expect(frames.count == 1 && frame.height == 18)
    // Alpha stays behind the planes.
    let planes = Array(frame.pixels.prefix(expected.count))
    expectEqual(planes.count, expected.count)
    // zimg rounds what lies between two levels to the even one, and 4:1:1 in steps.
    #expect(TestPictures.largestDifference(planes, expected) <= 1)
    let equal = zip(planes, expected).count { $0 == $1 }
    #expect(equal * 100 >= expected.count * 70, "\(equal) of \(expected.count)")
    expectEqual(frame.makeImage().width, (name == "411" ? 24 : 26))
  }

  @Test func chunksDoNotMatterAndMemoryIsUsedAgain() throws {
    let film = try VideoFixtures.bytes("deep-422p10.y4m")
    let start = try #require(film.firstIndex(of: 10)) + 1
    let frame = film[start...]
    let bytes = film + frame + frame
    let whole = try VideoFixtures.frames(bytes)
    #expect(whole.count == 3 && whole[0] == whole[2])
    for chunk in [1, 2, 3, 7, 1000, 1871] {
      try expectEqual(VideoFixtures.frames(bytes, chunk: chunk), whole)
    }
    var reader = Y4MReader()
    var addresses: Set<UnsafeRawPointer> = []
    var rest = film[..<start]
    try expectEqual(reader.nextFrame(from: &rest), nil)
    for _ in 0..<20 {
      rest = frame
      let found = try #require(try reader.nextFrame(from: &rest))
      found.withFrame { _ = addresses.insert($0.pixels.base) }
    }
    expectEqual(addresses.count, 1)
  }

  /// The gray samples of a stream of one row.
  private func samples(_ space: String, _ values: [Int]) throws -> [UInt8] {
    let header = "YUV4MPEG2 W\(values.count) H1 C\(space)\nFRAME\n"
    let bytes = values.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let frames = try VideoFixtures.frames(Array(header.utf8) + bytes)
    return try #require(frames.first).pixels
  }

  @Test func samplesAreRoundedToNearest() throws {
    let video = "mono10 XCOLORRANGE=LIMITED"
    try expectEqual(
      samples(video, [0, 1, 2, 5, 6, 64, 65, 66, 940, 1019, 1021, 1023]),
      [0, 0, 1, 1, 2, 16, 16, 17, 235, 255, 255, 255])
    try expectEqual(
      samples("mono10", [0, 2, 3, 512, 1020, 1021, 1023]), [0, 0, 1, 128, 254, 255, 255])
    try expectEqual(samples("mono16", [0, 128, 129, 257, 65535]), [0, 0, 1, 1, 255])
    // More than the bits can count is the most.
    try expectEqual(samples("mono10", [1024, 0xFFFF]), [255, 255])
    try expectEqual(samples(video, [1024, 0x8000]), [255, 255])
  }

  @Test func narrowChromaIsWidenedBetweenItsSamples() throws {
    // Five columns: two chroma samples, of which three are made.
    let header = "YUV4MPEG2 W5 H2 C411\nFRAME\n"
    let luma = [UInt8](repeating: 90, count: 10)
    let chroma: [UInt8] = [100, 103, 10, 20, 7, 7, 0, 255]
    let frames = try VideoFixtures.frames(Array(header.utf8) + luma + chroma)
    let frame = try #require(frames.first)
    expectEqual(
      frame.pixels, luma + [100, 102, 103, 10, 15, 20, 7, 7, 7, 0, 128, 255])
    expectEqual(frame.format, .yCbCr422(YCbCrEncoding(.bt601, .video)))
    // One column: a single sample.
    let thin = Array("YUV4MPEG2 W1 H1 C411\nFRAME\n".utf8) + [1, 2, 3]
    try expectEqual(VideoFixtures.frames(thin).first?.pixels, [1, 2, 3])
  }

  @Test func eachCutAndEachFlippedByteGivesFramesOrAnError() throws {
    var results = 0
    for name in ["deep-420p10", "deep-411", "deep-444alpha"] {
      let bytes = try VideoFixtures.bytes("\(name).y4m")
      let headerCount = try #require(bytes.firstIndex(of: 10)) + 1
      let limits = DecodingLimits(pixelCount: 10_000)
      for place in Array(1..<120) + Array(stride(from: 120, to: bytes.count, by: 31)) {
        // Behind the header and before a frame, the stream may end.
        let cut = try? VideoFixtures.frames(Array(bytes.prefix(place)), limits: limits)
        #expect(cut == nil || cut == [] && place == headerCount)
        for mask: UInt8 in [1, 16, 255] {
          var damaged = bytes
          damaged[place] ^= mask
          let whole = Result { () throws(Y4MError) in
            try VideoFixtures.frames(damaged, limits: limits)
          }
          let pieces = Result { () throws(Y4MError) in
            try VideoFixtures.frames(damaged, chunk: 61, limits: limits)
          }
          expectEqual(whole, pieces)
          results += 1
        }
      }
    }
    #expect(results > 1000)
  }
}
