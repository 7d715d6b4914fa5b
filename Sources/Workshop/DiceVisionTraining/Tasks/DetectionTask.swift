public import DiceParallel
public import DiceTraining

/// To find and read all dice of a picture.
public struct DetectionTask: GridTask {
  /// A network, pictures and options.
  public let setup: GridTaskSetup
  /// `detection`.
  public static var name: String { "detection" }

  /// A task.
  public init(_ setup: GridTaskSetup) { self.setup = setup }

  /// A picture, a part of one, or four in one, varied.
  public func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> [TruthBox] {
    DetectionSampler(
      augmentation: setup.options.augmentation(at: moment), referenceSide: setup.network.inputSide,
      rules: setup.network.rules
    ).make(into: inputs[0], using: &random) { setup.pictures.pick(using: &$0) }
  }

  /// The loss of boxes, objectness and classes.
  public func loss(
    of outputs: [TrainingOutput], targets: [[TruthBox]], pool: WorkerPool
  ) -> LossParts {
    setup.network.loss(of: outputs, targets: targets, pool: pool) { (grids, truths) in
      DetectionAssignment(grids: grids).roles(truths)
    }
  }
}
