import MediaTestSupport
import DiceCodecs
import TestSupport
import Testing

struct MJPEGSplitterTests {
  /// The files of the golden stream.
  static func files() throws -> [[UInt8]] {
    let stream = try VideoFixtures.bytes("pictures.mjpeg")
    let sizes = String(decoding: try VideoFixtures.bytes("pictures.txt"), as: UTF8.self)
      .split(separator: "\n").compactMap { Int($0) }
    var rest = stream[...]
    return sizes.map { size in
      defer { rest = rest.dropFirst(size) }
      return Array(rest.prefix(size))
    }
  }

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
  }

  /// Bytes that keep the rules of markers and hold no picture.
  static func skeleton(_ data: [UInt8] = [1, 2, 3]) -> [UInt8] {
    [0xFF, 0xD8] + segment(0xDB, [7]) + segment(0xDA, [9]) + data + [0xFF, 0xD9]
  }

  @Test func picturesAreThoseThatFFmpegStoresOneByOne() throws {
    let files = try Self.files()
    expectEqual(files.count, 5)
    for name in ["pictures.mjpeg", "multipart.mjpeg"] {
      let stream = try VideoFixtures.bytes(name)
      let events = VideoFixtures.split(stream)
      let pictures = VideoFixtures.pictures(events)
      #expect(events.count == 5 && pictures.map(\.bytes) == files)
      #expect(pictures.allSatisfy { $0.hasEnd })
      for picture in pictures {
        #expect(stream[picture.offset...].starts(with: picture.bytes))
      }
      for chunk in Array(1...70) + [569, 1000] {
        expectEqual(VideoFixtures.split(stream, chunk: chunk), events, "\(name) by \(chunk)")
      }
    }
  }

  @Test func bytesInsideSegmentsAndCompressedDataStartNoPicture() throws {
    // A thumbnail in a segment; stuffed bytes, restarts, fill bytes; two scans; bare markers.
    let thumbnail = Self.skeleton()
    let picture: [UInt8] =
      [0xFF, 0xD8] + Self.segment(0xE1, thumbnail + [0xFF]) + [0xFF, 0xFF, 0xFF, 0xFE, 0, 2]
      + Self.segment(0xDA, [0xFF, 0xD9]) + [1, 0xFF, 0, 0xFF, 0xD0, 2, 0xFF, 0xD7, 0xFF, 0]
      + Self.segment(0xC4, [0xFF, 0xD8, 0xFF]) + Self.segment(0xDA, []) + [3, 0xFF, 0xFF, 0xD9]
    let stream = picture + picture + [0, 0, 0xFF, 0xFF] + picture
    for chunk in [1, 2, 3, 7, 1000] {
      let events = VideoFixtures.split(stream, chunk: chunk)
      expectEqual(VideoFixtures.pictures(events).map(\.bytes), [picture, picture, picture])
      #expect(VideoFixtures.damage(events).isEmpty)
    }
  }

  @Test func brokenRulesAreNamedAndReadingGoesOn() {
    let good = Self.skeleton()
    let start: [UInt8] = [0xFF, 0xD8]
    let cases: [([UInt8], [MJPEGDamage], Int)] = [
      (start + Self.segment(0xDB, [1]) + [5], [.missingMarker(offset: 7, found: 5)], 1),
      (start + [0xFF, 0x02], [.unexpectedMarker(marker: 2, offset: 2)], 1),
      (start + [0xFF, 0x00], [.unexpectedMarker(marker: 0, offset: 2)], 1),
      (
        start + [0xFF, 0xE0, 0, 1], [.invalidSegmentLength(marker: 0xE0, length: 1, offset: 2)], 1
      ),
      (start + Self.segment(0xDB, [1]), [.pictureInterrupted(offset: 7)], 1),
      (
        start + Self.segment(0xDA, []) + [1, 0xFF, 0xBF],
        [.unexpectedMarker(marker: 0xBF, offset: 7)], 1
      ),
      ([0x80], [.strayBytes(offset: 0, count: 1)], 1),
      ([0x20, 0xFF, 0xD8, 0x20], [.strayBytes(offset: 0, count: 4)], 1),
      ([UInt8](repeating: 0x20, count: 4097), [.strayBytes(offset: 0, count: 4097)], 1),
      ([UInt8](repeating: 0x20, count: 4096), [], 1),
      // The compressed data of a picture may lack its end.
      (start + Self.segment(0xDA, []) + [1, 2], [], 2),
      // After damage, what follows it is no news.
      (
        start + Self.segment(0xDB, [1]) + [5, 0x80, 0x81], [.missingMarker(offset: 7, found: 5)], 1
      ),
    ]
    for (bytes, damage, count) in cases {
      for chunk in [1, 2, 5, 10_000] {
        let events = VideoFixtures.split(bytes + good + good, chunk: chunk)
        expectEqual(VideoFixtures.damage(events), damage, "\(bytes.prefix(20))")
        let pictures = VideoFixtures.pictures(events)
        #expect(pictures.count == count + 1 && pictures.last?.bytes == good)
        expectEqual(pictures.dropLast().last?.bytes, good)
      }
      for error in damage { #expect(error.description.hasSuffix(".")) }
    }
    expectEqual(cases.count, 12)
  }

  @Test func startsWithoutPicturesAreOneDamage() {
    let flood = [UInt8]((0..<1000).flatMap { _ in [0xFF, 0xD8] as [UInt8] })
    let good = Self.skeleton()
    for chunk in [1, 3, 10_000] {
      let alone = VideoFixtures.split(flood, chunk: chunk)
      expectEqual(alone, [.damage(.strayBytes(offset: 0, count: 1998))])
      // The last start is that of a picture, where one follows.
      let events = VideoFixtures.split(good + flood + good.dropFirst(2) + good, chunk: chunk)
      expectEqual(
        VideoFixtures.damage(events), [.strayBytes(offset: good.count, count: 1998)])
      expectEqual(VideoFixtures.pictures(events).map(\.bytes), [good, good, good])
      // Behind a picture without an end, and behind damage, which is told alone.
      let cut = good.dropLast(2)
      let behind = VideoFixtures.split(cut + flood + good.dropFirst(2), chunk: chunk)
      expectEqual(VideoFixtures.damage(behind), [.strayBytes(offset: cut.count, count: 1998)])
      expectEqual(VideoFixtures.pictures(behind).map(\.bytes), [Array(cut), good])
    }
  }

  @Test func theEndOfAStreamIsJudged() {
    let good = Self.skeleton()
    for length in 0...good.count {
      let events = VideoFixtures.split(good + Array(good.prefix(length)))
      let offset = good.count + length
      switch length {
      case 0...2: expectEqual(events.count, 1)
      case 3..<12: expectEqual(VideoFixtures.damage(events), [.truncated(offset: offset)])
      default:
        let pictures = VideoFixtures.pictures(events)
        #expect(events.count == 2 && pictures.count == 2)
        expectEqual(pictures.last?.hasEnd, (length == good.count))
        expectEqual(pictures.last?.bytes, Array(good.prefix(length)))
      }
    }
    let stray = VideoFixtures.split(good + [0x90, 0x91])
    expectEqual(VideoFixtures.damage(stray), [.strayBytes(offset: good.count, count: 2)])
    #expect(VideoFixtures.split([]).isEmpty)
  }

  @Test func picturesHaveNoMoreBytesThanAllowed() {
    let small = Self.skeleton()
    let large = Self.skeleton([UInt8](repeating: 5, count: 100))
    let long =
      [0xFF, 0xD8] + Self.segment(0xE1, [UInt8](repeating: 0x20, count: 100)) + [0xFF, 0xD9]
    for chunk in [1, 9, 1000] {
      for limit in [small.count, 60, large.count - 1] {
        let events = VideoFixtures.split(
          small + large + small, chunk: chunk, pictureByteLimit: limit)
        expectEqual(VideoFixtures.pictures(events).map(\.bytes), [small, small])
        let damage: [MJPEGDamage] = [.pictureTooLarge(offset: small.count, limit: limit)]
        expectEqual(VideoFixtures.damage(events), damage)
      }
      let exact = VideoFixtures.split(large, chunk: chunk, pictureByteLimit: large.count)
      expectEqual(VideoFixtures.pictures(exact).map(\.bytes), [large])
      let segments = VideoFixtures.split(long + small, chunk: chunk, pictureByteLimit: 40)
      expectEqual(VideoFixtures.damage(segments), [.pictureTooLarge(offset: 0, limit: 40)])
      expectEqual(VideoFixtures.pictures(segments).map(\.bytes), [small])
    }
  }

  @Test func eachFlippedByteLosesFewPicturesWhateverTheChunks() throws {
    let files = try Self.files()
    let stream = files.flatMap { $0 }
    var (lost, total) = (0, 0)
    // All bytes of the second picture.
    for place in files[0].count..<files[0].count + files[1].count {
      for mask: UInt8 in [1, 128, 255] {
        var damaged = stream
        damaged[place] ^= mask
        let events = VideoFixtures.split(damaged)
        expectEqual(VideoFixtures.split(damaged, chunk: 13), events)
        let pictures = VideoFixtures.pictures(events).map(\.bytes)
        expectEqual(pictures.first, files[0])
        let whole = files.count { pictures.contains($0) }
        lost += files.count - whole - 1
        total += 1
        // The end is reached again, unless a length covers it.
        if pictures.last != files[4] {
          expectEqual(VideoFixtures.damage(events), [.truncated(offset: stream.count)])
        }
        if VideoFixtures.damage(events).isEmpty { #expect(pictures.count >= 4) }
      }
    }
    #expect(total > 1500)
    // More than the damaged picture itself is lost only where a length covers the next ones.
    #expect(lost < total / 20)
  }

  @Test func noiseGivesNeitherTrapsNorEndlessReading() {
    var count = 0
    for seed in 0..<60 as Range<UInt32> {
      // Many FF, D8 and D9 among the rest.
      let noise = TestPictures.noise(3000, seed: seed).map { byte -> UInt8 in
        switch byte & 7 {
        case 0, 1: 0xFF
        case 2: 0xD8
        case 3: [0xD9, 0xDA, 0xE0, 0x00][Int(byte >> 3) & 3]
        default: byte
        }
      }
      let events = VideoFixtures.split(noise)
      expectEqual(VideoFixtures.split(noise, chunk: 1 + Int(seed)), events)
      count += events.count
    }
    #expect(count > 300)
  }
}
