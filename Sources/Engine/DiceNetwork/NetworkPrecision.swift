internal import DiceKernels
internal import DiceWeights

/// The numbers that a network's activations and weights are kept in.
public enum NetworkPrecision: String, CaseIterable, Hashable, Sendable {
  /// Floats of single precision, on every processor the same but for roundings.
  case single
  /// bfloat16 numbers, eight significant bits, where the processor has units that multiply matrices of
  /// them: several times as fast. Sums stay in single precision.
  case bfloat16
  /// 8-bit integers, with sums of 32 bits: the same results on every processor, in a third to a half of the
  /// time of floats with AVX2, AVX-VNNI, AVX-512 VNNI or AMX. The dot products of arm64 are used, but have
  /// not been timed. The network's profile must have its ``ActivationRanges``.
  case int8

  /// Whether this machine computes in this precision.
  public var isAvailable: Bool {
    switch self {
    case .single: true
    case .bfloat16: MatrixKernels.areAvailable
    case .int8: IntegerKernels.areBuilt
    }
  }

  /// The precision for a network: what is asked for where it is available, for layers that there are
  /// kernels for; else single precision.
  static func resolved(
    _ wanted: NetworkPrecision, _ graph: Graph, kernels: KernelChoice, ranges: ActivationRanges?
  ) -> NetworkPrecision {
    let isPossible =
      switch wanted {
      case .single: false
      case .bfloat16: MatrixKernels.areAvailable && kernels != .reference
      case .int8: IntegerKernels.areBuilt && ranges != nil
      }
    guard isPossible else { return .single }
    return graph.operations.indices.allSatisfy { (index) in graph.suitsNarrowNumbers(index) }
      ? wanted : .single
  }
}

extension Graph {
  /// Whether there are kernels of bfloat16 numbers and of integers for what a layer computes.
  func suitsNarrowNumbers(_ index: Int) -> Bool {
    guard let operation = operations[index] else { return true }
    guard operation.followers.isEmpty else { return false }
    switch operation.layer {
    case .convolution(let layer):
      guard layer.groups == 1, layer.window.dilationX == 1 else { return false }
      // Outputs stay in floats, which only the caller reads.
      if isOutput[index] {
        return operation.activation == .identity && !isRead(index)
          && !readsInput(operation.layer)
      }
      switch operation.activation {
      case .identity: return true
      // Numbers stay finite.
      case .leakyReLU(let slope): return slope >= 0
      default: return false
      }
    case .resizing(let layer): return layer.repetition != nil && suitsCopies(operation, index)
    case .concatenation(let layer):
      return layer.axis == .channels && suitsCopies(operation, index)
    default: return false
    }
  }

  private func suitsCopies(_ operation: Operation, _ index: Int) -> Bool {
    operation.activation == .identity && !readsInput(operation.layer) && !isOutput[index]
  }

  /// Whether a layer's input comes as floats, from the caller.
  private func readsInput(_ layer: Layer) -> Bool {
    layer.sources.contains { (source) in
      if case .input = source { true } else { false }
    }
  }

  /// Whether another layer reads a layer's output.
  private func isRead(_ index: Int) -> Bool {
    operations.contains { (operation) in
      operation?.layer.sources.contains(.layer(index)) ?? false
    }
  }
}
