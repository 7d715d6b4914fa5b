extension DiceMathGame {
  /// What happens.
  public enum Event: Hashable, Sendable {
    /// A roll has ended: what its dice show. `Roll.values` of the dice kit.
    case rollEnded([Int])
    /// The latest roll reads differently now.
    case rollRevised([Int])
    /// The player has chosen which of the questions to answer.
    case operationChosen(ArithmeticOperation)
    /// The player has written, said or typed more of an answer: the whole of it as it reads now; nil
    /// where nothing readable is left of it.
    case answerChanged(PlayerAnswer?)
    /// The last die has left the table.
    case diceCleared
    /// Time has passed.
    case time
    /// The latest step is to be taken back.
    case undo
    /// The players want another game by the same rules.
    case restart
  }

  /// What to show.
  public enum Output: Hashable, Sendable {
    /// It is a player's turn to roll.
    case turn(player: Int)
    /// The roll counts for nothing.
    case rollRefused(RollRefusal)
    /// Questions, any of which may be answered.
    case asked([ArithmeticQuestion])
    /// What is read of an answer that is not judged yet; nil for nothing.
    case heard(PlayerAnswer?)
    /// The answer is wrong; how many attempts are left, nil for any number.
    case wrong(Int, attemptsLeft: Int?)
    /// A help.
    case hint(ArithmeticHint)
    /// The answer is right, and the question that it answers.
    case right(Int, ArithmeticQuestion)
    /// No attempts are left: the questions with the answers that would have been right.
    case revealed([ArithmeticQuestion])
    /// A pawn moves: over which sections, the last one being where it lands. A pawn that a hidden
    /// answer takes to the target goes there at once.
    case moved(player: Int, from: Int, over: [Int])
    /// A player has reached a level.
    case level(player: Int, PracticeLevel)
    /// A player has won.
    case won(player: Int)
    /// The latest step was taken back; everything may look different.
    case undone
    /// A new game has begun.
    case restarted
  }

  /// Why a roll counts for nothing.
  public enum RollRefusal: Hashable, Sendable {
    /// It does not have as many dice as the questions need.
    case diceCount(found: Int, required: ClosedRange<Int>)
    /// A die shows what is no value of a die of this game.
    case value(found: Int, required: ClosedRange<Int>)
    /// The answer would be too large.
    case answerTooLarge(limit: Int)
    /// The first roll counts, and still waits for its answer.
    case alreadyRolled
  }
}

extension DiceMathGame.RollRefusal: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .diceCount(let found, let required):
      "\(ArithmeticQuestionError.diceCount(found: found, required: required))"
    case .value(let found, let required):
      "\(ArithmeticQuestionError.value(found: found, required: required))"
    case .answerTooLarge(let limit):
      "\(ArithmeticQuestionError.answerTooLarge(limit: limit))"
    case .alreadyRolled: "The first roll counts, and waits for its answer."
    }
  }
}

#if !hasFeature(Embedded)
  extension DiceMathGame.Event: Codable {}
  extension DiceMathGame.Output: Codable {}
  extension DiceMathGame.RollRefusal: Codable {}
#endif
