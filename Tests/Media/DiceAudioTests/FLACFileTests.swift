import DiceAudio
import TestSupport
import Testing

@Suite struct FLACFileTests {
  private static let files: [(name: String, channelCount: Int, bits: Int, count: Int)] = [
    ("tone-1x16", 1, 16, 400), ("tone-2x24", 2, 24, 120), ("tone-3x16", 3, 16, 120),
    ("tone-1x8", 1, 8, 300), ("tone-2x32", 2, 32, 100), ("steps", 1, 16, 900),
    ("noise", 1, 16, 100), ("even", 1, 16, 300), ("rough", 1, 24, 200), ("left-side", 2, 16, 200),
    ("right-side", 2, 16, 200), ("mid-side", 2, 16, 200),
  ]

  private static func bytes(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes("golden/audio/flac-\(name).flac")
  }

  @Test(arguments: files.indices)
  func readsWhatFFmpegReads(index: Int) throws {
    let (name, channelCount, bits, count) = Self.files[index]
    let file = try FLACFile(Self.bytes(name))
    expectEqual(file.bitsPerSample, bits)
    expectEqual(file.clip.sampleRate, 22_050)
    expectEqual(file.clip.channelCount, channelCount)
    expectEqual(file.clip.frameCount, count)
    try expectEqual(file.clip.samples, GoldenAudio.samples("flac-\(name)"))
  }

  @Test(arguments: files.indices)
  func whatIsCutOffEndsWithAFrame(index: Int) throws {
    let bytes = try Self.bytes(Self.files[index].name)
    let whole = try FLACFile(bytes).clip
    for count in 42..<bytes.count {
      let part = try FLACFile(Array(bytes[..<count])).clip
      #expect(part.samples.count < whole.samples.count)
      expectEqual(part.samples, Array(whole.samples[..<part.samples.count]))
    }
    #expect(throws: FLACError.noDescription) { try FLACFile(Array(bytes[..<41])) }
  }

  @Test(arguments: files.indices)
  func damageIsFoundOrEndsTheSound(index: Int) throws {
    let bytes = try Self.bytes(Self.files[index].name)
    let whole = try FLACFile(bytes).clip
    for place in 42..<bytes.count {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        // Checksums find every single bit, unless the sound seems to go on beyond the file.
        guard let clip = try? FLACFile(damaged).clip else { continue }
        #expect(clip.samples.count < whole.samples.count)
      }
    }
  }

  @Test func everyRuleHasItsError() throws {
    let bytes = try Self.bytes("tone-1x16")
    func error(_ change: (inout [UInt8]) -> Void) -> FLACError? {
      var changed = bytes
      change(&changed)
      do throws(FLACError) {
        _ = try FLACFile(changed)
        return nil
      } catch { return error }
    }
    expectEqual(error { $0[0] = 0 }, .notFLAC)
    expectEqual(error { $0[4] = 0x81 }, .noDescription)
    expectEqual(error { $0[7] = 33 }, .noDescription)
    expectEqual(
      error { ($0[18], $0[19], $0[20]) = (0, 0, 0) }?.description.contains("0 samples a second"),
      true)
    // A number of samples that 32 bits do not hold.
    expectEqual(
      error { $0.replaceSubrange(21..<26, with: [$0[21] | 15, 255, 255, 255, 255]) },
      .tooLong(sampleCount: Int(clamping: (Int64(1) << 36) - 1), limit: WAVFile.sampleLimit))
    expectEqual(error { $0[42] = 0 }, .frameHeader(frame: 0))
    expectEqual(error { $0[45] ^= 0x10 }, .checksum(frame: 0))
    expectEqual(error { $0[$0.count - 1] ^= 1 }, .checksum(frame: 1))
    // Two channels by the file, one by the frame.
    expectEqual(error { $0[20] ^= 2 }, .changedFormat(frame: 0))
    #expect(throws: FLACError.tooLong(sampleCount: 400, limit: 399)) {
      try FLACFile(bytes, sampleLimit: 399)
    }
    try expectEqual(FLACFile(bytes, sampleLimit: 400).clip.frameCount, 400)
  }

  @Test func aFileOfUnknownLengthIsReadToItsEnd() throws {
    var bytes = try Self.bytes("tone-1x16")
    for place in 22..<26 { bytes[place] = 0 }
    bytes[21] &= 0xF0
    try expectEqual(FLACFile(bytes).clip.samples, GoldenAudio.samples("flac-tone-1x16"))
    #expect(throws: FLACError.frameHeader(frame: 2)) {
      try FLACFile(bytes + [UInt8](repeating: 1, count: 20))
    }
  }

  @Test func soundFilesAreToldApartByTheirBeginning() throws {
    try expectEqual(AudioClip(file: Self.bytes("noise")).sampleRate, 22_050)
    try expectEqual(AudioClip(file: Fixtures.bytes("golden/audio/pcm16.wav")).channelCount, 3)
    #expect(throws: AudioFileError.unknown) { try AudioClip(file: Array("OggS, and so on".utf8)) }
    #expect(throws: AudioFileError.flac(.noDescription)) { try AudioClip(file: Array("fLaC".utf8)) }
    #expect(throws: AudioFileError.wav(.noSamples)) {
      var bytes = try Fixtures.bytes("golden/audio/pcm16.wav")
      bytes = Array(bytes.prefix(60))
      _ = try AudioClip(file: bytes)
    }
  }
}
