import DiceGameKit
import DiceParallel
import DiceTraining
import DiceWeights
import Foundation
import TestSupport
import Testing

@testable import DiceGameTraining

@Suite struct DigitTaskTests {
  /// Bars whose place tells the digit: 0 to 9 from left to right, in some rows.
  private static func bars(count: Int) throws -> DigitDataset {
    var random = SeededGenerator(seed: 5)
    var bitmaps: [DigitBitmap] = []
    var digits: [UInt8] = []
    for index in 0..<count {
      let digit = index % 10
      let top = Int.random(in: 2...8, using: &random)
      var samples = [UInt8](repeating: 0, count: 784)
      for row in top..<top + 16 {
        for column in 4 + 2 * digit..<6 + 2 * digit { samples[row * 28 + column] = 255 }
      }
      bitmaps.append(try #require(DigitBitmap(samples: samples)))
      digits.append(UInt8(digit))
    }
    return DigitDataset(bitmaps: bitmaps, digits: digits)
  }

  private static func options(sampleCount: Int) -> TrainingOptions {
    var options = TrainingOptions()
    options.batchSize = 20
    options.sampleCount = sampleCount
    options.learningRate = 0.003
    options.averageDecay = 0.9
    return options
  }

  @Test func learnsWhatItIsShown() throws {
    let dataset = try Self.bars(count: 40)
    let trainer = try Trainer(
      .digits, task: DigitTask(dataset, distortion: .none),
      options: Self.options(sampleCount: 1200),
      threadCount: 2)
    while !trainer.isFinished { try trainer.advance() }
    let classifier = try DigitClassifier(weights: trainer.export())
    let accuracy = try DigitAccuracy(
      of: classifier, on: dataset, pool: WorkerPool(threadCount: 2))
    expectEqual(accuracy.count, 40)
    #expect(accuracy.share >= 0.9)
    expectEqual(accuracy.rightCount + accuracy.mistakes.count, 40)
    let confusionCount: Int = accuracy.confusions.joined().reduce(0, +)
    expectEqual(confusionCount, 40)
  }

  @Test func goesOnFromACheckpointAsIfNothingHadHappened() throws {
    let task = DigitTask(try Self.bars(count: 20))
    func trainer() throws -> Trainer<DigitTask> {
      try Trainer(.digits, task: task, options: Self.options(sampleCount: 120), threadCount: 2)
    }
    let whole = try trainer()
    while !whole.isFinished { try whole.advance() }
    let first = try trainer()
    for _ in 0..<2 { try first.advance() }
    let second = try trainer()
    try second.resume(from: first.checkpoint())
    while !second.isFinished { try second.advance() }
    try expectEqual(second.export(), whole.export())
  }

  @Test func distortionKeepsADigitsInk() throws {
    let bitmap = try Self.bars(count: 6).bitmaps[5]
    let ink = bitmap.samples.reduce(Float(0)) { $0 + Float($1) }
    let sampler = DigitSampler(distortion: DigitDistortion())
    var values = [Float](repeating: 0, count: 784)
    var shares: [Float] = []
    for seed in 0..<50 {
      var random = TrainingRandom(UInt64(seed))
      sampler.sample(bitmap, using: &random, into: &values)
      #expect(values.allSatisfy { $0 >= 0 && $0 <= 255 })
      shares.append(values.reduce(0, +) / ink)
    }
    // Sizes change by an eighth along each axis, and slants and waves take nothing away.
    #expect(shares.allSatisfy { $0 > 0.6 && $0 < 1.6 })
    #expect(Set(shares).count > 40)
  }

  @Test func withoutDistortionThePictureStays() throws {
    let bitmap = try Self.bars(count: 3).bitmaps[2]
    var values = [Float](repeating: 0, count: 784)
    var random = TrainingRandom(1)
    DigitSampler(distortion: .none).sample(bitmap, using: &random, into: &values)
    expectEqual(values, bitmap.samples.map { Float($0) })
  }

  /// MNIST lies beside the folder of labelled photos, where there is one.
  @Test func theLibrarysWeightsReadMNIST() throws {
    let folder = Fixtures.photos?.deletingLastPathComponent().appending(path: "mnist")
      .path(percentEncoded: false)
    guard let folder, FileManager.default.fileExists(atPath: folder) else {
      print("MNIST is not here: the library's weights are not measured on it.")
      return
    }
    let dataset = try DigitDataset(mnistFolder: folder, part: .test)
    let accuracy = try DigitAccuracy(of: DigitClassifier(), on: dataset, pool: WorkerPool())
    expectEqual(accuracy.count, 10_000)
    #expect(accuracy.rightCount >= 9950)
  }

  @Test func namesTheFileThatIsMissing() {
    #expect(throws: DigitDatasetError.self) {
      try DigitDataset(mnistFolder: "/nowhere", part: .training)
    }
  }
}
