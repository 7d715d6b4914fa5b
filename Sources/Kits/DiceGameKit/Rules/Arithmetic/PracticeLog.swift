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
  ///
  /// A negative duration counts as none, and one beyond 2⁴⁰ seconds as that; so do totals.
  public mutating func add(_ entry: Entry) {
    var entry = entry
    entry.duration = min(max(entry.duration, .zero), Self.durationLimit)
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
    let duration = tallies[place].duration + entry.duration * sign
    tallies[place].duration = min(max(duration, .zero), Self.durationLimit)
    if tallies[place].askedCount == 0 { tallies.remove(at: place) }
  }
}

extension PracticeLog {
  /// What makes a log one that no questions make.
  enum Fault: String, Error {
    case tooManyEntries = "The log has too many entries."
    case duration = "An entry's duration is not one."
    case contradiction = "The totals contradict each other."
    case lessThanEntries = "The totals are less than the entries."
  }

  /// A log that was saved.
  ///
  /// - Throws: why no questions make it.
  init(entries: [Entry], tallies: [Tally]) throws(Fault) {
    guard entries.count <= Self.entryLimit, tallies.count <= Self.tallyLimit else {
      throw .tooManyEntries
    }
    // What the kept entries add up to can be no more than the totals.
    var kept = PracticeLog()
    for entry in entries {
      guard entry.duration >= .zero, entry.duration <= Self.durationLimit else { throw .duration }
      kept.add(entry)
    }
    for tally in tallies {
      guard
        tally.askedCount >= 1, tally.askedCount < Self.countLimit,
        (0...tally.askedCount).contains(tally.rightCount),
        (0...tally.rightCount).contains(tally.firstTimeCount), tally.duration >= .zero,
        tally.duration <= Self.durationLimit
      else { throw .contradiction }
    }
    self.entries = entries
    self.tallies = tallies
    for tally in kept.tallies {
      let total = self.tally(player: tally.player, tally.operation)
      guard
        total.askedCount >= tally.askedCount, total.rightCount >= tally.rightCount,
        total.firstTimeCount >= tally.firstTimeCount
      else { throw .lessThanEntries }
    }
  }

  /// More kinds of questions than players can have.
  private static let tallyLimit = 64
  /// More questions than anybody is asked; half of what 32 bits hold, so that counting goes on.
  private static let countLimit = 1 << 30
  /// Longer than anybody plays.
  private static let durationLimit = Duration.seconds(Int64(1) << 40)
}

#if !hasFeature(Embedded)
  extension PracticeLog.Entry: Codable {}
  extension PracticeLog.Tally: Codable {}

  extension PracticeLog: Codable {
    /// Reads a log, and refuses totals that no questions make, or too many entries.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let entries = try container.decode([Entry].self, forKey: .entries)
      let tallies = try container.decode([Tally].self, forKey: .tallies)
      do { try self.init(entries: entries, tallies: tallies) } catch {
        throw DecodingError.dataCorruptedError(
          forKey: .entries, in: container, debugDescription: error.rawValue)
      }
    }
  }
#endif
