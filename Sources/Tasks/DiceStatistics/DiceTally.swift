/// How often each face of a die came up, and in how many runs.
///
///     var tally = try DiceTally(faceCount: 6)
///     for value in [3, 3, 5, 1] { try tally.add(value) }
///     tally.counts    // [1, 0, 2, 0, 1, 0]
///     tally.runCount  // 3
///
/// A tally of one die knows the order of its values as far as ``runsTest()`` needs it. Tallies of several
/// dice are summed up with ``add(_:)-(DiceTally)``; their values have no order then.
public struct DiceTally: Hashable, Sendable {
  /// How many faces a die may have: 2 to 100.
  public static let faceCounts = 2...100
  /// The most rolls of a tally: a million millions.
  public static let rollLimit = 1_000_000_000_000

  /// How often each face came up, that of value 1 first.
  public private(set) var counts: [Int]
  /// How many runs of equal values there were; nil for values without an order.
  public private(set) var runCount: Int?
  /// The value that came last; nil before the first and for values without an order.
  public private(set) var lastValue: Int?

  /// A tally without rolls.
  ///
  /// - Throws: `DiceStatisticsError.faceCount`.
  public init(faceCount: Int = 6) throws(DiceStatisticsError) {
    guard Self.faceCounts.contains(faceCount) else { throw .faceCount(found: faceCount) }
    counts = [Int](repeating: 0, count: faceCount)
    runCount = 0
  }

  /// A tally of values in their order.
  ///
  /// - Throws: `DiceStatisticsError.faceCount`, `.value`, `.tooManyRolls`.
  public init(
    values: some Sequence<Int>, faceCount: Int = 6
  ) throws(DiceStatisticsError) {
    try self.init(faceCount: faceCount)
    for value in values { try add(value) }
  }

  /// A tally of values whose order is not known.
  ///
  /// - Parameter counts: how often each face came up, that of value 1 first.
  /// - Throws: `DiceStatisticsError.faceCount`, `.negativeCount`, `.tooManyRolls`.
  public init(counts: [Int]) throws(DiceStatisticsError) {
    guard Self.faceCounts.contains(counts.count) else { throw .faceCount(found: counts.count) }
    var sum = 0
    for (index, count) in counts.enumerated() {
      guard count >= 0 else { throw .negativeCount(found: count, face: index + 1) }
      guard count <= Self.rollLimit - sum else { throw .tooManyRolls }
      sum += count
    }
    self.counts = counts
  }

  /// How many faces the die has.
  public var faceCount: Int { counts.count }

  /// How many values were counted.
  public var rollCount: Int { counts.reduce(0, +) }

  /// Counts the next value.
  ///
  /// - Throws: `DiceStatisticsError.value`, `.tooManyRolls`; the tally is then as it was.
  public mutating func add(_ value: Int) throws(DiceStatisticsError) {
    guard (1...faceCount).contains(value) else {
      throw .value(found: value, faceCount: faceCount)
    }
    guard rollCount < Self.rollLimit else { throw .tooManyRolls }
    counts[value - 1] += 1
    if let runs = runCount {
      runCount = value == lastValue ? runs : runs + 1
      lastValue = value
    }
  }

  /// Adds the counts of other dice.
  ///
  /// The values have no order any more.
  ///
  /// - Throws: `DiceStatisticsError.facesDiffer`, `.tooManyRolls`; the tally is then as it was.
  public mutating func add(_ other: DiceTally) throws(DiceStatisticsError) {
    guard other.faceCount == faceCount else {
      throw .facesDiffer(found: other.faceCount, required: faceCount)
    }
    guard other.rollCount <= Self.rollLimit - rollCount else { throw .tooManyRolls }
    for face in counts.indices { counts[face] += other.counts[face] }
    runCount = nil
    lastValue = nil
  }
}

extension DiceTally: Codable {
  private enum CodingKeys: String, CodingKey {
    case counts, runCount, lastValue
  }

  /// Reads a tally, and checks all rules that its other initializers check.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(counts: try container.decode([Int].self, forKey: .counts))
    runCount = try container.decodeIfPresent(Int.self, forKey: .runCount)
    lastValue = try container.decodeIfPresent(Int.self, forKey: .lastValue)
    let usedFaceCount = counts.count { $0 > 0 }
    if let runCount {
      guard runCount >= usedFaceCount, runCount <= rollCount else {
        throw DiceStatisticsError.runCount(found: runCount, rollCount: rollCount)
      }
    }
    if let lastValue {
      guard runCount != nil, (1...faceCount).contains(lastValue), counts[lastValue - 1] > 0 else {
        throw DiceStatisticsError.value(found: lastValue, faceCount: faceCount)
      }
    } else if let runCount, runCount > 0 {
      throw DiceStatisticsError.runCount(found: runCount, rollCount: rollCount)
    }
  }
}
