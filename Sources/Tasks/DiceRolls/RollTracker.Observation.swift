public import DiceGeometry

/// A number that a die may show, and how likely it shows it.
public struct ValueProbability: Hashable, Sendable {
  /// The number.
  public var value: Int
  /// The probability of the number, given that there is a die, 0...1.
  public var confidence: Float

  /// Pairs a number with its probability.
  public init(value: Int, confidence: Float) {
    self.value = value
    self.confidence = confidence
  }
}

#if !hasFeature(Embedded)
  extension ValueProbability: Codable {
    /// Reads a value and its probability, and refuses one that is not in 0...1.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        value: try container.decode(Int.self, forKey: .value),
        confidence: try container.decodeShare(forKey: .confidence))
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
    /// others are divided by their sum. Of two entries with one value, the larger counts.
    public var values: [ValueProbability]

    /// An observation with its value probabilities, most likely first.
    public init(boundingBox: BoundingBox, confidence: Float, values: [ValueProbability]) {
      self.boundingBox = boundingBox
      self.confidence = confidence
      self.values = values
    }

    /// An observation of one sure value.
    public init(boundingBox: BoundingBox, confidence: Float = 1, value: Int) {
      self.init(
        boundingBox: boundingBox, confidence: confidence,
        values: [ValueProbability(value: value, confidence: 1)])
    }

    /// The most likely value: the first one; nil where there are none.
    public var value: Int? { values.first?.value }
  }
}
