internal import DiceDetection
package import DiceParallel
public import DiceTraining
public import DiceWeights

/// A task of networks with detection heads that are shown pictures with dice.
public protocol GridTask: LearningTask where Target == [TruthBox] {
  /// What such tasks have in common.
  var setup: GridTaskSetup { get }
  /// The task, as it is called where it has to be told from others.
  static var name: String { get }
  /// A task.
  init(_ setup: GridTaskSetup)
}

/// What tasks of networks with detection heads have in common: a network, pictures to draw from, and
/// how samples are made.
public struct GridTaskSetup: Sendable {
  let network: GridNetwork
  let pictures: PictureCollection
  let options: SampleOptions

  /// Checks a network and options.
  ///
  /// - Throws: `VisionTrainingError` for a network that is not shown one picture of three colours or
  ///   has other outputs than detection heads, and for options outside their ranges.
  public init(
    _ description: NetworkDescription, pictures: PictureCollection, options: SampleOptions
  ) throws(VisionTrainingError) {
    do throws(TrainingError) { try options.validate() } catch { throw .training(error) }
    network = try GridNetwork(description)
    self.pictures = pictures
    self.options = options
  }
}

extension GridTask {
  /// The task for a network.
  ///
  /// - Throws: as `GridTaskSetup`.
  public init(
    _ description: NetworkDescription, pictures: PictureCollection, options: SampleOptions
  ) throws(VisionTrainingError) {
    self.init(try GridTaskSetup(description, pictures: pictures, options: options))
  }

  /// The task's name and the options.
  public var identity: String { "\(Self.name) \(setup.options)" }

  /// The pictures, with their labels and all.
  public var parts: [TrainingPart] { setup.pictures.parts }

  /// That of the options.
  public func sampleSize(
    ofInput input: Int, height: Int, width: Int
  ) -> (height: Int, width: Int) {
    (setup.options.size, setup.options.size)
  }

  /// Objectness begins low.
  public func initialBias(ofOutput output: Int) -> [Float]? {
    setup.network.initialBias(ofOutput: output)
  }
}

extension Trainer where Task: GridTask {
  /// Prepares a run on pictures with dice.
  ///
  /// - Parameters:
  ///   - description: the network; its outputs are detection heads, those of convolutions without
  ///     activation.
  ///   - sources: pictures and the weight with which a set is drawn; sets without pictures are passed
  ///     over.
  ///   - names: what the sets are called where something is said of them.
  ///   - options: how it learns.
  ///   - samples: how samples are made.
  ///   - initialWeights: what to begin with in place of random weights; a network with the same
  ///     layers, whose base sizes, recommended thresholds and profile are kept.
  ///   - threadCount: threads that work on a step; nil for one for each processor.
  public convenience init(
    _ description: NetworkDescription, sources: [PictureCollection.Source], names: [String] = [],
    options: TrainingOptions = TrainingOptions(), samples: SampleOptions = SampleOptions(),
    initialWeights: WeightFile? = nil, threadCount: Int? = nil
  ) throws(VisionTrainingError) {
    var description = description
    if let initialWeights { description.keepRecommendations(of: initialWeights.description) }
    let task = try Task(
      description, pictures: PictureCollection(sources, names: names), options: samples)
    do throws(TrainingError) {
      try self.init(
        description, task: task, options: options, initialWeights: initialWeights,
        threadCount: threadCount)
    } catch { throw .training(error) }
  }
}

extension NetworkDescription {
  /// Takes over the sizes of dice that another network's heads are for, the thresholds that they
  /// recommend, and its profile.
  mutating func keepRecommendations(of other: NetworkDescription) {
    if let shapes = try? other.validated(), let boxes = try? GridBoxes(other, shapes: shapes) {
      recommend(overlap: boxes.thresholds.overlap, confidence: boxes.thresholds.confidence)
      setBaseSizes(boxes.heads.map(\.baseSize))
    }
    profile = other.profile
  }
}

/// What both tasks of networks with detection heads know of their network.
package struct GridNetwork: Sendable {
  let heads: [GridBoxHead]
  package let rules: PixelRules
  /// The shorter side of the description's input.
  let inputSide: Int

  package init(_ description: NetworkDescription) throws(VisionTrainingError) {
    let shapes: NetworkShapes
    do throws(WeightFileError) { shapes = try description.validated() } catch {
      throw .training(.invalidNetwork(error))
    }
    guard description.inputs.count == 1, let rules = description.inputs[0].imageRules,
      rules.channelOrder.channelCount == 3
    else { throw .noPictureInput }
    do throws(GridBoxError) { heads = try GridBoxes(description, shapes: shapes).heads } catch {
      throw .heads(error)
    }
    guard heads.count == description.outputs.count else { throw .outputWithoutHead }
    self.rules = PixelRules(rules)
    inputSide = min(description.inputs[0].shape.width, description.inputs[0].shape.height)
  }

  /// Objectness starts at 0.01, so that the many empty cells do not swamp the first steps.
  package func initialBias(ofOutput output: Int) -> [Float] {
    var bias = [Float](repeating: 0, count: heads[output].channelCount)
    bias[GridBoxHead.objectnessChannel] = -4.6
    return bias
  }

  /// The loss of the heads, with cells that learn what `roles` says for each sample.
  package func loss(
    of outputs: [TrainingOutput], targets: [[TruthBox]], pool: WorkerPool,
    roles: (_ grids: [Grid], _ truths: [TruthBox]) -> [[GridRole]]
  ) -> LossParts {
    let grids = zip(heads, outputs).map { $0.grid($1) }
    return DetectionLoss(heads: heads).evaluate(
      outputs, truths: targets,
      roles: pool.map(count: targets.count) { roles(grids, targets[$0]) }, pool: pool)
  }
}
