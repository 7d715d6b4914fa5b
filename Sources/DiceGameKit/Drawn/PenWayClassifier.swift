internal import DiceClassification
internal import DiceNetwork
internal import DiceParallel
internal import DiceWeights

/// Reads the way of a pen: how likely each digit is, and that it is none.
package struct PenWayClassifier: Sendable {
  private let plan: NetworkPlan
  private let runners: IdlePool<WayRunner>

  /// A classifier with the weights of a file, from a source that need not be trusted.
  ///
  /// - Throws: the rule that the file or its network breaks.
  package init(weights bytes: [UInt8]) throws(DigitClassifierError) {
    let file: WeightFile
    do { file = try WeightFile(bytes: bytes) } catch { throw .weights(error) }
    let (inputs, outputs) = (file.description.inputs, file.description.outputs)
    let shape = TensorShape(
      height: 1, width: PenPath.placeCount, channels: PenPath.channelCount)
    guard inputs.count == 1, inputs[0].shape == shape, inputs[0].imageRules == nil else {
      throw .input(found: inputs[0].shape, required: shape)
    }
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
        WayRunner(try NetworkRunner(plan)), limit: max(2, WorkerPool.processorCount))
    } catch { throw .network(error) }
  }

  /// The probabilities of the ten digits and, at last, of none; they sum to 1.
  package func probabilities(
    of group: InkGroup
  ) throws(DigitClassifierError) -> [Float] {
    var runner = runners.take()
    if runner == nil {
      do { runner = WayRunner(try NetworkRunner(plan)) } catch { throw .network(error) }
    }
    guard let runner else { return [] }
    defer { runners.giveBack(runner) }
    return runner.probabilities(PenPath.values(of: group))
  }
}

/// The memory of one call.
///
/// Unchecked: it waits in a pool, where nobody uses it, or belongs to one call.
private final class WayRunner: @unchecked Sendable {
  private let runner: NetworkRunner

  init(_ runner: NetworkRunner) { self.runner = runner }

  func probabilities(_ values: [Float]) -> [Float] {
    runner.withInput { (region) in
      var index = 0
      for column in 0..<region.width {
        for channel in 0..<PenPath.channelCount {
          unsafe region.pointer[column * region.pixelStride + channel] = values[index]
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
