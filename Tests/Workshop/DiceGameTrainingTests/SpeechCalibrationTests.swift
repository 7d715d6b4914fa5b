import DiceWeights
import TestSupport
import Testing

@testable import DiceGameKit
@testable import DiceGameTraining

@Suite struct SpeechCalibrationTests {
  private typealias Answer = SpeechAccuracy.Answer

  /// Answers of which as many are right as a curve says, to the nearest.
  private func answers(_ scale: ConfidenceScale, countOfEach: Int) -> [Answer] {
    (1..<20).flatMap { (step) in
      let probability = Float(step) / 20
      let rightCount = Int(
        (Double(scale.confidence(probability)) * Double(countOfEach)).rounded())
      return (0..<countOfEach).map { Answer(confidence: probability, isRight: $0 < rightCount) }
    }
  }

  /// A weight file of the network with nothing but zeros, whose head has these numbers.
  private func file(_ parameters: [NamedValues]) throws -> WeightFile {
    var description = NetworkDescription.spokenNumbers
    description.outputs[0].head?.parameters = parameters
    let tensors = try description.validated().tensors.map { (shape) in
      [Float](repeating: 0, count: shape.reduce(1, *))
    }
    return try WeightFile(
      bytes: WeightFile.encode(description: description, tensors: tensors, storage: .float32))
  }

  private func values(_ file: WeightFile, _ name: StaticString) -> [[Float]] {
    (file.description.outputs[0].head?.parameters ?? []).filter { $0.name == "\(name)" }
      .map(\.values)
  }

  @Test func theCurveThatMadeTheAnswersIsFound() {
    for (slope, offset) in [(0.5, -0.7), (1, 0), (1.6, 0.4)] as [(Float, Float)] {
      let scale = ConfidenceScale(slope: slope, offset: offset)
      let found = SpeechCalibration(answers(scale, countOfEach: 400))
      #expect(abs(found.slope - slope) < 0.02, "\(found)")
      #expect(abs(found.offset - offset) < 0.02, "\(found)")
    }
  }

  @Test func answersThatAreAllRightOrAllWrongChangeNothing() {
    let answer = Answer(confidence: 0.7, isRight: true)
    let wrong = Answer(confidence: 0.7, isRight: false)
    for answers in [[], [answer], [answer, answer], [wrong, wrong]] {
      let found = SpeechCalibration(answers)
      #expect(found.slope == 1 && found.offset == 0)
    }
  }

  @Test func fewAnswersAreNotBelievedTooMuch() {
    // Any steeper curve fits these better; the pull towards 1 holds against it, and neither side is favoured.
    let found = SpeechCalibration([
      Answer(confidence: 0.9, isRight: true), Answer(confidence: 0.1, isRight: false),
    ])
    #expect(found.slope > 1.1 && found.slope < 1.5)
    #expect(abs(found.offset) < 1e-3)
  }

  @Test func theFitStaysInItsRange() {
    let extremes = (0..<2_000).map { (index) in
      Answer(confidence: index % 2 == 0 ? 1 : 0, isRight: index % 2 == 1)
    }
    let found = SpeechCalibration(extremes)
    #expect(found.slope >= 0.05 && found.slope <= 20)
    #expect(found.offset >= -20 && found.offset <= 20)
  }

  @Test func aFileThatHadAScaleGetsBothOneBehindTheOther() throws {
    let before = ConfidenceScale(slope: 0.6, offset: 0.3)
    let calibration = SpeechCalibration(
      answers(ConfidenceScale(slope: 0.5, offset: -0.7), countOfEach: 400))
    let original = try file([
      NamedValues("\(WordNetwork.temperatureName)", [1.5]),
      NamedValues("\(WordNetwork.confidenceName)", [before.slope, before.offset]),
      NamedValues("\(WordNetwork.thresholdName)", [0.4]),
    ])
    let changed = try calibration.applied(to: original)
    expectEqual(values(changed, WordNetwork.temperatureName), [[1.5]])
    expectEqual(values(changed, WordNetwork.thresholdName), [[0.4]])
    expectEqual(values(changed, WordNetwork.confidenceName).count, 1)
    let network = try WordNetwork(weights: changed.bytes)
    let second = ConfidenceScale(slope: calibration.slope, offset: calibration.offset)
    for step in 1..<20 {
      let probability = Float(step) / 20
      let expected = second.confidence(before.confidence(probability))
      #expect(abs(network.scale.confidence(probability) - expected) < 1e-4)
    }
  }

  @Test func aThresholdReplacesTheOldOne() throws {
    let calibration = SpeechCalibration([])
    let changed = try calibration.applied(
      to: file([NamedValues("\(WordNetwork.thresholdName)", [0.4])]), threshold: 0.7)
    expectEqual(values(changed, WordNetwork.thresholdName), [[0.7]])
    expectEqual(values(changed, WordNetwork.confidenceName), [[1, 0]])
    try expectEqual(WordNetwork(weights: changed.bytes).threshold, 0.7)
    let again = try calibration.applied(to: changed)
    expectEqual(values(again, WordNetwork.thresholdName), [[0.7]])
    expectEqual(values(again, WordNetwork.confidenceName), [[1, 0]])
  }
}
