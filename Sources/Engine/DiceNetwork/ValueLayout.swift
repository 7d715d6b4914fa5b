internal import DiceKernels
internal import DiceWeights

/// What a value's pixel looks like: an input of the network, or the output of one layer.
struct ValueLayout: Hashable, Sendable {
  /// For each channel its slot, a place in `0..<paddedChannelCount`, in ascending order.
  ///
  /// Slots without a channel hold zeros; there are some where a concatenation joins values whose
  /// channels are no multiple of 16.
  let slots: [Int]
  /// The slots together, a multiple of 16.
  let paddedChannelCount: Int

  /// How many slots a reader must look at: up to the last channel.
  var slotCount: Int { (slots.last ?? -1) + 1 }

  /// Whether channels lie side by side from slot 0 on.
  var isPlain: Bool { slotCount == slots.count }

  /// The slots without a channel.
  var gaps: [Int] {
    var isUsed = [Bool](repeating: false, count: paddedChannelCount)
    for slot in slots { isUsed[slot] = true }
    return isUsed.indices.filter { (slot) in !isUsed[slot] }
  }

  /// `channelCount` channels side by side from slot 0 on.
  init(channelCount: Int) {
    slots = Array(0..<channelCount)
    paddedChannelCount = DiceKernels.paddedChannelCount(channelCount)
  }

  /// Values side by side, each from a multiple of 16 on.
  private init(joining parts: [ValueLayout]) {
    var slots: [Int] = []
    var count = 0
    for part in parts {
      for slot in part.slots { slots.append(count + slot) }
      count += part.paddedChannelCount
    }
    self.slots = slots
    paddedChannelCount = count
  }

  /// The output of a layer: where kernels work on whole pixels, channels stay where they are.
  ///
  /// - Parameters:
  ///   - sources: What the layer reads.
  ///   - channels: The channels of the output.
  init(of layer: Layer, _ sources: [ValueLayout], channels: Int) {
    switch layer {
    case .convolution(let layer) where layer.isDepthwise: self = sources[0]
    case .pooling, .resizing, .activation, .batchNormalization, .ranking, .selection:
      self = sources[0]
    case .reduction(let layer) where !layer.overChannels: self = sources[0]
    case .slice(let layer) where layer.axis != .channels: self = sources[0]
    case .softmax(let layer) where layer.axis != .channels: self = sources[0]
    case .padding(let layer) where layer.channelsBefore == 0 && layer.channelsAfter == 0:
      self = sources[0]
    case .elementwise:
      let (first, second) = (sources[0], sources[1])
      if first.slots == second.slots || second.slots.count == 1 {
        self = first
      } else if first.slots.count == 1 {
        self = second
      } else {
        self.init(channelCount: channels)
      }
    case .concatenation(let layer) where layer.axis == .channels: self.init(joining: sources)
    case .concatenation where sources.allSatisfy { (part) in part.slots == sources[0].slots }:
      self = sources[0]
    default: self.init(channelCount: channels)
    }
  }
}
