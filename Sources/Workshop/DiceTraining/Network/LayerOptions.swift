/// What a network's description leaves open about training it, layer by layer.
public struct LayerOptions: Hashable, Sendable {
  /// Whether a convolution or dense layer is normalised by its batch, by layer index.
  ///
  /// Where it is not said, it is normalised unless it feeds an output or a normalisation of its own, or
  /// has one pixel. A layer feeds an output where nothing but functions of each number, softmax and rearrangements
  /// lie between. The normalisation is folded into the exported weights.
  public var normalization: [Int: Bool]
  /// The share of a layer's numbers that are left out by chance while training, 0..<1, by layer index.
  public var dropout: [Int: Float]
  /// The numbers of constants, `[H, W, C]`, by tensor index.
  ///
  /// They are not learnt. Those of weights that a run begins with need not be given.
  public var constants: [Int: [Float]]

  /// Options for some layers.
  public init(
    normalization: [Int: Bool] = [:], dropout: [Int: Float] = [:],
    constants: [Int: [Float]] = [:]
  ) {
    self.normalization = normalization
    self.dropout = dropout
    self.constants = constants
  }

  /// The options as text that is the same for equal options.
  var identity: String {
    let normalized = normalization.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let dropped = dropout.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let given = constants.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "normalization \(normalized), dropout \(dropped), constants \(given)"
  }
}
