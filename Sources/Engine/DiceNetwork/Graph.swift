internal import DiceKernels
internal import DiceWeights

/// Where the channels of a value lie inside a pixel of its buffer.
struct Placement: Hashable, Sendable {
  /// The buffer, an index of `Graph.buffers`.
  var buffer: Int
  /// The place of slot 0 inside a pixel of the buffer, a multiple of 16.
  var channelOffset: Int
}

/// Memory for one value, or for several side by side in the channels.
struct FeatureBuffer: Hashable, Sendable {
  /// A value that has the buffer's rows and columns.
  var value: Int
  /// Floats between neighbouring pixels.
  var channelStep: Int
  /// Pixels of zeros around it: as many as the widest padding of a reader.
  var halo = Layer.Edges()
  /// The first step that writes into it; −1 for inputs and constants.
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
/// Values are numbered: inputs first, then the output of each layer. A layer's step has the layer's
/// number.
struct Graph: Sendable {
  /// What each layer's step computes; nil for a layer that a later one has taken over.
  let operations: [Operation?]
  let inputCount: Int
  /// Whether a layer's value is an output of the network, by layer.
  let isOutput: [Bool]
  private(set) var values: [ValueLayout] = []
  /// By value; nil for a layer that a later one has taken over.
  private(set) var placements: [Placement?] = []
  private(set) var buffers: [FeatureBuffer] = []
  /// What each concatenation has to copy, by layer; empty for other layers.
  private(set) var copies: [[ConcatenationCopy]] = []

  /// Arranges the layers of a valid description.
  ///
  /// - Parameter joinsLayers: Whether layers may take over others.
  init(_ description: NetworkDescription, shapes: NetworkShapes, joinsLayers: Bool) {
    operations =
      joinsLayers
      ? Operation.all(description.layers, outputs: description.outputs)
      : description.layers.map { (layer) in Operation(layer) }
    inputCount = description.inputs.count
    var isOutput = [Bool](repeating: false, count: description.layers.count)
    for output in description.outputs { isOutput[output.layer] = true }
    self.isOutput = isOutput
    for shape in shapes.inputs { values.append(ValueLayout(channelCount: shape.channels)) }
    for (index, layer) in description.layers.enumerated() {
      let sources = layer.sources.map { (source) in values[value(source)] }
      values.append(ValueLayout(of: layer, sources, channels: shapes.layers[index].channels))
    }
    place()
    measureLifetimes()
  }

  /// The number of the value that a source names.
  func value(_ source: Layer.Source) -> Int {
    switch source {
    case .input(let index): index
    case .layer(let index): inputCount + index
    }
  }

  /// The number of a layer's output.
  func value(ofLayer index: Int) -> Int { inputCount + index }

  /// Where a value lies.
  ///
  /// - Precondition: no later layer has taken over the layer that it belongs to.
  func placement(_ value: Int) -> Placement { placements[value]! }

  /// Gives every value its place; parts of a concatenation go into its buffer where they can.
  private mutating func place() {
    placements = [Placement?](repeating: nil, count: values.count)
    copies = Array(repeating: [], count: operations.count)
    for input in 0..<inputCount {
      // An input's pixel has no gap where only layers read it that look at single floats; the columns
      // of a kernel row are then one long tap.
      placements[input] = newBuffer(
        for: input,
        channelStep: isReadByVectors(.input(input))
          ? values[input].paddedChannelCount : values[input].slots.count, firstStep: -1)
    }
    for (index, operation) in operations.enumerated() {
      guard case .constant = operation?.layer else { continue }
      let value = value(ofLayer: index)
      placements[value] = newBuffer(
        for: value, channelStep: values[value].paddedChannelCount, firstStep: -1)
    }
    // Last to first, so that a concatenation within another one lies inside the other's buffer.
    for (index, operation) in operations.enumerated().reversed() {
      guard case .concatenation(let concatenation) = operation?.layer,
        concatenation.axis == .channels
      else { continue }
      let value = value(ofLayer: index)
      let whole = placements[value] ?? newBuffer(for: value, at: index)
      placements[value] = whole
      var offset = whole.channelOffset
      for source in concatenation.inputs {
        let part = self.value(source)
        if placements[part] == nil {
          placements[part] = Placement(buffer: whole.buffer, channelOffset: offset)
        } else {
          copies[index].append(ConcatenationCopy(source: part, channelOffset: offset))
        }
        offset += values[part].paddedChannelCount
      }
    }
    for (index, operation) in operations.enumerated() where operation != nil {
      let value = value(ofLayer: index)
      guard placements[value] == nil else { continue }
      if isNarrowFunction(index), let source = operation?.layer.sources[0],
        !isReadByVectors(source)
      {
        placements[value] = newBuffer(
          for: value, channelStep: values[value].slots.count, firstStep: index)
      } else {
        placements[value] = newBuffer(for: value, at: index)
      }
    }
  }

  /// Whether a layer is a function of an input that only layers read which look at single floats: its
  /// pixels have no gaps where those of the input have none.
  private func isNarrowFunction(_ index: Int) -> Bool {
    guard let operation = operations[index], case .activation(let layer) = operation.layer,
      case .input = layer.input, operation.functionWithTensor == nil, !isOutput[index]
    else { return false }
    return !isReadByVectors(.layer(index))
  }

  /// Whether a layer reads a value by whole vectors.
  private func isReadByVectors(_ source: Layer.Source) -> Bool {
    for (index, operation) in operations.enumerated() {
      guard let layer = operation?.layer, layer.sources.contains(source) else { continue }
      switch layer {
      case .convolution(let convolution): if convolution.isDepthwise { return true }
      case .transposedConvolution, .dense: break
      case .activation: if !isNarrowFunction(index) { return true }
      default: return true
      }
    }
    return false
  }

  private mutating func newBuffer(for value: Int, at index: Int) -> Placement {
    newBuffer(for: value, channelStep: values[value].paddedChannelCount, firstStep: index)
  }

  private mutating func newBuffer(for value: Int, channelStep: Int, firstStep: Int) -> Placement {
    // What the caller has written stays: a border drawn once is good for all runs of a size.
    buffers.append(
      FeatureBuffer(
        value: value, channelStep: channelStep, firstStep: firstStep,
        lastStep: firstStep < 0 ? .max : firstStep))
    return Placement(buffer: buffers.count - 1, channelOffset: 0)
  }

  /// When each buffer is first written and last read, and how wide its border must be.
  private mutating func measureLifetimes() {
    for (index, operation) in operations.enumerated() {
      guard let layer = operation?.layer else { continue }
      let target = placement(value(ofLayer: index)).buffer
      if buffers[target].firstStep >= 0 {
        buffers[target].firstStep = min(buffers[target].firstStep, index)
        buffers[target].lastStep = max(buffers[target].lastStep, isOutput[index] ? .max : index)
      }
      for source in layer.sources {
        let buffer = placement(value(source)).buffer
        buffers[buffer].lastStep = max(buffers[buffer].lastStep, index)
      }
      guard let source = layer.sources.first, let reach = reach(of: layer) else { continue }
      let buffer = placement(value(source)).buffer
      let halo = buffers[buffer].halo
      buffers[buffer].halo = Layer.Edges(
        top: max(halo.top, reach.top), left: max(halo.left, reach.left),
        bottom: max(halo.bottom, reach.bottom), right: max(halo.right, reach.right))
    }
  }

  /// Whether a layer reads a part of a buffer before the last part of it is written.
  func isReadBeforeItsEnd(_ buffer: Int) -> Bool {
    var lastWriter = -1
    var firstReader = Int.max
    for (index, operation) in operations.enumerated() {
      guard let layer = operation?.layer else { continue }
      var writes = true
      if case .concatenation = layer { writes = !copies[index].isEmpty }
      if writes, placement(value(ofLayer: index)).buffer == buffer { lastWriter = index }
      for source in layer.sources
      where firstReader == .max && placement(value(source)).buffer == buffer {
        firstReader = index
      }
    }
    return firstReader <= lastWriter
  }

  /// How far a layer reads over the edges of its input; nil where it does not.
  private func reach(of layer: Layer) -> Layer.Edges? {
    switch layer {
    // Every window lies inside the padding.
    case .convolution(let layer): return layer.window.padding
    case .transposedConvolution(let layer):
      let window = layer.window
      let rows = TransposedAxis(rowsOf: window, extra: layer.extraRows).reach
      let columns = TransposedAxis(columnsOf: window, extra: layer.extraColumns).reach
      return Layer.Edges(
        top: rows.before, left: columns.before, bottom: rows.after, right: columns.after)
    default: return nil
    }
  }
}
