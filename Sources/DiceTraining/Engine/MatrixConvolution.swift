internal import DiceKernelTemplates
internal import DiceKernels
internal import DiceNetwork
internal import DiceWeights

/// The passes of a convolution that learns on a processor's matrix units: maps, gradients and weights are
/// rounded to bfloat16 on the way in, everything that is added up stays in single precision.
final class MatrixConvolution {
  private let kernels: MatrixKernels
  private let layer: Layer.Convolution
  private let geometry: ConvolutionGeometry
  /// The packed weights, `[output block][tap][input channel][16]`.
  private let values: Address
  private var forwardPass = Pass()
  private var phases: [Phase] = []
  private var scratch: ScratchMemory?

  /// Weights and windows of a convolution.
  private struct Pass {
    var offsets = TapOffsets([])
    var stepCount = 0
    var weights = FloatBuffer(count: 0)
  }

  /// What the backward pass does for input pixels of one remainder modulo the stride.
  private struct Phase {
    var row: Int
    var column: Int
    /// For each window the taps of its pixels, from left to right.
    var taps: [[Int]]
    var pass: Pass
  }

  /// - Parameter values: where the weights stand, `[output block][tap][input channel][16]`.
  init(_ kernels: MatrixKernels, _ layer: Layer.Convolution, values: Address) {
    self.kernels = kernels
    self.layer = layer
    self.values = values
    geometry = ConvolutionGeometry(layer)
  }

  /// Fits windows and memory to the maps of a batch.
  ///
  /// - Returns: the floats of memory that one thread works with.
  func prepare(input: FeatureMap, output: FeatureMap, inputGradient: FeatureMap?) -> Int {
    let size = geometry.kernelSize
    forwardPass = pass(
      windowOffsets: (0..<size).map {
        ($0 - geometry.padding) * input.rowStep - geometry.padding * input.pixelStep
      }, windowLength: size * input.pixelStep, outputChannelCount: layer.outputChannels)
    phases = []
    if inputGradient != nil {
      for row in 0..<geometry.stride {
        for column in 0..<geometry.stride {
          phases.append(phase(row: row, column: column, output: output))
        }
      }
    }
    let narrowed = (max(input.pictureFloatCount, output.pictureFloatCount) + 64) / 2 + 32
    return max(narrowed, gradientTask(input, output, picture: 0, total: values).scratchCount)
  }

  func use(_ scratch: ScratchMemory) { self.scratch = scratch }

  private func pass(
    windowOffsets: [Int], windowLength: Int, outputChannelCount: Int
  ) -> Pass {
    let blocks = paddedChannelCount(outputChannelCount) / channelGranularity
    let count = matrixWeightCount(
      outputBlockCount: blocks, windowCount: windowOffsets.count, windowLength: windowLength)
    return Pass(
      offsets: TapOffsets(windowOffsets), stepCount: matrixStepCount(windowLength: windowLength),
      weights: FloatBuffer(count: (count + 1) / 2))
  }

  private func phase(row: Int, column: Int, output: FeatureMap) -> Phase {
    let taps = geometry.backwardTaps(phaseRow: row, phaseColumn: column)
    // Taps of one row read pixels that lie side by side.
    let rows = Set(taps.map { $0.row }).sorted()
    let windows = rows.map { row in
      taps.filter { $0.row == row }.sorted { $0.column < $1.column }
    }
    let offsets = windows.map { $0[0].row * output.rowStep + $0[0].column * output.pixelStep }
    return Phase(
      row: row, column: column, taps: windows.map { $0.map { $0.tap } },
      pass: pass(
        windowOffsets: offsets, windowLength: (windows.first?.count ?? 0) * output.pixelStep,
        outputChannelCount: layer.inputChannels))
  }

  // MARK: Passes

  /// Packs the weights for ``convolve(input:output:picture:bias:)``.
  func packForward(pixelStep: Int) {
    let (size, inputs) = (geometry.kernelSize, layer.inputChannels)
    packMatrixWeights(
      to: BFloat16Address(forwardPass.weights.address), outputChannelCount: layer.outputChannels,
      windowCount: size, windowLength: size * pixelStep
    ) { (output, window, value) in
      let channel = value % pixelStep
      guard channel < inputs else { return 0 }
      return weight(output: output, tap: window * size + value / pixelStep, input: channel)
    }
  }

  /// Packs the weights for ``backpropagate(_:to:picture:accumulates:)``.
  func packBackward(pixelStep: Int) {
    let outputs = layer.outputChannels
    for phase in phases where !phase.taps.isEmpty {
      packMatrixWeights(
        to: BFloat16Address(phase.pass.weights.address), outputChannelCount: layer.inputChannels,
        windowCount: phase.taps.count, windowLength: phase.taps[0].count * pixelStep
      ) { (input, window, value) in
        let channel = value % pixelStep
        guard channel < outputs else { return 0 }
        return weight(output: channel, tap: phase.taps[window][value / pixelStep], input: input)
      }
    }
  }

  @inline(__always)
  private func weight(output: Int, tap: Int, input: Int) -> Float {
    let block = output / channelGranularity
    return values.scalar(
      at: ((block * geometry.tapCount + tap) * layer.inputChannels + input) * channelGranularity
        + output % channelGranularity)
  }

  /// `output = bias + W * input` of one picture.
  func convolve(input: FeatureMap, output: FeatureMap, picture: Int, bias: Address) {
    withNarrowed(input, picture) { (source) in
      kernels.convolve(
        task(
          forwardPass, input: source, columnStep: layer.stride * input.pixelStep,
          rowStep: layer.stride * input.rowStep, bias: bias, output: output.origin(of: picture),
          outputColumnStep: output.pixelStep, outputRowStep: output.rowStep,
          channelCount: layer.outputChannels, width: output.width, accumulates: false),
        rows: 0..<output.height)
    }
  }

  /// The gradient of one picture's input from that of the output.
  ///
  /// - Parameter zeros: one zero for each channel of the input.
  func backpropagate(
    _ gradient: FeatureMap, to inputGradient: FeatureMap, picture: Int, accumulates: Bool,
    zeros: Address
  ) {
    withNarrowed(gradient, picture) { (source) in
      for phase in phases {
        kernels.convolve(
          task(
            phase.pass, input: source, columnStep: gradient.pixelStep, rowStep: gradient.rowStep,
            bias: zeros,
            output: inputGradient.row(phase.row, of: picture).advanced(
              by: phase.column * inputGradient.pixelStep),
            outputColumnStep: layer.stride * inputGradient.pixelStep,
            outputRowStep: layer.stride * inputGradient.rowStep,
            channelCount: layer.inputChannels, width: inputGradient.width / layer.stride,
            accumulates: accumulates), rows: 0..<inputGradient.height / layer.stride)
      }
    }
  }

  /// Adds the weight gradient of one picture to `total`.
  func gatherWeights(
    input: FeatureMap, gradient: FeatureMap, picture: Int, total: Address
  ) {
    scratch?.withPiece { (piece) in
      kernels.gatherWeightGradient(
        gradientTask(input, gradient, picture: picture, total: total), scratch: piece)
    }
  }

  // MARK: Parts

  /// Calls `body` with the first pixel of a picture's map in bfloat16.
  private func withNarrowed(
    _ map: FeatureMap, _ picture: Int, _ body: (BFloat16Address) -> Void
  ) {
    scratch?.withPiece { (piece) in
      let corner = map.corner(of: picture)
      kernels.narrow(
        corner.start, to: BFloat16Address(piece), count: (map.pictureFloatCount + 15) / 16 * 16)
      body(BFloat16Address(piece).advanced(by: corner.originOffset))
    }
  }

  private func task(
    _ pass: Pass, input: BFloat16Address, columnStep: Int, rowStep: Int, bias: Address,
    output: Address, outputColumnStep: Int, outputRowStep: Int, channelCount: Int, width: Int,
    accumulates: Bool
  ) -> MatrixConvolutionTask {
    unsafe MatrixConvolutionTask(
      input: input, inputColumnStep: columnStep, inputRowStep: rowStep,
      windowOffsets: pass.offsets.address, windowCount: pass.offsets.count,
      stepCount: pass.stepCount, weights: BFloat16Address(pass.weights.address), bias: bias,
      output: output, outputColumnStep: outputColumnStep, outputRowStep: outputRowStep,
      outputBlockCount: paddedChannelCount(channelCount) / channelGranularity, width: width,
      accumulates: accumulates)
  }

  private func gradientTask(
    _ input: FeatureMap, _ gradient: FeatureMap, picture: Int, total: Address
  ) -> MatrixWeightGradientTask {
    MatrixWeightGradientTask(
      input: input.origin(of: picture), inputPixelStep: input.pixelStep,
      inputRowStep: input.rowStep, inputChannelCount: layer.inputChannels,
      outputGradient: gradient.origin(of: picture), gradientPixelStep: gradient.pixelStep,
      gradientRowStep: gradient.rowStep,
      outputBlockCount: paddedChannelCount(layer.outputChannels) / channelGranularity,
      height: gradient.height, width: gradient.width, kernelSize: geometry.kernelSize,
      stride: geometry.stride, padding: geometry.padding, weightGradient: total)
  }
}
