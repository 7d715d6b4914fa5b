internal import DiceFiles
internal import DiceNumerics

extension DiceMathGame {
  /// The most bytes that a saved game may have.
  public static let savedTextLimit = 1 << 22
  /// The version of the text that is written, and the only one that is read.
  static let savedTextVersion = 1
  /// What the text says of itself.
  static let savedTextKind = "dice math game"

  /// The game as a text to be kept: JSON in UTF-8, of which Docs/DiceMath.md has the members.
  ///
  /// For programs without Foundation, in a browser for instance; others may encode the game as well.
  /// As there, an answer that was not judged yet is not saved. Times are rounded to microseconds, and
  /// wrong answers beyond ±2³⁰ become ±2³⁰.
  ///
  /// - Complexity: O(log and steps to undo).
  public var savedText: [UInt8] { JSONWriter.write(savedValue) }

  /// Reads a game that was saved as a text, and refuses one that cannot have been played.
  ///
  /// - Parameter savedText: JSON in UTF-8. Members that are not known are passed over.
  /// - Throws: why it is no saved game.
  /// - Complexity: O(n) for n bytes.
  public init(savedText: [UInt8]) throws(SavedGameError) {
    guard savedText.count <= Self.savedTextLimit else {
      throw .tooLarge(byteCount: savedText.count, limit: Self.savedTextLimit)
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONReader.parse(savedText, limits: JSONLimits(depth: 8, valueCount: 1 << 20))
    } catch { throw .notJSON(line: error.line, column: error.column) }
    self = try SavedGameReader(value).game()
  }

  private var savedValue: JSONValue {
    [
      "kind": .string(Self.savedTextKind), "version": JSONValue(Self.savedTextVersion),
      "rules": rules.savedValue, "time": .microseconds(time), "log": log.savedValue,
      "position": position.savedValue, "history": .array(history.map { $0.savedValue }),
    ]
  }
}

extension DiceMathGame.Rules {
  fileprivate var savedValue: JSONValue {
    var members: [JSONObject.Member] = []
    func add(_ key: String, _ value: JSONValue) {
      members.append(JSONObject.Member(key: key, value: value))
    }
    switch play {
    case .board(let board):
      add(
        "board",
        [
          "sections": JSONValue(board.sectionCount), "start": JSONValue(board.start),
          "target": JSONValue(board.target),
          "moves": .array(board.moves.map { .string($0.rawValue) }),
          "overshoot": .string(board.overshoot.rawValue), "sides": JSONValue(board.sides),
        ])
    case .practice(let level, let count):
      add("practice", ["level": JSONValue(level.rawValue), "advancesAfter": .integer(count)])
    }
    add("players", .array(players.map { .string($0) }))
    add("attempts", .integer(attempts))
    add("givesHints", .bool(givesHints))
    add("allowsRerolls", .bool(allowsRerolls))
    add("pause", .microseconds(pause))
    add("acceptsAtOnce", .bool(acceptsAtOnce))
    add("hiddenAnswer", .integer(hiddenAnswer))
    return .object(JSONObject(members))
  }
}

extension DiceMathGame.Position {
  fileprivate var savedValue: JSONValue {
    [
      "phase": .string(phase.rawValue), "turn": JSONValue(turn),
      "players": .array(
        players.map {
          .integers([
            $0.section, $0.level.rawValue, $0.questionCount, $0.streak, $0.longestStreak,
            $0.rightCount,
          ])
        }),
      "values": .integers(questions.first?.values ?? []),
      "asks": .array(questions.map { .string($0.operation.rawValue) }),
      "choice": choice.map { .string($0.rawValue) } ?? .null,
      "wrong": .integers(wrongAnswers), "askedAt": .microseconds(questionTime),
      "entries": JSONValue(entryCount),
    ]
  }
}

extension PracticeLog {
  fileprivate var savedValue: JSONValue {
    [
      "entries": .array(
        entries.map {
          [
            JSONValue($0.player), .string($0.question.operation.rawValue),
            .integers($0.question.values), .integers($0.wrongAnswers), .bool($0.isRight),
            .microseconds($0.duration),
          ]
        }),
      "totals": .array(
        tallies.map {
          [
            JSONValue($0.player), .string($0.operation.rawValue), JSONValue($0.askedCount),
            JSONValue($0.rightCount), JSONValue($0.firstTimeCount), .microseconds($0.duration),
          ]
        }),
    ]
  }
}

extension JSONValue {
  /// Whole numbers, none beyond ±2³⁰.
  fileprivate static func integers(_ values: [Int]) -> JSONValue {
    .array(values.map { JSONValue(min(max($0, -1 << 30), 1 << 30)) })
  }

  /// A whole number, or null.
  fileprivate static func integer(_ value: Int?) -> JSONValue {
    value.map { JSONValue($0) } ?? .null
  }

  /// A duration to the nearest microsecond.
  fileprivate static func microseconds(_ duration: Duration) -> JSONValue {
    let (seconds, attoseconds) = duration.clampedComponents
    // Some 270 years; a `Double` holds them to the microsecond.
    let bound = Int64(1) << 33
    let whole = min(max(seconds, -bound), bound) * 1_000_000
    return .number(Double(whole + (attoseconds + 500_000_000_000) / 1_000_000_000_000))
  }
}
