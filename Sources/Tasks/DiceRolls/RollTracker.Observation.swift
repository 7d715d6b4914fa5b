public import DiceGeometry

/// A number that a die may show, and how likely it shows it.
public struct ValueProbability: Hashable, Sendable {
  /// The kind of die that it may be.
  public var kind: DieKind
  /// The number.
  public var value: Int
  /// The probability of the number on such a die, given that there is a die, 0...1.
  public var confidence: Float

  /// Pairs a number with its probability.
  public init(kind: DieKind = .d6, value: Int, confidence: Float) {
    self.kind = kind
    self.value = value
    self.confidence = confidence
  }

  var face: DieFace { DieFace(kind: kind, value: value) }
}

#if !hasFeature(Embedded)
  extension ValueProbability: Codable {
    private enum CodingKeys: String, CodingKey {
      case kind, value, confidence
    }

    /// Reads a value and its probability, and refuses one that is not in 0...1; without a kind it is
    /// one of six sides.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        kind: try container.decodeIfPresent(DieKind.self, forKey: .kind) ?? .d6,
        value: try container.decode(Int.self, forKey: .value),
        confidence: try container.decodeShare(forKey: .confidence))
    }

    /// Writes the value and its probability; the kind only where it is not of six sides.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if kind != .d6 { try container.encode(kind, forKey: .kind) }
      try container.encode(value, forKey: .value)
      try container.encode(confidence, forKey: .confidence)
    }
  }
#endif

extension RollTracker {
  /// A die that a detector claims to see in one frame.
  ///
  /// Any numbers can be stored; ``RollTracker`` says which observations it leaves out.
  public struct Observation: Hashable, Sendable {
    /// The box in pixels of the upright picture, with the origin at the upper left.
    public var boundingBox: BoundingBox
    /// How likely there is a die at all, 0...1.
    public var confidence: Float
    /// What the die may show, most likely first; the confidences sum to 1.
    ///
    /// Empty where the detector reads no values. A NaN or negative confidence counts as 0, and the
    /// others are divided by their sum. Of two entries with one kind and value, the larger counts.
    public var values: [ValueProbability]

    /// An observation with its value probabilities, most likely first.
    public init(boundingBox: BoundingBox, confidence: Float, values: [ValueProbability]) {
      self.boundingBox = boundingBox
      self.confidence = confidence
      self.values = values
    }

    /// An observation of one sure value.
    public init(
      boundingBox: BoundingBox, confidence: Float = 1, kind: DieKind = .d6, value: Int
    ) {
      self.init(
        boundingBox: boundingBox, confidence: confidence,
        values: [ValueProbability(kind: kind, value: value, confidence: 1)])
    }

    /// The most likely value: the first one; nil where there are none.
    public var value: Int? { values.first?.value }
    /// The kind of die with the most likely value; nil where there are no values.
    public var kind: DieKind? { values.first?.kind }
  }
}
