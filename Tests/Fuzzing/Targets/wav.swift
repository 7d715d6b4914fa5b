import DiceAudio

/// Sound files, and what is made from their samples.
enum Target {
  static func run(_ bytes: [UInt8]) {
    do throws(WAVError) {
      let file = try WAVFile(bytes, sampleLimit: 4_096)
      let clip = file.clip
      require(clip.samples.allSatisfy { abs($0) <= 16 }, "samples in their range")
      require(clip.samples.count * file.coding.byteCount <= bytes.count, "no more than there are")
      guard clip.sampleRate % 25 == 0, clip.sampleRate >= 8_000 else { return }
      let mono = Resampler.resample(clip.mono, from: clip.sampleRate, to: 16_000)
      let expected = (clip.frameCount * 16_000 + clip.sampleRate - 1) / clip.sampleRate
      require(mono.count == expected, "as long as before")
      var features = LogMelFeatures()
      var frames: [Float] = []
      features.append(mono, to: &frames)
      require(frames.allSatisfy { $0.isFinite }, "features are finite")
    } catch { require(error.description.hasSuffix("."), "an error is a sentence") }
  }

  private static func file(_ code: UInt8, bits: UInt8, channels: UInt8, rate: UInt32) -> [UInt8] {
    let frame = (bits + 7) / 8 * channels
    let rates = (0..<4).map { UInt8(truncatingIfNeeded: rate >> (8 * $0)) }
    let format: [UInt8] = [code, 0, channels, 0] + rates + [0, 0, 0, 0, frame, 0, bits, 0]
    let head = Array("RIFF".utf8) + [80, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0]
    return head + format + Array("data".utf8) + [48, 0, 0, 0] + (0..<48).map { $0 &* 37 }
  }

  static func seeds() -> [[UInt8]] {
    [
      file(1, bits: 8, channels: 1, rate: 8_000), file(1, bits: 16, channels: 2, rate: 44_100),
      file(1, bits: 24, channels: 1, rate: 48_000), file(1, bits: 32, channels: 3, rate: 16_000),
      file(3, bits: 32, channels: 1, rate: 22_050), file(3, bits: 64, channels: 1, rate: 11_025),
      file(6, bits: 8, channels: 1, rate: 8_000), file(7, bits: 8, channels: 2, rate: 8_000),
    ]
  }
}
