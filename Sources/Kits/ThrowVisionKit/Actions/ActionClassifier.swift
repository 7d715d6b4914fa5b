internal import DiceNetwork
internal import DiceParallel
public import DicePoses
internal import DiceWeights

/// Tells from a person's poses what the person does: which way something is thrown, or nothing is.
///
/// ```swift
/// let classifier = try ActionClassifier(weights: bytes)
/// if let prediction = try classifier.classify(sequence) {
///   print(prediction.label, prediction.confidence)
/// }
/// ```
///
/// A classifier is a value that shares its network with its copies; any number of threads may use one
/// at once. For poses as they come see ``ActionStream``.
public struct ActionClassifier: Sendable {
  /// What a weight file for actions says under "task".
  public static let task = ActionConstants.task

  /// The kind of an output whose numbers are probabilities already.
  private static let probabilitiesKind = "classes"

  /// The labels that can come out.
  public let labels: [String]
  /// The width in pixels of the frames that poses lie in; 0 where it is not told.
  ///
  /// Only classifiers of Create ML need it, and only where no ``PoseSequence`` tells it.
  public var frameWidth = 0
  /// The height in pixels of the frames that poses lie in, as ``frameWidth``.
  public var frameHeight = 0
  private let core: Core

  /// A classifier with weights of your own: trained by this package, or imported from Create ML.
  ///
  /// An imported one reads as many frames as its input has channels, `[3, 18, frames]`, and has the labels of
  /// its own file.
  ///
  /// - Parameters:
  ///   - bytes: a whole weight file, from a source that need not be trusted.
  ///   - framesPerSecond: of a classifier of Create ML, the frame rate that it was trained for.
  /// - Throws: the rule that the file or its network breaks.
  /// - Precondition: the frame rate is finite and above 0.
  /// - Complexity: O(number of weights).
  public init(
    weights bytes: [UInt8], framesPerSecond: Double = 30
  ) throws(ActionClassifierError) {
    precondition(
      framesPerSecond.isFinite && framesPerSecond > 0, "a frame rate is finite and above 0")
    let file: WeightFile
    do { file = try WeightFile(bytes: bytes) } catch { throw .weights(error) }
    let description = file.description
    guard description.task == Self.task else {
      throw .task(found: description.task, required: Self.task)
    }
    let shape = ActionConstants.inputShape
    let input = description.inputs[0]
    guard description.inputs.count == 1, input.imageRules == nil else {
      throw .input(found: input.shape, required: shape)
    }
    let output = description.outputs[0]
    let outputShape = file.shapes.layers[output.layer]
    let reading: ActionReading
    if let frames = ActionFrames(input.shape, framesPerSecond: framesPerSecond) {
      labels = try Self.labels(output, outputShape)
      reading = .frames(frames)
    } else {
      guard input.shape == shape else { throw .input(found: input.shape, required: shape) }
      do { labels = try ClassHead(output, shape: outputShape).labels } catch { throw .head(error) }
      reading = .features(try ActionConstants(description.profile, labelCount: labels.count))
    }
    do {
      let plan = try NetworkPlan(file)
      core = Core(plan, try NetworkRunner(plan), reading)
    } catch { throw .network(error) }
  }

  /// The labels of an output of probabilities.
  private static func labels(
    _ output: NetworkOutput, _ shape: TensorShape
  ) throws(ActionClassifierError) -> [String] {
    guard let head = output.head else { throw .head(.noHead(output: output.name)) }
    guard head.kind.utf8.elementsEqual(probabilitiesKind.utf8) else {
      throw .head(
        .wrongKind(output: output.name, found: head.kind, required: probabilitiesKind))
    }
    guard head.labels.count >= 2, head.labels.count == shape.elementCount else {
      throw .head(
        .labelCount(
          output: output.name, found: head.labels.count, valueCount: shape.elementCount))
    }
    return head.labels
  }

  /// Tells what happens in a whole sequence.
  ///
  /// - Returns: nil where the trunk of the person is nowhere to be seen; from a classifier of Create ML, where
  ///   no joint is.
  /// - Throws: ``ActionClassifierError/network(_:)``, where memory does not suffice for one more call
  ///   at the same time as others; ``ActionClassifierError/frameSize(width:height:)``.
  /// - Complexity: O(frames), and some 400 thousand multiply-adds on the caller's thread; of a classifier of
  ///   Create ML those of its network.
  public func classify(
    _ sequence: PoseSequence
  ) throws(ActionClassifierError) -> ActionPrediction? {
    let duration = sequence.frameDuration
    var own = self
    if sequence.width > 0, sequence.height > 0 {
      (own.frameWidth, own.frameHeight) = (sequence.width, sequence.height)
    }
    return try own.classify(
      sequence.poses.enumerated().map { TimedPose(time: Double($0) * duration, pose: $1) })
  }

  /// Tells what happens in a window of poses.
  ///
  /// A classifier of Create ML reads the end of a window that is longer than its own. Of a shorter one its last
  /// frames are 0.
  ///
  /// - Parameter window: one person's poses; times ascend, at any distance.
  /// - Returns: nil where the trunk of the person is nowhere to be seen; from a classifier of Create ML, where
  ///   no joint is.
  /// - Throws: ``ActionClassifierError/network(_:)``; ``ActionClassifierError/frameSize(width:height:)`` where
  ///   a classifier of Create ML is not told the size of the frames.
  public func classify(_ window: [TimedPose]) throws(ActionClassifierError) -> ActionPrediction? {
    try classify(window[...])
  }

  /// Tells what happens in a part of an array of poses, as ``classify(_:)``.
  public func classify(
    _ window: ArraySlice<TimedPose>
  ) throws(ActionClassifierError) -> ActionPrediction? {
    if case .frames = core.reading {
      guard frameWidth > 0, frameHeight > 0 else {
        throw .frameSize(width: frameWidth, height: frameHeight)
      }
    }
    let runner = try core.takeRunner()
    defer { core.runners.giveBack(runner) }
    return runner.classify(window, width: frameWidth, height: frameHeight).map {
      ActionPrediction(labels: labels, probabilities: $0)
    }
  }

  /// What all copies share.
  private final class Core: Sendable {
    let plan: NetworkPlan
    let reading: ActionReading
    let runners: IdlePool<ActionRunner>

    init(_ plan: NetworkPlan, _ runner: NetworkRunner, _ reading: ActionReading) {
      self.plan = plan
      self.reading = reading
      runners = IdlePool(
        ActionRunner(runner, reading), limit: max(2, WorkerPool.processorCount))
    }

    func takeRunner() throws(ActionClassifierError) -> ActionRunner {
      if let runner = runners.take() { return runner }
      do { return ActionRunner(try NetworkRunner(plan), reading) } catch { throw .network(error) }
    }
  }
}

/// What a network reads of a window of poses.
private enum ActionReading: Sendable {
  /// The movement of the joints, measured in torsos.
  case features(ActionConstants)
  /// The joints of each frame, as Create ML has them.
  case frames(ActionFrames)
}

/// The memory of one call.
///
/// Unchecked: it waits in a pool, where nobody uses it, or belongs to one call.
private final class ActionRunner: @unchecked Sendable {
  private let runner: NetworkRunner
  private let constants: ActionConstants?
  private var features = ActionFeatures()
  private var frames: ActionFrames?

  init(_ runner: NetworkRunner, _ reading: ActionReading) {
    self.runner = runner
    switch reading {
    case .features(let constants): (self.constants, frames) = (constants, nil)
    case .frames(let frames): (constants, self.frames) = (nil, frames)
    }
  }

  /// The probabilities of a window; nil where nobody is to be seen.
  func classify(_ window: ArraySlice<TimedPose>, width: Int, height: Int) -> [Float]? {
    if let constants { return classify(window, constants) }
    guard let isSeen = frames?.take(window, width: width, height: height), isSeen else {
      return nil
    }
    let values = run(frames?.values ?? [])
    // A network of others may give anything.
    return values.allSatisfy { $0.isFinite }
      ? values : [Float](repeating: 1 / Float(values.count), count: values.count)
  }

  /// The probabilities of the window and of its mirror image, averaged: either hand throws alike.
  private func classify(
    _ window: ArraySlice<TimedPose>, _ constants: ActionConstants
  ) -> [Float]? {
    guard features.take(window) else { return nil }
    var sum: [Float] = []
    for isMirrored in [false, true] {
      features.measure(isMirrored: isMirrored)
      let values = run(features.values)
      sum = sum.isEmpty ? values : zip(sum, values).map { ($0 + $1) / 2 }
    }
    constants.calibrate(&sum)
    return sum
  }

  private func run(_ values: [Float]) -> [Float] {
    runner.setInput(values)
    runner.run()
    return runner.output(0).values
  }
}
