internal import DiceParallel
public import DiceTraining
package import DiceTrajectories
public import DiceWeights

/// Trains the network that tells thrown things' paths from others.
public struct FlightTraining: Sendable {
  /// How the network learns.
  public var options: TrainingOptions
  /// The units of its hidden layer.
  public var hiddenCount = 16
  /// The score that is taken for thrown; what is greater makes for fewer reports, true and false ones.
  public var threshold = 1.5
  /// Threads that work on a step; nil for one for each processor.
  public var threadCount: Int?

  /// How many looks at a thing a sample has.
  static let lookCount = 24

  /// What makes networks as good as the library's own.
  public init() {
    options = TrainingOptions()
    options.batchSize = 256
    options.sampleCount = 1_024_000
    options.learningRate = 0.01
    options.weightDecay = 0.001
    options.usesMatrixUnits = false
  }

  /// Trains a network.
  ///
  /// - Parameters:
  ///   - looks: what it learns from.
  ///   - progress: called after each step; training stops where it returns false.
  /// - Returns: the network; its score is greater than 1 for what is taken for thrown.
  /// - Throws: what keeps it from learning; `stopped` where `progress` returned false.
  package func train(
    on looks: FlightLooks, progress: (TrainingProgress) -> Bool = { (_) in true }
  ) throws(FlightTrainingError) -> FlightNetwork {
    let task = try FlightTask(looks)
    let trainer: Trainer<FlightTask>
    do throws(TrainingError) {
      trainer = try Trainer(
        .flights(lookCount: Self.lookCount, hiddenCount: hiddenCount), task: task,
        options: options, threadCount: threadCount)
    } catch { throw .training(error) }
    while !trainer.isFinished {
      let step: TrainingProgress
      do throws(TrainingError) { step = try trainer.advance() } catch { throw .training(error) }
      if !progress(step) { throw .stopped }
    }
    let file: WeightFile
    do throws(WeightFileError) {
      file = try WeightFile(bytes: try trainer.export(storage: .float32))
    } catch { throw .weights(error) }
    return network(of: file, scale: task.scale)
  }

  /// The network of a file, for inputs as they are.
  private func network(of file: WeightFile, scale: FlightScale) -> FlightNetwork {
    let tensors = (0..<6).map { file.floats(of: $0).map { Double($0) } }
    let (hidden, hiddenBias, output, outputBias, linear, linearBias) = (
      tensors[0], tensors[1], tensors[2], tensors[3], tensors[4], tensors[5]
    )
    /// Weights of scaled inputs as those of inputs as they are, and what is to be added.
    func unscaled(_ weights: [Double]) -> (weights: [Double], bias: Double) {
      let raw = weights.indices.map { weights[$0] / scale.deviations[$0] }
      return (raw, -zip(raw, scale.means).reduce(0) { $0 + $1.0 * $1.1 })
    }
    let direct = unscaled(linear)
    return FlightNetwork(
      bias: direct.bias + linearBias[0] + outputBias[0] - (threshold - 1), least: scale.least,
      greatest: scale.greatest, weights: direct.weights,
      units: (0..<hiddenCount).map { (unit) in
        // `[1, 1, inputs, units]`
        let own = unscaled(
          (0..<FlightNetwork.inputCount).map { hidden[$0 * hiddenCount + unit] })
        return FlightNetwork.Unit(
          bias: own.bias + hiddenBias[unit], weight: output[unit], inputs: own.weights)
      })
  }
}

/// Why a network of flights cannot be trained.
public enum FlightTrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No path of anything thrown was looked at.
  case nothingThrown
  /// No path of anything else was looked at.
  case nothingElse
  /// The network cannot be trained so.
  case training(TrainingError)
  /// The weights cannot be used.
  case weights(WeightFileError)
  /// Whoever watched stopped it.
  case stopped

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .nothingThrown: "Nothing thrown is followed in the films; more of them may help."
    case .nothingElse: "Nothing but what is thrown is followed in the films; more of them may help."
    case .training(let error): "\(error)"
    case .weights(let error): "\(error)"
    case .stopped: "The training was stopped."
    }
  }
}
