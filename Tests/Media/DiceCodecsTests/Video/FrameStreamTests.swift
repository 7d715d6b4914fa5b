import DiceCodecs
import TestSupport
import Testing

struct FrameStreamTests {
  static func frames(_ events: [FrameStream.Event]) -> [VideoFrame] {
    events.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
  }

  static func losses(_ events: [FrameStream.Event]) -> [LostFrame] {
    events.compactMap { if case .lost(let lost) = $0 { lost } else { nil } }
  }

  @Test func aHeadersRateBeatsTheCallersRate() throws {
    let rate = try #require(FrameRate(numerator: 10))
    let cases: [(String, Int, Duration)] = [
      ("420jpeg.y4m", 2, .nanoseconds(33_366_666)), ("444.y4m", 2, .milliseconds(20)),
      ("422.y4m", 2, .milliseconds(100)), ("pictures.mjpeg", 5, .milliseconds(100)),
      ("multipart.mjpeg", 5, .milliseconds(100)),
    ]
    for (name, count, time) in cases {
      let found = VideoFixtures.events(
        try VideoFixtures.bytes(name), stream: FrameStream(frameRate: rate))
      let frames = Self.frames(found.events)
      #expect(found.error == nil && found.events.count == count && frames.count == count)
      expectEqual(frames.map(\.index), Array(0..<count))
      expectEqual(frames[0].timestamp, .zero)
      let difference = frames[1].timestamp - time
      #expect(difference >= .zero && difference < .nanoseconds(1), "\(name)")
    }
    expectEqual(cases.count, 5)
  }

  @Test func chunksDoNotMatter() throws {
    for name in ["420paldv.y4m", "pictures.mjpeg", "multipart.mjpeg"] {
      let bytes = try VideoFixtures.bytes(name)
      let whole = VideoFixtures.events(bytes)
      expectEqual(whole.error, nil)
      for chunk in [1, 2, 3, 8, 9, 10, 11, 100, 1023, 1024, 1025] {
        let cut = VideoFixtures.events(bytes, chunk: chunk)
        #expect(cut.events == whole.events && cut.error == nil, "\(name) by \(chunk)")
      }
    }
  }

  @Test func aWholeFilmGivesTheFramesOfItsParts() throws {
    let empty = VideoFixtures.stream("YUV4MPEG2 W64 H64 F30:1 Cmono\n", frames: [("FRAME\n", 9)])
    for bytes in [
      try VideoFixtures.bytes("420paldv.y4m"), try VideoFixtures.bytes("pictures.mjpeg"),
      [0xFF, 0xD8, 0xFF, 0xD9], [], Array("hello".utf8), [UInt8](repeating: 1, count: 2000), empty,
    ] as [[UInt8]] {
      let expected = VideoFixtures.events(bytes)
      var film = FrameStream(of: bytes)
      var events: [FrameStream.Event] = []
      do {
        while let event = try film.next() { events.append(event) }
        expectEqual(expected.error, nil)
        try expectEqual(film.next(), nil)
      } catch {
        expectEqual(error, expected.error)
        #expect(throws: error) { try film.next() }
      }
      expectEqual(events, expected.events)
    }
  }

  @Test func framesAreThoseOfTheReadersBelow() throws {
    let y4m = try VideoFixtures.bytes("420paldv.y4m")
    expectEqual(
      Self.frames(VideoFixtures.events(y4m).events).map(\.stored), (try VideoFixtures.frames(y4m)))
    let files = try MJPEGSplitterTests.files()
    let expected = try files.map { try JPEGDecoder.decode($0) }
    let stream = VideoFixtures.events(files.flatMap { $0 })
    expectEqual(Self.frames(stream.events).map { $0.makeImage() }, expected)
    // The same files one by one, with one that is none.
    var folder = FrameStream(frameRate: .standard)
    expectEqual(folder.next(pictureFile: files[0]), stream.events[0])
    guard case .lost(let lost) = folder.next(pictureFile: [1, 2, 3]) else {
      Issue.record("a frame of nothing")
      return
    }
    expectEqual(lost.index, 1)
    expectEqual(lost.reason, .picture(.unrecognizedFormat(firstBytes: [1, 2, 3])))
    guard case .frame(let third) = folder.next(pictureFile: files[2]) else {
      Issue.record("no frame")
      return
    }
    #expect(third.index == 2 && third.makeImage() == expected[2])
    #expect(folder.kind == .pictureFiles && folder.frameCount == 3)
    try expectEqual(folder.finish(), nil)
  }

  @Test func damagedPicturesKeepTheirNumbers() throws {
    let files = try MJPEGSplitterTests.files()
    // The second has no compressed data to speak of, the third breaks a rule of markers, stray bytes
    // stand before the fourth.
    let short = Array(files[1].prefix(files[1].count - 60))
    var broken = files[2]
    broken[3] = 0x02
    let stream = files[0] + short + broken + files[3] + [0x80, 0x81] + files[4]
    for chunk in [1, 100, 10_000] {
      let found = VideoFixtures.events(stream, chunk: chunk)
      expectEqual(found.error, nil)
      expectEqual(Self.frames(found.events).map(\.index), [0, 3, 4])
      let losses = Self.losses(found.events)
      expectEqual(losses.map(\.index), [1, 2, nil])
      guard case .jpeg(_, let offset) = losses[0].reason else {
        Issue.record("\(losses[0])")
        return
      }
      expectEqual(offset, files[0].count)
      let start = files[0].count + short.count
      expectEqual(losses[1].reason, .damage(.unexpectedMarker(marker: 2, offset: start + 2)))
      let stray = start + broken.count + files[3].count
      expectEqual(losses[2].reason, .damage(.strayBytes(offset: stray, count: 2)))
      #expect(losses.allSatisfy { !$0.description.isEmpty })
    }
    // Joined in its middle.
    let joined = VideoFixtures.events(
      Array(stream[300...]), stream: FrameStream(kind: .motionJPEG))
    expectEqual(Self.frames(joined.events).count, 2)
  }

  @Test func manyLossesAreToldTogether() throws {
    let good = try MJPEGSplitterTests.files()[0]
    // Each of them a picture that breaks a rule of markers.
    let broken: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 1]
    func found(_ count: Int, chunk: Int) -> [FrameStream.Event] {
      let losses = (0..<count).flatMap { _ in broken }
      let result = VideoFixtures.events(good + losses + good, chunk: chunk)
      expectEqual(result.error, nil)
      return result.events
    }
    for chunk in [7, 100_000] {
      let few = found(FrameStream.lossLimit, chunk: chunk)
      expectEqual(Self.losses(few).map(\.index), Array(1...20))
      expectEqual(Self.frames(few).map(\.index), [0, 21])
      let many = found(FrameStream.lossLimit + 3000, chunk: chunk)
      expectEqual(Self.frames(many).map(\.index), [0, 3021])
      let losses = Self.losses(many)
      #expect(losses.count == 21 && losses[20].reason == .others(count: 3000))
      #expect(many.last == .lost(losses[20]) && losses[20].index == nil)
      expectEqual(losses[20].description, "3000 more parts of the stream gave no frame.")
    }
    expectEqual(
      Self.losses(found(FrameStream.lossLimit + 1, chunk: 9)).last?.description,
      "One more part of the stream gave no frame.")
  }

  @Test func limitsHoldForEveryKind() throws {
    let stream = FrameStream(limits: DecodingLimits(pixelCount: 26 * 18 - 1))
    let y4m = VideoFixtures.events(try VideoFixtures.bytes("mono.y4m"), stream: stream)
    expectEqual(y4m.error, .y4m(.tooManyPixels(width: 26, height: 18, limit: 467)))
    let jpeg = VideoFixtures.events(try VideoFixtures.bytes("pictures.mjpeg"), stream: stream)
    #expect(jpeg.error == nil && Self.losses(jpeg.events).count == 5)
  }

  @Test func otherStreamsAreRefusedByName() throws {
    let noise = [UInt8](repeating: 0x01, count: 5000)
    let film = [0, 0, 0, 24] + [UInt8]("ftypmp42".utf8) + noise
    let png = try Fixtures.bytes("golden/detector/picture.png")
    let cases: [([UInt8], FrameStreamError)] = [
      ([], .empty), (noise, .unrecognizedFormat(firstBytes: [1, 1, 1, 1, 1, 1, 1, 1])),
      (film, .unsupportedFormat(.video)), (png, .unsupportedFormat(.png)),
      ([0xFF], .unrecognizedFormat(firstBytes: [0xFF])),
      ([UInt8]("YUV4".utf8), .unrecognizedFormat(firstBytes: [UInt8]("YUV4".utf8))),
      (
        [UInt8]("-- no picture".utf8) + noise,
        .unrecognizedFormat(firstBytes: [UInt8]("-- no pi".utf8))
      ),
    ]
    for (bytes, error) in cases {
      for chunk in [1, 1000, 10_000] {
        let found = VideoFixtures.events(bytes, chunk: chunk)
        #expect(found.error == error && found.events.isEmpty)
      }
      #expect(error.description.hasSuffix("."))
    }
    expectEqual(cases.count, 7)
  }

  @Test func eachCutAndEachFlippedByteGivesFramesOrAnError() throws {
    var results = 0
    // Two pictures, and two frames.
    let streams = [("pictures.mjpeg", 1266), ("multipart.mjpeg", 1300), ("mono-limited.y4m", 2000)]
    for (name, count) in streams {
      let bytes = Array(try VideoFixtures.bytes(name).prefix(count))
      let limits = DecodingLimits(pixelCount: 10_000)
      for place in bytes.indices {
        let cut = VideoFixtures.events(
          Array(bytes.prefix(place)), stream: FrameStream(limits: limits))
        #expect(cut.error != nil || place == 0 || !cut.events.isEmpty || place < 200)
        var flipped = bytes
        flipped[place] ^= 0xFF
        let found = VideoFixtures.events(flipped, stream: FrameStream(limits: limits))
        // A header line whose end is gone may swallow the stream.
        #expect(found.error != nil || !found.events.isEmpty)
        results += 1
      }
    }
    #expect(results > 3000)
  }

  @Test func anErrorStays() throws {
    var stream = FrameStream()
    var bytes = [UInt8](repeating: 1, count: 2000)[...]
    let error = FrameStreamError.unrecognizedFormat(firstBytes: [UInt8](repeating: 1, count: 8))
    #expect(throws: error) { try stream.next(from: &bytes) }
    #expect(throws: error) { try stream.next(from: &bytes) }
    #expect(throws: error) { try stream.finish() }
  }
}

struct FrameRateTests {
  @Test func textIsReadAsPeopleWriteIt() {
    let cases: [(String, (Int, Int)?)] = [
      ("30", (30, 1)), ("29.97", (2997, 100)), ("30000/1001", (30000, 1001)),
      ("25:1", (25, 1)), ("0.5", (5, 10)), ("999999999", (999_999_999, 1)),
      ("1.00000000", (100_000_000, 100_000_000)),
      ("0", nil), ("", nil), (".5", nil), ("5.", nil), ("1/0", nil), ("0/1", nil), ("-1", nil),
      ("+1", nil), ("1e3", nil), ("1/2/3", nil), ("1.5/2", nil), ("1234567890", nil),
      ("1.000000000", nil), (" 30", nil), ("30 ", nil), ("nan", nil), ("٣", nil), ("0.0", nil),
      ("/", nil), ("1/", nil),
    ]
    for (text, expected) in cases {
      let rate = FrameRate(text)
      #expect(rate?.numerator == expected?.0 && rate?.denominator == expected?.1, "\(text)")
    }
    expectEqual(cases.count, 27)
    #expect(FrameRate(numerator: 0) == nil && FrameRate(numerator: 1, denominator: -1) == nil)
    expectEqual(FrameRate(numerator: Int(Int32.max) + 1), nil)
    expectEqual(FrameRate("30000/1001")?.description, "30000/1001")
    expectEqual(FrameRate.standard.description, "30")
  }

  @Test func timesAreExact() throws {
    let rate = try #require(FrameRate(numerator: 30000, denominator: 1001))
    expectEqual(rate.timestamp(ofFrame: 0), .zero)
    expectEqual(rate.timestamp(ofFrame: 30000), .seconds(1001))
    expectEqual(
      rate.timestamp(ofFrame: 1_000_000_000),
      .nanoseconds(33_366_666_666_666_666)
        + .init(secondsComponent: 0, attosecondsComponent: 666_666_666))
    let slow = try #require(FrameRate(numerator: 1, denominator: Int(Int32.max)))
    expectEqual(
      slow.timestamp(ofFrame: .max), Duration(secondsComponent: .max, attosecondsComponent: 0))
    expectEqual(slow.timestamp(ofFrame: 3), .seconds(3 * Int64(Int32.max)))
    let fast = try #require(FrameRate(numerator: Int(Int32.max)))
    expectEqual(fast.timestamp(ofFrame: Int(Int32.max) * 7), .seconds(7))
  }
}
