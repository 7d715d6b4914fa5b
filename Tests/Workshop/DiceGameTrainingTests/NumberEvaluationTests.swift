import DiceGameKit
import DiceGameWeights
import DiceParallel
import DiceTraining
import DiceWeights
import Foundation
import TestSupport
import Testing

@testable import DiceGameTraining

@Suite struct NumberEvaluationTests {
  /// Upright strokes and rings, each by two writers.
  private static func strokes() -> StrokeDataset {
    StrokeDataset(
      samples: (0..<12).map { index in
        let isRing = index % 2 == 0
        let points = (0...24).map { place in
          let share = Float(place) / 24
          return isRing
            ? SIMD2(30 * sine(share * -2 * .pi), -50 * cosine(share * 2 * .pi))
            : SIMD2(2 * share, 100 * share)
        }
        return StrokeDataset.Sample(
          writer: index < 6 ? "a" : "b", digit: isRing ? 0 : 1, paths: [InkPath(points)])
      })
  }

  /// Rings as pictures.
  private static func pictures() throws -> DigitDataset {
    let bitmaps = strokes().samples.map { DigitBitmap(InkGroup($0.paths)) }
    return DigitDataset(bitmaps: bitmaps, digits: strokes().samples.map { UInt8($0.digit) })
  }

  @Test func composesNumbersWithTheGapsAskedFor() {
    var random = TrainingRandom(2)
    let composer = NumberComposer(Self.strokes())
    for _ in 0..<40 {
      let number = composer.number(digitCount: 3, gap: 0.1...0.2, using: &random)
      #expect(number.text.count == 3 && number.digits.count == 3)
      let groups = number.digits.map { InkGroup($0) }
      let height = groups.reduce(0) { $0 + $1.high.y - $1.low.y } / 3
      for (left, right) in zip(groups, groups.dropFirst()) {
        let gap = (right.low.x - left.high.x) / height
        #expect(gap > 0.099 && gap < 0.201)
        #expect(abs(left.high.y - right.high.y) <= 0.11 * height)
      }
    }
  }

  @Test func countsWhatIsRightAndHowFarConfidenceIsOff() {
    var accuracy = NumberAccuracy()
    #expect(accuracy.share == 0 && accuracy.calibrationError == 0)
    for index in 0..<10 { accuracy.add(isRight: index < 7, confidence: 0.75) }
    for index in 0..<10 { accuracy.add(isRight: index < 2, confidence: 0.4) }
    expectEqual(accuracy.share, 0.45)
    #expect(abs(accuracy.meanConfidence - 0.575) < 1e-6)
    // Half of the numbers are off by 0.05, half by 0.2.
    #expect(abs(accuracy.calibrationError - 0.125) < 1e-6)
    accuracy.add(isRight: true, confidence: 1)
    expectEqual(accuracy.count, 21)
  }

  @Test func picturesOfEveryKindCanBeDrawn() throws {
    let sampler = NumberSceneSampler(pictures: try Self.pictures(), strokes: Self.strokes())
    for kind in NumberSceneSampler.Kind.allCases {
      var (one, other) = (TrainingRandom(8), TrainingRandom(8))
      let first = try sampler.sample(kind, using: &one)
      let second = try sampler.sample(kind, using: &other)
      #expect(first.picture == second.picture && first.texts == second.texts)
      expectEqual(first.texts.isEmpty, (kind == .others))
      #expect(Set(first.picture.samples).count > 4)
    }
  }

  @Test func numbersOfSimpleStrokesAreRead() throws {
    let evaluation = NumberEvaluation(Self.strokes(), count: 6, seed: 3)
    let rows = try evaluation.drawings(with: NumberRecognizer())
    // Digits, the worst writer's, numbers, the digits in other ways, six forms, all zeros, and others.
    expectEqual(rows.prefix(10).map(\.accuracy.count), [12, 6, 6, 6, 6, 6, 12, 6, 7, 6])
    // Letters and scribbles, together and apart.
    expectEqual(rows.count, 12)
    let (letters, scribbles) = (rows[10].accuracy, rows[11].accuracy)
    expectEqual(letters.count + scribbles.count, 6)
    expectEqual(letters.rightCount + scribbles.rightCount, rows[9].accuracy.rightCount)
    expectEqual(rows[0].accuracy.share, 1)
    #expect(rows[2].accuracy.share > 0.8)
    let pictures = try NumberEvaluation(Self.strokes(), count: 2, seed: 3).pictures(
      of: Self.pictures(), with: PictureNumberReader())
    expectEqual(pictures.count, NumberSceneSampler.Kind.allCases.count + 3)
    #expect(pictures[0].accuracy.share >= 0.5)
  }

  @Test func lettersOfAFileAreRead() throws {
    let letter = LetterDataset.Letter(
      label: "X", paths: [InkPath([[0, 0], [40, 60]]), InkPath([[40, 0], [0, 60]])])
    let evaluation = NumberEvaluation(
      Self.strokes(), count: 3, seed: 3, letters: LetterDataset(letters: [letter]))
    let rows = try evaluation.drawings(with: NumberRecognizer())
    #expect(rows.last?.name == "letters of the file" && rows.last?.accuracy.count == 3)
  }

  @Test func lettersOfAFileHaveRules() throws {
    let good = #"{"label": "A", "strokes": [[[0, 0], [1, 2]], [[3, 4]]]}"#
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    func letters(_ text: String) throws -> LetterDataset {
      try Data(text.utf8).write(to: file)
      return try LetterDataset(file: file.path)
    }
    let found = try letters(good + "\n\n" + good)
    #expect(found.count == 2 && found.letters[0].label == "A" && found.letters[0].paths.count == 2)
    #expect(throws: StrokeDatasetError.line(2, "no \"label\"")) {
      try letters(good + "\n" + #"{"strokes": [[[0, 0]]]}"#)
    }
    #expect(throws: StrokeDatasetError.self) { try letters(#"{"label": "A", "strokes": []}"#) }
    #expect(throws: StrokeDatasetError.self) { try letters(#"{"label": "A""#) }
  }

  @Test func groupsOfInkComeWithTheirDigit() throws {
    let reader = try DigitOrNoneClassifier(weights: GameWeights.digitOrNone)
    let sampler = PictureGroupSampler(
      try Self.pictures(), Self.strokes(), letters: nil, reader: reader)
    var agreementCount = 0
    var (one, other) = (TrainingRandom(5), TrainingRandom(5))
    var (noneCount, digitCount, touchingCount) = (0, 0, 0)
    for _ in 0..<20 {
      let none = sampler.none(using: &one)
      let again = sampler.none(using: &other)
      expectEqual(none, again)
      noneCount += none == nil ? 0 : 1
      if let found = sampler.digit(using: &one) {
        // All digits are rings and upright strokes.
        #expect((0...1).contains(found.target))
        let read = try reader.probabilities(of: found.bitmap)
        if read[found.target] > read[1 - found.target] { agreementCount += 1 }
        digitCount += 1
      }
      _ = sampler.digit(using: &other)
      if let found = sampler.touching(using: &one) {
        #expect((0...10).contains(found.target))
        touchingCount += 1
      }
      _ = sampler.touching(using: &other)
    }
    #expect(noneCount > 10 && digitCount > 0 && touchingCount > 0)
    #expect(agreementCount * 10 >= digitCount * 9)
  }

  @Test func theNetworkLearnsDigitsAndWhatIsNone() throws {
    let task = DigitOrNoneTask(try Self.pictures(), Self.strokes())
    var options = TrainingOptions()
    options.batchSize = 20
    options.sampleCount = 600
    options.learningRate = 0.004
    options.averageDecay = 0.9
    let trainer = try Trainer(.digitOrNone, task: task, options: options, threadCount: 2)
    var (first, last): (Float, Float) = (0, 0)
    while !trainer.isFinished {
      let progress = try trainer.advance()
      if trainer.step <= 5 { first += progress.loss.total }
      if trainer.step > 25 { last += progress.loss.total }
    }
    #expect(last < 0.8 * first)
    let classifier = try DigitOrNoneClassifier(weights: trainer.export(storage: .int8))
    let probabilities = try classifier.probabilities(of: Self.pictures().bitmaps[0])
    expectEqual(probabilities.count, 11)
    let sum = probabilities.reduce(0, +)
    #expect(abs(sum - 1) < 1e-4)
  }
}
