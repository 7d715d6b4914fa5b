public import DiceRolls

/// A die that was found in a picture.
///
/// Its box comes in two spellings. With `W` and `H` the width and height of the upright picture:
///
///     boundingBox            pixels, origin at the upper left, y downwards
///     normalizedBoundingBox  shares of the sides, origin at the lower left, y upwards (as Vision)
///
///     normalized.x      = box.x / W             normalized.width  = box.width / W
///     normalized.y      = 1 − (box.y + box.height) / H
///     normalized.height = box.height / H
public struct DieObservation: Hashable, Sendable, Identifiable {
  /// Tells the observation from all others of the same detector: the number of the call in the
  /// upper 32 bits (wrapping), the place from left to right in the lower ones.
  ///
  /// It says nothing about which die it is: the same die has another identifier in the next frame.
  public var identifier: UInt64
  /// The box in pixels of the upright picture, clipped to the picture; never empty.
  public var boundingBox: BoundingBox
  /// Columns of the upright picture.
  public let uprightWidth: Int
  /// Rows of the upright picture.
  public let uprightHeight: Int
  /// All classes from the most to the least likely, by index where two are equally likely.
  ///
  /// Their confidences are probabilities, given that there is a die: they sum to 1, but for
  /// rounding.
  public var labels: [ClassificationLabel]
  /// The number that counts: what the most likely label says, where it is an integer of at most nine
  /// digits or a face of a kind (``kind``), and the index of its class plus 1 where it is neither.
  public var value: Int
  /// How likely there is a die with this value, 0...1.
  ///
  /// It is ``objectness`` times the probability of the most likely label, lowered where soft
  /// suppression lowered it. Where a second stage saw each die by itself, its odds are then
  /// multiplied by up to 1.5 beside dice of the same size, and by a third without any.
  public var confidence: Float
  /// How likely there is a die at all, 0...1.
  public var objectness: Float

  /// An observation of your own, for previews and tests.
  ///
  /// - Precondition: `uprightWidth` and `uprightHeight` are positive.
  public init(
    identifier: UInt64, boundingBox: BoundingBox, uprightWidth: Int, uprightHeight: Int,
    labels: [ClassificationLabel], value: Int, confidence: Float, objectness: Float = 1
  ) {
    precondition(uprightWidth > 0 && uprightHeight > 0, "a picture has at least one pixel")
    self.identifier = identifier
    self.boundingBox = boundingBox
    self.uprightWidth = uprightWidth
    self.uprightHeight = uprightHeight
    self.labels = labels
    self.value = value
    self.confidence = confidence
    self.objectness = objectness
  }

  /// The box as shares of the sides of the upright picture, with the origin at the lower left.
  ///
  /// It follows from ``boundingBox`` and the size of the picture.
  public var normalizedBoundingBox: NormalizedRect {
    NormalizedRect(imageBox: boundingBox, width: uprightWidth, height: uprightHeight)
  }

  /// The same as ``identifier``.
  public var id: UInt64 { identifier }

  /// The most likely label; nil where there are none.
  public var label: String? { labels.first?.identifier }

  /// Whether the die shows none of the faces that were taught (``DiceDetector/Configuration/faces``);
  /// its value is then 0.
  public var isUnknown: Bool {
    // Weights may have a class of that name; the labels of taught faces say what they count.
    guard let label, labels.last?.value != nil else { return false }
    return label.utf8.elementsEqual(FaceSet.unknownLabel.utf8)
  }

  /// The kind of die: ``DieKind/d6``, unless the most likely label names another.
  ///
  /// The labels of networks that tell kinds begin with the kind, then a minus sign and what is printed:
  /// `d20-17`, `d10-0`, `d%-30`.
  public var kind: DieKind { label.flatMap { DieFace(label: $0)?.kind } ?? .d6 }

  /// What is printed on the face that counts: "0" for the 10 of a d10, "00" for the 0 of a percentile
  /// die, else the number.
  ///
  /// Of a taught face, and of an unknown one, it is the label.
  public var face: String {
    if let first = labels.first, first.value != nil || isUnknown { return first.identifier }
    return kind.face(for: value)
  }

  /// The observation of another size of its picture, with its box there.
  func moved(to box: BoundingBox, uprightWidth: Int, uprightHeight: Int) -> DieObservation {
    DieObservation(
      identifier: identifier, boundingBox: box, uprightWidth: uprightWidth,
      uprightHeight: uprightHeight, labels: labels, value: value, confidence: confidence,
      objectness: objectness)
  }

  /// Whether two observations say the same, whatever their identifiers.
  public func hasSameContent(as other: DieObservation) -> Bool {
    var renamed = other
    renamed.identifier = identifier
    return self == renamed
  }
}

/// A class and its probability.
public struct ClassificationLabel: Hashable, Sendable {
  /// The name of the class: "1" to "6" for dice.
  public var identifier: String
  /// The probability of the class, given that there is an object, 0...1.
  public var confidence: Float
  /// What a taught face counts; nil for a class of the weights, whose name says it, and for an
  /// unknown face.
  public var value: Int?

  /// Pairs a class with its probability.
  public init(identifier: String, confidence: Float, value: Int? = nil) {
    self.identifier = identifier
    self.confidence = confidence
    self.value = value
  }
}

// MARK: - In words

extension DieObservation: CustomStringConvertible {
  /// What was found, in one line, with the kind of die where it is not of six sides:
  /// `a 6 (confidence 0.998) at (x 338.8, y 33.6, width 65.5, height 47.0)`.
  public var description: String {
    let confidence = (Double(confidence) * 1000).rounded() / 1000
    let die = kind == .d6 ? "" : " on a \(kind.rawValue)"
    let name = labels.first?.value != nil || isUnknown ? face : "\(value)\(die)"
    return "a \(name) (confidence \(confidence)) at \(boundingBox)"
  }
}

// MARK: - Writing down

#if !hasFeature(Embedded)
  extension DieObservation: Codable {
    /// Reads an observation, and refuses a side below 1 and a confidence that is not in 0...1.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        identifier: try container.decode(UInt64.self, forKey: .identifier),
        boundingBox: try container.decode(BoundingBox.self, forKey: .boundingBox),
        uprightWidth: try container.decodeSide(forKey: .uprightWidth),
        uprightHeight: try container.decodeSide(forKey: .uprightHeight),
        labels: try container.decode([ClassificationLabel].self, forKey: .labels),
        value: try container.decode(Int.self, forKey: .value),
        confidence: try container.decodeShare(forKey: .confidence),
        objectness: try container.decodeShare(forKey: .objectness))
    }
  }

  extension ClassificationLabel: Codable {
    /// Reads a class and its probability, and refuses one that is not in 0...1.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        identifier: try container.decode(String.self, forKey: .identifier),
        confidence: try container.decodeShare(forKey: .confidence),
        value: try container.decodeIfPresent(Int.self, forKey: .value))
    }
  }

  extension KeyedDecodingContainer {
    /// The side of a picture, at least 1.
    func decodeSide(forKey key: Key) throws -> Int {
      let side = try decode(Int.self, forKey: key)
      guard side >= 1 else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: self, debugDescription: "A picture has at least one pixel.")
      }
      return side
    }
  }
#endif
