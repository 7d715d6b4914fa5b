internal import DiceClassification
internal import DiceNetwork
internal import DiceParallel
internal import DiceWeights

/// Reads a picture of 28 by 28 samples: how likely each digit is, and that it shows none.
package struct DigitOrNoneClassifier: Sendable {
  private let plan: NetworkPlan
  private let rules: ImageRules
  private let runners: IdlePool<Runner>

  /// A classifier with the weights of a file, from a source that need not be trusted.
  ///
  /// - Throws: the rule that the file or its network breaks.
  package init(weights bytes: [UInt8]) throws(DigitClassifierError) {
    let file: WeightFile
    do { file = try WeightFile(bytes: bytes) } catch { throw .weights(error) }
    let (inputs, outputs) = (file.description.inputs, file.description.outputs)
    let shape = TensorShape(height: DigitBitmap.side, width: DigitBitmap.side, channels: 1)
    guard inputs.count == 1, inputs[0].shape == shape, let rules = inputs[0].imageRules else {
      throw .input(found: inputs[0].shape, required: shape)
    }
    self.rules = rules
    let head: ClassHead
    do {
      head = try ClassHead(outputs[0], shape: file.shapes.layers[outputs[0].layer])
    } catch { throw .head(error) }
    guard ClassHead.areEqual(head.labels, (0..<10).map { "\($0)" } + ["none"]) else {
      throw .labels(found: head.labels)
    }
    do {
      plan = try NetworkPlan(file)
      runners = IdlePool(
        Runner(try NetworkRunner(plan)), limit: max(2, WorkerPool.processorCount))
    } catch { throw .network(error) }
  }

  /// The probabilities of the ten digits and, at last, of none; they sum to 1.
  package func probabilities(of bitmap: DigitBitmap) throws(DigitClassifierError) -> [Float] {
    var runner = runners.take()
    if runner == nil {
      do { runner = Runner(try NetworkRunner(plan)) } catch { throw .network(error) }
    }
    guard let runner else { return [] }
    defer { runners.giveBack(runner) }
    return runner.probabilities(of: bitmap, rules)
  }
}

/// The memory of one call.
///
/// Unchecked: it waits in a pool, where nobody uses it, or belongs to one call.
private final class Runner: @unchecked Sendable {
  private let runner: NetworkRunner

  init(_ runner: NetworkRunner) { self.runner = runner }

  func probabilities(of bitmap: DigitBitmap, _ rules: ImageRules) -> [Float] {
    runner.withInput { (region) in
      var index = 0
      for row in 0..<region.height {
        for column in 0..<region.width {
          unsafe region.pointer[row * region.rowStride + column * region.pixelStride] =
            Float(bitmap.samples[index]) * rules.scales.x + rules.biases.x
          index += 1
        }
      }
    }
    runner.run()
    var probabilities = runner.output(0).values
    ClassHead.softmax(&probabilities)
    return probabilities
  }
}
