internal import DiceKernels
internal import DiceWeights

/// What the values of a network may be that are whole numbers, where that is known and 0 is among it.
struct WholeRanges {
  /// By value.
  private(set) var values: [ClosedRange<Int>?]

  /// - Parameter tensor: The values of a tensor.
  init(_ graph: Graph, _ tensor: (Int) -> [Float]) {
    values = [ClosedRange<Int>?](repeating: nil, count: graph.values.count)
    for (index, operation) in graph.operations.enumerated() {
      guard let operation else { continue }
      values[graph.value(ofLayer: index)] = range(of: operation, graph, tensor)
    }
  }

  private func range(
    of operation: Operation, _ graph: Graph, _ tensor: (Int) -> [Float]
  ) -> ClosedRange<Int>? {
    var functions = [operation.activation] + operation.followers
    if case .activation(let layer) = operation.layer { functions.insert(layer.function, at: 0) }
    functions.removeAll { $0 == .identity }
    var isWhole = false
    if case .elementwise(let layer) = operation.layer { isWhole = layer.tensor != nil }
    if case .requantization? = functions.first { isWhole = true }
    switch functions.last {
    case .clamp(let lower, let upper) where isWhole: return Self.range(lower, upper)
    case .floor where functions.count > 1:
      guard case .clamp(let lower, let upper) = functions[functions.count - 2] else { return nil }
      return Self.range(lower.rounded(.down), upper.rounded(.down))
    case .table(let numbers):
      let values = tensor(numbers)
      guard values.allSatisfy({ $0 == $0.rounded() }), let least = values.min(),
        let greatest = values.max()
      else { return nil }
      return Self.range(min(least, 0), max(greatest, 0))
    case nil: return moved(operation.layer, graph)
    default: return nil
    }
  }

  /// The range of a layer whose numbers are some of those that it reads, or 0.
  private func moved(_ layer: Layer, _ graph: Graph) -> ClosedRange<Int>? {
    switch layer {
    case .pooling(let layer) where layer.kind == .maximum: break
    case .reduction(let layer) where layer.kind == .maximum: break
    case .resizing(let layer) where layer.interpolation != .bilinear: break
    case .padding(let layer) where layer.mode == .constant(0): break
    case .rearrangement, .concatenation, .slice: break
    default: return nil
    }
    var all: ClosedRange<Int>? = nil
    for source in layer.sources {
      guard let range = values[graph.value(source)] else { return nil }
      all =
        all.map { (all) in
          min(all.lowerBound, range.lowerBound)...max(all.upperBound, range.upperBound)
        } ?? range
    }
    return all
  }

  private static func range(_ lower: Float, _ upper: Float) -> ClosedRange<Int>? {
    guard lower == lower.rounded(), upper == upper.rounded(), lower <= 0, upper >= 0,
      upper - lower <= 255
    else { return nil }
    return Int(lower)...Int(upper)
  }
}

extension PackedSums {
  /// What a whole weight is at most: two of 8 bits.
  private static let weightLimit: Float = 254

  /// Lets kernels of integers compute a layer of whole numbers whose sums are requantized, where all numbers
  /// fit.
  ///
  /// - Parameters:
  ///   - range: What the layer's input may be.
  ///   - tensor: The values of a tensor.
  mutating func useExactIntegers(
    _ kernels: IntegerKernels, _ operation: Operation, from range: ClosedRange<Int>,
    _ tensor: (Int) -> [Float]
  ) {
    guard case .convolution(let layer) = operation.layer, layer.groups == 1,
      layer.window.dilationX == 1, operation.normalizations.isEmpty,
      case .requantization = operation.activation, operation.followers.count == 1,
      case .clamp(let lower, let upper) = operation.followers[0], lower <= 0, upper >= 0,
      range.count <= 256
    else { return }
    let (values, biases) = (tensor(weights), tensor(bias))
    let groupCount = (parts[0].slots.count + 3) / 4
    var isRepeated = [Bool](repeating: false, count: groupCount)
    for (index, value) in values.enumerated() {
      guard value.magnitude <= Self.weightLimit, value == value.rounded() else { return }
      if value > 127 || value < -128 {
        isRepeated[inputSlots[index / outputChannels % groupInputs] / 4] = true
      }
    }
    let repeats = isRepeated.indices.filter { isRepeated[$0] }
    let greatest = 255 * Float(Self.weightLimit) * Float(tapCount * groupInputs)
    guard biases.allSatisfy({ $0 == $0.rounded() && $0.magnitude + greatest < 0x1p30 }) else {
      return
    }
    let pixelStep = 4 * (groupCount + repeats.count)
    var zero = Quantization()
    zero.zero = UInt8(-range.lowerBound)
    let rows = parts[0].taps.count { (tap) in tap.column == parts[0].taps[0].column }
    let length = tapCount / rows * pixelStep
    method = .integers(
      IntegerWindows(
        count: rows, length: length, pixelStep: pixelStep,
        groupCount: kernels.groupCount(windowLength: length), inputOffset: kernels.inputOffset,
        input: zero, output: Quantization(), writesFloats: true, isExact: true, repeats: repeats))
  }
}
