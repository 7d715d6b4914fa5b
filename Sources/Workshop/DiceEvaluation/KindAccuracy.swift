public import DiceRolls

/// How well dice are read whose classes tell their kind, such as `d20-17`: kinds by themselves, and
/// numbers of dice whose kind is right.
///
/// A class that is no such face is a die of six sides. Which reading belongs to which die is as in
/// ``ReadingAccuracy``; of a die whose kind is wrong the number is wrong as well.
public struct KindAccuracy: Hashable, Sendable {
  /// The dice and readings of one kind.
  public struct Row: Hashable, Sendable {
    /// The kind.
    public var kind: DieKind
    /// How many of its dice were read as each kind, in the order of ``KindAccuracy/rows``.
    public var readCounts: [Int]
    /// How many of its dice were read with the right kind and number.
    public var rightCount = 0
    /// How many of its dice were read with the right kind and any number.
    public var kindRightCount = 0
    /// How many of its dice have no reading.
    public var missedCount = 0
    /// How many readings of this kind belong to no die.
    public var falsePositiveCount = 0

    /// How many dice of this kind there are.
    public var dieCount: Int { readCounts.reduce(0, +) + missedCount }
    /// The share of its dice that were read with the right kind and any number.
    public var kindRight: Proportion { Proportion(kindRightCount, of: dieCount) }
    /// The share of its dice that were read with the right kind and number.
    public var right: Proportion { Proportion(rightCount, of: dieCount) }
  }

  /// A number that was read as another one of the same kind.
  public struct WrongNumber: Hashable, Sendable {
    /// The class of the dice.
    public var classIndex: Int
    /// The class that they were read as.
    public var readClassIndex: Int
    /// How many dice.
    public var count: Int
  }

  /// Where sizes meet, in pixels.
  public static let pixelBounds = [20.0, 40, 80]

  /// The kinds of the classes in the order of their sides.
  public private(set) var rows: [Row]
  /// Which numbers were read as which others, the most frequent first, then by class.
  public private(set) var wrongNumbers: [WrongNumber] = []
  /// How the confidence in kinds and being right go together; without readings where it is not known.
  public private(set) var kindCalibration = CalibrationCurve()
  /// The same of numbers, of readings whose kind is right.
  public private(set) var numberCalibration = CalibrationCurve()
  /// How well dice are read by the longer side of their box in pixels.
  public private(set) var sizes: SizeAccuracy

  /// Measures the readings of all images.
  ///
  /// - Parameters:
  ///   - images: the photos.
  ///   - classNames: the classes' names, in the order of their indices.
  ///   - confidenceThreshold: the lowest confidence that is shown.
  /// - Returns: nil where no name tells a kind.
  /// - Precondition: every class index is in `0..<classNames.count`.
  public init?(
    measuring images: [EvaluatedImage], classNames: [String], confidenceThreshold: Double
  ) {
    guard let kinds = Self.kinds(of: classNames) else { return nil }
    let all = Set(kinds).sorted()
    let places = kinds.map { kind in all.firstIndex(of: kind) ?? 0 }
    rows = all.map { Row(kind: $0, readCounts: [Int](repeating: 0, count: all.count)) }
    sizes = SizeAccuracy(
      measuring: images, confidenceThreshold: confidenceThreshold, pixelBounds: Self.pixelBounds)
    var wrong: [WrongNumber: Int] = [:]
    for image in images {
      for outcome in image.outcomes(confidenceThreshold: confidenceThreshold) {
        add(outcome, places, &wrong)
      }
    }
    wrongNumbers = wrong.map {
      WrongNumber(classIndex: $0.classIndex, readClassIndex: $0.readClassIndex, count: $1)
    }
    wrongNumbers.sort {
      $0.count != $1.count
        ? $0.count > $1.count
        : ($0.classIndex, $0.readClassIndex) < ($1.classIndex, $1.readClassIndex)
    }
  }

  /// The kind of each class; nil where no name tells one.
  public static func kinds(of classNames: [String]) -> [DieKind]? {
    let faces = classNames.map { DieFace(label: $0) }
    let tellsKind = zip(classNames, faces).contains { name, face in
      face != nil && name.utf8.first == UInt8(ascii: "d")
    }
    return tellsKind ? faces.map { $0?.kind ?? .d6 } : nil
  }

  private mutating func add(
    _ outcome: ReadingOutcome, _ places: [Int], _ wrong: inout [WrongNumber: Int]
  ) {
    let die = outcome.truth.map { places[$0.classIndex] }
    let read = outcome.reading.map { places[$0.classIndex] }
    switch (die, read) {
    case (let die?, let read?): rows[die].readCounts[read] += 1
    case (let die?, nil): rows[die].missedCount += 1
    case (nil, let read?): rows[read].falsePositiveCount += 1
    case (nil, nil): break
    }
    guard let reading = outcome.reading else { return }
    let isKindRight = die == read
    if let confidence = reading.kindConfidence {
      kindCalibration.add(confidence: confidence, isRight: isKindRight)
    }
    guard isKindRight, let die, let truth = outcome.truth else { return }
    rows[die].kindRightCount += 1
    if outcome.kind == .right {
      rows[die].rightCount += 1
    } else {
      let pair = WrongNumber(
        classIndex: truth.classIndex, readClassIndex: reading.classIndex, count: 0)
      wrong[pair, default: 0] += 1
    }
    if let confidence = reading.numberConfidence {
      numberCalibration.add(confidence: confidence, isRight: outcome.kind == .right)
    }
  }
}
