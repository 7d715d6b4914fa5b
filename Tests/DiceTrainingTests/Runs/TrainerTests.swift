import DiceImaging
import DiceNetwork
import DiceWeights
import Testing

@testable import DiceTraining

/// A task that a very small network learns in a moment: squares of three colours on gray.
private enum Squares {
  static func description() -> NetworkDescription {
    var network = NetworkBuilder(classCount: 3)
    let stem = network.convolution(.picture, 16, size: 3, stride: 2)
    let second = network.convolution(stem, 16, size: 3, stride: 2)
    let third = network.convolution(second, 32, size: 3, stride: 2)
    let read = network.convolution(third, 32, size: 3)
    network.head(read, stride: 8, baseSize: 20)
    return NetworkDescription(
      name: "squares", input: InputRules(width: 64, height: 64), layers: network.layers,
      labels: ["red", "green", "blue"],
      thresholds: DefaultThresholds(intersectionOverUnion: 0.45, confidence: 0.25))
  }

  static func picture(_ random: inout TrainingRandom) -> (PixelImage, [TrainingPicture.Truth]) {
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
        TrainingPicture.Truth(
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
    options.inputSize = 64
    options.learningRate = 4e-3
    options.averageDecay = 0.97
    options.augmentation = .none
    options.augmentation.flip = 0.5
    options.augmentation.quarterTurns = true
    return options
  }

  static func trainer(steps: Int, threadCount: Int? = nil, seed: UInt64 = 1) throws -> Trainer {
    var options = options(steps: steps)
    options.seed = seed
    return try Trainer(
      description(),
      sources: [(pictures(count: 40, seed: 7), 1), (pictures(count: 5, seed: 8), 0.5)],
      options: options, threadCount: threadCount)
  }
}

struct TrainerTests {
  /// The whole way: samples, training, folding, weight file, inference, decoding.
  @Test func learnsToFindAndNameSquares() throws {
    let trainer = try Squares.trainer(steps: 260)
    var first: Trainer.Progress?
    var last: Trainer.Progress?
    while !trainer.isFinished {
      let progress = try trainer.advance()
      if first == nil { first = progress }
      last = progress
    }
    let (begin, end) = (try #require(first), try #require(last))
    #expect(end.loss < begin.loss / 5)
    #expect(end.meanOverlap > 0.75)

    let plan = try NetworkPlan(WeightFile(bytes: trainer.export(storage: .float32)))
    let runner = try NetworkRunner(plan)
    var random = TrainingRandom(1234)
    var foundCount = 0
    for _ in 0..<30 {
      let (image, truths) = Squares.picture(&random)
      runner.setInput(image.samples.map { Float($0) / 255 })
      runner.run()
      var candidates = CandidateList()
      runner.decode(into: &candidates, confidenceThreshold: 0.3)
      let best = try #require(candidates.candidates.max { $0.confidence < $1.confidence })
      let truth = truths[0]
      let isNear =
        abs(Float(best.boundingBox.centerX) - truth.centerX) < 4
        && abs(Float(best.boundingBox.centerY) - truth.centerY) < 4
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
    #expect(second.step == 5)
    var losses: [Float] = []
    while !second.isFinished { losses.append(try second.advance().loss) }
    #expect(losses.count == 7)
    #expect(try second.export() == whole.export())
    #expect(second.checkpoint() == whole.checkpoint())
  }

  @Test func theNumberOfThreadsDoesNotMatter() throws {
    var exports: [[UInt8]] = []
    for threadCount in [1, 2, 5] {
      let trainer = try Squares.trainer(steps: 4, threadCount: threadCount)
      for _ in 0..<4 { try trainer.advance() }
      exports.append(try trainer.export(storage: .float32))
    }
    #expect(exports[0] == exports[1])
    #expect(exports[0] == exports[2])
  }

  @Test func aRunThatBeginsWithAWeightFileBeginsWhereThatEnded() throws {
    let first = try Squares.trainer(steps: 160)
    while !first.isFinished { try first.advance() }
    let bytes = try first.export(storage: .float32)
    let second = try Trainer(
      Squares.description(), sources: [(Squares.pictures(count: 40, seed: 7), 1)],
      options: Squares.options(steps: 40), initialWeights: WeightFile(bytes: bytes))
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
    #expect(try second.advance().loss < fresh.advance().loss / 2)
  }

  @Test func theThresholdsOfTheBeginningAreKept() throws {
    let pictures = Squares.pictures(count: 2, seed: 1)
    var description = Squares.description()
    description.thresholds = DefaultThresholds(intersectionOverUnion: 0.6, confidence: 0.7)
    let first = try Trainer(
      description, sources: [(pictures, 1)], options: Squares.options(steps: 2))
    let second = try Trainer(
      Squares.description(), sources: [(pictures, 1)], options: Squares.options(steps: 2),
      initialWeights: WeightFile(bytes: first.export()))
    let kept = try WeightFile(bytes: second.export()).description.thresholds
    #expect(kept == description.thresholds)
  }

  @Test func weightsOfOtherLayersAreNoBeginning() throws {
    var other = NetworkBuilder(classCount: 3)
    let stem = other.convolution(.picture, 16, size: 3, stride: 4)
    let second = other.convolution(stem, 16, size: 3, stride: 2)
    other.head(second, stride: 8, baseSize: 20)
    var description = Squares.description()
    description.layers = other.layers
    let pictures = Squares.pictures(count: 2, seed: 1)
    let trainer = try Trainer(
      description, sources: [(pictures, 1)], options: Squares.options(steps: 2))
    let file = try WeightFile(bytes: trainer.export())
    #expect(throws: TrainingError.otherLayers(found: "squares", required: "squares")) {
      _ = try Trainer(
        Squares.description(), sources: [(pictures, 1)], options: Squares.options(steps: 2),
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
      try Trainer(
        Squares.description(), sources: [(Squares.pictures(count: 40, seed: 7), 1)],
        options: Squares.options(steps: 3)),
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
      ("sampleCount", { $0.sampleCount = -3 }), ("inputSize", { $0.inputSize = 100 }),
      ("inputSize", { $0.inputSize = 4096 }), ("learningRate", { $0.learningRate = .nan }),
      ("learningRate", { $0.learningRate = 0 }), ("weightDecay", { $0.weightDecay = -1 }),
      ("averageDecay", { $0.averageDecay = 1 }), ("plainShare", { $0.plainShare = 2 }),
      ("warmUpStepCount", { $0.warmUpStepCount = -1 }),
      ("maximumGradientNorm", { $0.maximumGradientNorm = 0 }),
      ("finalLearningRateShare", { $0.finalLearningRateShare = .infinity }),
    ]
    for (name, change) in changes {
      var options = Squares.options(steps: 2)
      change(&options)
      do {
        _ = try Trainer(
          Squares.description(), sources: [(Squares.pictures(count: 1, seed: 1), 1)],
          options: options)
        Issue.record("\(name) was accepted")
      } catch {
        guard case .invalidOption(name, _, _) = error else {
          Issue.record("unexpected error \(error)")
          continue
        }
      }
    }
  }

  @Test func noPicturesIsAnError() {
    #expect(throws: TrainingError.noPictures) {
      _ = try Trainer(Squares.description(), sources: [([], 1)])
    }
  }

  @Test func theStandardNetworkKeepsToItsBudget() throws {
    let shapes = try NetworkDescription.standard().validated()
    #expect(shapes.parameterCount <= 1_000_000)
    #expect(shapes.multiplyAddCount(width: 416, height: 416) <= 500_000_000)
    #expect(shapes.multiplyAddCount(width: 416, height: 416) >= 300_000_000)
  }
}
