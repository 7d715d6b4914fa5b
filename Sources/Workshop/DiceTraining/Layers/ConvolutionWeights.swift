internal import DiceKernelTemplates
internal import DiceKernels

/// The weights of a convolution among everything that is learnt, in the order that kernels read.
///
/// A convolution in groups is computed like one without, with weights between groups held at zero,
/// unless every channel is convolved by itself.
struct ConvolutionWeights {
  /// The order of the weights.
  enum Layout: Hashable {
    /// `[output block][tap][input channel][16]`.
    case blocks
    /// `[tap][channels, rounded up to 16]`: every channel is convolved by itself.
    case depthwise
    /// `[input block][tap][output channel][16]`: transposed convolutions.
    case transposed
  }

  let layout: Layout
  let tapCount: Int
  let inputChannels: Int
  let outputChannels: Int
  let groups: Int
  /// The place among all learnt values.
  let range: Range<Int>

  private let store: ParameterStore

  init(
    tapCount: Int, inputChannels: Int, outputChannels: Int, groups: Int,
    isTransposed: Bool = false, store: ParameterStore
  ) {
    self.tapCount = tapCount
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    self.groups = groups
    self.store = store
    let isDepthwise = groups > 1 && groups == inputChannels && groups == outputChannels
    layout = isTransposed ? .transposed : isDepthwise ? .depthwise : .blocks
    let count =
      switch layout {
      case .blocks: paddedChannelCount(outputChannels) * tapCount * inputChannels
      case .depthwise: paddedChannelCount(outputChannels) * tapCount
      case .transposed: paddedChannelCount(inputChannels) * tapCount * outputChannels
      }
    range = store.reserve(count: count, decays: true)
  }

  /// The input channels that one output channel reads.
  var groupInputs: Int { inputChannels / groups }

  /// The weights in use.
  var values: Address { store.values.address.advanced(by: range.lowerBound) }
  /// Their gradient.
  var gradient: Address { store.gradient.address.advanced(by: range.lowerBound) }

  /// Where a weight stands, counted from the first; `input` counts within the output's group.
  @inline(__always)
  func place(output: Int, tap: Int, input: Int) -> Int {
    let channel = output / (outputChannels / groups) * groupInputs + input
    switch layout {
    case .blocks: return blockPlace(output, tap, channel, inputChannels)
    case .depthwise: return tap * paddedChannelCount(outputChannels) + output
    case .transposed: return blockPlace(channel, tap, output, outputChannels)
    }
  }

  /// The place in `[block][tap][inner][16]`.
  @inline(__always)
  func blockPlace(_ outer: Int, _ tap: Int, _ inner: Int, _ innerCount: Int) -> Int {
    ((outer / channelGranularity * tapCount + tap) * innerCount + inner) * channelGranularity
      + outer % channelGranularity
  }

  /// Calls a function for each weight, by output channels, then taps, then inputs, with its place
  /// and its index in a tensor `[KH, KW, I / groups, O]`.
  private func forEach(_ body: (_ place: Int, _ index: Int, _ output: Int) -> Void) {
    for output in 0..<outputChannels {
      for tap in 0..<tapCount {
        for input in 0..<groupInputs {
          body(
            place(output: output, tap: tap, input: input),
            (tap * groupInputs + input) * outputChannels + output, output)
        }
      }
    }
  }

  /// Takes weights `[KH, KW, I / groups, O]`.
  func load(_ weights: [Float]) {
    precondition(
      weights.count == tapCount * groupInputs * outputChannels, "weights fit the layer")
    forEach { (place, index, _) in store.values[range.lowerBound + place] = weights[index] }
  }

  /// Draws weights from a normal distribution.
  func initialize(deviation: Float, using random: inout TrainingRandom) {
    forEach { (place, _, _) in
      store.values[range.lowerBound + place] = random.normal() * deviation
    }
  }

  /// The averaged weights `[KH, KW, I / groups, O]`, those of each output channel times a factor.
  func export(scales: [Float]) -> [Float] {
    var weights = [Float](repeating: 0, count: tapCount * groupInputs * outputChannels)
    forEach { (place, index, output) in
      weights[index] = store.averaged[range.lowerBound + place] * scales[output]
    }
    return weights
  }

  /// The places of weights between groups, whose gradient is zero.
  func placesBetweenGroups() -> [Int] {
    guard groups > 1, layout != .depthwise else { return [] }
    var isUsed = [Bool](repeating: false, count: range.count)
    forEach { (place, _, _) in isUsed[place] = true }
    return isUsed.indices.filter { !isUsed[$0] }
  }
}
