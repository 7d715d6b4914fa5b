internal import DiceNetwork
internal import DiceNumerics
internal import DiceWeights

/// The network that tells words and sounds from frames, with its numbers.
///
/// It is used from one thread at a time.
package final class WordNetwork {
  /// What a weight file for spoken numbers says under "task".
  package static let task = "spoken numbers"
  /// Frames for each output of the network.
  package static let stride = 2
  /// The names of the head's numbers: what logits are divided by, and the least confidence.
  package static let temperatureName: StaticString = "temperature"
  package static let thresholdName: StaticString = "threshold"
  /// The name of the numbers that make a probability a confidence.
  package static let confidenceName: StaticString = "confidence"

  private let runner: NetworkRunner
  /// What logits are divided by, so that confidence is the share of numbers heard right.
  private let temperature: Float
  /// The least confidence of a number that is reported.
  package let threshold: Float
  /// What makes a probability a confidence.
  package let scale: ConfidenceScale

  /// - Throws: the rule that the file or its network breaks.
  package init(weights bytes: [UInt8]) throws(SpokenNumberError) {
    let file: WeightFile
    do { file = try WeightFile(bytes: bytes) } catch { throw .weights(error) }
    let (inputs, outputs) = (file.description.inputs, file.description.outputs)
    let shape = TensorShape(
      height: SpeechFeatures.bandCount, width: inputs[0].shape.width, channels: 1)
    guard inputs.count == 1, inputs[0].shape == shape, inputs[0].isResizable, shape.width % 2 == 0
    else { throw .input(found: inputs[0].shape, required: shape) }
    guard outputs.count == 2 else { throw .outputCount(found: outputs.count) }
    for (index, labels) in [SpeechClass.labels, SpokenSound.labels].enumerated() {
      let required = TensorShape(
        height: 1, width: shape.width / Self.stride, channels: labels.count)
      let found = file.shapes.layers[outputs[index].layer]
      guard found == required else { throw .output(found: found, required: required) }
      let names = outputs[index].head?.labels ?? []
      guard ClassHead.areEqual(names, labels) else {
        throw .labels(found: names)
      }
    }
    let head = outputs[0].head
    let temperature = head?.parameters.values(named: Self.temperatureName)?.first ?? 1
    self.temperature = temperature > 0.01 ? temperature : 1
    let scale = head?.parameters.values(named: Self.confidenceName) ?? []
    self.scale =
      scale.count == 2 ? ConfidenceScale(slope: scale[0], offset: scale[1]) : ConfidenceScale()
    threshold = head?.parameters.values(named: Self.thresholdName)?.first ?? 0.5
    do {
      runner = try NetworkRunner(NetworkPlan(file))
    } catch { throw .network(error) }
  }

  /// The probabilities of classes, step by step.
  package struct Probabilities: Hashable, Sendable {
    /// For each step one for each class of `SpeechClass`.
    package var words: [Float] = []
    /// For each step one for each class of `SpokenSound`.
    package var sounds: [Float] = []
  }

  /// The probability of each class, step by step, for frames as `SpeechFeatures.normalize` leaves them; an
  /// odd last frame is doubled.
  package func probabilities(of frames: [Float]) throws(SpokenNumberError) -> Probabilities {
    let bandCount = SpeechFeatures.bandCount
    let frameCount = frames.count / bandCount
    guard frameCount > 0 else { return Probabilities() }
    var width = frameCount + frameCount % 2
    // Few sizes, so that memory is taken anew less often.
    width = max(64, (width + 31) / 32 * 32)
    do { try runner.resize(width: width, height: bandCount) } catch { throw .network(error) }
    runner.setInput(SpeechFeatures.rows(of: frames, width: width))
    runner.run()
    let count = (frameCount + 1) / Self.stride
    return Probabilities(
      words: probabilities(0, SpeechClass.count, stepCount: count),
      sounds: probabilities(1, SpokenSound.count, stepCount: count))
  }

  private func probabilities(_ output: Int, _ classCount: Int, stepCount: Int) -> [Float] {
    var values = runner.output(output).values
    values.removeLast(max(0, values.count - stepCount * classCount))
    for step in 0..<stepCount { softmax(&values, step * classCount..<(step + 1) * classCount) }
    return values
  }

  private func softmax(_ values: inout [Float], _ range: Range<Int>) {
    let greatest = values[range].max() ?? 0
    var sum: Float = 0
    for index in range {
      values[index] = exponential((values[index] - greatest) / temperature)
      sum += values[index]
    }
    for index in range { values[index] /= sum }
  }
}
