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
  /// What the network is for, 0 to 64 bytes on one line: "dice detection", "digits".
  public var task: String
  /// What it is given, 1 to 64; an image, or plain numbers.
  public var inputs: [NetworkInput]
  /// The layers in the order of evaluation, 1 to 4096; each reads only inputs, constants and earlier
  /// layers.
  public var layers: [Layer]
  /// What it gives, 1 to 256.
  public var outputs: [NetworkOutput]
  /// Constants of the program around the network that belong to these weights, by name; at most 256.
  public var profile: [NamedValues]
  /// Where the weights come from, in the order written; at most 256.
  ///
  /// Keys may repeat.
  public var provenance: [ProvenanceEntry]

  /// Groups the parts of a description without checking them.
  public init(
    name: String, task: String = "", inputs: [NetworkInput], layers: [Layer],
    outputs: [NetworkOutput], profile: [NamedValues] = [], provenance: [ProvenanceEntry] = []
  ) {
    self.name = name
    self.task = task
    self.inputs = inputs
    self.layers = layers
    self.outputs = outputs
    self.profile = profile
    self.provenance = provenance
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
