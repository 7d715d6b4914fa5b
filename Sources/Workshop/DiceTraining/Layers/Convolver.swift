internal import DiceKernelTemplates
internal import DiceKernels
internal import DiceNetwork
internal import DiceParallel

/// The three passes of a convolution with the weights as they stand, sample by sample.
protocol Convolver: AnyObject {
  /// Fits windows and memory to the maps of a batch.
  ///
  /// - Parameters:
  ///   - output: the map that ``convolve(_:sample:bias:)`` writes.
  ///   - outputGradient: the gradient of that map.
  ///   - inputGradient: where the gradient of the input goes, if it is wanted.
  /// - Returns: the floats of memory that one thread works with.
  func prepare(
    input: BatchMap, output: BatchMap, outputGradient: BatchMap, inputGradient: BatchMap?
  ) -> Int

  /// Takes memory that all operations work with, one after the other.
  func use(_ scratch: ScratchMemory)

  /// Brings the weights as they are now into the order for ``convolve(_:bias:kernels:)``.
  func packForward(pool: WorkerPool)

  /// `output = bias + W * input` of one sample.
  func convolve(_ sample: Int, bias: Address, kernels: Kernels)

  /// Brings the weights as they are now into the order for ``backpropagate(_:accumulates:kernels:)``.
  func packBackward(pool: WorkerPool)

  /// The gradient of one sample's input from that of the output.
  func backpropagate(_ sample: Int, accumulates: Bool, kernels: Kernels)

  /// Adds the weight gradient of one sample to `total`.
  func gatherWeights(_ sample: Int, total: Address, kernels: Kernels)
}
