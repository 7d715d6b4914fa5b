public import DiceGeometry

/// A die that a ``RollTracker`` follows.
public struct TrackedDie: Hashable, Sendable, Identifiable {
  /// Names the die for as long as it is followed; never used again by the same tracker.
  public var identifier: UInt64
  /// The box in pixels of the latest frame.
  ///
  /// For a die at rest it is the mean over the frames since it came to rest; for a moving one it is
  /// the latest box.
  public var boundingBox: BoundingBox
  /// The kind of die; the likeliest one where no value is known, and ``DieKind/d6`` where nothing was read.
  public var kind: DieKind
  /// What the die shows, from all readings since it came to rest (0.6 s at most); nil while it moves
  /// or its readings disagree.
  public var value: Int?
  /// What the die may show, most likely first.
  ///
  /// The geometric mean of the readings since it came to rest, or the latest reading while it moves.
  /// They sum to 1; empty where no value was read. Before the mean is taken, each reading gives every
  /// value 3 % at least, so that one frame cannot rule a value out: of six values, one that all
  /// readings are sure of reaches 0.87 and not 1. Where more than sixteen faces were read on the table,
  /// those that none of its readings gives 3 % are left out. To ask whether a die is read, use ``value``.
  public var values: [ValueProbability]
  /// How likely it is a die at all: the mean confidence of the boxes that ``boundingBox`` comes from.
  public var confidence: Float
  /// Whether the die lies still.
  public var isStill: Bool
  /// Whether the die was thrown, moved or came into view in the latest roll; false for one that lay
  /// there all along.
  public var tookPart: Bool
  /// Where it stands on the field of play; nil where there is none (``RollTracker/field``).
  public var place: FieldPlace?

  /// A die of your own, for previews and tests.
  ///
  /// - Parameters:
  ///   - kind: Nil takes that of the first of `values`.
  ///   - values: What it may show; nil takes `value` alone, as sure.
  public init(
    identifier: UInt64, boundingBox: BoundingBox, kind: DieKind? = nil, value: Int?,
    values: [ValueProbability]? = nil,
    confidence: Float = 1, isStill: Bool = true, tookPart: Bool = true,
    place: FieldPlace? = nil
  ) {
    self.identifier = identifier
    self.boundingBox = boundingBox
    self.kind = kind ?? values?.first?.kind ?? .d6
    self.value = value
    if let values {
      self.values = values
    } else if let value {
      self.values = [ValueProbability(kind: self.kind, value: value, confidence: 1)]
    } else {
      self.values = []
    }
    self.confidence = confidence
    self.isStill = isStill
    self.tookPart = tookPart
    self.place = place
  }

  /// The same as ``identifier``.
  public var id: UInt64 { identifier }
}

extension TrackedDie: CustomStringConvertible {
  /// What is known of it, in one line, the kind where it is not of six sides:
  /// `die 3: 6 at (x 338.8, y 33.6, width 65.5, height 47.0)`.
  public var description: String {
    "die \(identifier): \(value.map { "\($0)" } ?? "no value")"
      + (kind == .d6 ? "" : " on a \(kind.rawValue)") + " at \(boundingBox)"
      + (isStill ? "" : ", moving") + (isOutside ? ", outside" : "")
  }
}

#if !hasFeature(Embedded)
  extension TrackedDie: Codable {
    private enum CodingKeys: String, CodingKey {
      case identifier, boundingBox, kind, value, values, confidence, isStill, tookPart, place
    }

    /// Writes the die; the kind only where it is not of six sides.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(identifier, forKey: .identifier)
      try container.encode(boundingBox, forKey: .boundingBox)
      if kind != .d6 { try container.encode(kind, forKey: .kind) }
      try container.encodeIfPresent(value, forKey: .value)
      try container.encode(values, forKey: .values)
      try container.encode(confidence, forKey: .confidence)
      try container.encode(isStill, forKey: .isStill)
      try container.encode(tookPart, forKey: .tookPart)
      try container.encodeIfPresent(place, forKey: .place)
    }

    /// Reads a die, and refuses a confidence that is not in 0...1.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        identifier: try container.decode(UInt64.self, forKey: .identifier),
        boundingBox: try container.decode(BoundingBox.self, forKey: .boundingBox),
        kind: try container.decodeIfPresent(DieKind.self, forKey: .kind) ?? .d6,
        value: try container.decodeIfPresent(Int.self, forKey: .value),
        values: try container.decode([ValueProbability].self, forKey: .values),
        confidence: try container.decodeShare(forKey: .confidence),
        isStill: try container.decode(Bool.self, forKey: .isStill),
        tookPart: try container.decode(Bool.self, forKey: .tookPart),
        place: try container.decodeIfPresent(FieldPlace.self, forKey: .place))
    }
  }

  extension KeyedDecodingContainer {
    /// A number from 0 to 1.
    package func decodeShare(forKey key: Key) throws -> Float {
      let value = try decode(Float.self, forKey: key)
      // NaN is in no range.
      guard value >= 0, value <= 1 else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: self, debugDescription: "\(value) is not in 0...1.")
      }
      return value
    }
  }
#endif
