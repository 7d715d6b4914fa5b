public import DiceParallel
public import DiceTraining
public import DiceWeights

/// To say whether there is a top face in the middle of a crop, where exactly, and its value: what a
/// second-stage classifier learns.
public struct CropClassificationTask: GridTask {
  private let network: GridNetwork
  private let pictures: PictureCollection
  private let options: SampleOptions

  /// The task for a network with a detection head.
  public init(
    _ description: NetworkDescription, pictures: PictureCollection, options: SampleOptions
  ) throws(VisionTrainingError) {
    do throws(TrainingError) { try options.validate() } catch { throw .training(error) }
    network = try GridNetwork(description)
    self.pictures = pictures
    self.options = options
  }

  /// The options.
  public var identity: String { "crop classification \(options)" }

  /// The pictures, with their labels and all.
  public var parts: [TrainingPart] { pictures.parts }

  /// That of the options.
  public func sampleSize(
    ofInput input: Int, height: Int, width: Int
  ) -> (height: Int, width: Int) {
    (options.size, options.size)
  }

  /// Objectness begins low.
  public func initialBias(ofOutput output: Int) -> [Float]? {
    network.initialBias(ofOutput: output)
  }

  /// A crop around a place where a die is, or might be thought to be, varied.
  public func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> [TruthBox] {
    CropSampler(
      augmentation: options.augmentation(at: moment),
      dieSide: network.heads[0].baseSize, rules: network.rules
    ).make(into: inputs[0], using: &random) { pictures.pick(using: &$0) }
  }

  /// The loss of the middle cell's box, objectness and class.
  public func loss(
    of outputs: [TrainingOutput], targets: [[TruthBox]], pool: WorkerPool
  ) -> LossParts {
    network.loss(of: outputs, targets: targets, pool: pool) { (grids, truths) in
      CropAssignment(grids: grids).roles(truths)
    }
  }
}
