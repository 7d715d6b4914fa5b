public import DiceParallel
public import DiceTraining

/// To say whether there is a top face in the middle of a crop, where exactly, and its value: what a
/// second-stage classifier learns.
public struct CropClassificationTask: GridTask {
  /// A network, pictures and options.
  public let setup: GridTaskSetup
  /// `crop classification`.
  public static var name: String { "crop classification" }

  /// A task.
  public init(_ setup: GridTaskSetup) { self.setup = setup }

  /// A crop around a place where a die is, or might be thought to be, varied.
  public func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> [TruthBox] {
    CropSampler(
      augmentation: setup.options.augmentation(at: moment),
      dieSide: setup.network.heads[0].baseSize, rules: setup.network.rules
    ).make(into: inputs[0], using: &random) { setup.pictures.pick(using: &$0) }
  }

  /// The loss of the middle cell's box, objectness and class.
  public func loss(
    of outputs: [TrainingOutput], targets: [[TruthBox]], pool: WorkerPool
  ) -> LossParts {
    setup.network.loss(of: outputs, targets: targets, pool: pool) { (grids, truths) in
      CropAssignment(grids: grids).roles(truths)
    }
  }
}
