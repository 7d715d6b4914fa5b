internal import DiceWeights

/// What a layer's step computes: the layer itself, or an earlier one that it has taken over.
struct Operation: Sendable {
  /// The layer, whose own activation is not looked at.
  let layer: Layer
  /// What is applied to the results.
  private(set) var activation: Layer.Activation
  /// What is applied after that, in order; nothing that has a tensor.
  private(set) var followers: [Layer.Activation] = []
  /// Normalisations before the activation, to be folded into the layer's weights.
  private(set) var normalizations: [Layer.BatchNormalization] = []

  init(_ layer: Layer) {
    self.layer = layer
    activation =
      switch layer {
      case .convolution(let layer): layer.activation
      case .transposedConvolution(let layer): layer.activation
      case .dense(let layer): layer.activation
      case .elementwise(let layer): layer.activation
      default: .identity
      }
  }

  /// The function that has a tensor, whether it follows the layer or is the layer; nil where neither has one.
  var functionWithTensor: Layer.Activation? {
    if case .activation(let pointwise) = layer, pointwise.function.tensor != nil {
      return pointwise.function
    }
    return activation.tensor == nil ? nil : activation
  }

  /// What each layer computes; nil for a layer that a later one has taken over.
  ///
  /// A batch normalisation takes over a layer with weights before it, an activation most layers; both
  /// where nothing else reads that layer's output. A normalisation needs a layer without an activation
  /// of its own; further activations follow the first.
  static func all(_ layers: [Layer], outputs: [NetworkOutput]) -> [Operation?] {
    var operations: [Operation?] = layers.map { (layer) in Operation(layer) }
    var readerCounts = [Int](repeating: 0, count: layers.count)
    for layer in layers {
      for case .layer(let source) in layer.sources { readerCounts[source] += 1 }
    }
    // What is an output stays.
    for output in outputs { readerCounts[output.layer] += 2 }
    for (index, layer) in layers.enumerated() {
      guard let first = layer.sources.first, case .layer(let source) = first,
        readerCounts[source] == 1, let joined = operations[source]?.followed(by: layer)
      else { continue }
      operations[source] = nil
      operations[index] = joined
    }
    return operations
  }

  /// The operation with a layer behind it, or nil where it cannot take that in.
  private func followed(by next: Layer) -> Operation? {
    var joined = self
    if activation != .identity {
      guard case .activation(let pointwise) = next, takesFunctions else { return nil }
      if pointwise.function.tensor != nil { return nil }
      joined.followers.append(pointwise.function)
      return joined
    }
    switch (next, layer) {
    case (.activation(let pointwise), _) where takesFunctions:
      if case .activation = layer, pointwise.function.tensor != nil { return nil }
      joined.activation = pointwise.function
    case (.batchNormalization(let normalization), .convolution),
      (.batchNormalization(let normalization), .transposedConvolution),
      (.batchNormalization(let normalization), .dense):
      joined.normalizations.append(normalization)
    default: return nil
    }
    return joined
  }

  /// Whether the layer's kernels can be followed by functions.
  private var takesFunctions: Bool {
    switch layer {
    case .convolution, .transposedConvolution, .dense, .elementwise, .batchNormalization, .pooling,
      .reduction, .activation, .matrixProduct:
      true
    default: false
    }
  }
}
