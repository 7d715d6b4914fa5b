internal import DiceKernelTemplates
internal import DiceKernels
internal import DiceNetwork
internal import DiceParallel

/// The passes of a convolution in single precision, on the vector units of the processor.
///
/// Backwards it is a convolution of the output's gradient for each phase of the input, with the
/// weights of the phase's taps transposed.
final class VectorConvolver: Convolver {
  private let geometry: ConvolutionGeometry
  private let weights: ConvolutionWeights
  /// One zero for each channel of the input.
  private let zeros: FloatBuffer
  private var input = BatchMap.empty()
  private var output = BatchMap.empty()
  private var outputGradient = BatchMap.empty()
  private var inputGradient = BatchMap.empty()
  private var forwardTaps = TapOffsets([])
  private var phases: [Phase] = []

  /// A phase with the offsets of its taps and their weights, `[input block][tap][output channel][16]`.
  private struct Phase {
    var phase: ConvolutionGeometry.Phase
    var offsets: TapOffsets
    var weights: FloatBuffer
  }

  init(_ geometry: ConvolutionGeometry, weights: ConvolutionWeights) {
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
    forwardTaps = TapOffsets(
      geometry.offsets(rowStep: input.rowStep, pixelStep: input.pixelStep))
    phases = []
    guard let inputGradient else { return 0 }
    let shape = ValueShape(
      height: inputGradient.height, width: inputGradient.width,
      channelCount: inputGradient.channelCount)
    let blockLength = paddedChannelCount(weights.inputChannels) * weights.outputChannels
    phases = geometry.phases(of: shape).map { phase in
      Phase(
        phase: phase,
        offsets: TapOffsets(
          phase.taps.map {
            $0.row * outputGradient.rowStep + $0.column * outputGradient.pixelStep
          }),
        weights: FloatBuffer(count: blockLength * phase.taps.count))
    }
    return 0
  }

  func use(_ scratch: ScratchMemory) {}

  func packForward(pool: WorkerPool) {}

  func convolve(_ sample: Int, bias: Address, kernels: Kernels) {
    let task = ConvolutionTask(
      input: input.grid(of: sample, strideY: geometry.strideY, strideX: geometry.strideX),
      taps: forwardTaps.list, inputChannelCount: weights.inputChannels, weights: weights.values,
      bias: bias, output: output.grid(of: sample),
      outputBlockCount: paddedChannelCount(weights.outputChannels) / channelGranularity,
      width: output.width)
    kernels.convolve(task, rows: 0..<output.height)
  }

  func packBackward(pool: WorkerPool) {
    let source = weights.values
    let (inputs, outputs) = (weights.inputChannels, weights.outputChannels)
    for phase in phases {
      let target = phase.weights.address
      let count = phase.phase.taps.count
      pool.run(count: inputs) { i in
        let block = i / channelGranularity * count
        for (index, tap) in phase.phase.taps.enumerated() {
          let row = (block + index) * outputs * channelGranularity + i % channelGranularity
          for o in 0..<outputs {
            let packed = (o / channelGranularity * geometry.tapCount + tap.tap) * inputs + i
            target.store(
              source.scalar(at: packed * channelGranularity + o % channelGranularity),
              at: row + o * channelGranularity)
          }
        }
      }
    }
  }

  func backpropagate(_ sample: Int, accumulates: Bool, kernels: Kernels) {
    for phase in phases {
      let place = phase.phase
      let task = ConvolutionTask(
        input: outputGradient.grid(of: sample), taps: phase.offsets.list,
        inputChannelCount: weights.outputChannels, weights: phase.weights.address,
        bias: zeros.address,
        output: inputGradient.grid(
          of: sample, row: place.row, column: place.column, strideY: geometry.strideY,
          strideX: geometry.strideX),
        outputBlockCount: paddedChannelCount(weights.inputChannels) / channelGranularity,
        width: place.width, accumulates: accumulates)
      kernels.convolve(task, rows: 0..<place.height)
    }
  }

  func gatherWeights(_ sample: Int, total: Address, kernels: Kernels) {
    let task = WeightGradientTask(
      input: input.grid(of: sample, strideY: geometry.strideY, strideX: geometry.strideX),
      taps: forwardTaps.list, inputChannelCount: weights.inputChannels,
      outputGradient: outputGradient.grid(of: sample),
      outputBlockCount: paddedChannelCount(weights.outputChannels) / channelGranularity,
      width: outputGradient.width, weightGradient: total)
    kernels.gatherWeightGradient(task, rows: 0..<outputGradient.height)
  }
}
