internal import DiceKernels
internal import DiceNetwork
internal import DiceParallel
internal import DiceWeights

/// One step of a network that learns: forwards from its inputs to its output, backwards from the
/// gradient of its output to those of its inputs and of what it has learnt.
///
/// A layer of a description becomes one operation or a few.
protocol Operation: AnyObject {
  /// What it gives.
  var output: Value { get }

  /// Sets what is learnt to a random beginning.
  func initialize(using random: inout TrainingRandom)

  /// Takes over the tensors of a weight file.
  ///
  /// - Parameter tensor: the floats of a tensor.
  func load(_ tensor: (Int) -> [Float])

  /// Fits scratch to the maps of its values, which have memory by now.
  ///
  /// - Returns: the floats of memory that one thread works with for ``use(_:)``.
  func prepare(sampleCount: Int) -> Int

  /// Takes memory that all operations work with, one after the other.
  func use(_ scratch: ScratchMemory)

  /// Computes the output from the inputs.
  func forward(_ pass: Pass)

  /// Computes the gradients of the inputs and of what is learnt; only called where the output's
  /// gradient has been written, which may be overwritten.
  func backward(_ pass: Pass)

  /// Statistics that are kept beside the learnt values, for checkpoints.
  var statistics: FloatBuffer? { get }

  /// Follows the statistics with an exponential moving average.
  func averageStatistics(decay: Float)

  /// Writes the tensors of a weight file, from the averaged values.
  func export(to tensors: inout [[Float]])
}

extension Operation {
  func initialize(using random: inout TrainingRandom) {}
  func load(_ tensor: (Int) -> [Float]) {}
  func prepare(sampleCount: Int) -> Int { 0 }
  func use(_ scratch: ScratchMemory) {}
  var statistics: FloatBuffer? { nil }
  func averageStatistics(decay: Float) {}
  func export(to tensors: inout [[Float]]) {}
}

/// What the operations of one pass have in common.
struct Pass {
  let kernels: Kernels
  let pool: WorkerPool
  let sampleCount: Int
  /// Whether normalisations are set so that their output is what they are given.
  var isCalibrating = false
  /// What the chance of a step follows from; nil where nothing is left to chance.
  var chance: Chance?

  /// The seed of a run and one of its steps.
  struct Chance: Hashable {
    var seed: UInt64
    var step: Int
  }

  /// Calls a function for every sample of the batch, on all threads.
  func forEachSample(_ body: (Int) -> Void) { pool.run(count: sampleCount, body) }
}
