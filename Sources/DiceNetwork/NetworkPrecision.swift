internal import DiceKernels
internal import DiceWeights

/// The numbers that a network's activations and weights are kept in.
public enum NetworkPrecision: String, CaseIterable, Hashable, Sendable {
  /// Floats of single precision, on every processor the same but for roundings.
  case single
  /// bfloat16 numbers, eight significant bits, where the processor has units that multiply matrices of
  /// them: several times as fast. Sums stay in single precision.
  case bfloat16

  /// Whether this machine computes in this precision.
  public var isAvailable: Bool { self == .single || MatrixKernels.areAvailable }

  /// The precision for a network: bfloat16 where it is asked for and available, for layers that there are
  /// kernels for.
  static func resolved(
    _ wanted: NetworkPrecision, _ graph: Graph, kernels: KernelChoice
  ) -> NetworkPrecision {
    guard wanted == .bfloat16, MatrixKernels.areAvailable, kernels != .reference else {
      return .single
    }
    return graph.layers.indices.allSatisfy { graph.suitsMatrices($0) } ? .bfloat16 : .single
  }
}

extension Graph {
  /// Whether a layer's input comes as floats, from the caller.
  static func readsInput(_ layer: Layer) -> Bool { layer.sources.contains(.input) }

  /// Whether detection heads read a layer's output: it stays in floats.
  func feedsHead(_ index: Int) -> Bool {
    layers.contains { (layer) in
      if case .detectionHead(let head) = layer { head.input == .layer(index) } else { false }
    }
  }

  /// Whether there are kernels of bfloat16 numbers for a layer.
  func suitsMatrices(_ index: Int) -> Bool {
    switch layers[index] {
    case .convolution(let layer):
      if layer.activation == .sigmoidWeighted { return false }
      guard feedsHead(index) else { return true }
      // Nothing but heads reads floats.
      let isReadElsewhere = layers.contains { (other) in
        if case .detectionHead = other { return false }
        return other.sources.contains(.layer(index))
      }
      return layer.activation == .identity && !isReadElsewhere && !Self.readsInput(layers[index])
    case .upsampling, .concatenation:
      return !Self.readsInput(layers[index]) && !feedsHead(index)
    case .detectionHead(let head):
      guard case .layer(let source) = head.input, case .convolution = layers[source] else {
        return false
      }
      return true
    case .maxPooling, .addition: return false
    }
  }
}
