/// What was asked and answered, for parents and teachers.
///
/// The latest entries are kept, the totals count all.
public struct PracticeLog: Hashable, Sendable {
  /// A question with what became of it.
  public struct Entry: Hashable, Sendable {
    /// The player, from 0.
    public var player: Int
    /// The question.
    public var question: ArithmeticQuestion
    /// The wrong answers, in order.
    public var wrongAnswers: [Int]
    /// Whether it was answered in the end.
    public var isRight: Bool
    /// How long it took, from the question to the last answer.
    public var duration: Duration

    /// An entry.
    public init(
      player: Int, question: ArithmeticQuestion, wrongAnswers: [Int], isRight: Bool,
      duration: Duration
    ) {
      self.player = player
      self.question = question
      self.wrongAnswers = wrongAnswers
      self.isRight = isRight
      self.duration = duration
    }
  }

  /// How a player did with one kind of question.
  public struct Tally: Hashable, Sendable {
    /// The player, from 0.
    public let player: Int
    /// The kind of question.
    public let operation: ArithmeticOperation
    /// How many were asked.
    public internal(set) var askedCount = 0
    /// How many were answered in the end.
    public internal(set) var rightCount = 0
    /// How many were answered at the first attempt.
    public internal(set) var firstTimeCount = 0
    /// How long they took together.
    public internal(set) var duration = Duration.zero
  }

  /// The most entries that are kept.
  public static let entryLimit = 1000

  /// The latest entries, oldest first.
  public private(set) var entries: [Entry] = []
  /// The totals, by player and kind of question, in the order of the first question of each.
  public private(set) var tallies: [Tally] = []

  /// An empty log.
  public init() {}

  /// How a player did with one kind of question.
  public func tally(player: Int, _ operation: ArithmeticOperation) -> Tally {
    tallies.first { $0.player == player && $0.operation == operation }
      ?? Tally(player: player, operation: operation)
  }

  /// Adds an entry; beyond ``entryLimit`` the oldest is dropped.
  public mutating func add(_ entry: Entry) {
    entries.append(entry)
    if entries.count > Self.entryLimit { entries.removeFirst() }
    count(entry, 1)
  }

  /// Takes the latest entry back; does nothing where none is kept.
  mutating func removeLast() {
    guard let entry = entries.popLast() else { return }
    count(entry, -1)
  }

  private mutating func count(_ entry: Entry, _ sign: Int) {
    let operation = entry.question.operation
    let index = tallies.firstIndex { $0.player == entry.player && $0.operation == operation }
    if index == nil { tallies.append(Tally(player: entry.player, operation: operation)) }
    let place = index ?? tallies.count - 1
    tallies[place].askedCount += sign
    tallies[place].rightCount += entry.isRight ? sign : 0
    tallies[place].firstTimeCount += entry.isRight && entry.wrongAnswers.isEmpty ? sign : 0
    tallies[place].duration += entry.duration * sign
    if tallies[place].askedCount == 0 { tallies.remove(at: place) }
  }
}

#if !hasFeature(Embedded)
  extension PracticeLog.Entry: Codable {}
  extension PracticeLog.Tally: Codable {}

  extension PracticeLog: Codable {
    /// Reads a log, and refuses totals that no questions make, or too many entries.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      entries = try container.decode([Entry].self, forKey: .entries)
      tallies = try container.decode([Tally].self, forKey: .tallies)
      // What the kept entries add up to can be no more than the totals.
      var kept = PracticeLog()
      guard entries.count <= Self.entryLimit, tallies.count <= Self.tallyLimit else {
        throw DecodingError.dataCorruptedError(
          forKey: .entries, in: container, debugDescription: "The log has too many entries.")
      }
      for entry in entries {
        guard entry.duration >= .zero, entry.duration <= Self.durationLimit else {
          throw DecodingError.dataCorruptedError(
            forKey: .entries, in: container, debugDescription: "An entry's duration is not one.")
        }
        kept.add(entry)
      }
      for tally in tallies {
        guard
          tally.askedCount >= 1, tally.askedCount < 1 << 32,
          (0...tally.askedCount).contains(tally.rightCount),
          (0...tally.rightCount).contains(tally.firstTimeCount), tally.duration >= .zero,
          tally.duration <= Self.durationLimit
        else {
          throw DecodingError.dataCorruptedError(
            forKey: .tallies, in: container, debugDescription: "The totals contradict each other.")
        }
      }
      for tally in kept.tallies {
        let total = self.tally(player: tally.player, tally.operation)
        guard
          total.askedCount >= tally.askedCount, total.rightCount >= tally.rightCount,
          total.firstTimeCount >= tally.firstTimeCount
        else {
          throw DecodingError.dataCorruptedError(
            forKey: .tallies, in: container,
            debugDescription: "The totals are less than the entries.")
        }
      }
    }

    /// More kinds of questions than players can have.
    private static let tallyLimit = 64
    /// Longer than anybody plays.
    private static let durationLimit = Duration.seconds(1 << 40)
  }
#endif
