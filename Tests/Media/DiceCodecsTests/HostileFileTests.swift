import DiceImaging
import DiceCodecs
import TestSupport
import Testing

/// Small files damaged in every place: a picture within the limit or a typed error, never a trap.
@Suite(.timeLimit(.minutes(2))) struct HostileFileTests {
  private static let limits = DecodingLimits(pixelCount: 10_000)

  /// What came of the damaged files.
  private struct Outcome {
    var pictures = 0
    var errors = 0

    mutating func take(_ image: PixelImage) {
      pictures += 1
      let count = image.width * image.height
      if count > HostileFileTests.limits.pixelCount
        || image.samples.count != count * image.format.channelCount
      {
        Issue.record("\(image.width) by \(image.height) with \(image.samples.count) samples")
      }
    }

    mutating func take(_ error: some CustomStringConvertible) {
      errors += 1
      if !error.description.hasSuffix(".") { Issue.record("\(error.description)") }
    }
  }

  private func outcome(
    of bytes: [UInt8], header: [Range<Int>], _ prepare: ([UInt8]) -> [UInt8] = { $0 }
  ) -> Outcome {
    var outcome = Outcome()
    let count = Mutations.forEach(of: bytes, header: header) { damaged in
      do throws(ImageDecodingError) {
        outcome.take(try ImageDecoder.decode(prepare(damaged), limits: Self.limits))
      } catch {
        outcome.take(error)
      }
    }
    #expect(outcome.pictures + outcome.errors == count && count > 500)
    return outcome
  }

  @Test func pngFilesBehindRightChecksums() throws {
    let rows: [UInt8] = [0, 0x1B, 4, 0x72, 1, 0xFF, 2, 0, 3, 9]
    for interlacing: UInt8 in [0, 1] {
      let file = PNGBuilder(
        width: 4, height: 5, bitDepth: 2, colorType: 3, methods: [0, 0, interlacing]
      )
      .adding("PLTE", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]).adding("tRNS", [9, 255])
      .adding("IDAT", Deflate.zlib(interlacing == 0 ? rows : rows + rows))
      .ended()
      let found = outcome(of: file, header: [8..<33, 33..<41]) {
        PNGBuilder.repairingChecksums($0)
      }
      #expect(found.pictures > 20 && found.errors > 5000)
    }
  }

  @Test func jpegFiles() throws {
    let names = [
      "no-huffman-tables", "progressive-gray", "arithmetic-quality-1", "ycck-1x1",
      "progressive-arithmetic-1x1-1x1",
    ]
    for name in names {
      let file = Array(try JPEGFixtures.picture(name))
      // The frame header and the first scan header.
      var header: [Range<Int>] = []
      for (index, pair) in zip(file, file.dropFirst()).enumerated() where pair.0 == 0xFF {
        if [0xC0, 0xC2, 0xC9, 0xCA, 0xDA].contains(pair.1), header.count < 2 {
          header.append(index..<min(index + 20, file.count))
        }
      }
      expectEqual(header.count, 2)
      let found = outcome(of: file, header: header)
      #expect(found.pictures > 500 && found.errors > 1000)
    }
  }

  @Test(arguments: [
    "P1\n4 3\n1010 0101 1111", "P2 2 2 300 1 20 300 4", "P3\n# text\n1 2 9 1 2 3 4 5 9",
    "P4 9 2 ABCDEFGH", "P5\n3 2\n255\nABCDEF", "P6 2 1 65535 ABCDEFGHIJKL",
  ])
  func portableMaps(_ text: String) {
    let found = outcome(of: Array(text.utf8), header: [0..<text.utf8.count])
    #expect(found.pictures > 20 && found.errors > 1000)
  }

  @Test func videoStreams() throws {
    let header = "YUV4MPEG2 W4 H2 F25:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL\n"
    let frame = Array("FRAME\n".utf8) + [UInt8](repeating: 90, count: 12)
    let film = Array(header.utf8) + frame + frame
    let picture = Array(try JPEGFixtures.picture("no-huffman-tables"))
    let motion = Array("--part\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + picture + picture
    for (bytes, whole) in [(film, 0..<header.utf8.count + 6), (motion, 0..<42)] {
      var frames = 0
      var losses = 0
      var errors = 0
      let count = Mutations.forEach(of: bytes, header: [whole]) { damaged in
        let found = VideoFixtures.events(
          damaged, stream: FrameStream(limits: DecodingLimits(pixelCount: 10_000)))
        for event in found.events {
          if case .frame = event { frames += 1 } else { losses += 1 }
        }
        errors += found.error == nil ? 0 : 1
        if found.events.count > damaged.count { Issue.record("more frames than bytes") }
      }
      #expect(count > 10_000 && frames > 5000 && losses + errors > 500)
    }
  }
}
