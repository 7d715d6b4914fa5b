internal import DiceNumerics

/// The outcome of a roll.
public struct Roll: Hashable, Sendable {
  /// The place of the roll in the order of the stream, from 1.
  public var number: Int
  /// All dice on the table, from left to right: by the centre's x, then y, then identifier.
  ///
  /// With a field of play, those inside it, from left to right as the player sees them.
  public var dice: [TrackedDie]
  /// The dice outside the field of play in the same order, read or not; empty where there is no field.
  public var outside: [TrackedDie]
  /// When the first die of the roll was first seen or began to move.
  public var startTime: Duration
  /// When the last die came to rest, as far as the frames tell.
  public var restTime: Duration
  /// When the roll was reported: the time of the frame.
  public var endTime: Duration

  /// A roll of your own, for previews and tests.
  ///
  /// The order of the dice is kept.
  public init(
    number: Int = 1, dice: [TrackedDie], outside: [TrackedDie] = [], startTime: Duration = .zero,
    restTime: Duration = .zero,
    endTime: Duration = .zero
  ) {
    self.number = number
    self.dice = dice
    self.outside = outside
    self.startTime = startTime
    self.restTime = restTime
    self.endTime = endTime
  }

  /// How many dice there are.
  public var count: Int { dice.count }

  /// The dice that do not seem to lie flat on the field of play; none where there is no field.
  public var cocked: [TrackedDie] { dice.filter { (die) in die.isCocked } }

  /// How long the dice took to come to rest: ``restTime`` minus ``startTime``, and not negative.
  ///
  /// In whole nanoseconds; times beyond 73 years on either side of 0 count as that bound.
  public var settlingDuration: Duration {
    .nanoseconds(max(nanoseconds(restTime) - nanoseconds(startTime), 0))
  }
}

// MARK: - Numbers

extension Roll {
  /// The numbers from left to right; dice without a value are left out.
  public var values: [Int] {
    var values: [Int] = []
    for die in dice {
      if let value = die.value { values.append(value) }
    }
    return values
  }

  /// The sum of the values; it stops at the bounds of `Int`.
  public var sum: Int { values.saturatingSum }

  /// The product of the values; 1 without dice, and nil where it is outside the range of `Int`.
  public var product: Int? { values.representableProduct }

  /// The greatest value minus the smallest; 0 for fewer than two dice, and `Int.max` at most.
  public var difference: Int { values.saturatingDifference }

  /// How many dice show each value; values that none shows are left out.
  public var histogram: [Int: Int] { values.histogram }
}

extension Roll: CustomStringConvertible {
  /// What was rolled, in one line: `roll 2: 6 1, sum 7`.
  public var description: String {
    "roll \(number): \(values.isEmpty ? "no values" : "\(values.spaced), sum \(sum)")"
  }
}

#if !hasFeature(Embedded)
  extension Roll: Codable {
    private enum CodingKeys: String, CodingKey {
      case number, dice, outside, startTime, restTime, endTime
    }

    /// Reads a roll, and refuses a number below 1.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        number: try container.decode(Int.self, forKey: .number),
        dice: try container.decode([TrackedDie].self, forKey: .dice),
        outside: try container.decodeIfPresent([TrackedDie].self, forKey: .outside) ?? [],
        startTime: try container.decode(Duration.self, forKey: .startTime),
        restTime: try container.decode(Duration.self, forKey: .restTime),
        endTime: try container.decode(Duration.self, forKey: .endTime))
      guard number >= 1 else {
        throw DecodingError.dataCorruptedError(
          forKey: .number, in: container, debugDescription: "Rolls are counted from 1.")
      }
    }

    /// Writes the roll; the dice outside only where there are any.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(number, forKey: .number)
      try container.encode(dice, forKey: .dice)
      if !outside.isEmpty { try container.encode(outside, forKey: .outside) }
      try container.encode(startTime, forKey: .startTime)
      try container.encode(restTime, forKey: .restTime)
      try container.encode(endTime, forKey: .endTime)
    }
  }
#endif
