internal import DiceNetwork
internal import DiceParallel
internal import DiceWeights

/// A network that tells digits apart, and the memory of its calls: what the classifiers of pictures and of a
/// pen's ways share.
///
/// A value that shares its network with its copies; any number of threads may use one at once.
struct DigitNetwork: Sendable {
  /// What makes numbers of a picture's samples; nil where the input is no picture.
  let rules: ImageRules?
  private let plan: NetworkPlan
  private let runners: IdlePool<Runner>

  /// A network with the weights of a file, from a source that need not be trusted.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - shape: the shape of its only input.
  ///   - isPicture: whether the input has rules for pictures, or none.
  ///   - labels: the labels of its first output.
  /// - Throws: the rule that the file or its network breaks.
  init(
    weights bytes: [UInt8], input shape: TensorShape, isPicture: Bool, labels: [String]
  ) throws(DigitClassifierError) {
    let file: WeightFile
    do { file = try WeightFile(bytes: bytes) } catch { throw .weights(error) }
    let (inputs, outputs) = (file.description.inputs, file.description.outputs)
    guard inputs.count == 1, inputs[0].shape == shape, (inputs[0].imageRules != nil) == isPicture
    else { throw .input(found: inputs[0].shape, required: shape) }
    rules = inputs[0].imageRules
    let head: ClassHead
    do {
      head = try ClassHead(outputs[0], shape: file.shapes.layers[outputs[0].layer])
    } catch { throw .head(error) }
    guard ClassHead.areEqual(head.labels, labels) else { throw .labels(found: head.labels) }
    do {
      plan = try NetworkPlan(file)
      runners = IdlePool(
        Runner(try NetworkRunner(plan)), limit: max(2, WorkerPool.processorCount))
    } catch { throw .network(error) }
  }

  /// A network that reads pictures of 28 by 28 samples.
  ///
  /// - Throws: the rule that the file or its network breaks.
  static func ofPictures(
    weights bytes: [UInt8], labels: [String]
  ) throws(DigitClassifierError) -> DigitNetwork {
    try DigitNetwork(
      weights: bytes,
      input: TensorShape(height: DigitBitmap.side, width: DigitBitmap.side, channels: 1),
      isPicture: true, labels: labels)
  }

  /// The probabilities of the labels; they sum to 1.
  ///
  /// - Parameter fill: writes the input's numbers.
  /// - Throws: ``DigitClassifierError/network(_:)``, where memory does not suffice for one more call at the
  ///   same time as others.
  func probabilities(_ fill: (InputRegion) -> Void) throws(DigitClassifierError) -> [Float] {
    let runner: Runner
    if let idle = runners.take() {
      runner = idle
    } else {
      do { runner = Runner(try NetworkRunner(plan)) } catch { throw .network(error) }
    }
    defer { runners.giveBack(runner) }
    return runner.probabilities(fill)
  }

  /// The probabilities of the labels for a picture; they sum to 1.
  ///
  /// - Throws: ``DigitClassifierError/network(_:)``, as ``probabilities(_:)``.
  func probabilities(of bitmap: DigitBitmap) throws(DigitClassifierError) -> [Float] {
    let (scale, bias) = (rules?.scales.x ?? 1, rules?.biases.x ?? 0)
    return try probabilities { (region) in
      var index = 0
      for row in 0..<region.height {
        for column in 0..<region.width {
          unsafe region.pointer[row * region.rowStride + column * region.pixelStride] =
            Float(bitmap.samples[index]) * scale + bias
          index += 1
        }
      }
    }
  }

  /// The memory of one call.
  ///
  /// Unchecked: it waits in a pool, where nobody uses it, or belongs to one call.
  private final class Runner: @unchecked Sendable {
    private let runner: NetworkRunner

    init(_ runner: NetworkRunner) { self.runner = runner }

    func probabilities(_ fill: (InputRegion) -> Void) -> [Float] {
      runner.withInput { (region) in fill(region) }
      runner.run()
      var probabilities = runner.output(0).values
      ClassHead.softmax(&probabilities)
      return probabilities
    }
  }
}
