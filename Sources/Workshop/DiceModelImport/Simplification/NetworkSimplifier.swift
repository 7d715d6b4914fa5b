internal import DiceWeights

/// Takes a network apart and puts it together again with fewer layers that compute the same.
///
/// Normalisations, scalings and biases behind a convolution become part of its weights, functions
/// part of the layer before them, paddings with zeros part of the convolution behind them. A number
/// times its own sigmoid becomes one function. Layers that only move numbers become one. What no
/// output needs is dropped.
struct NetworkSimplifier {
  private(set) var layers: [Layer]
  private(set) var tensors: [[Float]]
  private(set) var outputs: [NetworkOutput]
  private(set) var report: ImportReport

  /// The shapes of the layers' outputs; they stay as they are.
  let shapes: [TensorShape]
  /// How often each layer is read, by layers and outputs.
  private(set) var useCounts: [Int] = []
  /// How many more numbers are followed on their way through layers; bounds the time for large models.
  var movementBudget = 1 << 28

  init(_ graph: GraphBuilder, report: ImportReport) {
    layers = graph.layers
    tensors = graph.tensors
    outputs = graph.outputs
    shapes = graph.shapes
    self.report = report
  }

  /// Simplifies until nothing changes.
  mutating func run() {
    countUses()
    report.droppedLayerCount += useCounts.count { $0 == 0 }
    // Each round that changes something takes away a layer that is in use.
    repeat { countUses() } while simplifyOnce()
    dropUnused()
    report.layerCount = layers.count
  }

  private mutating func countUses() {
    useCounts = [Int](repeating: 0, count: layers.count)
    var isNeeded = useCounts
    for output in outputs {
      useCounts[output.layer] += 1
      isNeeded[output.layer] = 1
    }
    for index in layers.indices.reversed() where isNeeded[index] == 1 {
      for case .layer(let source) in layers[index].sources {
        useCounts[source] += 1
        isNeeded[source] = 1
      }
    }
  }

  /// One walk through the layers; counts of uses stay true on the way.
  private mutating func simplifyOnce() -> Bool {
    var hasChanged = false
    for index in layers.indices where useCounts[index] > 0 {
      if removeIdentity(index) || turnLimit(index) || joinLinear(index) || makeGatedFunction(index)
        || foldAffine(index) || fuseActivation(index) || fusePadding(index)
        || joinMovements(index)
      {
        hasChanged = true
      }
    }
    return hasChanged
  }

  // MARK: Uses

  /// The layer that a source is, where nothing else reads it.
  private func onlyUse(_ source: Layer.Source) -> Int? {
    guard case .layer(let index) = source, useCounts[index] == 1 else { return nil }
    return index
  }

  /// Lets all that read a layer read another source, and notes that the layer is read no more.
  mutating func replace(_ index: Int, by source: Layer.Source) {
    for reader in layers.indices.dropFirst(index + 1)
    where layers[reader].sources.contains(.layer(index)) {
      layers[reader] = layers[reader].mapping(
        sources: { $0 == .layer(index) ? source : $0 }, tensors: { $0 })
    }
    if case .layer(let layer) = source {
      for output in outputs.indices where outputs[output].layer == index {
        outputs[output].layer = layer
      }
      useCounts[layer] += useCounts[index]
    }
    useCounts[index] = 0
    for case .layer(let read) in layers[index].sources { useCounts[read] -= 1 }
  }

  /// Puts a layer in place of another one that reads the same and more.
  mutating func setLayer(_ index: Int, _ layer: Layer) {
    for case .layer(let read) in layers[index].sources { release(read) }
    layers[index] = layer
    for case .layer(let read) in layer.sources { useCounts[read] += 1 }
  }

  /// Notes that a layer is read once less, and what that means for those before it.
  private mutating func release(_ index: Int) {
    useCounts[index] -= 1
    guard useCounts[index] == 0 else { return }
    for case .layer(let read) in layers[index].sources { release(read) }
  }

  private func isOutput(_ index: Int) -> Bool {
    outputs.contains { (output) in output.layer == index }
  }

  // MARK: Rules

  /// A function that changes nothing is left out.
  private mutating func removeIdentity(_ index: Int) -> Bool {
    guard case .activation(let layer) = layers[index] else { return false }
    switch layer.function {
    case .identity: break
    case .linear(let scale, let offset) where scale == 1 && offset == 0: break
    default: return false
    }
    if case .input = layer.input, isOutput(index) { return false }
    replace(index, by: layer.input)
    return true
  }

  /// `a * (b * x + c) + d` becomes one linear function; one and a clamp may be a hard sigmoid.
  private mutating func joinLinear(_ index: Int) -> Bool {
    guard case .activation(let layer) = layers[index], let before = onlyUse(layer.input),
      case .activation(let first) = layers[before]
    else { return false }
    let joined: Layer.Activation
    switch (first.function, layer.function) {
    case (.linear(let scale, let offset), .linear(let nextScale, let nextOffset)):
      joined = .linear(scale: scale * nextScale, offset: offset * nextScale + nextOffset)
    case (.linear(let scale, let offset), .clamp(lower: 0, upper: 1)):
      joined = .hardSigmoid(scale: scale, offset: offset)
    case (.clamp(lower: 0, let upper), .linear(let scale, offset: 0))
    where Self.isNear(upper * scale, 1):
      // min(max(x, 0), u) / u
      joined = .hardSigmoid(scale: scale, offset: 0)
    case (.linear(let scale, let offset), .hardSigmoid(let nextScale, let nextOffset)):
      joined = .hardSigmoid(
        scale: scale * nextScale, offset: offset * nextScale + nextOffset)
    default:
      guard let limits = Self.joinedLimits(first.function, layer.function) else { return false }
      joined = limits
    }
    guard joined.parameters.allSatisfy({ $0.isFinite }) else { return false }
    setLayer(index, .activation(Layer.Pointwise(input: first.input, function: joined)))
    report.foldedAffineCount += 1
    return true
  }

  /// A limit to a range behind another one.
  private static func joinedLimits(
    _ first: Layer.Activation, _ second: Layer.Activation
  ) -> Layer.Activation? {
    guard let inner = first.limits, let outer = second.limits else { return nil }
    func limited(_ number: Float) -> Float { min(max(number, outer.lower), outer.upper) }
    return .limiting(to: limited(inner.lower), limited(inner.upper))
  }

  /// A limit between two linear functions that undo each other, such as `-max(-x, -6)`, is a limit.
  private mutating func turnLimit(_ index: Int) -> Bool {
    guard case .activation(let last) = layers[index],
      case .linear(let scale, let offset) = last.function, let middle = onlyUse(last.input),
      case .activation(let limit) = layers[middle], let limits = limit.function.limits,
      let start = onlyUse(limit.input), case .activation(let first) = layers[start],
      case .linear(let firstScale, let firstOffset) = first.function,
      scale * firstScale == 1, scale * firstOffset + offset == 0
    else { return false }
    let greatest = Float.greatestFiniteMagnitude
    let ends = [limits.lower, limits.upper].map { (end) in
      abs(end) == greatest
        ? (scale < 0 ? -end : end) : min(max(scale * end + offset, -greatest), greatest)
    }
    setLayer(
      index,
      .activation(
        Layer.Pointwise(
          input: first.input,
          function: .limiting(to: min(ends[0], ends[1]), max(ends[0], ends[1])))))
    report.foldedAffineCount += 2
    return true
  }

  /// `x * sigmoid(x)` becomes SiLU, `x * hardSigmoid(x)` hard swish.
  private mutating func makeGatedFunction(_ index: Int) -> Bool {
    if case .activation(let layer) = layers[index],
      case .linear(let scale, offset: 0) = layer.function, Self.isNear(scale * 6, 1),
      let product = onlyUse(layer.input), case .elementwise(let pair) = layers[product],
      pair.operation == .multiplication, pair.activation == .identity,
      let source = gate(pair, where: { $0 == .clamp(lower: 0, upper: 6) }),
      // The clamp's own operand is x + 3.
      case .layer(let shifted) = source.gate, case .activation(let sum) = layers[shifted],
      case .linear(scale: 1, offset: 3) = sum.function, sum.input == source.value
    {
      setLayer(
        index, .activation(Layer.Pointwise(input: source.value, function: .hardSwish)))
      report.fusedActivationCount += 3
      return true
    }
    guard case .elementwise(let pair) = layers[index], pair.operation == .multiplication,
      pair.activation == .identity
    else { return false }
    let function: Layer.Activation
    if let source = gate(pair, where: { $0 == .sigmoid }), source.gate == source.value {
      function = .silu
      setLayer(index, .activation(Layer.Pointwise(input: source.value, function: function)))
    } else if let source = gate(pair, where: { Self.isHardSwishGate($0) }),
      source.gate == source.value
    {
      setLayer(index, .activation(Layer.Pointwise(input: source.value, function: .hardSwish)))
    } else {
      return false
    }
    report.fusedActivationCount += 1
    return true
  }

  /// The operand of a product that is a function of something, what that is, and the other operand.
  private func gate(
    _ pair: Layer.Elementwise, where isGate: (Layer.Activation) -> Bool
  ) -> (value: Layer.Source, gate: Layer.Source)? {
    for (value, gate) in [(pair.first, pair.second), (pair.second, pair.first)] {
      if let index = onlyUse(gate), case .activation(let layer) = layers[index],
        isGate(layer.function)
      {
        return (value, layer.input)
      }
    }
    return nil
  }

  private static func isHardSwishGate(_ function: Layer.Activation) -> Bool {
    guard case .hardSigmoid(let scale, let offset) = function else { return false }
    return isNear(scale * 6, 1) && isNear(offset * 2, 1)
  }

  private static func isNear(_ first: Float, _ second: Float) -> Bool {
    abs(first - second) <= 1e-5
  }

  /// A scaling or shift of each channel behind a weighted sum becomes part of its weights.
  private mutating func foldAffine(_ index: Int) -> Bool {
    guard let (source, scales, offsets, activation) = affine(index),
      let sum = onlyUse(source), layers[sum].ownActivation == .identity,
      let (weights, bias) = layers[sum].sumTensors
    else { return false }
    let channels = shapes[sum].channels
    guard shapes[index] == shapes[sum] else { return false }
    func number(_ numbers: [Float], _ channel: Int) -> Float {
      numbers.count == 1 ? numbers[0] : numbers[channel]
    }
    let newBias = tensors[bias].enumerated().map { (channel, bias) in
      bias * number(scales, channel) + number(offsets, channel)
    }
    let isScaled = scales.contains { $0 != 1 }
    var newWeights = tensors[weights]
    if isScaled {
      for place in newWeights.indices { newWeights[place] *= number(scales, place % channels) }
    }
    guard newBias.allSatisfy({ $0.isFinite }), newWeights.allSatisfy({ $0.isFinite }) else {
      return false
    }
    tensors.append(newBias)
    var layer = layers[sum]
    if isScaled {
      tensors.append(newWeights)
      layer.sumTensors = (tensors.count - 1, tensors.count - 2)
    } else {
      layer.sumTensors = (weights, tensors.count - 1)
    }
    layer.ownActivation = activation
    setLayer(index, layer)
    report.foldedAffineCount += 1
    return true
  }

  /// What a layer does where it scales and shifts each channel of a source: scales, offsets, one for
  /// all or one for each, and the function that it applies afterwards.
  private func affine(
    _ index: Int
  ) -> (source: Layer.Source, scales: [Float], offsets: [Float], Layer.Activation)? {
    switch layers[index] {
    case .batchNormalization(let layer):
      let scale = tensors[layer.scale]
      let (shift, mean) = (tensors[layer.shift], tensors[layer.mean])
      let scales = zip(scale, tensors[layer.variance]).map { (scale, variance) in
        Float(Double(scale) / (Double(variance) + Double(layer.epsilon)).squareRoot())
      }
      let offsets = shift.indices.map { shift[$0] - mean[$0] * scales[$0] }
      return (layer.input, scales, offsets, .identity)
    case .activation(let layer):
      guard case .linear(let scale, let offset) = layer.function else { return nil }
      return (layer.input, [scale], [offset], .identity)
    case .elementwise(let layer):
      for (value, other, isSwapped) in [
        (layer.first, layer.second, false), (layer.second, layer.first, true),
      ] {
        guard case .layer(let constant) = other, case .constant(let numbers) = layers[constant],
          numbers.shape.height == 1, numbers.shape.width == 1
        else { continue }
        let values = tensors[numbers.tensor]
        switch layer.operation {
        case .addition: return (value, [1], values, layer.activation)
        case .subtraction:
          return isSwapped
            ? (value, [-1], values, layer.activation)
            : (value, [1], values.map { -$0 }, layer.activation)
        case .multiplication: return (value, values, [0], layer.activation)
        case .division where !isSwapped:
          return (value, values.map { 1 / $0 }, [0], layer.activation)
        default: return nil
        }
      }
      return nil
    default: return nil
    }
  }

  /// A function becomes part of the layer before it.
  private mutating func fuseActivation(_ index: Int) -> Bool {
    guard case .activation(let layer) = layers[index], let before = onlyUse(layer.input),
      let own = layers[before].ownActivation
    else { return false }
    let function: Layer.Activation
    if own == .identity {
      function = layer.function
    } else if let limits = Self.joinedLimits(own, layer.function) {
      function = limits
    } else {
      return false
    }
    var joined = layers[before]
    joined.ownActivation = function
    setLayer(index, joined)
    report.fusedActivationCount += 1
    return true
  }

  /// A padding with zeros becomes part of the convolution, or of the mean, behind it.
  private mutating func fusePadding(_ index: Int) -> Bool {
    guard let source = layers[index].sources.first, let before = onlyUse(source),
      case .padding(let padding) = layers[before], padding.mode == .constant(0),
      padding.channelsBefore == 0, padding.channelsAfter == 0
    else { return false }
    func joined(_ window: Layer.Window) -> Layer.Window? {
      var window = window
      window.padding.top += padding.edges.top
      window.padding.left += padding.edges.left
      window.padding.bottom += padding.edges.bottom
      window.padding.right += padding.edges.right
      let fits =
        max(window.padding.top, window.padding.bottom) < window.spanY
        && max(window.padding.left, window.padding.right) < window.spanX
      return fits ? window : nil
    }
    switch layers[index] {
    case .convolution(var layer):
      guard let window = joined(layer.window) else { return false }
      layer.window = window
      layer.input = padding.input
      setLayer(index, .convolution(layer))
    case .pooling(var layer):
      guard layer.kind != .maximum,
        layer.kind == .averageWithPadding || layer.window.padding == Layer.Edges(),
        let window = joined(layer.window)
      else { return false }
      layer.window = window
      layer.kind = .averageWithPadding
      layer.input = padding.input
      setLayer(index, .pooling(layer))
    default: return false
    }
    report.fusedPaddingCount += 1
    return true
  }

  // MARK: What is left

  /// Drops layers and tensors that no output needs, and numbers the others anew.
  private mutating func dropUnused() {
    countUses()
    var layerNumbers = [Int](repeating: -1, count: layers.count)
    var tensorNumbers = [Int](repeating: -1, count: tensors.count)
    var keptTensors: [[Float]] = []
    var kept: [Layer] = []
    for index in layers.indices where useCounts[index] > 0 {
      let numbers = layerNumbers
      let layer = layers[index].mapping(
        sources: { (source) in
          if case .layer(let old) = source { return .layer(numbers[old]) }
          return source
        },
        tensors: { (tensor) in
          if tensorNumbers[tensor] < 0 {
            tensorNumbers[tensor] = keptTensors.count
            keptTensors.append(tensors[tensor])
          }
          return tensorNumbers[tensor]
        })
      layerNumbers[index] = kept.count
      kept.append(layer)
    }
    layers = kept
    tensors = keptTensors
    for index in outputs.indices { outputs[index].layer = layerNumbers[outputs[index].layer] }
  }
}
