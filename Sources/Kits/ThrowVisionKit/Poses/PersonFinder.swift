internal import DiceDetection
package import DiceGeometry
package import DiceImaging
internal import DiceNetwork
internal import DiceParallel
internal import DiceWeights

/// Finds the boxes of people in a picture.
///
/// A value that shares its network with its copies; any number of threads may use one at once.
package struct PersonFinder: Sendable {
  /// What a weight file that finds people says under "task".
  package static let task = "people"
  /// What the network calls what it finds.
  package static let label = "person"

  /// A box that a person may stand in.
  package struct Proposal: Hashable, Sendable {
    /// The outline, in pixels of the upright picture.
    package var boundingBox: BoundingBox
    /// How sure it is, 0...1.
    package var confidence: Float
  }

  private let core: Core

  /// A finder with the weights of a file.
  package init(weights bytes: [UInt8]) throws(PoseDetectorError) {
    let file: WeightFile
    do { file = try WeightFile(bytes: bytes) } catch { throw .weights(error) }
    let description = file.description
    guard description.task == Self.task else {
      throw .task(found: description.task, required: Self.task)
    }
    let rules = try PoseConstants.pictureRules(description)
    let network: GridBoxNetwork
    do { network = try GridBoxNetwork(file) } catch { throw .boxes(error) }
    do {
      core = Core(network, try NetworkRunner(network.plan), rules)
    } catch { throw .network(error) }
  }

  /// The multiply-adds of a look at a square picture.
  package var multiplyAddCount: Int64 { core.network.plan.shapes.multiplyAddCount }

  /// The confidence that the weights recommend.
  package var recommendedConfidence: Float { core.network.boxes.thresholds.confidence }

  /// The boxes of people, most confident first.
  ///
  /// - Parameters:
  ///   - confidence: boxes with less are left out.
  ///   - limit: the most boxes.
  package func find(
    in frame: borrowing RawFrame, orientation: ImageOrientation, confidence: Float, limit: Int
  ) throws(PoseDetectorError) -> [Proposal] {
    let runner = try core.takeRunner()
    defer { core.runners.giveBack(runner) }
    return try runner.find(
      in: frame, orientation: orientation, confidence: confidence, limit: limit)
  }

  /// What all copies share.
  private final class Core: Sendable {
    let network: GridBoxNetwork
    let rules: ImageRules
    let runners: IdlePool<FinderRunner>

    init(_ network: GridBoxNetwork, _ runner: NetworkRunner, _ rules: ImageRules) {
      self.network = network
      self.rules = rules
      runners = IdlePool(
        FinderRunner(network, runner, rules), limit: max(2, WorkerPool.processorCount))
    }

    func takeRunner() throws(PoseDetectorError) -> FinderRunner {
      if let runner = runners.take() { return runner }
      do {
        return FinderRunner(network, try NetworkRunner(network.plan), rules)
      } catch { throw .network(error) }
    }
  }
}

/// The memory of one look at a picture.
///
/// Unchecked: it waits in a pool, where nobody uses it, or belongs to one call.
private final class FinderRunner: @unchecked Sendable {
  private let network: GridBoxNetwork
  private let runner: NetworkRunner
  private let rules: ImageRules
  private var sampler = InputSampler()
  private var candidates = CandidateList()
  private var boxes: [BoundingBox] = []
  private var confidences: [Float] = []
  private var workspace = NonMaximumSuppression.Workspace()

  init(_ network: GridBoxNetwork, _ runner: NetworkRunner, _ rules: ImageRules) {
    self.network = network
    self.runner = runner
    self.rules = rules
  }

  func find(
    in frame: borrowing RawFrame, orientation: ImageOrientation, confidence: Float, limit: Int
  ) throws(PoseDetectorError) -> [PersonFinder.Proposal] {
    let size: (width: Int, height: Int) =
      network.plan.input.isResizable
      ? PersonFinder.inputSize(
        of: orientation.uprightSize(storedWidth: frame.width, storedHeight: frame.height),
        longerSide: max(network.width, network.height),
        multiple: network.plan.shapes.sizeMultiple) : (network.width, network.height)
    do { try runner.resize(width: size.width, height: size.height) } catch {
      throw .network(error)
    }
    let transform: ImageTransform
    do {
      transform = try ImageTransform(
        storedWidth: frame.width, storedHeight: frame.height, orientation: orientation,
        inputWidth: size.width, inputHeight: size.height)
    } catch { throw .picture(error) }
    runner.write(frame, through: transform, by: rules, &sampler)
    runner.run()
    network.decode(runner, into: &candidates, confidenceThreshold: confidence)
    boxes.removeAll(keepingCapacity: true)
    confidences.removeAll(keepingCapacity: true)
    for candidate in candidates.candidates {
      boxes.append(transform.inputToUpright.map(candidate.boundingBox))
      confidences.append(candidate.confidence)
    }
    NonMaximumSuppression(
      iouThreshold: Double(network.boxes.thresholds.overlap), mode: .classAgnostic,
      maximumCount: limit
    ).select(boxes: boxes, confidences: confidences, using: &workspace)
    return workspace.indices.map {
      PersonFinder.Proposal(boundingBox: boxes[$0], confidence: confidences[$0])
    }
  }
}

extension PersonFinder {
  /// The size of a network's input that shows a whole picture with little padding: the longer side is given,
  /// the other a multiple.
  package static func inputSize(
    of picture: (width: Int, height: Int), longerSide: Int, multiple: Int
  ) -> (width: Int, height: Int) {
    let multiple = max(1, multiple)
    let longest = max(1, picture.width, picture.height)
    func length(_ side: Int) -> Int {
      let exact = Double(side) / Double(longest) * Double(longerSide)
      let steps = Int((exact / Double(multiple)).rounded(.up))
      return min(longerSide, max(1, steps) * multiple)
    }
    return (length(picture.width), length(picture.height))
  }
}
