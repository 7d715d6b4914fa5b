import DiceAudio
import DiceFiles
import DiceTraining
import DiceWeights
import Foundation
import TestSupport
import Testing

@testable import DiceGameKit
@testable import DiceGameTraining

@Suite struct SpeechTaskTests {
  /// Tones of 0.3 s at 8 kHz, one pitch for each word.
  private func tone(_ word: Int) -> [Int16] {
    let period = 6 + word * 5
    return (0..<2_400).map { Int16($0 % period < period / 2 ? 9_000 : -9_000) }
  }

  private func corpus() -> SpeechCorpus {
    let words = [SpokenWord.zero, .one, .two, nil]
    return SpeechCorpus(
      words.enumerated().map { (index, word) in
        SpeechCorpus.Recording(
          name: "\(index)", voice: "tone-1",
          words: [word],
          samples: tone(index))
      })
  }

  private func trainer(samples: Int) throws -> Trainer<SpeechTask> {
    var options = TrainingOptions()
    options.batchSize = 8
    options.sampleCount = samples
    options.learningRate = 0.005
    return try Trainer(.spokenNumbers, task: SpeechTask(corpus()), options: options, threadCount: 1)
  }

  @Test func theNetworkIsSmall() throws {
    let shapes = try NetworkDescription.spokenNumbers.validated()
    let count = shapes.tensors.reduce(0) { $0 + $1.reduce(1, *) }
    #expect(count < 450_000)
    expectEqual(NetworkDescription.spokenNumbers.task, WordNetwork.task)
  }

  @Test func samplesFollowFromTheirSeed() {
    let sampler = SpeechSampler(corpus())
    var wordCounts: Set<Int> = []
    for seed in 0..<20 as Range<UInt64> {
      var (first, second) = (TrainingRandom(seed), TrainingRandom(seed))
      let (a, b) = (sampler.sample(using: &first), sampler.sample(using: &second))
      #expect(a.frames == b.frames && a.speech == b.speech)
      expectEqual(a.frames.count, SpeechTask.frameCount * SpeechFeatures.bandCount)
      #expect(a.frames.allSatisfy { $0.isFinite && abs($0) <= 2.5 })
      wordCounts.insert(a.speech.words.count)
    }
    #expect(wordCounts.count > 2)
  }

  @Test func wordsAreLearnt() throws {
    let trainer = try trainer(samples: 480)
    var losses: [Float] = []
    while !trainer.isFinished { losses.append(try trainer.advance().loss.total) }
    let first = losses[0..<5].reduce(0, +) / 5
    let last = losses.suffix(5).reduce(0, +) / 5
    #expect(last < 0.5 * first, "\(first) to \(last)")
  }

  @Test func streamsOfAnySizeGiveTheSameEvents() throws {
    let bytes = try trainer(samples: 8).export(storage: .float32)
    let quiet = [Float](repeating: 0, count: 8_000)
    let sound = quiet + tone(1).map { Float($0) / 32_768 } + quiet
    let recognizer = try SpokenNumberRecognizer(weights: bytes, sampleRate: 8_000)
    // Untrained, all numbers are unlikely.
    recognizer.confidenceThreshold = 1
    let whole = try recognizer.append(sound) + recognizer.finish()
    expectEqual(whole.count, 2)
    guard case .speechBegan(let start) = whole.first, case .rejected(let span) = whole.last else {
      Issue.record("\(whole)")
      return
    }
    #expect(abs(start - 1) < 0.1 && span.lowerBound < 1 && abs(span.upperBound - 1.3) < 0.2)
    var parts: [SpokenNumberRecognizer.Event] = []
    for place in stride(from: 0, to: sound.count, by: 100) {
      parts += try recognizer.append(Array(sound[place..<min(place + 100, sound.count)]))
    }
    parts += try recognizer.finish()
    expectEqual(parts, whole)
    try expectEqual(recognizer.append(quiet) + recognizer.finish(), [])
  }

  @Test func clipsOfAllKindsAreHeard() throws {
    let bytes = try trainer(samples: 8).export(storage: .float32)
    let recognizer = try SpokenNumberRecognizer(weights: bytes)
    recognizer.confidenceThreshold = 0
    try expectEqual(recognizer.number(in: AudioClip(sampleRate: 8_000, samples: [])), nil)
    let silence = [Float](repeating: 0, count: 480_000)
    try expectEqual(recognizer.number(in: AudioClip(sampleRate: 48_000, samples: silence)), nil)
    let strange: [[Float]] = [
      [Float](repeating: .nan, count: 999), [Float.infinity, -Float.infinity], [1],
    ]
    for samples in strange {
      _ = try recognizer.number(in: AudioClip(sampleRate: 11_025, samples: samples))
    }
    let tones = (0..<40).flatMap { tone($0 % 4).map { Float($0) / 32_768 } }
    _ = try recognizer.number(in: AudioClip(sampleRate: 8_000, channelCount: 2, samples: tones))
  }

  @Test func otherNetworksAreRefused() throws {
    #expect(throws: SpokenNumberError.self) { try SpokenNumberRecognizer(weights: []) }
    var description = NetworkDescription.spokenNumbers
    description.outputs[0].head?.labels[3] = "deux"
    let shapes = try description.validated()
    let tensors = shapes.tensors.map { [Float](repeating: 0, count: $0.reduce(1, *)) }
    let bytes = try WeightFile.encode(description: description, tensors: tensors, storage: .float32)
    do {
      _ = try SpokenNumberRecognizer(weights: bytes)
      Issue.record("labels are looked at")
    } catch {
      guard case .labels = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.description.hasSuffix("."))
    }
  }

  @Test func networksWithoutTheirSoundsAreRefused() throws {
    func refused(_ change: (inout NetworkDescription) -> Void) throws -> SpokenNumberError? {
      var description = NetworkDescription.spokenNumbers
      change(&description)
      let tensors = try description.validated().tensors.map {
        [Float](repeating: 0, count: $0.reduce(1, *))
      }
      let bytes = try WeightFile.encode(
        description: description, tensors: tensors, storage: .float32)
      do { _ = try SpokenNumberRecognizer(weights: bytes) } catch { return error }
      return nil
    }
    try expectEqual(refused { _ in }, nil)
    let count = try refused {
      $0.outputs.removeLast()
      $0.layers.removeLast()
    }
    expectEqual(count, .outputCount(found: 1))
    let shape = try #require(try refused { $0.outputs.swapAt(0, 1) })
    guard case .output(let found, let required) = shape else {
      Issue.record("\(shape)")
      return
    }
    #expect(found.channels == SpokenSound.count && required.channels == SpeechClass.count)
    let labels = try #require(try refused { $0.outputs[1].head?.labels[1] = "A" })
    guard case .labels(let names) = labels else {
      Issue.record("\(labels)")
      return
    }
    #expect(names.count == SpokenSound.count && names[1] == "A")
    #expect(labels.description.hasSuffix("."))
  }

  @Test func soundsAreThoseOfKnownWords() throws {
    var recording = SpeechCorpus.Recording(
      name: "a", voice: "tone-1", words: [.two, .oh], samples: tone(1))
    expectEqual(recording.sounds?.map { SpokenSound.labels[$0] }, ["T", "UW", "OW"])
    recording.words = [.two, nil]
    expectEqual(recording.sounds, nil)
    recording.otherSounds = [1, 2]
    expectEqual(recording.sounds, [1, 2])
    // A word whose sounds nobody knows takes those of a sample away.
    var speech = SpeechSampler.Speech()
    speech += SpeechSampler.Speech(words: [1], sounds: [3])
    speech += SpeechSampler.Speech(words: [2], sounds: [4, 5])
    expectEqual(speech, SpeechSampler.Speech(words: [1, 2], sounds: [3, 4, 5]))
    speech += SpeechSampler.Speech(words: [SpeechClass.other], sounds: nil)
    speech += SpeechSampler.Speech(words: [1], sounds: [3])
    expectEqual(speech, SpeechSampler.Speech(words: [1, 2, SpeechClass.other, 1], sounds: nil))
  }

  @Test func listsMayNameSounds() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Fixtures.bytes("golden/audio/alaw.wav")).write(to: folder.appending(path: "a.wav"))
    func corpus(_ list: String) throws -> SpeechCorpus {
      try Data(list.utf8).write(to: folder.appending(path: "labels.tsv"))
      return try SpeechCorpus(folder: folder.path)
    }
    let found = try corpus("a.wav\tv\t*\tT R IY\na.wav\tv\tthree\na.wav\tv\t*\n").recordings
    expectEqual(found[0].sounds?.map { SpokenSound.labels[$0] }, ["T", "R", "IY"])
    expectEqual(found[1].sounds?.map { SpokenSound.labels[$0] }, ["TH", "R", "IY"])
    expectEqual(found[2].sounds, nil)
    for line in ["a.wav\tv", "a.wav\tv\t*\tT X", "a.wav\tv\t*\tT\tT", "a.wav\tv\ttree"] {
      #expect(throws: SpeechCorpusError.self, "\(line)") { try corpus(line) }
    }
  }

  @Test func corporaAreFoldersWithAList() throws {
    let folder = Paths.joined(Fixtures.path(""), "golden/audio")
    #expect(throws: SpeechCorpusError.self) { try SpeechCorpus(folder: folder) }
  }
}
