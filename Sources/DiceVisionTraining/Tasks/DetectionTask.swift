public import DiceParallel
public import DiceTraining
public import DiceWeights

/// To find and read all dice of a picture.
public struct DetectionTask: GridTask {
  private let network: GridNetwork
  private let pictures: PictureCollection
  private let options: SampleOptions

  /// The task for a network with detection heads.
  public init(
    _ description: NetworkDescription, pictures: PictureCollection, options: SampleOptions
  ) throws(VisionTrainingError) {
    do throws(TrainingError) { try options.validate() } catch { throw .training(error) }
    network = try GridNetwork(description)
    self.pictures = pictures
    self.options = options
  }

  /// The options.
  public var identity: String { "detection \(options)" }

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

  /// A picture, a part of one, or four in one, varied.
  public func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> [TruthBox] {
    DetectionSampler(
      augmentation: options.augmentation(at: moment), referenceSide: network.inputSide,
      rules: network.rules
    ).make(into: inputs[0], using: &random) { pictures.pick(using: &$0) }
  }

  /// The loss of boxes, objectness and classes.
  public func loss(
    of outputs: [TrainingOutput], targets: [[TruthBox]], pool: WorkerPool
  ) -> LossParts {
    network.loss(of: outputs, targets: targets, pool: pool) { (grids, truths) in
      DetectionAssignment(grids: grids).roles(truths)
    }
  }
}
