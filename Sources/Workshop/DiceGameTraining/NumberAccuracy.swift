public import DiceGameKit
internal import DiceTraining

/// How many numbers are read exactly right, and how far confidence can be trusted.
public struct NumberAccuracy: Hashable, Sendable {
  /// The numbers.
  public var count = 0
  /// The numbers that are read exactly right.
  public var rightCount = 0
  /// The sum of confidences.
  public var confidenceSum = 0.0
  private var bins = [Bin](repeating: Bin(), count: 10)

  private struct Bin: Hashable, Sendable {
    var count = 0
    var rightCount = 0
    var confidenceSum = 0.0
  }

  /// Nothing measured yet.
  public init() {}

  /// The share read exactly right, 0...1; 0 for none.
  public var share: Double { count > 0 ? Double(rightCount) / Double(count) : 0 }
  /// The mean confidence; 0 for none.
  public var meanConfidence: Double { count > 0 ? confidenceSum / Double(count) : 0 }

  /// The expected calibration error: in ten bins of confidence of equal width, the difference of the
  /// mean confidence and the share that is right, weighted with the bins' counts.
  ///
  /// Source: C. Guo et al., On Calibration of Modern Neural Networks, 2017.
  public var calibrationError: Double {
    guard count > 0 else { return 0 }
    return bins.reduce(0) { sum, bin in
      sum + (bin.confidenceSum - Double(bin.rightCount)).magnitude
    } / Double(count)
  }

  /// Counts a number.
  ///
  /// - Parameter confidence: of what was read; 0 where nothing was.
  public mutating func add(isRight: Bool, confidence: Float) {
    let bin = min(9, max(0, Int(confidence * 10)))
    bins[bin].count += 1
    bins[bin].rightCount += isRight ? 1 : 0
    bins[bin].confidenceSum += Double(confidence)
    count += 1
    rightCount += isRight ? 1 : 0
    confidenceSum += Double(confidence)
  }
}

/// A row of what was measured.
public struct NumberMeasurement: Hashable, Sendable {
  /// What was read, in a few words that name it.
  public var name: String
  /// How it was read.
  public var accuracy: NumberAccuracy
  /// Whether its confidence means something: not where nothing is to be read.
  public var hasConfidence = true
}

/// What shows no digit, and is right where none is read: letters and scribbles, together and apart.
private struct Others {
  var all = NumberAccuracy()
  var letters = NumberAccuracy()
  var scribbles = NumberAccuracy()

  mutating func add(isRight: Bool, isLetter: Bool) {
    all.add(isRight: isRight, confidence: 1)
    if isLetter {
      letters.add(isRight: isRight, confidence: 1)
    } else {
      scribbles.add(isRight: isRight, confidence: 1)
    }
  }

  func rows(named name: String) -> [NumberMeasurement] {
    [(name, all), ("of these, letters", letters), ("of these, scribbles", scribbles)].map {
      NumberMeasurement(name: $0.0, accuracy: $0.1, hasConfidence: false)
    }
  }
}

/// Measures the recognisers of numbers.
public struct NumberEvaluation {
  private let strokes: StrokeDataset
  private let count: Int
  private let seed: UInt64
  private let letters: LetterDataset?

  /// An evaluation on the digits of writers.
  ///
  /// - Parameters:
  ///   - strokes: the digits; at least one.
  ///   - count: how many numbers are composed for each row.
  ///   - seed: which ones.
  ///   - letters: letters that are read, too, and are right if no digit is read; nil for none.
  public init(
    _ strokes: StrokeDataset, count: Int, seed: UInt64, letters: LetterDataset? = nil
  ) {
    self.strokes = strokes
    self.letters = letters
    self.count = count
    self.seed = seed
  }

  /// Reads drawings: each digit by itself, the digits of the worst writer, numbers of two and three
  /// digits, the same nearly touching, and letters and scribbles, which are right if no digit is read.
  public func drawings(
    with recognizer: NumberRecognizer
  ) throws(NumberRecognizerError) -> [NumberMeasurement] {
    var recognizer = recognizer
    var (single, byWriter) = (NumberAccuracy(), [String: NumberAccuracy]())
    for sample in strokes.samples {
      let drawing = Drawing(sample.paths.map { NumberComposer.stroke($0) })
      let reading = try recognizer.read(drawing)
      let (isRight, confidence) = (reading.text == "\(sample.digit)", Self.confidence(reading))
      single.add(isRight: isRight, confidence: confidence)
      byWriter[sample.writer, default: NumberAccuracy()].add(
        isRight: isRight, confidence: confidence)
    }
    var rows = [NumberMeasurement(name: "single digits", accuracy: single)]
    let worst = byWriter.min { ($0.value.share, $0.key) < ($1.value.share, $1.key) }
    if let worst {
      rows.append(
        NumberMeasurement(name: "worst writer, \(worst.key)", accuracy: worst.value))
    }
    let composer = NumberComposer(strokes)
    for (name, digitCount, gap) in [
      ("two digits", 2, Float(0.12)...0.5), ("three digits", 3, 0.12...0.5),
      ("two that nearly touch", 2, 0...0.04), ("three that nearly touch", 3, 0...0.04),
    ] {
      var random = TrainingRandom(seed, UInt64(rows.count))
      var accuracy = NumberAccuracy()
      for _ in 0..<count {
        let number = composer.number(digitCount: digitCount, gap: gap, using: &random)
        let reading = try recognizer.read(number.drawing)
        accuracy.add(
          isRight: reading.text == number.text, confidence: Self.confidence(reading))
      }
      rows.append(NumberMeasurement(name: name, accuracy: accuracy))
    }
    rows += try otherWays(with: &recognizer)
    let sampler = StraySampler(strokes)
    var random = TrainingRandom(seed, 99)
    var others = Others()
    for _ in 0..<count {
      let (paths, letter) = sampler.named(using: &random)
      let reading = try recognizer.read(Drawing(paths.map { NumberComposer.stroke($0) }))
      others.add(isRight: reading.digits.isEmpty, isLetter: letter != nil)
    }
    rows += others.rows(named: "letters and scribbles")
    if let letters, letters.count > 0 {
      var (random, accuracy) = (TrainingRandom(seed, 98), NumberAccuracy())
      for _ in 0..<count {
        let paths = sampler.letter(letters.letters[random.index(letters.count)], using: &random)
        let reading = try recognizer.read(Drawing(paths.map { NumberComposer.stroke($0) }))
        accuracy.add(isRight: reading.digits.isEmpty, confidence: 1)
      }
      rows.append(
        NumberMeasurement(
          name: "letters of the file", accuracy: accuracy, hasConfidence: false))
    }
    return rows
  }

  /// Single digits written in other ways: the writers' own, rewritten; forms that none of them drew;
  /// and the zeros of both.
  private func otherWays(
    with recognizer: inout NumberRecognizer
  ) throws(NumberRecognizerError) -> [NumberMeasurement] {
    let (habits, shapes) = (WritingHabits(), DigitForms())
    var random = TrainingRandom(seed, 97)
    var (rewritten, forms, zeros) = (NumberAccuracy(), NumberAccuracy(), NumberAccuracy())
    func add(
      _ paths: [InkPath], of digit: Int, to accuracy: inout NumberAccuracy
    ) throws(NumberRecognizerError) {
      let reading = try recognizer.read(Drawing(paths.map { NumberComposer.stroke($0) }))
      let (isRight, confidence) = (reading.text == "\(digit)", Self.confidence(reading))
      accuracy.add(isRight: isRight, confidence: confidence)
      if digit == 0 { zeros.add(isRight: isRight, confidence: confidence) }
    }
    for sample in strokes.samples {
      try add(
        habits.rewritten(sample.paths, using: &random), of: sample.digit, to: &rewritten)
    }
    for index in 0..<count {
      try add(shapes.form(of: index % 10, using: &random), of: index % 10, to: &forms)
    }
    return [
      NumberMeasurement(name: "the same, rewritten", accuracy: rewritten),
      NumberMeasurement(name: "other forms", accuracy: forms),
      NumberMeasurement(name: "of these two rows, zeros", accuracy: zeros),
    ]
  }

  private static func confidence(_ reading: NumberReading) -> Float {
    reading.lines.reduce(reading.lines.isEmpty ? 0 : 1) { $0 * $1.confidence }
  }

  /// Reads pictures: a row for each kind.
  ///
  /// - Parameter digits: pictures of digits that some of them are made of; at least one.
  public func pictures(
    of digits: DigitDataset, with reader: PictureNumberReader
  ) throws(DigitClassifierError) -> [NumberMeasurement] {
    let sampler = NumberSceneSampler(pictures: digits, strokes: strokes)
    var rows: [NumberMeasurement] = []
    for kind in NumberSceneSampler.Kind.allCases {
      var random = TrainingRandom(seed, UInt64(100 + rows.count))
      if kind == .others {
        var others = Others()
        for _ in 0..<count {
          guard let (picture, letter) = try? sampler.other(using: &random) else { continue }
          others.add(
            isRight: try reader.numbers(in: picture).isEmpty, isLetter: letter != nil)
        }
        rows += others.rows(named: kind.title)
        continue
      }
      var accuracy = NumberAccuracy()
      for _ in 0..<count {
        guard let sample = try? sampler.sample(kind, using: &random) else { continue }
        let numbers = try reader.numbers(in: sample.picture)
        let confidence = numbers.reduce(Float(numbers.isEmpty ? 0 : 1)) { $0 * $1.confidence }
        accuracy.add(
          isRight: numbers.map(\.text) == sample.texts,
          confidence: confidence)
      }
      rows.append(NumberMeasurement(name: kind.title, accuracy: accuracy))
    }
    var accuracy = NumberAccuracy()
    for index in 0..<min(5 * count, digits.count) {
      let bitmap = digits.bitmaps[index]
      let side = DigitBitmap.side
      guard let picture = try? NumberPicture(width: side, height: side, gray: bitmap.samples)
      else { continue }
      let numbers = try reader.numbers(in: picture)
      accuracy.add(
        isRight: numbers.map(\.text) == ["\(digits.digits[index])"],
        confidence: numbers.first?.confidence ?? 0)
    }
    rows.append(NumberMeasurement(name: "pictures of the set as they are", accuracy: accuracy))
    if let letters, letters.count > 0 {
      var (random, accuracy) = (TrainingRandom(seed, 98), NumberAccuracy())
      for _ in 0..<count {
        let letter = letters.letters[random.index(letters.count)]
        guard let picture = try? sampler.picture(of: letter, using: &random) else { continue }
        accuracy.add(isRight: try reader.numbers(in: picture).isEmpty, confidence: 1)
      }
      rows.append(
        NumberMeasurement(
          name: "letters of the file", accuracy: accuracy, hasConfidence: false))
    }
    return rows
  }
}

extension NumberSceneSampler.Kind {
  /// A few words that name it.
  var title: String {
    switch self {
    case .canvas: "strokes on a canvas"
    case .paperPictures: "pictures of the set on paper"
    case .paperStrokes: "strokes on paper"
    case .lined: "strokes on lined paper"
    case .photo: "both as a photo from aslant"
    case .several: "three to six numbers on paper"
    case .touching: "digits that touch, on a canvas"
    case .others: "letters and scribbles on a canvas"
    }
  }
}
