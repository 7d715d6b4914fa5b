/// Why a text is no saved game.
public enum SavedGameError: Error, Hashable, Sendable {
  /// It is longer than a saved game can be.
  case tooLarge(byteCount: Int, limit: Int)
  /// It is no JSON; where that shows, from 1.
  case notJSON(line: Int, column: Int)
  /// It is something else than a saved game.
  case notASavedGame
  /// Another version of the format.
  case version(found: Int, required: Int)
  /// A member is missing or is not of its kind; its name.
  case member(String)
  /// The rules make no sense.
  case rules(DiceMathRulesError)
  /// The board makes no sense.
  case board(BoardRulesError)
  /// There is no such question.
  case question(ArithmeticQuestionError)
  /// The game cannot have been played; why not.
  case impossible(String)
}

extension SavedGameError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .tooLarge(let byteCount, let limit):
      "The saved game has \(byteCount) bytes; it may have \(limit)."
    case .notJSON(let line, let column):
      "The saved game is no JSON, which shows in line \(line), column \(column)."
    case .notASavedGame: "The text is no saved game of Dice Math."
    case .version(let found, let required):
      "The saved game is of version \(found); version \(required) can be read."
    case .member(let name): "The saved game's member \"\(name)\" is missing or is not of its kind."
    case .rules(let error): error.description
    case .board(let error): error.description
    case .question(let error): error.description
    case .impossible(let reason): reason
    }
  }
}
