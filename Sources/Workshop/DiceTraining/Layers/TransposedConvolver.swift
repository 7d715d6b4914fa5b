internal import DiceKernelTemplates
internal import DiceKernels
internal import DiceNetwork
internal import DiceParallel

/// The passes of a transposed convolution: those of a convolution from its output to its input, the
/// other way round.
///
/// Forwards it is a convolution of the input for each phase of the output; backwards it is one with the
/// strides of the geometry.
final class TransposedConvolver: Convolver {
  /// From the output, as its input, to the input.
  private let geometry: ConvolutionGeometry
  private let weights: ConvolutionWeights
  /// One zero for each channel of the input.
  private let zeros: FloatBuffer
  private var input = BatchMap.empty()
  private var output = BatchMap.empty()
  private var outputGradient = BatchMap.empty()
  private var inputGradient = BatchMap.empty()
  private var backwardTaps = TapOffsets([])
  private var phases: [Phase] = []

  /// A phase with the offsets of its taps and their weights, `[output block][tap][input channel][16]`.
  private struct Phase {
    var phase: ConvolutionGeometry.Phase
    var offsets: TapOffsets
    var weights: FloatBuffer
  }

  init(_ geometry: ConvolutionGeometry, weights: ConvolutionWeights) {
    precondition(weights.layout == .transposed, "weights of a transposed convolution")
    self.geometry = geometry
    self.weights = weights
    zeros = FloatBuffer(count: paddedChannelCount(weights.inputChannels))
  }

  func prepare(
    input: BatchMap, output: BatchMap, outputGradient: BatchMap, inputGradient: BatchMap?
  ) -> Int {
    self.input = input
    self.output = output
    self.outputGradient = outputGradient
    self.inputGradient = inputGradient ?? .empty()
    backwardTaps = TapOffsets(
      geometry.offsets(rowStep: outputGradient.rowStep, pixelStep: outputGradient.pixelStep))
    let shape = ValueShape(
      height: output.height, width: output.width, channelCount: output.channelCount)
    let blockLength = paddedChannelCount(weights.outputChannels) * weights.inputChannels
    phases = geometry.phases(of: shape).map { phase in
      Phase(
        phase: phase,
        offsets: TapOffsets(
          phase.taps.map { $0.row * input.rowStep + $0.column * input.pixelStep }),
        weights: FloatBuffer(count: blockLength * phase.taps.count))
    }
    return 0
  }

  func use(_ scratch: ScratchMemory) {}

  func packForward(pool: WorkerPool) {
    let source = weights.values
    let (inputs, outputs) = (weights.inputChannels, weights.outputChannels)
    for phase in phases {
      let count = phase.phase.taps.count
      pool.run(count: outputs) { o in
        for (index, tap) in phase.phase.taps.enumerated() {
          let row =
            (o / channelGranularity * count + index) * inputs * channelGranularity
            + o % channelGranularity
          for i in 0..<inputs {
            phase.weights.address.store(
              source.scalar(at: weights.blockPlace(i, tap.tap, o, outputs)),
              at: row + i * channelGranularity)
          }
        }
      }
    }
  }

  func convolve(_ sample: Int, bias: Address, kernels: Kernels) {
    for phase in phases {
      let place = phase.phase
      let task = ConvolutionTask(
        input: input.grid(of: sample), taps: phase.offsets.list,
        inputChannelCount: weights.inputChannels, weights: phase.weights.address, bias: bias,
        output: output.grid(
          of: sample, row: place.row, column: place.column, strideY: geometry.strideY,
          strideX: geometry.strideX),
        outputBlockCount: paddedChannelCount(weights.outputChannels) / channelGranularity,
        width: place.width)
      kernels.convolve(task, rows: 0..<place.height)
    }
  }

  func packBackward(pool: WorkerPool) {}

  func backpropagate(_ sample: Int, accumulates: Bool, kernels: Kernels) {
    let task = ConvolutionTask(
      input: outputGradient.grid(
        of: sample, strideY: geometry.strideY, strideX: geometry.strideX),
      taps: backwardTaps.list, inputChannelCount: weights.outputChannels,
      weights: weights.values, bias: zeros.address, output: inputGradient.grid(of: sample),
      outputBlockCount: paddedChannelCount(weights.inputChannels) / channelGranularity,
      width: inputGradient.width, accumulates: accumulates)
    kernels.convolve(task, rows: 0..<inputGradient.height)
  }

  func gatherWeights(_ sample: Int, total: Address, kernels: Kernels) {
    let task = WeightGradientTask(
      input: outputGradient.grid(
        of: sample, strideY: geometry.strideY, strideX: geometry.strideX),
      taps: backwardTaps.list, inputChannelCount: weights.outputChannels,
      outputGradient: input.grid(of: sample),
      outputBlockCount: paddedChannelCount(weights.inputChannels) / channelGranularity,
      width: input.width, weightGradient: total)
    kernels.gatherWeightGradient(task, rows: 0..<input.height)
  }
}
