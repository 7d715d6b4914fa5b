internal import DiceKernelTemplates
internal import DiceKernels
internal import DiceNetwork
internal import DiceParallel

/// The passes of a convolution on a processor's matrix units: maps, gradients and weights are rounded
/// to bfloat16 on the way in, everything that is added up stays in single precision.
///
/// Only for geometries that treat rows and columns alike (`ConvolutionGeometry.isSquare`).
final class MatrixConvolver: Convolver {
  private let matrixKernels: MatrixKernels
  private let geometry: ConvolutionGeometry
  private let weights: ConvolutionWeights
  /// One zero for each channel of the input.
  private let zeros: FloatBuffer
  private var input = BatchMap.empty()
  private var output = BatchMap.empty()
  private var outputGradient = BatchMap.empty()
  private var inputGradient = BatchMap.empty()
  private var forwardWindows = Windows()
  private var phases: [Phase] = []
  private var scratch: ScratchMemory?

  /// Pixels that lie side by side, and the packed weights for them.
  private struct Windows {
    var offsets = TapOffsets([])
    var stepCount = 0
    var weights = FloatBuffer(count: 0)
  }

  /// What the backward pass does for a phase of the input.
  private struct Phase {
    var phase: ConvolutionGeometry.Phase
    /// For each window the taps of its pixels, from left to right.
    var taps: [[Int]]
    var windows: Windows
  }

  init(
    _ geometry: ConvolutionGeometry, weights: ConvolutionWeights, matrixKernels: MatrixKernels
  ) {
    precondition(
      geometry.isSquare && weights.layout == .blocks, "matrix units take square kernels")
    self.geometry = geometry
    self.weights = weights
    self.matrixKernels = matrixKernels
    zeros = FloatBuffer(count: paddedChannelCount(weights.inputChannels))
  }

  func prepare(
    input: BatchMap, output: BatchMap, outputGradient: BatchMap, inputGradient: BatchMap?
  ) -> Int {
    self.input = input
    self.output = output
    self.outputGradient = outputGradient
    self.inputGradient = inputGradient ?? .empty()
    let size = geometry.kernelHeight
    forwardWindows = windows(
      offsets: (0..<size).map {
        ($0 - geometry.top) * input.rowStep - geometry.left * input.pixelStep
      }, length: size * input.pixelStep, outputChannels: weights.outputChannels)
    phases = []
    if let inputGradient {
      let shape = ValueShape(
        height: inputGradient.height, width: inputGradient.width,
        channelCount: inputGradient.channelCount)
      phases = geometry.phases(of: shape).map { makePhase($0) }
    }
    let narrowed = (max(input.sampleFloatCount, outputGradient.sampleFloatCount) + 64) / 2 + 32
    return max(narrowed, gradientTask(sample: 0, total: weights.values).scratchCount)
  }

  func use(_ scratch: ScratchMemory) { self.scratch = scratch }

  private func windows(offsets: [Int], length: Int, outputChannels: Int) -> Windows {
    let blocks = blockCount(outputChannels)
    let count = matrixWeightCount(
      outputBlockCount: blocks, windowCount: offsets.count, windowLength: length)
    return Windows(
      offsets: TapOffsets(offsets), stepCount: matrixStepCount(windowLength: length),
      weights: FloatBuffer(unsetCount: (count + 1) / 2))
  }

  private func makePhase(_ phase: ConvolutionGeometry.Phase) -> Phase {
    // Taps of one row read pixels that lie side by side.
    let rows = Set(phase.taps.map { $0.row }).sorted()
    let taps = rows.map { row in
      phase.taps.filter { $0.row == row }.sorted { $0.column < $1.column }
    }
    let offsets = taps.map {
      $0[0].row * outputGradient.rowStep + $0[0].column * outputGradient.pixelStep
    }
    return Phase(
      phase: phase, taps: taps.map { $0.map { $0.tap } },
      windows: windows(
        offsets: offsets, length: (taps.first?.count ?? 0) * outputGradient.pixelStep,
        outputChannels: weights.inputChannels))
  }

  // MARK: Passes

  func packForward(pool: WorkerPool) {
    let (size, inputs) = (geometry.kernelHeight, weights.inputChannels)
    let pixelStep = input.pixelStep
    pool.run(count: blockCount(weights.outputChannels)) { block in
      packMatrixWeights(
        to: BFloat16Address(forwardWindows.weights.address),
        outputChannelCount: weights.outputChannels, outputBlocks: block..<block + 1,
        windowCount: size, windowLength: size * pixelStep
      ) { (output, window, value) in
        let channel = value % pixelStep
        guard channel < inputs else { return 0 }
        return weight(output: output, tap: window * size + value / pixelStep, input: channel)
      }
    }
  }

  func packBackward(pool: WorkerPool) {
    let outputs = weights.outputChannels
    let pixelStep = outputGradient.pixelStep
    for phase in phases where !phase.taps.isEmpty {
      pool.run(count: blockCount(weights.inputChannels)) { block in
        packMatrixWeights(
          to: BFloat16Address(phase.windows.weights.address),
          outputChannelCount: weights.inputChannels, outputBlocks: block..<block + 1,
          windowCount: phase.taps.count, windowLength: phase.taps[0].count * pixelStep
        ) { (input, window, value) in
          let channel = value % pixelStep
          guard channel < outputs else { return 0 }
          return weight(output: channel, tap: phase.taps[window][value / pixelStep], input: input)
        }
      }
    }
  }

  private func blockCount(_ channels: Int) -> Int {
    paddedChannelCount(channels) / channelGranularity
  }

  @inline(__always)
  private func weight(output: Int, tap: Int, input: Int) -> Float {
    let block = output / channelGranularity
    return weights.values.scalar(
      at: ((block * geometry.tapCount + tap) * weights.inputChannels + input) * channelGranularity
        + output % channelGranularity)
  }

  func convolve(_ sample: Int, bias: Address, kernels: Kernels) {
    withNarrowed(input, sample) { (source) in
      matrixKernels.convolve(
        task(
          forwardWindows, input: source, columnStep: geometry.strideX * input.pixelStep,
          rowStep: geometry.strideY * input.rowStep, bias: bias, output: output.origin(of: sample),
          outputColumnStep: output.pixelStep, outputRowStep: output.rowStep,
          channelCount: weights.outputChannels, width: output.width, accumulates: false),
        rows: 0..<output.height)
    }
  }

  func backpropagate(_ sample: Int, accumulates: Bool, kernels: Kernels) {
    withNarrowed(outputGradient, sample) { (source) in
      for phase in phases {
        let place = phase.phase
        matrixKernels.convolve(
          task(
            phase.windows, input: source, columnStep: outputGradient.pixelStep,
            rowStep: outputGradient.rowStep, bias: zeros.address,
            output: inputGradient.row(place.row, of: sample).advanced(
              by: place.column * inputGradient.pixelStep),
            outputColumnStep: geometry.strideX * inputGradient.pixelStep,
            outputRowStep: geometry.strideY * inputGradient.rowStep,
            channelCount: weights.inputChannels, width: place.width, accumulates: accumulates),
          rows: 0..<place.height)
      }
    }
  }

  func gatherWeights(_ sample: Int, total: Address, kernels: Kernels) {
    scratch?.withPiece { (piece) in
      matrixKernels.gatherWeightGradient(
        gradientTask(sample: sample, total: total), scratch: piece)
    }
  }

  // MARK: Parts

  /// Calls `body` with the first pixel of a sample's map in bfloat16.
  private func withNarrowed(
    _ map: BatchMap, _ sample: Int, _ body: (BFloat16Address) -> Void
  ) {
    scratch?.withPiece { (piece) in
      let corner = map.corner(of: sample)
      matrixKernels.narrow(
        corner.start, to: BFloat16Address(piece), count: map.sampleFloatCount)
      body(BFloat16Address(piece).advanced(by: corner.originOffset))
    }
  }

  private func task(
    _ windows: Windows, input: BFloat16Address, columnStep: Int, rowStep: Int, bias: Address,
    output: Address, outputColumnStep: Int, outputRowStep: Int, channelCount: Int, width: Int,
    accumulates: Bool
  ) -> MatrixConvolutionTask {
    MatrixConvolutionTask(
      input: PixelGrid(input, columnStep: columnStep, rowStep: rowStep),
      windows: windows.offsets.list,
      stepCount: windows.stepCount, weights: BFloat16Address(windows.weights.address), bias: bias,
      output: PixelGrid(output, columnStep: outputColumnStep, rowStep: outputRowStep),
      outputBlockCount: blockCount(channelCount), width: width,
      accumulates: accumulates)
  }

  private func gradientTask(sample: Int, total: Address) -> MatrixWeightGradientTask {
    MatrixWeightGradientTask(
      input: input.grid(of: sample), inputChannelCount: weights.inputChannels,
      outputGradient: outputGradient.grid(of: sample),
      outputBlockCount: blockCount(weights.outputChannels),
      size: (outputGradient.height, outputGradient.width),
      window: (geometry.kernelHeight, geometry.strideY, geometry.top),
      weightGradient: total)
  }
}
