import DiceAudio
import TestSupport
import Testing

@testable import DiceGameKit
@testable import DiceGameTraining

@Suite struct SpeechFramesTests {
  private static let bandCount = SpeechFeatures.bandCount

  /// A tone at 8 kHz by a turning pointer, which needs no library of mathematics.
  private func tone(_ frequency: Double, count: Int, amplitude: Double = 0.5) -> [Float] {
    // A recurrence: s[n] = 2 cos(w) s[n - 1] - s[n - 2].
    let turn = 2 * Double.pi * frequency / Double(SpeechFeatures.sampleRate)
    var (cosine, term) = (0.0, 1.0)
    for order in 0..<20 {
      cosine += term
      let divisor: Int = (2 * order + 1) * (2 * order + 2)
      term *= -turn * turn / Double(divisor)
    }
    let sine = (1 - cosine * cosine).squareRoot()
    var (last, next) = (0.0, sine)
    return (0..<count).map { _ in
      defer { (last, next) = (next, 2 * cosine * next - last) }
      return Float(amplitude * last)
    }
  }

  /// Two tones and noise, a second of them.
  private var sound: [Float] {
    var state: UInt32 = 12_345
    let noise = (0..<8_000).map { (_) -> Float in
      state = state &* 1_664_525 &+ 1_013_904_223
      return (Float(state >> 8) / Float(1 << 23) - 1) * 0.05
    }
    let (low, high) = (tone(440, count: 8_000), tone(1_730, count: 8_000, amplitude: 0.2))
    return noise.indices.map { noise[$0] + low[$0] + high[$0] }
  }

  /// The band with the most energy in each frame.
  private func peaks(_ frames: [Float]) -> [Int] {
    stride(from: 0, to: frames.count, by: Self.bandCount).map { (start) in
      let bands = frames[start..<start + Self.bandCount]
      return bands.indices.max { bands[$0] < bands[$1] }! - start
    }
  }

  @Test func bandsAreThoseOfTheExtractor() {
    let sound = sound
    var extractor = SpeechFeatures.extractor
    var expected: [Float] = []
    extractor.append(sound, to: &expected)
    expectEqual(expected.count, 65 * Self.bandCount)
    let found = SpeechFrames().frames(
      of: sound, hop: SpeechFeatures.hopCount, frameCount: expected.count / Self.bandCount)
    expectEqual(found.count, expected.count)
    // Both sum up some hundreds of products in single precision, in different orders.
    let difference = zip(found, expected).map { abs($0 - $1) }.max() ?? .infinity
    #expect(difference < 1e-3, "\(difference)")
  }

  @Test func aFrameIsThatOfTheSoundFromItsFirstSampleOn() {
    let sound = sound
    let frames = SpeechFrames(warp: 1.06)
    for hop in [90, 120, 151] {
      let all = frames.frames(of: sound, hop: hop, frameCount: 21)
      for index in [0, 7, 8, 20] {
        let one = frames.frames(of: Array(sound[(index * hop)...]), hop: 120, frameCount: 1)
        expectEqual(Array(all[index * Self.bandCount..<(index + 1) * Self.bandCount]), one)
      }
    }
  }

  @Test func aToneKeepsItsBandAtAnySpeed() {
    let frames = SpeechFrames()
    for frequency in [300.0, 1_000, 2_400] {
      let tone = tone(frequency, count: 8_000)
      let usual = Set(peaks(frames.frames(of: tone, hop: 120, frameCount: 40)))
      expectEqual(usual.count, 1)
      for hop in [90, 108, 132, 160] {
        expectEqual(Set(peaks(frames.frames(of: tone, hop: hop, frameCount: 40))), usual)
      }
    }
  }

  @Test func aWarpAboveOneMovesATonesBandDown() {
    for frequency in [500.0, 1_000, 1_800, 2_600] {
      let tone = tone(frequency, count: 1_200)
      let found = [0.86, 1, 1.1].map { (warp: Float) in
        peaks(SpeechFrames(warp: warp).frames(of: tone, hop: 120, frameCount: 8))[0]
      }
      // Where bands are narrow beside the transform's steps, a tenth is less than one of them.
      #expect(found[0] > found[1] && found[1] >= found[2], "\(frequency) Hz: \(found)")
      if frequency >= 1_000 { #expect(found[1] > found[2], "\(frequency) Hz: \(found)") }
    }
  }

  @Test func whatIsMissingIsSilence() {
    let frames = SpeechFrames().frames(of: tone(1_000, count: 480), hop: 120, frameCount: 11)
    expectEqual(frames.count, 11 * Self.bandCount)
    #expect(frames[..<Self.bandCount].allSatisfy { $0 > -23 })
    // The logarithm of 1e-10, which is added to every energy.
    #expect(frames[(4 * Self.bandCount)...].allSatisfy { abs($0 + 23.025_85) < 1e-3 })
    #expect(SpeechFrames().frames(of: [], hop: 120, frameCount: 0).isEmpty)
  }
}
