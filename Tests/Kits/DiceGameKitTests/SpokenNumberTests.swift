import DiceAudio
import DiceGameKit
import Foundation
import TestSupport
import Testing

/// The recogniser with the weights that come with the library.
@Suite struct SpokenNumberTests {
  @Test(arguments: [8_000, 16_000, 48_000]) func silenceAndNoiseAreNoNumbers(rate: Int) throws {
    let recognizer = try SpokenNumberRecognizer(sampleRate: rate)
    try expectEqual(recognizer.append([Float](repeating: 0, count: 2 * rate)), [])
    try expectEqual(recognizer.finish(), [])
    var generator = SeededGenerator(seed: 7)
    for loudness in [Float(0.001), 0.05, 0.8] {
      let noise = (0..<2 * rate).map { _ in
        Float.random(in: -loudness...loudness, using: &generator)
      }
      for event in try recognizer.append(noise) + recognizer.finish() {
        if case .heard(let number) = event { Issue.record("\(number) in noise") }
      }
    }
  }

  @Test func blocksOfAnySizeGiveTheSameEvents() throws {
    let rate = 16_000
    // A vowel that swells and fades, with the pitch of a voice: whatever it is taken for.
    let sound = (0..<2 * rate).map { (index: Int) -> Float in
      let time = Float(index) / Float(rate)
      let swell = max(0, 1 - abs(time - 1) * 2.5)
      return (1...12).reduce(0) { sum, harmonic in
        sum + sin(2 * .pi * 130 * Float(harmonic) * time) * swell * 0.2 / Float(harmonic)
      }
    }
    let recognizer = try SpokenNumberRecognizer(sampleRate: rate)
    let whole = try recognizer.append(sound) + recognizer.finish()
    #expect(whole.contains { if case .speechBegan = $0 { true } else { false } })
    var parts: [SpokenNumberRecognizer.Event] = []
    for start in stride(from: 0, to: sound.count, by: 777) {
      parts += try recognizer.append(Array(sound[start..<min(start + 777, sound.count)]))
    }
    parts += try recognizer.finish()
    expectEqual(parts, whole)
  }

  @Test(arguments: [Int.min, -16_000, -1, 0, 1, 7_999, 48_001, 96_000, 1 << 40, Int.max])
  func otherRatesAreRefused(rate: Int) {
    let error = SpokenNumberError.sampleRate(found: rate, required: 8_000...48_000)
    #expect(throws: error) { try SpokenNumberRecognizer(sampleRate: rate) }
    #expect(throws: error) { try SpokenNumberRecognizer(weights: [], sampleRate: rate) }
    expectEqual(
      error.description, "The sound has \(rate) samples a second; 8000 to 48000 are heard.")
  }

  /// A recording may have rates that streams have not.
  @Test func recordingsOfOtherRatesAreRefused() throws {
    let recognizer = try SpokenNumberRecognizer()
    let required = Resampler.sampleRates
    for rate in [required.lowerBound, required.upperBound] {
      let clip = AudioClip(sampleRate: rate, samples: [Float](repeating: 0, count: 64))
      try expectEqual(recognizer.number(in: clip), nil)
    }
    for rate in [1, required.lowerBound - 1, required.upperBound + 1, Int.max] {
      let clip = AudioClip(sampleRate: rate, samples: [0, 1, 0])
      #expect(throws: SpokenNumberError.sampleRate(found: rate, required: required)) {
        try recognizer.number(in: clip)
      }
    }
  }

  /// Recordings of people, of whom the network has heard some: a floor, and no measurement.
  @Test func peopleAreHeard() throws {
    guard let photos = Fixtures.photos else { return }
    let folder = photos.deletingLastPathComponent().appending(path: "speech/fsdd")
    let recognizer = try SpokenNumberRecognizer()
    var (count, right) = (0, 0)
    for digit in 0...9 {
      for speaker in ["jackson", "nicolas", "theo", "yweweler"] {
        for take in [3, 31] {
          let file = folder.appending(path: "\(digit)_\(speaker)_\(take).wav")
          guard let bytes = try? Data(contentsOf: file) else { return }
          count += 1
          if try recognizer.number(in: WAVFile([UInt8](bytes)).clip)?.value == digit { right += 1 }
        }
      }
    }
    #expect(count == 80 && right >= 68, "\(right) of \(count)")
  }
}
