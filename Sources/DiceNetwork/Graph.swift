internal import DiceKernels
internal import DiceWeights

/// Where the channels of a value lie inside a pixel of its buffer.
struct Placement: Hashable, Sendable {
  /// The buffer, an index of `Graph.buffers`.
  var buffer: Int
  /// The place of slot 0 inside a pixel of the buffer, a multiple of 16.
  var channelOffset: Int
}

/// What a value's pixel looks like: the network's input, or the output of one layer.
struct ValueShape: Hashable, Sendable {
  /// For each channel its slot, a place in `0..<paddedChannelCount`.
  ///
  /// Slots without a channel hold zeros; there are some where a concatenation joins values whose
  /// channels are no multiple of 16.
  var slots: [Int]
  /// The slots together, a multiple of 16.
  var paddedChannelCount: Int
  /// How many times smaller than the network's input.
  var downsampling: Int

  /// How many slots a reader must look at: up to the last channel.
  var slotCount: Int { (slots.last ?? -1) + 1 }

  /// `channelCount` channels side by side from slot 0 on.
  init(channelCount: Int, downsampling: Int) {
    slots = Array(0..<channelCount)
    paddedChannelCount = DiceKernels.paddedChannelCount(channelCount)
    self.downsampling = downsampling
  }

  /// Values side by side, each from a multiple of 16 on.
  init(joining parts: [ValueShape]) {
    slots = []
    paddedChannelCount = 0
    downsampling = parts.first?.downsampling ?? 1
    for part in parts {
      for slot in part.slots { slots.append(paddedChannelCount + slot) }
      paddedChannelCount += part.paddedChannelCount
    }
  }
}

/// Memory for one value, or for several side by side in the channels.
struct FeatureBuffer: Hashable, Sendable {
  /// Floats between neighbouring pixels.
  var channelStep: Int
  /// How many times smaller than the network's input.
  var downsampling: Int
  /// Pixels of zeros on each side: as many as the widest padding of a reader.
  var halo = 0
  /// The first step that writes into it; −1 for the network's input.
  var firstStep: Int
  /// The last step that reads it; `Int.max` where it is read after the run.
  var lastStep: Int
}

/// A part of a concatenation that its producer does not write in place.
struct ConcatenationCopy: Hashable, Sendable {
  /// The value that is copied.
  var source: Int
  /// The place of its slot 0 inside a pixel of the concatenation's buffer.
  var channelOffset: Int
}

/// The layers of a network with the memory they work in, for every input size at once.
///
/// Values are numbered: 0 is the network's input, `i + 1` the output of layer `i`. A layer's step
/// has the layer's number.
struct Graph: Sendable {
  let layers: [Layer]
  private(set) var values: [ValueShape] = []
  private(set) var placements: [Placement] = []
  private(set) var buffers: [FeatureBuffer] = []
  /// What each concatenation has to copy, by layer; empty for other layers.
  private(set) var copies: [[ConcatenationCopy]] = []

  /// Arranges the layers of a valid description.
  init(layers: [Layer], shapes: NetworkShapes, inputChannelCount: Int) {
    self.layers = layers
    infer(shapes, inputChannelCount: inputChannelCount)
    place()
    measureLifetimes()
  }

  /// The number of the value that a source names.
  static func value(_ source: Layer.Source) -> Int {
    switch source {
    case .input: 0
    case .layer(let index): index + 1
    }
  }

  /// The shapes of all values, first to last.
  private mutating func infer(_ shapes: NetworkShapes, inputChannelCount: Int) {
    values = [ValueShape(channelCount: inputChannelCount, downsampling: 1)]
    for (index, layer) in layers.enumerated() {
      let shape = shapes.layers[index]
      switch layer {
      case .convolution:
        values.append(
          ValueShape(channelCount: shape.channels, downsampling: shape.downsampling))
      case .maxPooling, .upsampling, .detectionHead:
        var value = values[Self.value(layer.sources[0])]
        value.downsampling = shape.downsampling
        values.append(value)
      case .concatenation(let concatenation):
        values.append(
          ValueShape(joining: concatenation.inputs.map { (source) in values[Self.value(source)] }))
      case .addition(let addition):
        let first = values[Self.value(addition.first)]
        // Operands whose channels lie in different slots are brought into plain order.
        values.append(
          first.slots == values[Self.value(addition.second)].slots
            ? first
            : ValueShape(channelCount: shape.channels, downsampling: shape.downsampling))
      }
    }
  }

  /// Gives every value its place; parts of a concatenation go into its buffer where they can.
  private mutating func place() {
    var found = [Placement?](repeating: nil, count: values.count)
    copies = Array(repeating: [], count: layers.count)
    // The input's pixel has 3 floats where only convolutions read it, which look at single floats;
    // without gaps the columns of a kernel row are one long tap.
    var inputIsRead = false
    for layer in layers {
      if case .convolution = layer { continue }
      if layer.sources.contains(.input) { inputIsRead = true }
    }
    found[0] = newBuffer(
      for: 0, channelStep: inputIsRead ? values[0].paddedChannelCount : values[0].slots.count)
    // Last to first, so that a concatenation within another one lies inside the other's buffer.
    for (index, layer) in layers.enumerated().reversed() {
      guard case .concatenation(let concatenation) = layer else { continue }
      let whole =
        found[index + 1]
        ?? newBuffer(for: index + 1, channelStep: values[index + 1].paddedChannelCount)
      found[index + 1] = whole
      var offset = whole.channelOffset
      for source in concatenation.inputs {
        let part = Self.value(source)
        if found[part] == nil {
          found[part] = Placement(buffer: whole.buffer, channelOffset: offset)
        } else {
          copies[index].append(ConcatenationCopy(source: part, channelOffset: offset))
        }
        offset += values[part].paddedChannelCount
      }
    }
    for (index, layer) in layers.enumerated() where found[index + 1] == nil {
      if case .detectionHead(let head) = layer {
        found[index + 1] = found[Self.value(head.input)]
      } else {
        found[index + 1] = newBuffer(
          for: index + 1, channelStep: values[index + 1].paddedChannelCount)
      }
    }
    // Every value has been given its place.
    placements = found.map { (placement) in placement! }
  }

  private mutating func newBuffer(for value: Int, channelStep: Int) -> Placement {
    buffers.append(
      FeatureBuffer(
        channelStep: channelStep, downsampling: values[value].downsampling, firstStep: value - 1,
        lastStep: value - 1))
    return Placement(buffer: buffers.count - 1, channelOffset: 0)
  }

  /// When each buffer is first written and last read, and how wide its border must be.
  private mutating func measureLifetimes() {
    for (index, layer) in layers.enumerated() {
      var isHead = false
      if case .detectionHead = layer { isHead = true }
      if !isHead {
        let target = placements[index + 1].buffer
        buffers[target].firstStep = min(buffers[target].firstStep, index)
        buffers[target].lastStep = max(buffers[target].lastStep, index)
      }
      for source in layer.sources {
        let buffer = placements[Self.value(source)].buffer
        buffers[buffer].lastStep = max(buffers[buffer].lastStep, isHead ? .max : index)
        if case .convolution(let convolution) = layer {
          buffers[buffer].halo = max(buffers[buffer].halo, convolution.padding)
        }
      }
    }
    // What the caller has written stays: a border drawn once is good for all pictures of a size.
    buffers[0].lastStep = .max
  }
}
