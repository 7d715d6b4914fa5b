internal import DiceKernelTemplates
internal import DiceKernels

/// A batch normalisation that stands by itself, with the tensors of its own layer.
final class BatchNormalizationOperation: Operation {
  /// The tensors of a weight file, `[C]` each.
  struct Tensors: Hashable {
    var scale: Int
    var shift: Int
    var mean: Int
    var variance: Int
  }

  let output: Value
  let normalization: BatchNormalization
  private let input: Value
  private let tensors: Tensors
  private let store: ParameterStore

  init(
    tensors: Tensors, epsilon: Float, from input: Value, to output: Value, store: ParameterStore
  ) {
    self.tensors = tensors
    self.input = input
    self.output = output
    self.store = store
    normalization = BatchNormalization(
      channelCount: input.shape.channelCount, epsilon: epsilon, store: store)
  }

  func initialize(using random: inout TrainingRandom) { normalization.initialize() }

  func load(_ tensor: (Int) -> [Float]) {
    let (scales, shifts) = (tensor(tensors.scale), tensor(tensors.shift))
    let (means, variances) = (tensor(tensors.mean), tensor(tensors.variance))
    for channel in scales.indices {
      normalization.load(
        channel: channel, scale: scales[channel], shift: shifts[channel], mean: means[channel],
        variance: variances[channel])
    }
  }

  func prepare(sampleCount: Int) -> Int {
    normalization.prepare(sampleCount: sampleCount)
    return 0
  }

  private func pixelCount(_ pass: Pass) -> Int {
    pass.sampleCount * output.shape.height * output.shape.width
  }

  func forward(_ pass: Pass) {
    if pass.isCalibrating {
      normalization.useRunningStatistics()
    } else {
      pass.forEachSample { sample in
        normalization.gatherMoments(of: input.map, sample: sample, kernels: pass.kernels)
      }
      normalization.updateStatistics(pixelCount: pixelCount(pass), isCalibrating: false)
    }
    pass.forEachSample { sample in
      normalization.normalize(
        input.map, to: output.map, sample: sample, slope: 1, kernels: pass.kernels)
    }
  }

  func backward(_ pass: Pass) {
    let gradient = output.gradient
    pass.forEachSample { sample in
      normalization.gatherGradients(
        gradient, input: input.map, output: output.map, sample: sample, slope: 1,
        kernels: pass.kernels)
    }
    normalization.updateGradients(pixelCount: pixelCount(pass))
    guard let target = input.gradientTarget() else { return }
    pass.forEachSample { sample in
      normalization.backpropagate(gradient, input: input.map, sample: sample, kernels: pass.kernels)
      copyBlock(
        input.shape, of: gradient, at: MapPlace(), to: target.map, at: MapPlace(), sample: sample,
        adds: target.adds)
    }
  }

  var statistics: FloatBuffer? { normalization.statistics }

  func averageStatistics(decay: Float) { normalization.averageStatistics(decay: decay) }

  func export(to tensors: inout [[Float]]) {
    let learnt = normalization.exported()
    tensors[self.tensors.scale] = learnt.scales
    tensors[self.tensors.shift] = learnt.shifts
    tensors[self.tensors.mean] = learnt.means
    tensors[self.tensors.variance] = learnt.variances
  }
}
