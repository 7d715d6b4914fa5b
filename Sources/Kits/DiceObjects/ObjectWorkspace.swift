internal import DiceDetectorHeads
internal import DiceGeometry
internal import DiceImaging
internal import DiceKernels
internal import DiceNetwork
internal import DiceWeights

/// The memory of one call: activations, the sampler's tables, numbers of outputs, boxes.
///
/// Unchecked: a workspace is in the pool, which nobody reads, or belongs to one call.
final class ObjectWorkspace: @unchecked Sendable {
  private let runner: NetworkRunner
  private let rules: ImageRules
  private var sampler: InputSampler
  /// The picture at the input's size: red, green and blue in 0...255.
  private var samples: [Float]
  private var values: [HeadValues]
  private var candidates: [BoxCandidate] = []
  private var suppression = NonMaximumSuppression.Workspace()

  init(_ runner: NetworkRunner, _ rules: ImageRules) {
    self.runner = runner
    self.rules = rules
    sampler = InputSampler(Kernels(runner.plan.implementation ?? .baseline))
    samples = [Float](repeating: 0, count: runner.width * runner.height * 3)
    values = runner.plan.outputs.map { (output) in
      let shape = runner.shapes.layers[output.layer]
      return HeadValues(rows: shape.height, columns: shape.width, channels: shape.channels)
    }
  }

  /// The boxes that are results, in pixels of the input, the surest first.
  func run(
    _ frame: borrowing RawFrame, through transform: ImageTransform, _ heads: DetectorHeads,
    _ rule: SuppressionRule
  ) -> [BoxCandidate] {
    sampler.sample(
      frame, through: transform, into: &samples,
      layout: .interleaved(width: transform.inputWidth), paddingValue: rules.paddingValue)
    writeInput()
    runner.run()
    for head in heads.heads {
      for output in head.outputs {
        runner.withOutput(output) { $0.copy(into: &values[output].numbers) }
      }
    }
    candidates.removeAll(keepingCapacity: true)
    heads.append(
      values, HeadInputSize(width: transform.inputWidth, height: transform.inputHeight),
      threshold: rule.confidenceThreshold, to: &candidates)
    rule.select(&candidates, using: &suppression)
    return candidates
  }

  /// Writes the samples as the network wants them.
  private func writeInput() {
    runner.withInput { (region) in
      var place = 0
      for y in 0..<region.height {
        for x in 0..<region.width {
          let color = SIMD3(samples[place], samples[place + 1], samples[place + 2])
          place += 3
          let start = y * region.rowStride + x * region.pixelStride
          if rules.channelOrder == .gray {
            let luma = 0.299 * color.x + 0.587 * color.y + 0.114 * color.z
            unsafe region.pointer[start] = luma * rules.scales.x + rules.biases.x
            continue
          }
          let ordered = rules.channelOrder == .bgr ? SIMD3(color.z, color.y, color.x) : color
          let value = ordered * rules.scales + rules.biases
          for channel in 0..<3 { unsafe region.pointer[start + channel] = value[channel] }
        }
      }
    }
  }
}
