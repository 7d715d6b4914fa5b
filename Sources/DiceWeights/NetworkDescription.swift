/// Everything a weight file says about a network besides the weights themselves.
///
/// A description is a plain value: it may be built by hand and may then be wrong. ``validated()``
/// checks it against the rules of the format; a description that comes out of a ``WeightFile`` has
/// been checked.
///
/// Source: `Docs/WeightFormat.md`.
public struct NetworkDescription: Hashable, Sendable {
  /// The network's name, 1 to 256 bytes of UTF-8 on one line.
  public var name: String
  /// How a picture becomes the network's input.
  public var input: InputRules
  /// The layers in the order of evaluation, 1 to 1024; each reads only the input or earlier layers.
  public var layers: [Layer]
  /// The name of each class, by class index: "1" to "6" for dice.
  ///
  /// All different, 1 to 1024.
  public var labels: [String]
  /// Thresholds that a caller uses unless told otherwise.
  public var thresholds: DefaultThresholds
  /// Where the weights come from, in the order written; at most 256.
  ///
  /// Keys may repeat.
  public var provenance: [ProvenanceEntry]

  /// Groups the parts of a description without checking them.
  public init(
    name: String, input: InputRules, layers: [Layer], labels: [String],
    thresholds: DefaultThresholds, provenance: [ProvenanceEntry] = []
  ) {
    self.name = name
    self.input = input
    self.layers = layers
    self.labels = labels
    self.thresholds = thresholds
    self.provenance = provenance
  }
}

/// The thresholds that a network's author recommends.
public struct DefaultThresholds: Hashable, Sendable {
  /// Non-maximum suppression drops a box that overlaps a more confident one by more, 0...1.
  public var intersectionOverUnion: Float
  /// Observations with a lower confidence are dropped, 0...1.
  public var confidence: Float

  /// Groups two thresholds without checking them.
  public init(intersectionOverUnion: Float, confidence: Float) {
    self.intersectionOverUnion = intersectionOverUnion
    self.confidence = confidence
  }
}

/// One fact about the origin of the weights: training source, licence, credit, date, metric.
public struct ProvenanceEntry: Hashable, Sendable {
  /// What the value tells, 1 to 64 bytes of UTF-8 on one line: "licence", "trained", "credit".
  public var key: String
  /// The fact, 0 to 65 536 bytes of UTF-8; line feeds are allowed.
  public var value: String

  /// Pairs a key with its value without checking them.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}
