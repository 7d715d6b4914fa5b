internal import DiceParallel
public import DiceTraining
public import DiceWeights
public import ThrowVisionKit

/// Trains classifiers of actions, and measures them on sequences that they have not seen.
public struct ActionTraining: Sendable {
  /// How the network learns.
  public var options: TrainingOptions
  /// Whether figures are drawn for the labels of `FigureAction`.
  public var usesFigures: Bool
  /// Figures whose joints a detector found; nil for none.
  public var seenFigures: SeenFigures?
  /// How windows are varied.
  public var distortion: PoseDistortion
  /// What the probability of each label is multiplied with; nil for the fourth root of the number of sequences of
  /// the most frequent label over the label's own, and 1 for a label without sequences.
  ///
  /// Labels are drawn in proportion to the square roots of these numbers: so much again brings rare labels near to
  /// equal rights, as balanced accuracy counts them.
  public var priors: [Float]?
  /// Threads that work on a step; nil for one for each processor.
  public var threadCount: Int?

  /// What the library's own weights were trained with.
  public init(usesFigures: Bool = false) {
    options = TrainingOptions()
    options.batchSize = 64
    options.sampleCount = 100_000
    options.learningRate = 0.002
    options.layers.dropout = [0: 0.2, 1: 0.2]
    self.usesFigures = usesFigures
    distortion = PoseDistortion()
  }

  /// Trains a classifier.
  ///
  /// - Parameters:
  ///   - dataset: what it learns from.
  ///   - temperature: what its logits are divided by.
  ///   - storage: how its weights are stored.
  ///   - provenance: what to say of the weights' origin.
  ///   - progress: called after each step; training stops where it returns false.
  /// - Returns: the weight file.
  /// - Throws: what keeps it from learning; `stopped` where `progress` returned false.
  public func train(
    on dataset: ActionDataset, temperature: Float = 1, storage: WeightStorage = .float16,
    provenance: [ProvenanceEntry] = [], progress: (TrainingProgress) -> Bool = { (_) in true }
  ) throws(ActionTrainingError) -> [UInt8] {
    let task: ActionTask
    do throws(ActionDatasetError) {
      task = try ActionTask(
        dataset, usesFigures: usesFigures, seen: seenFigures, distortion: distortion)
    } catch { throw .dataset(error) }
    let trainer: Trainer<ActionTask>
    do throws(TrainingError) {
      trainer = try Trainer(
        .actions(
          labels: dataset.labels, temperature: temperature,
          priors: priors ?? Self.priors(of: dataset)), task: task, options: options,
        threadCount: threadCount)
    } catch { throw .training(error) }
    while !trainer.isFinished {
      let step: TrainingProgress
      do throws(TrainingError) { step = try trainer.advance() } catch { throw .training(error) }
      if !progress(step) { throw .stopped }
    }
    do throws(WeightFileError) {
      return try trainer.export(storage: storage, provenance: provenance)
    } catch { throw .weights(error) }
  }

  private static func priors(of dataset: ActionDataset) -> [Float] {
    let counts = dataset.labels.indices.map { (label) in dataset.classes.count { $0 == label } }
    return counts.map {
      $0 == 0 ? 1 : (Float(counts.max() ?? 1) / Float($0)).squareRoot().squareRoot()
    }
  }

  /// Trains as often as there are parts, each time without one, and reads that one.
  ///
  /// - Parameters:
  ///   - dataset: the sequences; those with one name stay in one part.
  ///   - foldCount: the number of parts.
  ///   - noise: how far joints of the sequences read are moved by chance, in torsos.
  ///   - progress: called after each step with the part; stops where it returns false.
  /// - Returns: what was told of all sequences, and of those with noise.
  /// - Throws: what keeps it from learning.
  public func crossValidate(
    on dataset: ActionDataset, foldCount: Int = 5, noise: Float = 0.15,
    progress: (Int, TrainingProgress) -> Bool = { (_, _) in true }
  ) throws(ActionTrainingError) -> (plain: ActionAccuracy, noisy: ActionAccuracy) {
    var plain = ActionAccuracy(labels: dataset.labels)
    var noisy = plain
    let pool = WorkerPool(threadCount: threadCount ?? WorkerPool.processorCount)
    for fold in 0..<foldCount {
      let rest = dataset.fold(fold, of: foldCount, isLeftOut: true)
      let weights = try train(on: rest, storage: .float32) { progress(fold, $0) }
      var random = TrainingRandom(options.seed, UInt64(fold))
      let sequences = dataset.fold(fold, of: foldCount, isLeftOut: false).sequences
      let disturbed = sequences.map {
        ActionAccuracy.disturbed($0, by: noise, using: &random)
      }
      do throws(ActionClassifierError) {
        let classifier = try ActionClassifier(weights: weights)
        plain.add(try ActionAccuracy(of: classifier, on: sequences, pool: pool))
        noisy.add(try ActionAccuracy(of: classifier, on: disturbed, pool: pool))
      } catch { throw .classifier(error) }
    }
    return (plain, noisy)
  }
}

/// Why a classifier of actions cannot be trained.
public enum ActionTrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sequences cannot be learnt from.
  case dataset(ActionDatasetError)
  /// The network cannot be trained so.
  case training(TrainingError)
  /// The weights cannot be written so.
  case weights(WeightFileError)
  /// The weights cannot be used.
  case classifier(ActionClassifierError)
  /// Whoever watched stopped it.
  case stopped

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .dataset(let error): "\(error)"
    case .training(let error): "\(error)"
    case .weights(let error): "\(error)"
    case .classifier(let error): "\(error)"
    case .stopped: "The training was stopped."
    }
  }
}
