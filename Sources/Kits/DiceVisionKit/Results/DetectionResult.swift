internal import DiceRolls

/// The dice that were found in a picture: a collection of them, from left to right.
///
/// ```swift
/// for die in result where die.confidence > 0.5 { print(die.value, die.boundingBox) }
/// ```
///
/// Two results are equal where all of their parts are, identifiers and timings too, which differ from
/// call to call; ``hasSameContent(as:)`` compares what was found.
public struct DetectionResult: Hashable, Sendable {
  /// The dice from left to right, by the x of their centres in the upright picture.
  ///
  /// Where two are equal, from top to bottom; then the more confident one first.
  public var observations: [DieObservation]
  /// Columns of the upright picture.
  public var uprightWidth: Int
  /// Rows of the upright picture.
  public var uprightHeight: Int
  /// How long each stage took.
  public var timings: StageTimings
  /// Whether the frame was too small a copy of a picture to read all that is in it.
  var needsFullPicture = false

  /// A result of your own, for previews and tests.
  ///
  /// The order of the observations is kept.
  public init(
    observations: [DieObservation], uprightWidth: Int, uprightHeight: Int,
    timings: StageTimings = StageTimings()
  ) {
    self.observations = observations
    self.uprightWidth = uprightWidth
    self.uprightHeight = uprightHeight
    self.timings = timings
  }

  /// Whether two results have the same observations, whatever their identifiers and timings.
  public func hasSameContent(as other: DetectionResult) -> Bool {
    guard
      count == other.count, uprightWidth == other.uprightWidth,
      uprightHeight == other.uprightHeight
    else { return false }
    for index in observations.indices
    where !observations[index].hasSameContent(as: other.observations[index]) {
      return false
    }
    return true
  }
}

// MARK: - The dice as a collection

extension DetectionResult: RandomAccessCollection {
  /// The place of the leftmost die: 0.
  public var startIndex: Int { 0 }

  /// The number of dice.
  public var endIndex: Int { observations.count }

  /// A die, counted from the left.
  public subscript(index: Int) -> DieObservation { observations[index] }
}

// MARK: - Numbers

extension DetectionResult {
  /// The values of the dice, from left to right.
  public var values: [Int] {
    var values: [Int] = []
    values.reserveCapacity(count)
    for observation in observations { values.append(observation.value) }
    return values
  }

  /// The sum of the values; 0 without dice.
  ///
  /// The nearest `Int` where the sum is outside its range, which values of dice never reach.
  public var sum: Int { values.saturatingSum }

  /// The product of the values; 1 without dice, and nil where it is outside the range of `Int`
  /// (25 sixes are).
  public var product: Int? { values.representableProduct }

  /// The greatest value minus the smallest; 0 for fewer than two dice.
  ///
  /// The nearest `Int` where the difference is outside its range.
  public var difference: Int { values.saturatingDifference }

  /// How many dice show each value; values that none shows are left out.
  public var histogram: [Int: Int] { values.histogram }
}

extension DetectionResult: CustomStringConvertible {
  /// The values in one line: `2 dice: 6 1, sum 7`.
  public var description: String {
    switch count {
    case 0: "no dice"
    case 1: "1 die: \(values.spaced)"
    default: "\(count) dice: \(values.spaced), sum \(sum)"
    }
  }
}

// MARK: - Views

extension DetectionResult {
  /// The map from the boxes of this result to a view that shows the picture.
  ///
  /// - Returns: Nil where a side of the view is not positive and finite.
  public func viewTransform(
    viewWidth: Double, viewHeight: Double,
    contentMode: ViewTransform.ContentMode = .aspectFit,
    origin: CoordinateOrigin = .upperLeft, isMirrored: Bool = false
  ) -> ViewTransform? {
    ViewTransform(
      imageWidth: uprightWidth, imageHeight: uprightHeight, viewWidth: viewWidth,
      viewHeight: viewHeight, contentMode: contentMode, origin: origin, isMirrored: isMirrored)
  }
}

#if !hasFeature(Embedded)
  extension DetectionResult: Codable {
    /// Reads a result, and refuses one of a picture without pixels.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        observations: try container.decode([DieObservation].self, forKey: .observations),
        uprightWidth: try container.decodeSide(forKey: .uprightWidth),
        uprightHeight: try container.decodeSide(forKey: .uprightHeight),
        timings: try container.decodeIfPresent(StageTimings.self, forKey: .timings)
          ?? StageTimings())
    }
  }
#endif
