import DiceNumerics
import DiceDetection
import DiceImaging
import DiceWeights
import TestSupport
import Testing

@testable import DiceTraining
@testable import DiceVisionTraining

/// Checkpoints damaged in every place, as they are and behind a right checksum.
@Suite(.timeLimit(.minutes(2))) struct CheckpointTests {
  /// A run of the smallest network, whose checkpoint has some thousand bytes.
  private static func trainer() throws -> Trainer<DetectionTask> {
    var network = NetworkBuilder()
    let picture = network.image(width: 64, height: 64)
    let stem = network.convolution(picture, 1, size: 1, stride: 4)
    let second = network.convolution(stem, 1, size: 1, stride: 2)
    network.head(
      second, stride: 8, baseSize: 20,
      HeadLabels(
        labels: ["1"], thresholds: RecommendedThresholds(overlap: 0.45, confidence: 0.25)))
    let description = network.description(name: "small")
    var options = TrainingOptions()
    options.batchSize = 1
    options.sampleCount = 5
    var samples = SampleOptions()
    samples.size = 64
    samples.augmentation = .none
    let image = PixelImage(
      width: 64, height: 64, format: .gray, samples: [UInt8](repeating: 90, count: 4096))
    let truth = TruthBox(
      centerX: 30, centerY: 30, width: 20, height: 20, classIndex: 0)
    return try Trainer<DetectionTask>(
      description, sources: [([TrainingPicture(image, truths: [truth])], 1)], options: options,
      samples: samples, threadCount: 1)
  }

  /// How many bytes stand in front of the floats, where there are no notes and few parts.
  private static func headerCount(_ bytes: [UInt8]) -> Int { 40 + 8 * Int(bytes[8]) }

  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 40 else { return bytes }
    let content = Array(bytes.dropLast(8))
    let checksum = XXHash64.hash(content)
    return content + (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * UInt64($0))) }
  }

  @Test func everyDamageIsRefusedAndEveryForgeryIsTakenWholeOrNot() throws {
    let trainer = try Self.trainer()
    try trainer.advance()
    let bytes = trainer.checkpoint()
    #expect(bytes.count < 4000)
    var taken = 0
    let count = Mutations.forEach(of: bytes, header: [0..<Self.headerCount(bytes)]) { damaged in
      do throws(TrainingError) {
        try trainer.resume(from: damaged)
        Issue.record("a change is not noticed")
      } catch {
        if !error.description.hasSuffix(".") { Issue.record("\(error.description)") }
      }
      let before = trainer.checkpoint()
      let forged = Self.sealed(damaged)
      do throws(TrainingError) {
        try trainer.resume(from: forged)
        if trainer.checkpoint() != forged { Issue.record("taken up in part") }
        taken += 1
      } catch {
        if trainer.checkpoint() != before { Issue.record("refused in part") }
      }
    }
    #expect(count > 10_000 && taken > 1000)
  }

  /// Weights that are no numbers end the run with an error, or are what the exported file refuses.
  @Test func numbersThatAreNoneEndTheRunByName() throws {
    let trainer = try Self.trainer()
    let good = trainer.checkpoint()
    let patterns: [UInt32] = [0x7FC0_0000, 0x7F80_0000, 0xFF80_0000, 0x7F7F_FFFF, 0xFF7F_FFFF]
    var ended = 0
    for pattern in patterns {
      var forged = good
      for place in stride(from: Self.headerCount(good), to: forged.count - 8, by: 4) {
        for byte in 0..<4 {
          forged[place + byte] = UInt8(truncatingIfNeeded: pattern >> (8 * UInt32(byte)))
        }
      }
      try trainer.resume(from: Self.sealed(forged))
      #expect(throws: WeightFileError.self) { try trainer.export() }
      do throws(TrainingError) {
        while !trainer.isFinished { try trainer.advance() }
      } catch {
        guard case .diverged = error else {
          Issue.record("\(error)")
          continue
        }
        ended += 1
      }
    }
    #expect(ended > 0)
  }
}
