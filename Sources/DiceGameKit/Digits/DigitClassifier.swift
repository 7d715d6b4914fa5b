internal import DiceClassification
internal import DiceNetwork
internal import DiceParallel
internal import DiceWeights

/// Reads a drawn digit.
///
/// ```swift
/// let classifier = try DigitClassifier()
/// let prediction = try classifier.classify(bitmap)
/// print(prediction.digit, prediction.confidence)
/// ```
///
/// A classifier is a value that shares its network with its copies; any number of threads may use one
/// at once.
public struct DigitClassifier: Sendable {
  /// What a weight file for digits says under "task".
  public static let task = "digits"
  /// What a weight file for the pen's ways says under "task".
  package static let penTask = "pen ways"
  /// What a weight file that tells digits from what is none says under "task".
  package static let orNoneTask = "digit or none"

  private let core: Core

  /// A classifier with weights of your own.
  ///
  /// - Parameter bytes: a whole weight file, from a source that need not be trusted. Its network has
  ///   one input of 28 by 28 values in one channel, each a sample of 0...255 that the input's rules
  ///   scale, and one output of ten class logits, labelled "0" to "9".
  /// - Throws: the rule that the file or its network breaks.
  /// - Complexity: O(number of weights).
  public init(weights bytes: [UInt8]) throws(DigitClassifierError) {
    let file: WeightFile
    do { file = try WeightFile(bytes: bytes) } catch { throw .weights(error) }
    let (inputs, outputs) = (file.description.inputs, file.description.outputs)
    let shape = TensorShape(height: DigitBitmap.side, width: DigitBitmap.side, channels: 1)
    guard inputs.count == 1, inputs[0].shape == shape, let rules = inputs[0].imageRules else {
      throw .input(found: inputs[0].shape, required: shape)
    }
    let head: ClassHead
    do {
      head = try ClassHead(outputs[0], shape: file.shapes.layers[outputs[0].layer])
    } catch { throw .head(error) }
    guard ClassHead.areEqual(head.labels, (0..<10).map { "\($0)" }) else {
      throw .labels(found: head.labels)
    }
    do {
      let plan = try NetworkPlan(file)
      core = Core(plan, try NetworkRunner(plan), rules)
    } catch { throw .network(error) }
  }

  /// Reads a picture of one digit.
  ///
  /// Some millions of multiply-adds on the caller's thread.
  ///
  /// - Throws: ``DigitClassifierError/network(_:)``, where memory does not suffice for one more call
  ///   at the same time as others.
  public func classify(_ bitmap: DigitBitmap) throws(DigitClassifierError) -> DigitPrediction {
    let runner = try core.takeRunner()
    defer { core.runners.giveBack(runner) }
    return runner.classify(bitmap, core.rules)
  }

  /// What all copies share.
  private final class Core: Sendable {
    let plan: NetworkPlan
    let rules: ImageRules
    let runners: IdlePool<DigitRunner>

    init(_ plan: NetworkPlan, _ runner: NetworkRunner, _ rules: ImageRules) {
      self.plan = plan
      self.rules = rules
      runners = IdlePool(DigitRunner(runner), limit: max(2, WorkerPool.processorCount))
    }

    func takeRunner() throws(DigitClassifierError) -> DigitRunner {
      if let runner = runners.take() { return runner }
      do { return DigitRunner(try NetworkRunner(plan)) } catch { throw .network(error) }
    }
  }
}

/// The memory of one call.
///
/// Unchecked: it waits in a pool, where nobody uses it, or belongs to one call.
private final class DigitRunner: @unchecked Sendable {
  private let runner: NetworkRunner

  init(_ runner: NetworkRunner) { self.runner = runner }

  func classify(_ bitmap: DigitBitmap, _ rules: ImageRules) -> DigitPrediction {
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
    return DigitPrediction(probabilities: probabilities)
  }
}
