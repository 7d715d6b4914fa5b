import DiceGeometry
import DiceImaging
import DiceTraining
import DiceWeights

/// Checkpoints of a training run.
///
/// An input is a list of edits (place, value) of a good checkpoint and a cut; the checksum is
/// repaired, so that changes get past it. Every input is also given as it is. What is taken up goes
/// on for a step now and then, whatever its numbers are.
enum Target {
  nonisolated(unsafe) static let trainer: Trainer = {
    do {
      let convolutions: [(Int, Int, Int, Layer.Activation)] = [
        (3, 1, 4, .leakyReLU(slope: 0.1)), (1, 6, 2, .identity),
      ]
      var layers: [Layer] = []
      for (index, (inputs, outputs, stride, activation)) in convolutions.enumerated() {
        layers.append(
          .convolution(
            Layer.Convolution(
              input: index == 0 ? .input : .layer(index - 1), inputChannels: inputs,
              outputChannels: outputs, kernelSize: 1, stride: stride, padding: 0,
              activation: activation, weights: 2 * index, bias: 2 * index + 1)))
      }
      layers.append(
        .detectionHead(
          Layer.DetectionHead(input: .layer(1), stride: 8, baseSize: 20, classCount: 1)))
      let description = NetworkDescription(
        name: "fuzz", input: InputRules(width: 64, height: 64), layers: layers, labels: ["1"],
        thresholds: DefaultThresholds(intersectionOverUnion: 0.45, confidence: 0.25))
      var options = TrainingOptions()
      options.batchSize = 1
      options.sampleCount = 1000
      options.inputSize = 64
      options.augmentation = .none
      let image = PixelImage(
        width: 64, height: 64, format: .gray, samples: [UInt8](repeating: 90, count: 4096))
      let truth = TrainingPicture.Truth(
        centerX: 30, centerY: 30, width: 20, height: 20, classIndex: 0)
      return try Trainer(
        description, sources: [([TrainingPicture(image, truths: [truth])], 1)],
        options: options, threadCount: 1)
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
