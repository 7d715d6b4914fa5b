internal import DiceAudio
internal import DiceGameKit
public import DiceParallel
public import DiceTraining

/// Teaches a network to hear numbers: recordings cut together, in rooms and noise, and the loss of their
/// words.
public struct SpeechTask: LearningTask {
  /// What the network is to say of a sample.
  public struct Target: Hashable, Sendable {
    /// The classes of its words.
    public var words: [Int]
    /// The classes of its sounds; nil where nobody knows them.
    public var sounds: [Int]?
  }

  /// What a weight file for spoken numbers says under "task".
  public static let taskName = "spoken numbers"
  /// Frames of one sample: 2.1 s.
  public static let frameCount = 140
  /// Frames from one output of the network to the next.
  static let stride = 2

  /// How samples and loss come about, as text.
  public let identity: String
  /// The recordings.
  public let parts: [TrainingPart]
  /// How much the loss of sounds counts.
  private static let soundShare: Float = 0.3
  private let sampler: SpeechSampler
  private let loss = ConnectionistLoss(blank: SpeechClass.blank)

  /// A task.
  ///
  /// - Precondition: there is a recording.
  public init(_ corpus: SpeechCorpus) {
    precondition(!corpus.recordings.isEmpty, "there is a recording to learn from")
    sampler = SpeechSampler(corpus)
    identity = "spoken numbers, sixth \(Self.frameCount) \(Self.stride) \(Self.soundShare)"
    parts = [TrainingPart("recordings or words", fingerprint: corpus.fingerprint)]
  }

  /// Cuts recordings together and varies them.
  public func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> Target {
    // Clear speech first.
    let progress = Float(moment.step) / Float(max(1, moment.stepCount))
    let (frames, speech) = sampler.sample(hardness: min(1, 0.2 + 6 * progress), using: &random)
    inputs[0].write(SpeechFeatures.rows(of: frames, width: Self.frameCount))
    return Target(words: speech.words, sounds: speech.sounds)
  }

  /// The mean loss of the samples' words and of their sounds, and the share of samples whose likeliest
  /// classes are their words.
  public func loss(
    of outputs: [TrainingOutput], targets: [Target], pool: WorkerPool
  ) -> LossParts {
    let scale = 1 / Float(targets.count)
    let parts = pool.map(count: targets.count) { (sample) -> (Double, Double, Bool) in
      let words = outputs[0].numbers(ofSample: sample)
      let isRight =
        Self.likeliest(words, classCount: SpeechClass.count) == targets[sample].words
      let wordLoss = learn(
        words, targets[sample].words, scale: scale, output: outputs[0], sample: sample)
      guard let sounds = targets[sample].sounds else { return (wordLoss, 0, isRight) }
      let soundLoss = learn(
        outputs[1].numbers(ofSample: sample), sounds, scale: Self.soundShare * scale,
        output: outputs[1], sample: sample)
      return (wordLoss, soundLoss, isRight)
    }
    let wordLoss = parts.reduce(0) { $0 + $1.0 }
    let soundLoss = parts.reduce(0) { $0 + $1.1 }
    let rightCount = parts.reduce(0) { $0 + ($1.2 ? 1 : 0) }
    return LossParts(
      terms: [
        LossParts.Part("words", Float(wordLoss) * scale),
        LossParts.Part("sounds", Float(soundLoss) * Self.soundShare * scale),
      ],
      measures: [LossParts.Part("right", Float(rightCount) * scale)])
  }

  /// Writes the gradient of one sample's labels, and returns their loss.
  private func learn(
    _ logits: [Float], _ labels: [Int], scale: Float, output: TrainingOutput, sample: Int
  ) -> Double {
    let classCount = output.channelCount
    guard let (loss, gradient) = loss.evaluate(logits, classCount: classCount, labels: labels)
    else { return 0 }
    for column in 0..<output.width {
      for channel in 0..<classCount {
        output.setGradient(
          gradient[column * classCount + channel] * scale, sample: sample, row: 0, column: column,
          channel: channel)
      }
    }
    return loss
  }

  /// The likeliest class of each step, repeated ones made one, without blanks.
  private static func likeliest(_ logits: [Float], classCount: Int) -> [Int] {
    var words: [Int] = []
    var last = SpeechClass.blank
    for step in 0..<logits.count / classCount {
      var best = 0
      for index in 1..<classCount
      where logits[step * classCount + index] > logits[step * classCount + best] { best = index }
      if best != last, best != SpeechClass.blank { words.append(best) }
      last = best
    }
    return words
  }
}
