internal import DiceAudio
public import DiceGameKit

/// How many recordings of numbers are heard right, and how many of other words are rejected.
public struct SpeechAccuracy: Hashable, Sendable {
  /// Recordings of one kind.
  public struct Share: Hashable, Sendable {
    /// The recordings.
    public var count = 0
    /// Those that are heard right, or rejected where that is right.
    public var rightCount = 0
    /// Those whose likeliest number is right, whether or not it is confident enough.
    public var likeliestCount = 0

    /// The share that is right, 0...1; 0 for no recordings.
    public var share: Double { count > 0 ? Double(rightCount) / Double(count) : 0 }
  }

  /// What was found in a recording of a number.
  public struct Answer: Hashable, Sendable {
    /// The confidence of the likeliest number, reported or not.
    public var confidence: Float
    /// Whether it was said.
    public var isRight: Bool

    /// Pairs both.
    public init(confidence: Float, isRight: Bool) {
      self.confidence = confidence
      self.isRight = isRight
    }
  }

  /// Numbers of one word: "seven", "forty".
  public var words = Share()
  /// Numbers of several words, but not digit by digit: "twenty four", "a hundred and two".
  public var numbers = Share()
  /// Numbers digit by digit: "two four".
  public var digitStrings = Share()
  /// Other words, which are to be rejected.
  public var others = Share()
  /// How far confidence lies from the share that is right: the mean over ten parts of 0...1, weighed by
  /// their recordings of numbers, of the difference of the mean confidence and the share.
  public var calibrationError = 0.0
  /// How sure of each number the recogniser was, and whether it was right: every recording of a number
  /// in which one was found.
  public var answers: [Answer] = []
  /// The seconds of sound.
  public var seconds = 0.0
  /// What was heard wrongly, with what was said.
  public var mistakes: [String] = []

  /// Hears all recordings of a corpus.
  ///
  /// - Throws: what the recogniser throws.
  public init(
    of recognizer: SpokenNumberRecognizer, on corpus: SpeechCorpus
  ) throws(SpokenNumberError) {
    let threshold = recognizer.confidenceThreshold
    recognizer.confidenceThreshold = 0
    defer { recognizer.confidenceThreshold = threshold }
    for recording in corpus.recordings where !recording.words.isEmpty {
      let clip = AudioClip(
        sampleRate: SpeechFeatures.sampleRate,
        samples: recording.samples.map { Float($0) * 0x1p-15 })
      seconds += clip.seconds
      let found = try recognizer.number(in: clip)
      let least = SpokenNumberRecognizer.leastConfidence(
        wordCount: found?.words.count ?? 1, threshold: threshold)
      let isReported = (found?.confidence ?? 0) >= least
      let words = recording.words
      var isRight = found == nil || !isReported
      let said = words.compactMap { $0 }
      if said.count < words.count {
        Self.count(&others, isRight, isRight)
      } else {
        guard let value = NumberGrammar.value(of: said) else { continue }
        let isLikeliest = found?.value == value
        isRight = isLikeliest && isReported
        if said.count == 1 {
          Self.count(&self.words, isRight, isLikeliest)
        } else if said.allSatisfy({ ($0.value ?? 10) < 10 }) {
          Self.count(&digitStrings, isRight, isLikeliest)
        } else {
          Self.count(&numbers, isRight, isLikeliest)
        }
        if let found {
          answers.append(Answer(confidence: found.confidence, isRight: isLikeliest))
        }
      }
      if !isRight {
        let text = words.map { $0?.text ?? "*" }.joined(separator: " ")
        mistakes.append("\(recording.name): \(text) heard as \(found?.description ?? "nothing")")
      }
    }
    calibrationError = Self.calibrationError(of: answers)
  }

  /// The calibration error of some answers.
  static func calibrationError(of answers: [Answer]) -> Double {
    var parts = [(confidence: Double, rightCount: Int)](repeating: (0, 0), count: 10)
    for answer in answers {
      let part = min(9, Int(answer.confidence * 10))
      parts[part].confidence += Double(answer.confidence)
      if answer.isRight { parts[part].rightCount += 1 }
    }
    return parts.reduce(0) {
      $0 + abs($1.confidence - Double($1.rightCount)) / Double(max(1, answers.count))
    }
  }

  private static func count(_ share: inout Share, _ isRight: Bool, _ isLikeliest: Bool) {
    share.count += 1
    if isRight { share.rightCount += 1 }
    if isLikeliest { share.likeliestCount += 1 }
  }
}
