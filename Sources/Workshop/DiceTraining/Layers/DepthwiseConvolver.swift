internal import DiceKernelTemplates
internal import DiceKernels
internal import DiceNetwork
internal import DiceParallel

/// The passes of a convolution of each channel by itself: `out[y, x, c] = bias[c] + Σ over taps t of
/// in[..., c] * weights[t, c]`.
///
/// Weights have the layout `[tap][channels, rounded up to 16]`. Backwards the same sums are taken of
/// the output's gradient, for each phase of the input with its own taps.
final class DepthwiseConvolver: Convolver {
  private let geometry: ConvolutionGeometry
  private let weights: ConvolutionWeights
  private let channels: Int
  private let zeros: FloatBuffer
  private var input = BatchMap.empty()
  private var output = BatchMap.empty()
  private var outputGradient = BatchMap.empty()
  private var inputGradient = BatchMap.empty()
  private var forwardTaps: [Int] = []
  private var phases: [Phase] = []

  /// A phase with the offsets of its taps and where the weights of each begin.
  private struct Phase {
    var phase: ConvolutionGeometry.Phase
    var offsets: [Int]
    var weightOffsets: [Int]
  }

  init(_ geometry: ConvolutionGeometry, weights: ConvolutionWeights) {
    precondition(weights.layout == .depthwise, "every channel is convolved by itself")
    self.geometry = geometry
    self.weights = weights
    channels = paddedChannelCount(weights.outputChannels)
    zeros = FloatBuffer(count: channels)
  }

  func prepare(
    input: BatchMap, output: BatchMap, outputGradient: BatchMap, inputGradient: BatchMap?
  ) -> Int {
    self.input = input
    self.output = output
    self.outputGradient = outputGradient
    self.inputGradient = inputGradient ?? .empty()
    forwardTaps = geometry.offsets(rowStep: input.rowStep, pixelStep: input.pixelStep)
    phases = []
    guard let inputGradient else { return 0 }
    let shape = ValueShape(
      height: inputGradient.height, width: inputGradient.width,
      channelCount: inputGradient.channelCount)
    phases = geometry.phases(of: shape).map { phase in
      Phase(
        phase: phase,
        offsets: phase.taps.map {
          $0.row * outputGradient.rowStep + $0.column * outputGradient.pixelStep
        }, weightOffsets: phase.taps.map { $0.tap * channels })
    }
    return 0
  }

  func use(_ scratch: ScratchMemory) {}

  func packForward(pool: WorkerPool) {}

  func packBackward(pool: WorkerPool) {}

  func convolve(_ sample: Int, bias: Address, kernels: Kernels) {
    let tapStarts = forwardTaps.indices.map { $0 * channels }
    for row in 0..<output.height {
      sumTaps(
        from: input.row(0, of: sample).advanced(by: row * geometry.strideY * input.rowStep),
        step: geometry.strideX * input.pixelStep, offsets: forwardTaps, weightOffsets: tapStarts,
        bias: bias, to: output.row(row, of: sample), outputStep: output.pixelStep,
        width: output.width, accumulates: false)
    }
  }

  func backpropagate(_ sample: Int, accumulates: Bool, kernels: Kernels) {
    for phase in phases {
      let place = phase.phase
      for row in 0..<place.height {
        let target = inputGradient.row(place.row + row * geometry.strideY, of: sample)
          .advanced(by: place.column * inputGradient.pixelStep)
        sumTaps(
          from: outputGradient.origin(of: sample).advanced(by: row * outputGradient.rowStep),
          step: outputGradient.pixelStep, offsets: phase.offsets,
          weightOffsets: phase.weightOffsets, bias: zeros.address, to: target,
          outputStep: geometry.strideX * inputGradient.pixelStep, width: place.width,
          accumulates: accumulates)
      }
    }
  }

  /// One row: `output[x, c] = bias[c] + Σ over taps t of input[x, offsets[t] + c] * weights[t, c]`, or
  /// that added.
  private func sumTaps(
    from input: Address, step: Int, offsets: [Int], weightOffsets: [Int], bias: Address,
    to output: Address, outputStep: Int, width: Int, accumulates: Bool
  ) {
    let weights = weights.values
    for channel in stride(from: 0, to: channels, by: 8) {
      let start = bias.vector(at: channel, as: Channels.self)
      for column in 0..<width {
        let source = input.advanced(by: column * step + channel)
        let target = output.advanced(by: column * outputStep + channel)
        var sum = accumulates ? target.vector(at: 0, as: Channels.self) : start
        for tap in offsets.indices {
          sum +=
            source.vector(at: offsets[tap], as: Channels.self)
            * weights.vector(at: weightOffsets[tap] + channel, as: Channels.self)
        }
        target.store(sum, at: 0)
      }
    }
  }

  func gatherWeights(_ sample: Int, total: Address, kernels: Kernels) {
    let step = geometry.strideX * input.pixelStep
    for channel in stride(from: 0, to: channels, by: 8) {
      for (tap, offset) in forwardTaps.enumerated() {
        var sum = total.vector(at: tap * channels + channel, as: Channels.self)
        for row in 0..<outputGradient.height {
          var source = input.row(0, of: sample)
            .advanced(by: row * geometry.strideY * input.rowStep + offset + channel)
          var gradient = outputGradient.row(row, of: sample).advanced(by: channel)
          for _ in 0..<outputGradient.width {
            sum +=
              source.vector(at: 0, as: Channels.self) * gradient.vector(at: 0, as: Channels.self)
            source = source.advanced(by: step)
            gradient = gradient.advanced(by: outputGradient.pixelStep)
          }
        }
        total.store(sum, at: tap * channels + channel)
      }
    }
  }
}
