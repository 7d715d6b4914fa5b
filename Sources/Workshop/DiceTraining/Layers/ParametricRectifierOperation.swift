internal import DiceKernelTemplates
internal import DiceKernels

/// A leaky rectifier whose slope is learnt for each channel.
///
/// Source: He et al., Delving Deep into Rectifiers, 2015.
final class ParametricRectifierOperation: Operation {
  /// The slope that every channel begins with.
  static let initialSlope: Float = 0.25

  let output: Value
  /// The slopes among the learnt values.
  let slopeRange: Range<Int>
  private let input: Value
  private let tensor: Int
  private let store: ParameterStore
  private var sampleGradients: SampleGradients

  /// - Parameter tensor: the tensor of slopes, `[C]`.
  init(tensor: Int, from input: Value, to output: Value, store: ParameterStore) {
    self.tensor = tensor
    self.input = input
    self.output = output
    self.store = store
    slopeRange = store.reserve(
      count: paddedChannelCount(input.shape.channelCount), decays: false)
    sampleGradients = SampleGradients(sampleCount: 0, count: slopeRange.count)
  }

  private var slopes: Address { store.values.address.advanced(by: slopeRange.lowerBound) }

  func initialize(using random: inout TrainingRandom) {
    for channel in 0..<input.shape.channelCount {
      store.values[slopeRange.lowerBound + channel] = Self.initialSlope
    }
  }

  func load(_ tensor: (Int) -> [Float]) {
    store.values.write(tensor(self.tensor), at: slopeRange.lowerBound)
  }

  func prepare(sampleCount: Int) -> Int {
    sampleGradients = SampleGradients(sampleCount: sampleCount, count: slopeRange.count)
    return 0
  }

  func forward(_ pass: Pass) {
    let slopes = slopes
    pass.forEachSample { sample in
      mapValues(of: input.map, to: output.map, sample: sample) { (x, channel) in
        x.replacing(with: x * slopes.vector(at: channel, as: Channels.self), where: x .< 0)
      }
    }
  }

  func backward(_ pass: Pass) {
    let (slopes, source, gradient) = (slopes, input.map, output.gradient)
    let count = source.channelCount
    let target = input.gradientTarget()
    sampleGradients.gather(pool: pass.pool) { (sample, sums) in
      for row in 0..<source.height {
        for column in 0..<source.width {
          let x = source.row(row, of: sample).advanced(by: column * source.pixelStep)
          let g = gradient.row(row, of: sample).advanced(by: column * gradient.pixelStep)
          for channel in stride(from: 0, to: count, by: 8) {
            let value = x.vector(at: channel, as: Channels.self)
            let part = (g.vector(at: channel, as: Channels.self) * value).replacing(
              with: 0, where: value .>= 0)
            sums.store(sums.vector(at: channel, as: Channels.self) + part, at: channel)
          }
        }
      }
      if let target {
        mapGradients(gradient, input: source, to: target, sample: sample) { (g, x, channel) in
          g.replacing(with: g * slopes.vector(at: channel, as: Channels.self), where: x .< 0)
        }
      }
    }
    sampleGradients.sum(
      to: store.gradient.address.advanced(by: slopeRange.lowerBound), pool: pass.pool)
  }

  func export(to tensors: inout [[Float]]) {
    tensors[tensor] = store.averaged.floats(
      slopeRange.lowerBound..<slopeRange.lowerBound + input.shape.channelCount)
  }
}
