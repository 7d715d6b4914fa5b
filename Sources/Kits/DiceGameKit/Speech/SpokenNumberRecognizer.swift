public import DiceAudio

/// Hears numbers that are said in English: "twenty-four", "two four", "a hundred and eight", "oh".
///
/// Sound goes in as it comes, and events come out; or a recording of one answer goes in as a whole:
///
/// ```swift
/// let microphone: [Int16] = []  // what the microphone gave since the last time
/// let recognizer = try SpokenNumberRecognizer(sampleRate: 16_000)
/// for event in try recognizer.append(microphone) {
///   if case .heard(let number) = event { print(number.value, number.confidence) }
/// }
/// ```
///
/// Numbers from 0 to 216 are known as they are said, and up to six digits one by one. Noise and other
/// words are to be rejected; how often they are stands in `Docs/SpokenNumbers.md`. A recogniser is used
/// from one thread at a time.
public final class SpokenNumberRecognizer {
  /// What was heard.
  public enum Event: Hashable, Sendable {
    /// Somebody began to speak, or something to sound, at a time in seconds.
    case speechBegan(seconds: Double)
    /// A number was said; the utterance is over.
    case heard(SpokenNumber)
    /// What sounded is over, and was no number.
    case rejected(seconds: ClosedRange<Double>)
  }

  /// The rates of sound that is heard, in samples a second.
  public static let sampleRates = 8_000...48_000
  /// The longest recording that is heard as a whole, in seconds.
  public static let secondLimit = 8.0
  /// How many times likelier an expected answer becomes.
  public static let hintWeight: Float = 4

  /// Samples a second of the sound that is given to ``append(_:)``.
  public let sampleRate: Int
  /// Numbers that are likely answers; empty for none.
  ///
  /// They become ``hintWeight`` times as likely as others. A number that is only reported for that says so
  /// (``SpokenNumber/isHinted``).
  public var expectedAnswers: Set<Int> = []
  /// The least confidence of a number of one word that is reported; what is below is rejected.
  ///
  /// Other words are seldom taken for a number of several words, so half of it suffices for these.
  public var confidenceThreshold: Float

  /// The share of the threshold that suffices for a number of several words.
  package static let severalWordsShare: Float = 0.5

  private let network: WordNetwork
  private var resampler: Resampler
  private var features = SpeechFeatures.extractor
  private var detector = SpeechDetector()
  private let search = NumberSearch()
  /// Frames of the utterance, or the last ones before it.
  private var frames: [Float] = []
  /// The number of the first of these.
  private var firstFrame = 0

  /// A recogniser with weights of your own.
  ///
  /// - Parameters:
  ///   - bytes: a whole weight file, from a source that need not be trusted, as `dicevision train speech`
  ///     writes them.
  ///   - sampleRate: samples a second of the sound to come, one of ``sampleRates``.
  /// - Throws: the rule that the file or its network breaks; `SpokenNumberError.sampleRate` for a rate that is
  ///   not in ``sampleRates``.
  public init(weights bytes: [UInt8], sampleRate: Int = 16_000) throws(SpokenNumberError) {
    guard Self.sampleRates.contains(sampleRate) else {
      throw .sampleRate(found: sampleRate, required: Self.sampleRates)
    }
    network = try WordNetwork(weights: bytes)
    self.sampleRate = sampleRate
    resampler = Resampler(from: sampleRate, to: SpeechFeatures.sampleRate)
    confidenceThreshold = network.threshold
  }

  /// Takes samples of one channel, -1...1, and returns what they end or begin.
  ///
  /// Samples that are not finite count as 0.
  ///
  /// - Throws: `SpokenNumberError.network` where memory does not suffice.
  public func append(_ samples: [Float]) throws(SpokenNumberError) -> [Event] {
    var slow: [Float] = []
    resampler.append(samples.map { $0.isFinite ? min(max($0, -16), 16) : 0 }, to: &slow)
    return try take(slow)
  }

  /// Takes samples of one channel, of 16 bits, and returns what they end or begin.
  ///
  /// - Throws: `SpokenNumberError.network` where memory does not suffice.
  public func append(_ samples: [Int16]) throws(SpokenNumberError) -> [Event] {
    try append(samples.map { Float($0) * 0x1p-15 })
  }

  /// The sound is over: returns what is still open, and begins anew.
  ///
  /// - Throws: `SpokenNumberError.network` where memory does not suffice.
  public func finish() throws(SpokenNumberError) -> [Event] {
    var slow: [Float] = []
    resampler.finish(into: &slow)
    slow += [Float](repeating: 0, count: SpeechFeatures.sampleRate)
    let events = try take(slow)
    features.reset()
    detector = SpeechDetector()
    frames.removeAll(keepingCapacity: true)
    firstFrame = 0
    return events
  }

  /// The number that is said in a recording of one answer; nil where none is, or where it is not
  /// confident enough.
  ///
  /// The sound may be cut tight around the words. A recording of more than ``secondLimit`` is heard as a
  /// stream, and the most confident number in it counts. What was appended before stays as it is.
  ///
  /// - Throws: `SpokenNumberError.network` where memory does not suffice, `SpokenNumberError.sampleRate` for
  ///   a clip whose rate is not in `Resampler.sampleRates`.
  public func number(in clip: AudioClip) throws(SpokenNumberError) -> SpokenNumber? {
    guard Resampler.sampleRates.contains(clip.sampleRate) else {
      throw .sampleRate(found: clip.sampleRate, required: Resampler.sampleRates)
    }
    let mono = clip.mono.map { $0.isFinite ? min(max($0, -16), 16) : 0 }
    let slow = Resampler.resample(mono, from: clip.sampleRate, to: SpeechFeatures.sampleRate)
    let margin = [Float](repeating: 0, count: SpeechFeatures.sampleRate / 5)
    var extractor = SpeechFeatures.extractor
    var all: [Float] = []
    extractor.append(margin + slow + margin, to: &all)
    guard clip.seconds > Self.secondLimit else {
      return try number(in: all, seconds: 0...max(0, clip.seconds))
    }
    var (finder, start, best) = (SpeechDetector(), 0, SpokenNumber?.none)
    let bandCount = SpeechFeatures.bandCount
    let count = all.count / bandCount
    for frame in 0..<count {
      var change = finder.update(SpeechFeatures.level(all, frame))
      if frame == count - 1, finder.isSpeech { change = .ended }
      if change == .began { start = max(0, frame - SpeechDetector.margin) }
      guard change == .ended else { continue }
      let part = Array(all[start * bandCount..<(frame + 1) * bandCount])
      let found = try number(in: part, seconds: Self.seconds(start)...Self.seconds(frame))
      if let found, found.confidence > (best?.confidence ?? 0) { best = found }
    }
    return best
  }

  // MARK: Streams

  private static func seconds(_ frame: Int) -> Double {
    Double(frame * SpeechFeatures.hopCount) / Double(SpeechFeatures.sampleRate)
  }

  private func take(_ samples: [Float]) throws(SpokenNumberError) -> [Event] {
    var fresh: [Float] = []
    features.append(samples, to: &fresh)
    var events: [Event] = []
    let bandCount = SpeechFeatures.bandCount
    for frame in 0..<fresh.count / bandCount {
      frames += fresh[frame * bandCount..<(frame + 1) * bandCount]
      let number = firstFrame + frames.count / bandCount - 1
      switch detector.update(SpeechFeatures.level(fresh, frame)) {
      case .began:
        events.append(.speechBegan(seconds: Self.seconds(max(0, number - 3))))
      case .ended:
        let from = Self.seconds(firstFrame)
        let span = from...max(from, Self.seconds(number - SpeechDetector.pauseCount + 1))
        let late = (SpeechDetector.pauseCount - SpeechDetector.margin) * bandCount
        let spoken = Array(frames.dropLast(frames.count > 2 * late ? late : 0))
        if let heard = try self.number(in: spoken, seconds: span) {
          events.append(.heard(heard))
        } else {
          events.append(.rejected(seconds: span))
        }
      case .none: break
      }
      if !detector.isSpeech, frames.count > SpeechDetector.margin * bandCount {
        let surplus = frames.count / bandCount - SpeechDetector.margin
        frames.removeFirst(surplus * bandCount)
        firstFrame += surplus
      }
    }
    return events
  }

  // MARK: Utterances

  private func number(
    in frames: [Float], seconds: ClosedRange<Double>
  ) throws(SpokenNumberError) -> SpokenNumber? {
    let loudest = (0..<frames.count / SpeechFeatures.bandCount).reduce(-Float.infinity) {
      max($0, SpeechFeatures.level(frames, $1))
    }
    guard loudest > SpeechDetector.silence else { return nil }
    var normalized = frames
    SpeechFeatures.normalize(&normalized)
    let probabilities = try network.probabilities(of: normalized)
    let found = SoundMatch(probabilities: probabilities.sounds)
      .weighed(search.findings(in: probabilities.words))
    let findings = network.scale.applied(to: found)
    return Self.number(
      from: findings, expected: expectedAnswers, threshold: confidenceThreshold, seconds: seconds)
  }

  /// The least confidence of a number of so many words that is reported.
  package static func leastConfidence(wordCount: Int, threshold: Float) -> Float {
    wordCount > 1 ? threshold * severalWordsShare : threshold
  }

  /// What is reported of some findings.
  package static func number(
    from findings: [NumberSearch.Finding], expected: Set<Int>, threshold: Float,
    seconds: ClosedRange<Double>
  ) -> SpokenNumber? {
    guard let plain = findings.first else { return nil }
    var weighed = findings
    let hinted = findings.reduce(Float(0)) {
      $0 + (expected.contains($1.value) ? $1.probability : 0)
    }
    let sum = 1 + hinted * (hintWeight - 1)
    for index in weighed.indices {
      let factor = expected.contains(weighed[index].value) ? hintWeight : 1
      weighed[index].probability *= factor / sum
    }
    weighed.sort {
      $0.probability != $1.probability ? $0.probability > $1.probability : $0.value < $1.value
    }
    let best = weighed[0]
    func isReported(_ finding: NumberSearch.Finding) -> Bool {
      finding.probability
        >= leastConfidence(wordCount: finding.words.count, threshold: threshold)
    }
    guard isReported(best) else { return nil }
    return SpokenNumber(
      value: best.value, words: best.words, confidence: min(1, best.probability),
      alternatives: weighed.dropFirst().prefix(4).filter { $0.probability >= 0.01 }.map {
        SpokenNumber.Alternative(value: $0.value, confidence: $0.probability)
      },
      isHinted: best.value != plain.value || !isReported(plain), seconds: seconds)
  }
}
