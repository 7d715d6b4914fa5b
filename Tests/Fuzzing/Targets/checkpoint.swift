import DiceNumerics
import DiceParallel
import DiceTraining
import DiceWeights

/// Squares of one number.
private struct SquareTask: LearningTask {
  var identity: String { "squares" }

  func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> Float {
    for input in inputs {
      for row in 0..<input.height {
        for column in 0..<input.width {
          for channel in 0..<input.channelCount {
            input[row, column, channel] = random.between(-1, 1)
          }
        }
      }
    }
    return inputs[0][0, 0, 0] * inputs[0][0, 0, 0]
  }

  func loss(of outputs: [TrainingOutput], targets: [Float], pool: WorkerPool) -> LossParts {
    var loss: Float = 0
    for (sample, target) in targets.enumerated() {
      let difference = outputs[0][sample, 0, 0, 0] - target
      loss += difference * difference
      outputs[0].setGradient(2 * difference, sample: sample, row: 0, column: 0, channel: 0)
    }
    return LossParts(terms: [LossParts.Part("square", loss)])
  }
}

/// Checkpoints of a training run.
///
/// An input is a list of edits (place, value) of a good checkpoint and a cut; the checksum is
/// repaired, so that changes get past it. Every input is also given as it is. What is taken up goes
/// on for a step now and then, whatever its numbers are.
enum Target {
  nonisolated(unsafe) private static let trainer: Trainer<SquareTask> = {
    do throws(TrainingError) {
      var network = NetworkBuilder()
      let numbers = network.tensor("numbers", height: 4, width: 3, channels: 2)
      let narrow = network.convolution(numbers, 2, size: 1, activation: .leakyReLU(slope: 0.1))
      let each = network.depthwise(
        narrow, size: 1, activation: .parametricReLU(slopes: network.makeTensor()))
      let tensors = (0..<4).map { _ in network.makeTensor() }
      let normalized = network.append(
        .batchNormalization(
          Layer.BatchNormalization(
            input: each.source, scale: tensors[0], shift: tensors[1], mean: tensors[2],
            variance: tensors[3], epsilon: 1e-3)), shape: each.shape)
      let pooled = network.globalPooling(normalized)
      network.output("square", network.dense(pooled, 1))
      var options = TrainingOptions()
      options.batchSize = 2
      options.sampleCount = 2000
      options.layers.dropout = [1: 0.25]
      return try Trainer(
        network.description(name: "fuzz"), task: SquareTask(), options: options, threadCount: 1)
    } catch {
      fatalError("\(error)")
    }
  }()
  static let good = trainer.checkpoint()

  static func run(_ bytes: [UInt8]) {
    attempt(bytes)
    var reader = InputReader(bytes)
    var file = good
    let flags = reader.byte()
    if flags & 0xE0 == 0xE0 { file.removeLast(min(file.count, Int(reader.byte()))) }
    while !reader.isAtEnd {
      let place = Int(reader.word(2)) % max(file.count, 1)
      for offset in place..<min(place + 4, file.count) { file[offset] = reader.byte() }
    }
    if file.count >= 40 {
      overwrite(&file, at: file.count - 8, with: XXHash64.hash(Array(file.dropLast(8))))
    }
    guard attempt(file), flags & 7 == 0 else { return }
    do throws(TrainingError) {
      try trainer.advance()
      _ = try? trainer.export()
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  @discardableResult
  static func attempt(_ bytes: [UInt8]) -> Bool {
    do throws(TrainingError) {
      try trainer.resume(from: bytes)
      require(trainer.checkpoint() == bytes, "what was taken up is what was given")
      return true
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
      return false
    }
  }

  static func seeds() -> [[UInt8]] {
    let patterns: [UInt32] = [0, 0x7FC0_0000, 0x7F80_0000, 0xFF80_0000, 0x7F7F_FFFF, 1]
    var seeds: [[UInt8]] = [good, [0]]
    for place in [16, 24, 32, 36, 60, 200, good.count - 40] {
      for pattern in patterns {
        seeds.append(
          [UInt8(place % 8), UInt8(place >> 8), UInt8(place & 255)]
            + (0..<4).map { UInt8(truncatingIfNeeded: pattern >> (8 * UInt32($0))) })
      }
    }
    return seeds
  }
}
