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

  /// The labels that can come out.
  public let labels: [String]
  private let core: Core

  /// A classifier with weights of your own.
  ///
  /// - Parameter bytes: a whole weight file, from a source that need not be trusted.
  /// - Throws: the rule that the file or its network breaks.
  /// - Complexity: O(number of weights).
  public init(weights bytes: [UInt8]) throws(ActionClassifierError) {
    let file: WeightFile
    do { file = try WeightFile(bytes: bytes) } catch { throw .weights(error) }
    let description = file.description
    guard description.task == Self.task else {
      throw .task(found: description.task, required: Self.task)
    }
    let shape = ActionConstants.inputShape
    guard description.inputs.count == 1, description.inputs[0].shape == shape,
      description.inputs[0].imageRules == nil
    else { throw .input(found: description.inputs[0].shape, required: shape) }
    let head: ClassHead
    do {
      head = try ClassHead(
        description.outputs[0], shape: file.shapes.layers[description.outputs[0].layer])
    } catch { throw .head(error) }
    let constants = try ActionConstants(description.profile, labelCount: head.labels.count)
    labels = head.labels
    do {
      let plan = try NetworkPlan(file)
      core = Core(plan, try NetworkRunner(plan), constants)
    } catch { throw .network(error) }
  }

  /// Tells what happens in a whole sequence.
  ///
  /// - Returns: nil where the trunk of the person is nowhere to be seen.
  /// - Throws: ``ActionClassifierError/network(_:)``, where memory does not suffice for one more call
  ///   at the same time as others.
  /// - Complexity: O(frames), and some 400 thousand multiply-adds on the caller's thread.
  public func classify(
    _ sequence: PoseSequence
  ) throws(ActionClassifierError) -> ActionPrediction? {
    let duration = sequence.frameDuration
    return try classify(
      sequence.poses.enumerated().map { TimedPose(time: Double($0) * duration, pose: $1) })
  }

  /// Tells what happens in a window of poses.
  ///
  /// - Parameter window: one person's poses; times ascend, at any distance.
  /// - Returns: nil where the trunk of the person is nowhere to be seen.
  /// - Throws: ``ActionClassifierError/network(_:)``.
  public func classify(_ window: [TimedPose]) throws(ActionClassifierError) -> ActionPrediction? {
    try classify(window[...])
  }

  /// Tells what happens in a part of an array of poses, as ``classify(_:)``.
  public func classify(
    _ window: ArraySlice<TimedPose>
  ) throws(ActionClassifierError) -> ActionPrediction? {
    let runner = try core.takeRunner()
    defer { core.runners.giveBack(runner) }
    return runner.classify(window, core.constants).map {
      ActionPrediction(labels: labels, probabilities: $0)
    }
  }

  /// What all copies share.
  private final class Core: Sendable {
    let plan: NetworkPlan
    let constants: ActionConstants
    let runners: IdlePool<ActionRunner>

    init(_ plan: NetworkPlan, _ runner: NetworkRunner, _ constants: ActionConstants) {
      self.plan = plan
      self.constants = constants
      runners = IdlePool(ActionRunner(runner), limit: max(2, WorkerPool.processorCount))
    }

    func takeRunner() throws(ActionClassifierError) -> ActionRunner {
      if let runner = runners.take() { return runner }
      do { return ActionRunner(try NetworkRunner(plan)) } catch { throw .network(error) }
    }
  }
}

/// The memory of one call.
///
/// Unchecked: it waits in a pool, where nobody uses it, or belongs to one call.
private final class ActionRunner: @unchecked Sendable {
  private let runner: NetworkRunner
  private var features = ActionFeatures()

  init(_ runner: NetworkRunner) { self.runner = runner }

  /// The probabilities of the window and of its mirror image, averaged: either hand throws alike.
  func classify(_ window: ArraySlice<TimedPose>, _ constants: ActionConstants) -> [Float]? {
    guard features.take(window) else { return nil }
    var sum: [Float] = []
    for isMirrored in [false, true] {
      features.measure(isMirrored: isMirrored)
      runner.setInput(features.values)
      runner.run()
      let values = runner.output(0).values
      sum = sum.isEmpty ? values : zip(sum, values).map { ($0 + $1) / 2 }
    }
    constants.calibrate(&sum)
    return sum
  }
}
