import DiceAudio
import TestSupport
import Testing

@Suite struct WAVFileTests {
  private static let codings: [(name: String, coding: WAVFile.Coding)] = [
    ("pcm8", .pcm(bits: 8)), ("pcm16", .pcm(bits: 16)), ("pcm24", .pcm(bits: 24)),
    ("pcm32", .pcm(bits: 32)), ("float32", .float(bits: 32)), ("float64", .float(bits: 64)),
    ("mulaw", .muLaw), ("alaw", .aLaw),
  ]

  @Test(arguments: codings.indices)
  func readsWhatFFmpegReads(index: Int) throws {
    let (name, coding) = Self.codings[index]
    let file = try WAVFile(Fixtures.bytes("golden/audio/\(name).wav"))
    expectEqual(file.coding, coding)
    expectEqual(file.clip.sampleRate, 22_050)
    expectEqual(file.clip.channelCount, 3)
    expectEqual(file.clip.frameCount, 120)
    let expected = try GoldenAudio.samples(name)
    expectEqual(expected.count, 360)
    expectEqual(file.clip.samples, expected)
  }

  @Test func monoIsTheMeanOfAllChannels() {
    let clip = AudioClip(sampleRate: 8_000, channelCount: 2, samples: [1, 0, -0.5, 0.25])
    expectEqual(clip.mono, [0.5, -0.125])
    expectEqual(clip.seconds, 0.00025)
  }

  /// A file from its chunks.
  private func file(_ chunks: [(String, [UInt8])]) -> [UInt8] {
    var body = Array("WAVE".utf8)
    for (name, bytes) in chunks {
      body += Array(name.utf8) + word32(bytes.count) + bytes
      if bytes.count % 2 == 1 { body.append(0) }
    }
    return Array("RIFF".utf8) + word32(body.count) + body
  }

  private func word32(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// What "fmt " holds.
  private func format(
    code: Int = 1, channels: Int = 1, rate: Int = 8_000, bits: Int = 16, frameSize: Int? = nil
  ) -> [UInt8] {
    let frame = frameSize ?? (bits + 7) / 8 * channels
    return Array(word32(code | channels << 16)) + word32(rate) + word32(rate * frame)
      + word32(frame | bits << 16)
  }

  @Test func chunksOfOddSizesArePaddedAndUnknownOnesPassedOver() throws {
    let bytes = file([
      ("LIST", [1, 2, 3]), ("fmt ", format()), ("fact", [0]), ("data", [0, 64, 0, 192]),
    ])
    try expectEqual(WAVFile(bytes).clip.samples, [0.5, -0.5])
  }

  @Test func cutAndOpenFilesEndWithTheFile() throws {
    let whole = file([("fmt ", format()), ("data", [0, 64, 0, 192, 0, 32])])
    // A byte of the third sample is missing.
    try expectEqual(WAVFile(Array(whole.dropLast())).clip.samples, [0.5, -0.5])
    var stream = whole
    for place in stream.count - 10..<stream.count - 6 { stream[place] = 0xFF }
    try expectEqual(WAVFile(stream).clip.samples, [0.5, -0.5, 0.25])
    for place in stream.count - 10..<stream.count - 6 { stream[place] = 0 }
    try expectEqual(WAVFile(stream).clip.samples, [0.5, -0.5, 0.25])
    try expectEqual(WAVFile(file([("fmt ", format()), ("data", [])])).clip.samples, [])
  }

  @Test func extensibleFormatsAreReadByTheirIdentifier() throws {
    let identifier: [UInt8] = [3, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let description = format(code: 0xFFFE, bits: 32) + [22, 0, 32, 0, 4, 0, 0, 0] + identifier
    let samples: [Float] = [0.25, .nan, -20, .infinity]
    let bytes = samples.flatMap { word32(Int($0.bitPattern)) }
    let read = try WAVFile(file([("fmt ", description), ("data", bytes)]))
    expectEqual(read.coding, .float(bits: 32))
    expectEqual(read.clip.samples, [0.25, 0, -16, 0])
    #expect(throws: WAVError.format(byteCount: 16, required: 40)) {
      try WAVFile(file([("fmt ", format(code: 0xFFFE)), ("data", [0, 0])]))
    }
  }

  @Test func eachRuleHasItsError() {
    func expect(_ error: WAVError, _ bytes: [UInt8], limit: Int = 100) {
      #expect(throws: error) { try WAVFile(bytes, sampleLimit: limit) }
      #expect(error.description.hasSuffix("."))
    }
    let data = ("data", [UInt8](repeating: 0, count: 8))
    expect(.notWAV, [])
    expect(.notWAV, Array("RIFX0000WAVE".utf8))
    expect(.noSamples, file([("fmt ", format())]))
    expect(.format(byteCount: 0, required: 16), file([data]))
    expect(
      .format(byteCount: 14, required: 16), file([("fmt ", Array(format().dropLast(2))), data]))
    expect(
      .unsupportedCoding(code: 2, bitsPerSample: 4),
      file([("fmt ", format(code: 2, bits: 4)), data]))
    expect(
      .unsupportedCoding(code: 1, bitsPerSample: 33), file([("fmt ", format(bits: 33)), data]))
    expect(.channelCount(0), file([("fmt ", format(channels: 0)), data]))
    expect(.channelCount(65), file([("fmt ", format(channels: 65)), data]))
    expect(.sampleRate(999), file([("fmt ", format(rate: 999)), data]))
    expect(.frameSize(found: 3, required: 2), file([("fmt ", format(frameSize: 3)), data]))
    expect(.tooLong(sampleCount: 4, limit: 3), file([("fmt ", format()), data]), limit: 3)
  }

  @Test func damagedFilesGiveAResultOrAnError() throws {
    let bytes = file([("fmt ", format(channels: 2, bits: 24)), ("data", Array(0..<24))])
    var count = Mutations.forEachPrefix(of: bytes) { (bytes) in _ = try? WAVFile(bytes) }
    count += Mutations.forEachChange(of: bytes, header: [12..<44]) { (bytes) in
      if let file = try? WAVFile(bytes) { #expect(file.clip.samples.count <= bytes.count) }
    }
    #expect(count > 5_000)
  }
}
