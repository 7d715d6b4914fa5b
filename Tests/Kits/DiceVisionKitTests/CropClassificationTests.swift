import DiceVisionKit
import TestSupport
import Testing

/// The second stage, with networks whose weights are set by hand.
@Suite struct CropClassificationTests {
  /// A detector of blocks of 8 by 8 pixels with a second stage of the same kind, which sees each
  /// enlarged three times and gives the value that stands `shift` places after the block's own.
  private func detector(
    shift: Int = 0, decision: Float = 40, configuration: DiceDetector.Configuration = .init()
  ) throws -> DiceDetector {
    var configuration = configuration
    configuration.secondStage = .weights(try PatternNetwork.secondStage(shift: shift).weightFile())
    return try PatternNetwork(decision: decision).detector(configuration)
  }

  private let blocks = [
    Block(value: 2, x: 0, y: 56, width: 8, height: 8),
    Block(value: 5, x: 16, y: 8, width: 8, height: 8),
    Block(value: 6, x: 56, y: 24, width: 8, height: 8),
  ]

  @Test func theSecondStageSaysWhichValueItIs() throws {
    let image = PixelImage.blocks(blocks, width: 64, height: 64)
    try expectEqual(PatternNetwork().detector().detect(in: image).values, [2, 5, 6])
    for threadCount in [1, 3] {
      let result = try detector(
        shift: 2, decision: 3, configuration: .init(threadCount: threadCount)
      )
      .detect(in: image)
      expectEqual(result.values, [4, 1, 2])
      for (observation, block) in zip(result.observations, blocks) {
        let (box, expected) = (observation.boundingBox, block.box)
        #expect(abs(box.x - expected.x) < 1e-5 && abs(box.y - expected.y) < 1e-5)
        #expect(abs(box.width - 8) < 1e-5 && abs(box.height - 8) < 1e-5)
        #expect(observation.confidence > 0.3 && observation.label == "\(observation.value)")
      }
    }
  }

  /// However sure the detector is of another one.
  @Test func theSecondStageHasTheLastWordOnValues() throws {
    let image = PixelImage.blocks(blocks, width: 64, height: 64)
    try expectEqual(detector(shift: 1).detect(in: image).values, [3, 6, 1])
  }

  /// Turned pictures are read upright, also where a crop reaches over their edge.
  @Test(arguments: ImageOrientation.allCases)
  func readsTurnedPictures(_ orientation: ImageOrientation) throws {
    let image = PixelImage.blocks(blocks, width: 64, height: 64).stored(orientation)
    try expectEqual(detector().detect(in: image).values, [2, 5, 6])
  }

  /// A detector with a second stage that is never sure, and with a reader of numerals where one is given,
  /// which is sure from an objectness on.
  private func detector(
    second: PatternNetwork, reader: PatternNetwork?, certainReading: Float = 1,
    _ choice: DiceDetector.SecondStage = .automatic
  ) throws -> DiceDetector {
    var second = second
    second.profile = [("crops.certainConfidence", 1), ("crops.certainReading", certainReading)]
    return try DiceDetector(
      DetectorWeights(
        detector: PatternNetwork(decision: 3).weightFile(), secondStage: second.weightFile(),
        numeralReader: reader?.weightFile()),
      configuration: DiceDetector.Configuration(tiling: .none, secondStage: choice))
  }

  /// What is in doubt is read by the reader of numerals, unless another second stage is asked for.
  @Test func aReaderOfNumeralsHasItsSay() throws {
    let image = PixelImage.blocks(blocks, width: 64, height: 64)
    var unsure = PatternNetwork.secondStage(shift: 0)
    unsure.decision = 3
    let reader = PatternNetwork.secondStage(shift: 2)
    func values(
      _ reader: PatternNetwork?, _ choice: DiceDetector.SecondStage = .automatic
    ) throws -> [Int] {
      try detector(second: unsure, reader: reader, choice).detect(
        in: image, thresholds: Thresholds(iouThreshold: 0.45, confidenceThreshold: 0.05)
      ).values
    }
    try expectEqual(values(nil), [2, 5, 6])
    try expectEqual(values(reader), [4, 1, 2])
    try expectEqual(values(reader, .none), [2, 5, 6])
    try expectEqual(values(reader, .weights(unsure.weightFile())), [2, 5, 6])
  }

  @Test func aReaderOfOtherLabelsIsRefused() throws {
    var reader = PatternNetwork.secondStage(shift: 0)
    reader.labels[5] = "nine"
    #expect(
      throws: DetectorError.unusableSecondStage(rule: "its labels must be those of the detector")
    ) { try detector(second: .secondStage(shift: 0), reader: reader) }
  }

  /// A leaning network gives a turned block of two colours other scores; a reader of numerals sees all
  /// turns, until it is sure.
  @Test(arguments: [(false, 1), (true, 1), (true, 0)] as [(Bool, Float)])
  func readersSeeAllTurns(_ isReader: Bool, _ certainReading: Float) throws {
    var leaning = PatternNetwork.secondStage(shift: 0)
    leaning.lean = 0.9
    var unsure = PatternNetwork.secondStage(shift: 0)
    unsure.decision = 3
    let detector = try detector(
      second: isReader ? unsure : leaning, reader: isReader ? leaning : nil,
      certainReading: certainReading)
    var image = PixelImage.blocks(
      [
        Block(value: 1, x: 16, y: 8, width: 8, height: 4),
        Block(value: 2, x: 16, y: 12, width: 8, height: 4),
        blocks[2],
      ], width: 64, height: 64)
    var scores: [[Float]] = []
    for _ in 0..<4 {
      image = image.stored(.right)
      image.orientation = .up
      let result = try detector.detect(
        in: image, thresholds: Thresholds(iouThreshold: 0.45, confidenceThreshold: 0.01))
      let die = try #require(result.observations.first { $0.value != 6 })
      var confidences = [Float](repeating: 0, count: 6)
      for label in die.labels {
        confidences[try #require(Int(label.identifier)) - 1] = label.confidence
      }
      scores.append(confidences)
      #expect(abs(die.boundingBox.width - 8) < 1e-4 && abs(die.boundingBox.height - 8) < 1e-4)
    }
    let greatest = scores.flatMap { turned in zip(turned, scores[0]).map { abs($0 - $1) } }.max()
    #expect(isReader && certainReading == 1 ? greatest ?? 1 < 1e-4 : greatest ?? 0 > 0.05)
  }

  /// A block that the detector is sure of and that is too dark for the second stage: half a doubt.
  @Test func whatTheSecondStageDoesNotSeeIsDoubted() throws {
    var blocks = blocks
    blocks[0].brightness = 80
    let image = PixelImage.blocks(blocks, width: 64, height: 64)
    let thresholds = Thresholds(iouThreshold: 0.45, confidenceThreshold: 0.5)
    let alone = try PatternNetwork().detector()
    try expectEqual(alone.detect(in: image, thresholds: thresholds).values, [2, 5, 6])
    try expectEqual(detector().detect(in: image, thresholds: thresholds).values, [5, 6])
  }

  /// The same block, beside others of its size and alone.
  @Test func readingsCountForEachOther() throws {
    let detector = try detector(decision: 3)
    let together = try detector.detect(in: .blocks(blocks, width: 64, height: 64))
    let alone = try detector.detect(in: .blocks([blocks[1]], width: 64, height: 64))
    let (first, second) = (
      try #require(together.observations.dropFirst().first), alone.observations
    )
    #expect(second.count == 1 && second[0].boundingBox == first.boundingBox)
    #expect(second[0].objectness == first.objectness && second[0].labels == first.labels)
    #expect(second[0].confidence < first.confidence)
    // Alone its odds fall to about a third.
    func odds(_ confidence: Float) -> Float { confidence / (1 - confidence) }
    let raw = odds(second[0].objectness * second[0].labels[0].confidence)
    #expect((0.3...0.37).contains(odds(second[0].confidence) / raw))
    // Without a second stage nothing is seen alone.
    let once = try PatternNetwork(decision: 3).detector()
      .detect(in: .blocks([blocks[1]], width: 64, height: 64))
    let only = try #require(once.observations.first)
    #expect(abs(only.confidence - only.objectness * only.labels[0].confidence) < 1e-6)
  }

  /// A threshold and a limit choose among readings; they do not change them.
  @Test func whatIsAskedForDoesNotChangeConfidences() throws {
    var blocks = blocks
    blocks[0].brightness = 82
    let image = PixelImage.blocks(blocks, width: 64, height: 64)
    func detect(_ threshold: Double, limit: Int = 1000) throws -> [DieObservation] {
      try detector(decision: 3, configuration: .init(maximumObservationCount: limit)).detect(
        in: image, thresholds: Thresholds(iouThreshold: 0.45, confidenceThreshold: Float(threshold))
      ).observations
    }
    func content(_ observations: [DieObservation]) -> [[Double]] {
      observations.map { [Double($0.confidence), $0.boundingBox.x, Double($0.value)] }
    }
    let all = try detect(0.05)
    let confidences = all.map { Double($0.confidence) }.sorted()
    #expect(Set(confidences).count >= 3)
    for threshold in confidences {
      expectEqual(
        content(try detect(threshold)), content(all.filter { Double($0.confidence) >= threshold }))
    }
    for limit in 0...3 {
      let least = confidences.suffix(limit).first ?? 2
      expectEqual(
        content(try detect(0.05, limit: limit)),
        content(all.filter { Double($0.confidence) >= least }))
    }
  }

  @Test func thePictureBeforeDoesNotMatter() throws {
    let detector = try detector()
    let image = PixelImage.blocks(blocks, width: 64, height: 64)
    let first = try detector.detect(in: image)
    _ = try detector.detect(in: PixelImage.blocks([], width: 32, height: 640))
    try expectEqual(detector.detect(in: image).values, first.values)
    #expect(first.timings.cropClassification > .zero)
  }

  @Test func refusesSecondStagesThatCannotClassify() throws {
    func refuse(_ network: PatternNetwork, _ part: String) throws {
      var configuration = DiceDetector.Configuration()
      configuration.secondStage = .weights(try network.weightFile())
      #expect {
        try PatternNetwork().detector(configuration)
      } throws: { error in
        guard case DetectorError.unusableSecondStage(let rule) = error else { return false }
        return rule.contains(part) && "\(error)".hasSuffix(".")
      }
    }
    try refuse(PatternNetwork(), "odd in number")
    var other = PatternNetwork.secondStage(shift: 0)
    other.labels = ["1", "2", "3", "4", "5", "7"]
    try refuse(other, "labels")
    var configuration = DiceDetector.Configuration()
    configuration.secondStage = .weights([1, 2, 3])
    #expect(throws: DetectorError.self) { try PatternNetwork().detector(configuration) }
  }

  @Test func onlyTheLibrarysOwnWeightsHaveASecondStageUnlessAsked() throws {
    let image = PixelImage.blocks(blocks, width: 64, height: 64)
    try expectEqual(PatternNetwork().detector().detect(in: image).timings.cropClassification, .zero)
    for model in DiceDetector.Model.allCases {
      let detector = try DiceDetector(model, configuration: .init())
      #expect(try detector.detect(in: image).timings.cropClassification > .zero)
      let once = try DiceDetector(model, configuration: .init(secondStage: .none))
      try expectEqual(once.detect(in: image).timings.cropClassification, .zero)
    }
  }
}
