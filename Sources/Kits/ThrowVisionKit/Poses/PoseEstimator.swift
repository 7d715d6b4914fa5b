package import DiceGeometry
package import DiceImaging
internal import DiceNetwork
internal import DiceParallel
internal import DiceWeights

/// Finds the joints of one person whose box is given.
///
/// A value that shares its network with its copies; any number of threads may use one at once.
package struct PoseEstimator: Sendable {
  private let core: Core

  /// An estimator with the weights of a file.
  package init(weights bytes: [UInt8]) throws(PoseDetectorError) {
    let file: WeightFile
    do { file = try WeightFile(bytes: bytes) } catch { throw .weights(error) }
    let description = file.description
    guard description.task == PoseConstants.task else {
      throw .task(found: description.task, required: PoseConstants.task)
    }
    let rules = try PoseConstants.pictureRules(description)
    let head = try PoseHead(
      description.outputs[0], shape: file.shapes.layers[description.outputs[0].layer])
    let constants = try PoseConstants(description.profile)
    do {
      let plan = try NetworkPlan(file)
      core = Core(plan, try NetworkRunner(plan), rules, constants, head)
    } catch { throw .network(error) }
  }

  /// The multiply-adds of a look at a crop.
  package var multiplyAddCount: Int64 { core.plan.shapes.multiplyAddCount }

  /// The joints of the person in a box; nil where the box has no area or its middle lies outside.
  package func read(
    _ frame: borrowing RawFrame, orientation: ImageOrientation, box: BoundingBox,
    usesMirror: Bool
  ) throws(PoseDetectorError) -> PoseReading? {
    let runner = try core.takeRunner()
    defer { core.runners.giveBack(runner) }
    return runner.read(frame, orientation: orientation, box: box, usesMirror: usesMirror)
  }

  /// What all copies share.
  private final class Core: Sendable {
    let plan: NetworkPlan
    let rules: ImageRules
    let constants: PoseConstants
    let head: PoseHead
    let runners: IdlePool<PoseRunner>

    init(
      _ plan: NetworkPlan, _ runner: NetworkRunner, _ rules: ImageRules,
      _ constants: PoseConstants, _ head: PoseHead
    ) {
      self.plan = plan
      self.rules = rules
      self.constants = constants
      self.head = head
      runners = IdlePool(
        PoseRunner(
          runner, rules, constants, maps: JointMaps(rows: head.height, columns: head.width)),
        limit: max(2, WorkerPool.processorCount))
    }

    func takeRunner() throws(PoseDetectorError) -> PoseRunner {
      if let runner = runners.take() { return runner }
      do {
        return PoseRunner(
          try NetworkRunner(plan), rules, constants,
          maps: JointMaps(rows: head.height, columns: head.width))
      } catch { throw .network(error) }
    }
  }
}

extension PoseConstants {
  /// How a picture becomes the input of a network: red, green and blue, each scaled alike.
  static func pictureRules(
    _ description: NetworkDescription
  ) throws(PoseDetectorError) -> ImageRules {
    let input = description.inputs[0]
    guard description.inputs.count == 1, let rules = input.imageRules,
      rules.channelOrder == .rgb, rules.scales == SIMD3(repeating: rules.scales.x),
      rules.biases == SIMD3(repeating: rules.biases.x)
    else { throw .input(found: input.shape) }
    return rules
  }
}
