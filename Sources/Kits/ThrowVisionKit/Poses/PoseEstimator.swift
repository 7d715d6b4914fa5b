package import DiceGeometry
package import DiceImaging
internal import DiceNetwork
internal import DiceParallel
internal import DicePoses
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
    let decoder: any PoseDecoder
    if JointHeads.areInside(description) {
      do throws(PoseHeadError) {
        decoder = JointHeadDecoder(
          try JointHeads(description, shapes: file.shapes), description.outputs, file.shapes)
      } catch { throw .head(error) }
    } else {
      let head = try PoseHead(
        description.outputs[0], shape: file.shapes.layers[description.outputs[0].layer])
      decoder = JointMapDecoder(head, try PoseConstants(description.profile))
    }
    let cropScale = try PoseConstants.cropScale(description.profile)
    do {
      let plan = try NetworkPlan(file)
      core = Core(plan, try NetworkRunner(plan), rules, cropScale: cropScale, decoder)
    } catch { throw .network(error) }
  }

  /// Whether the network is one of the library's own kind, whose confidences can be fitted.
  package var hasOwnHead: Bool { core.decoder is JointMapDecoder }

  /// Whether the network finds a point, by the index of ``PoseHead/labels``.
  package func finds(_ index: Int) -> Bool { core.decoder.finds(index) }

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
    let cropScale: Float
    let decoder: any PoseDecoder
    let runners: IdlePool<PoseRunner>

    init(
      _ plan: NetworkPlan, _ runner: NetworkRunner, _ rules: ImageRules, cropScale: Float,
      _ decoder: any PoseDecoder
    ) {
      self.plan = plan
      self.rules = rules
      self.cropScale = cropScale
      self.decoder = decoder
      runners = IdlePool(
        PoseRunner(runner, rules, cropScale: cropScale, decoder),
        limit: max(2, WorkerPool.processorCount))
    }

    func takeRunner() throws(PoseDetectorError) -> PoseRunner {
      if let runner = runners.take() { return runner }
      do {
        return PoseRunner(try NetworkRunner(plan), rules, cropScale: cropScale, decoder)
      } catch { throw .network(error) }
    }
  }
}

extension PoseConstants {
  /// How a picture of three colours becomes the input of a network.
  static func pictureRules(
    _ description: NetworkDescription
  ) throws(PoseDetectorError) -> ImageRules {
    let input = description.inputs[0]
    guard description.inputs.count == 1, let rules = input.imageRules,
      rules.channelOrder != .gray
    else { throw .input(found: input.shape) }
    return rules
  }
}
