internal import DiceGameKit
public import DiceParallel
public import DiceTraining

/// Teaches ``NetworkDescription/penWays`` to read digits and to know what is none: varied strokes of a
/// set, other ways to write digits, and letters, scribbles, parts of digits and digits side by side.
public struct PenWayTask: LearningTask {
  /// What the network is to say of a sample: its digit, or 10 for none.
  public typealias Target = Int

  /// The strokes to learn from; at least one digit.
  public let strokes: StrokeDataset
  /// The share of samples that are no digits.
  public let strayShare: Float
  /// How samples and loss come about, as text.
  public let identity: String
  /// The strokes.
  public let parts: [TrainingPart]

  private let loss = SoftmaxCrossEntropy(smoothing: 0.02)
  private let stray: StraySampler
  private let distortion = StrokeDistortion()
  private let habits = WritingHabits()
  private let forms = DigitForms()
  /// The shares of digits that are strokes of the set rewritten, and forms that nobody drew.
  private static let (rewrittenShare, formShare): (Float, Float) = (0.17, 0.17)
  private let byDigit: [[Int]]

  /// A task.
  ///
  /// - Parameter letters: letters of typefaces, which are none; nil for the package's own alone.
  /// - Precondition: there is a digit in strokes.
  public init(_ strokes: StrokeDataset, letters: LetterDataset? = nil) {
    precondition(strokes.count > 0, "there is a digit to learn from")
    self.strokes = strokes
    strayShare = 0.3
    stray = StraySampler(strokes, letters: letters)
    byDigit = (0..<10).map { digit in
      strokes.samples.indices.filter { strokes.samples[$0].digit == digit }
    }
    identity =
      "pen ways \(strayShare) \(distortion) \(Self.rewrittenShare) \(Self.formShare) 0.02"
    parts =
      [TrainingPart("strokes", fingerprint: strokes.fingerprint)]
      + (letters.map { [TrainingPart("letters", fingerprint: $0.fingerprint)] } ?? [])
  }

  /// Draws a sample.
  public func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> Int {
    let isStray = random.chance(strayShare)
    var target = 10
    var paths: [InkPath]
    // What is no digit is written in as many ways.
    var rewrittenShare = Self.rewrittenShare
    if isStray {
      paths = stray.sample(using: &random)
    } else if random.chance(Self.formShare) {
      target = random.index(10)
      paths = forms.form(of: target, using: &random)
      rewrittenShare = 0
    } else {
      let digits = byDigit[random.index(10)]
      let index = digits.isEmpty ? random.index(strokes.count) : digits[random.index(digits.count)]
      paths = distortion.vary(strokes.samples[index].paths, using: &random)
      target = strokes.samples[index].digit
      rewrittenShare /= 1 - Self.formShare
    }
    if rewrittenShare > 0, random.chance(rewrittenShare) {
      paths = habits.rewritten(paths, using: &random)
    }
    inputs[0].write(PenPath.values(of: InkGroup(paths)))
    return target
  }

  /// The cross entropy, and the share of samples that are read right.
  public func loss(
    of outputs: [TrainingOutput], targets: [Int], pool: WorkerPool
  ) -> LossParts {
    loss.parts(of: outputs[0], labels: targets, pool: pool)
  }
}
