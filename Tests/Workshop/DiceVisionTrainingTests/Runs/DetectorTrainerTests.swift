import DiceDetection
import DiceDetection
import DiceImaging
import DiceNetwork
import DiceWeights
import MatrixModel
import TestSupport
import Testing

@testable import DiceTraining
@testable import DiceVisionTraining

/// A task that a very small network learns in a moment: squares of three colours on gray.
private enum Squares {
  static func description(
    thresholds: RecommendedThresholds = RecommendedThresholds(overlap: 0.45, confidence: 0.25)
  ) -> NetworkDescription {
    var network = NetworkBuilder()
    let image = network.image(width: 64, height: 64)
    let stem = network.convolution(image, 16, size: 3, stride: 2)
    let second = network.convolution(stem, 16, size: 3, stride: 2)
    let third = network.convolution(second, 32, size: 3, stride: 2)
    let read = network.convolution(third, 32, size: 3)
    network.head(
      read, stride: 8, baseSize: 20,
      HeadLabels(labels: ["red", "green", "blue"], thresholds: thresholds))
    return network.description(name: "squares", task: "squares")
  }

  static func picture(_ random: inout TrainingRandom) -> (PixelImage, [TruthBox]) {
    var samples = [UInt8](repeating: 90, count: 64 * 64 * 3)
    let side = 14 + random.index(10)
    let (x, y) = (random.index(64 - side), random.index(64 - side))
    let color = random.index(3)
    for row in y..<y + side {
      for column in x..<x + side {
        for channel in 0..<3 {
          samples[(row * 64 + column) * 3 + channel] = channel == color ? 220 : 30
        }
      }
    }
    return (
      PixelImage(width: 64, height: 64, format: .rgb, samples: samples),
      [
        TruthBox(
          centerX: Float(x) + Float(side) / 2, centerY: Float(y) + Float(side) / 2,
          width: Float(side), height: Float(side), classIndex: color)
      ]
    )
  }

  static func pictures(count: Int, seed: UInt64) -> [TrainingPicture] {
    var random = TrainingRandom(seed)
    return (0..<count).map { _ in
      let (image, truths) = picture(&random)
      return TrainingPicture(image, truths: truths)
    }
  }

  static func options(steps: Int) -> TrainingOptions {
    var options = TrainingOptions()
    options.batchSize = 8
    options.sampleCount = 8 * steps
    options.learningRate = 4e-3
    options.averageDecay = 0.97
    return options
  }

  static var samples: SampleOptions {
    var samples = SampleOptions()
    samples.size = 64
    samples.augmentation = .none
    samples.augmentation.flip = 0.5
    samples.augmentation.quarterTurns = true
    return samples
  }

  static func trainer(steps: Int, threadCount: Int? = nil, seed: UInt64 = 1) throws -> Trainer<
    DetectionTask
  > {
    var options = options(steps: steps)
    options.seed = seed
    return try Trainer<DetectionTask>(
      description(),
      sources: [(pictures(count: 40, seed: 7), 1), (pictures(count: 5, seed: 8), 0.5)],
      options: options, samples: samples, threadCount: threadCount)
  }
}

struct DetectorTrainerTests {
  /// The whole way: samples, training, folding, weight file, inference, decoding.
  @Test(.modelledMatrixUnits) func learnsToFindAndNameSquares() throws {
    let trainer = try Squares.trainer(steps: 260)
    var first: LossParts?
    var last: LossParts?
    while !trainer.isFinished {
      let progress = try trainer.advance().loss
      if first == nil { first = progress }
      last = progress
    }
    let (begin, end) = (try #require(first), try #require(last))
    #expect(end.total < begin.total / 5)
    #expect((end["overlap"] ?? 0) > 0.75)

    let network = try GridBoxNetwork(WeightFile(bytes: trainer.export(storage: .float32)))
    let runner = try NetworkRunner(network.plan)
    var random = TrainingRandom(1234)
    var foundCount = 0
    for _ in 0..<30 {
      let (image, truths) = Squares.picture(&random)
      runner.setInput(0, image.samples.map { Float($0) / 255 })
      runner.run()
      var candidates = CandidateList()
      network.decode(runner, into: &candidates, confidenceThreshold: 0.3)
      let best = try #require(candidates.candidates.max { $0.confidence < $1.confidence })
      let truth = truths[0]
      let isNear =
        abs(Float(best.boundingBox.midX) - truth.centerX) < 4
        && abs(Float(best.boundingBox.midY) - truth.centerY) < 4
        && abs(Float(best.boundingBox.width) - truth.width) < 6
      if isNear && best.classIndex == truth.classIndex { foundCount += 1 }
    }
    #expect(foundCount >= 28)
  }

  @Test func aResumedRunGivesTheSameBytes() throws {
    let whole = try Squares.trainer(steps: 12)
    for _ in 0..<12 { try whole.advance() }
    let first = try Squares.trainer(steps: 12)
    for _ in 0..<5 { try first.advance() }
    let second = try Squares.trainer(steps: 12)
    try second.resume(from: first.checkpoint())
    expectEqual(second.step, 5)
    var losses: [Float] = []
    while !second.isFinished { losses.append(try second.advance().loss.total) }
    expectEqual(losses.count, 7)
    try expectEqual(second.export(), whole.export())
    expectEqual(second.checkpoint(), whole.checkpoint())
  }

  @Test func theNumberOfThreadsDoesNotMatter() throws {
    var exports: [[UInt8]] = []
    for threadCount in [1, 2, 5] {
      let trainer = try Squares.trainer(steps: 4, threadCount: threadCount)
      for _ in 0..<4 { try trainer.advance() }
      exports.append(try trainer.export(storage: .float32))
    }
    expectEqual(exports[0], exports[1])
    expectEqual(exports[0], exports[2])
  }

  @Test func aRunThatBeginsWithAWeightFileBeginsWhereThatEnded() throws {
    let first = try Squares.trainer(steps: 160)
    while !first.isFinished { try first.advance() }
    let bytes = try first.export(storage: .float32)
    let second = try Trainer<DetectionTask>(
      Squares.description(), sources: [(Squares.pictures(count: 40, seed: 7), 1)],
      options: Squares.options(steps: 40),
      samples: Squares.samples, initialWeights: WeightFile(bytes: bytes))
    let before = try WeightFile(bytes: bytes)
    let after = try WeightFile(bytes: second.export(storage: .float32))
    #expect(before.tensorCount == after.tensorCount && before.tensorCount > 0)
    for index in 0..<before.tensorCount {
      let scale = before.floats(of: index).reduce(Float(0)) { max($0, abs($1)) }
      for (a, b) in zip(before.floats(of: index), after.floats(of: index)) {
        #expect(abs(a - b) <= 1e-4 * max(scale, 1))
      }
    }
    // The first step goes on from a small loss, where a random beginning has a large one.
    let fresh = try Squares.trainer(steps: 40)
    #expect(try second.advance().loss.total < fresh.advance().loss.total / 2)
  }

  @Test func theSizesTheThresholdsAndTheProfileOfTheBeginningAreKept() throws {
    let pictures = Squares.pictures(count: 2, seed: 1)
    let thresholds = RecommendedThresholds(overlap: 0.6, confidence: 0.7)
    var description = Squares.description(thresholds: thresholds)
    description.profile = [NamedValues("tile side", [640])]
    description.setBaseSizes([26, 99])
    let first = try Trainer<DetectionTask>(
      description, sources: [(pictures, 1)], options: Squares.options(steps: 2),
      samples: Squares.samples)
    let second = try Trainer<DetectionTask>(
      Squares.description(), sources: [(pictures, 1)], options: Squares.options(steps: 2),
      samples: Squares.samples, initialWeights: WeightFile(bytes: first.export()))
    let kept = try WeightFile(bytes: second.export())
    let boxes = try GridBoxes(kept.description, shapes: kept.shapes)
    #expect(boxes.thresholds == thresholds && boxes.heads.map(\.baseSize) == [26])
    expectEqual(kept.description.profile, description.profile)
  }

  @Test func weightsOfOtherLayersAreNoBeginning() throws {
    var other = NetworkBuilder()
    let image = other.image(width: 64, height: 64)
    let stem = other.convolution(image, 16, size: 3, stride: 4)
    let second = other.convolution(stem, 16, size: 3, stride: 2)
    other.head(
      second, stride: 8, baseSize: 20,
      HeadLabels(
        labels: ["red", "green", "blue"],
        thresholds: RecommendedThresholds(overlap: 0.45, confidence: 0.25)))
    let description = other.description(name: "squares")
    let pictures = Squares.pictures(count: 2, seed: 1)
    let trainer = try Trainer<DetectionTask>(
      description, sources: [(pictures, 1)], options: Squares.options(steps: 2),
      samples: Squares.samples)
    let file = try WeightFile(bytes: trainer.export())
    #expect(
      throws: VisionTrainingError.training(.otherLayers(found: "squares", required: "squares"))
    ) {
      _ = try Trainer<DetectionTask>(
        Squares.description(), sources: [(pictures, 1)], options: Squares.options(steps: 2),
        samples: Squares.samples,
        initialWeights: file)
    }
  }

  @Test func anotherSeedGivesOtherWeights() throws {
    let first = try Squares.trainer(steps: 2, seed: 1)
    let second = try Squares.trainer(steps: 2, seed: 2)
    try first.advance()
    try second.advance()
    #expect(try first.export() != second.export())
  }

  @Test func damagedCheckpointsAreRefused() throws {
    let trainer = try Squares.trainer(steps: 3)
    try trainer.advance()
    let bytes = trainer.checkpoint()
    for count in [0, 1, 7, 8, 39, 40, 41, bytes.count / 2, bytes.count - 1] {
      #expect(throws: TrainingError.self, "cut to \(count) bytes") {
        try trainer.resume(from: Array(bytes.prefix(count)))
      }
    }
    for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
      var changed = bytes
      changed[place] ^= 0x10
      #expect(throws: TrainingError.self, "changed at \(place)") {
        try trainer.resume(from: changed)
      }
    }
    try trainer.resume(from: bytes)
  }

  @Test func aCheckpointOfAnotherRunIsRefused() throws {
    let trainer = try Squares.trainer(steps: 3)
    let others = [
      try Squares.trainer(steps: 4), try Squares.trainer(steps: 3, seed: 2),
      try Trainer<DetectionTask>(
        Squares.description(), sources: [(Squares.pictures(count: 40, seed: 7), 1)],
        options: Squares.options(steps: 3),
        samples: Squares.samples),
    ]
    for other in others {
      do {
        try other.resume(from: trainer.checkpoint())
        Issue.record("a checkpoint of another run was accepted")
      } catch {
        guard case .checkpointMismatch = error else {
          Issue.record("unexpected error \(error)")
          return
        }
      }
    }
  }

  @Test func optionsOutsideTheirRangesAreNamed() throws {
    let changes: [(String, (inout TrainingOptions) -> Void)] = [
      ("batchSize", { $0.batchSize = 0 }), ("batchSize", { $0.batchSize = 100_000 }),
      ("sampleCount", { $0.sampleCount = -3 }), ("learningRate", { $0.learningRate = .nan }),
      ("learningRate", { $0.learningRate = 0 }), ("weightDecay", { $0.weightDecay = -1 }),
      ("averageDecay", { $0.averageDecay = 1 }), ("warmUpStepCount", { $0.warmUpStepCount = -1 }),
      ("maximumGradientNorm", { $0.maximumGradientNorm = 0 }),
      ("finalLearningRateShare", { $0.finalLearningRateShare = .infinity }),
    ]
    for (name, change) in changes {
      var options = Squares.options(steps: 2)
      change(&options)
      do {
        _ = try Trainer<DetectionTask>(
          Squares.description(), sources: [(Squares.pictures(count: 1, seed: 1), 1)],
          options: options)
        Issue.record("\(name) was accepted")
      } catch {
        guard case .training(.invalidOption(name, _, _)) = error else {
          Issue.record("unexpected error \(error)")
          continue
        }
      }
    }
  }

  @Test func sampleOptionsOutsideTheirRangesAreNamed() {
    let changes: [(String, (inout SampleOptions) -> Void)] = [
      ("size", { $0.size = 100 }), ("size", { $0.size = 4096 }),
      ("plainShare", { $0.plainShare = 2 }), ("plainShare", { $0.plainShare = .nan }),
    ]
    for (name, change) in changes {
      var samples = Squares.samples
      change(&samples)
      do {
        _ = try Trainer<DetectionTask>(
          Squares.description(), sources: [(Squares.pictures(count: 1, seed: 1), 1)],
          options: Squares.options(steps: 2), samples: samples)
        Issue.record("\(name) was accepted")
      } catch {
        guard case .training(.invalidOption(name, _, _)) = error else {
          Issue.record("unexpected error \(error)")
          continue
        }
      }
    }
  }

  @Test func noPicturesIsAnError() {
    #expect(throws: VisionTrainingError.noPictures) {
      _ = try Trainer<DetectionTask>(Squares.description(), sources: [([], 1)])
    }
  }

  @Test func theStandardNetworkKeepsToItsBudget() throws {
    let shapes = try NetworkDescription.standard().validated()
    #expect(shapes.parameterCount <= 1_000_000)
    #expect(shapes.multiplyAddCount <= 500_000_000)
    #expect(shapes.multiplyAddCount >= 300_000_000)
  }
}
