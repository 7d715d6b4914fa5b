import DiceGameKit

/// How a game comes to where a row of the table begins, and what happens then.
struct TransitionScenario {
  let play: DiceMathGame.Play
  var attempts = 3
  var givesHints = true
  var allowsRerolls = false
  var hiddenAnswer: Int?
  /// The events before, one each second.
  let before: [DiceMathGame.Event]
  let event: DiceMathGame.Event
  /// How long after the last event before it.
  var delay = Duration.milliseconds(100)

  func game() throws -> DiceMathGame {
    var game = DiceMathGame(
      try DiceMathGame.Rules(
        play, players: ["Ann", "Ben"], attempts: attempts, givesHints: givesHints,
        allowsRerolls: allowsRerolls, hiddenAnswer: hiddenAnswer))
    for (index, event) in before.enumerated() { game.handle(event, at: .seconds(index)) }
    return game
  }

  var time: Duration { .seconds(max(before.count - 1, 0)) + delay }

  private static let practice = DiceMathGame.Play.practice(level: .adding, advancesAfter: nil)

  private static func board(
    _ before: [DiceMathGame.Event], _ event: DiceMathGame.Event
  ) -> TransitionScenario {
    TransitionScenario(play: .board(.standard), before: before, event: event)
  }

  /// A number that is typed.
  private static func answer(_ number: Int) -> DiceMathGame.Event {
    .answerChanged(PlayerAnswer(number))
  }

  /// A number that is being drawn.
  private static func drawn(_ number: Int) -> DiceMathGame.Event {
    .answerChanged(PlayerAnswer(number, openness: .lastDigit))
  }

  /// 6 and 4: the sum is 10, the difference is 2.
  private static let rolled: [DiceMathGame.Event] = [.rollEnded([6, 4])]
  private static let answered = rolled + [answer(10)]
  /// From section 1 by 8 to the target.
  private static let won: [DiceMathGame.Event] = [.rollEnded([6, 2]), answer(8)]

  static let all: [String: TransitionScenario] = {
    var all = waiting
    for part in [rolls, answers, pauses, over, back] { all.merge(part) { _, new in new } }
    return all
  }()

  private static let waiting: [String: TransitionScenario] = [
    "waitingForRoll | rollEnded | the roll fits": board([], .rollEnded([6, 4])),
    "waitingForRoll | rollEnded | the roll does not fit": board([], .rollEnded([6, 4, 1])),
    "waitingForRoll | rollRevised | the roll fits":
      board([.rollEnded([6, 4, 1])], .rollRevised([6, 4])),
    "waitingForRoll | rollRevised | the roll does not fit":
      board([.rollEnded([6])], .rollRevised([6, 7])),
    "waitingForRoll | operationChosen | always": board([], .operationChosen(.sum)),
    "waitingForRoll | answerChanged | always": board([], answer(3)),
    "waitingForRoll | diceCleared | always": board([], .diceCleared),
    "waitingForRoll | time | always": board([], .time),
  ]

  private static let rolls: [String: TransitionScenario] = [
    "answering | rollEnded | the first roll counts": board(rolled, .rollEnded([6, 2])),
    "answering | rollEnded | rerolls are allowed, it fits":
      TransitionScenario(
        play: .board(.standard), allowsRerolls: true, before: rolled, event: .rollEnded([6, 2])),
    "answering | rollEnded | rerolls are allowed, it does not fit":
      TransitionScenario(
        play: .board(.standard), allowsRerolls: true, before: rolled, event: .rollEnded([])),
    "answering | rollRevised | the same values": board(rolled, .rollRevised([4, 6])),
    "answering | rollRevised | other values that fit": board(rolled, .rollRevised([4, 5])),
    "answering | rollRevised | values that do not fit": board(rolled, .rollRevised([4])),
    "answering | operationChosen | it is asked": board(rolled, .operationChosen(.difference)),
    "answering | operationChosen | it is chosen already":
      board(rolled + [.operationChosen(.sum)], .operationChosen(.sum)),
    "answering | operationChosen | it is not asked": board(rolled, .operationChosen(.product)),
    "answering | diceCleared | always": board(rolled, .diceCleared),
  ]

  private static let answers: [String: TransitionScenario] = [
    "answering | answerChanged | it may become right": board(rolled, drawn(1)),
    "answering | answerChanged | it is right and may change": board(rolled, drawn(10)),
    "answering | answerChanged | nothing readable is left":
      board(rolled + [drawn(1)], .answerChanged(nil)),
    "answering | answerChanged | wrong, attempts are left": board(rolled, answer(3)),
    "answering | answerChanged | it cannot become right": board(rolled, drawn(31)),
    "answering | answerChanged | wrong, attempts are left, no hints":
      TransitionScenario(
        play: .board(.standard), givesHints: false, before: rolled, event: answer(3)),
    "answering | answerChanged | wrong, no attempt is left":
      board(rolled + [answer(3), answer(4)], answer(5)),
    "answering | answerChanged | right, in a practice":
      TransitionScenario(play: practice, before: rolled, event: answer(10)),
    "answering | answerChanged | right, enough in a row":
      TransitionScenario(
        play: .practice(level: .adding, advancesAfter: 2),
        before: rolled + [
          answer(10), .rollEnded([1, 1]), answer(2), .rollEnded([3, 3]),
        ], event: answer(6)),
    "answering | answerChanged | right, the pawn stays": board([.rollEnded([3, 3])], answer(0)),
    "answering | answerChanged | right, the pawn lands beside the target":
      board(rolled, answer(10)),
    "answering | answerChanged | right, the pawn lands on the target":
      board([.rollEnded([6, 2])], answer(8)),
    "answering | answerChanged | the hidden answer, in a practice":
      TransitionScenario(play: practice, hiddenAnswer: 44, before: rolled, event: answer(44)),
    "answering | answerChanged | the hidden answer, on a board":
      TransitionScenario(
        play: .board(.standard), hiddenAnswer: 44, before: rolled, event: answer(44)),
  ]

  private static let pauses: [String: TransitionScenario] = {
    func after(
      _ delay: Duration, _ before: [DiceMathGame.Event]
    ) -> TransitionScenario {
      TransitionScenario(play: .board(.standard), before: before, event: .time, delay: delay)
    }
    return [
      "answering | time | no answer waits": after(.seconds(9), rolled),
      "answering | time | the pause is not over":
        after(.milliseconds(999), rolled + [drawn(10)]),
      "answering | time | the pause is over, wrong": after(.seconds(1), rolled + [drawn(1)]),
      "answering | time | the pause is over, no attempt is left":
        after(.seconds(1), rolled + [answer(3), answer(4), drawn(1)]),
      "answering | time | the pause is over, right": after(.seconds(1), rolled + [drawn(10)]),
      "answering | time | the pause is over, on the target":
        after(.seconds(1), [.rollEnded([6, 2]), drawn(8)]),
    ]
  }()

  private static let over: [String: TransitionScenario] = [
    "answered | rollEnded | the roll fits": board(answered, .rollEnded([5, 1])),
    "answered | rollEnded | the roll does not fit": board(answered, .rollEnded([5])),
    "answered | rollRevised | always": board(answered, .rollRevised([5, 1])),
    "answered | operationChosen | always": board(answered, .operationChosen(.difference)),
    "answered | answerChanged | always": board(answered, answer(2)),
    "answered | diceCleared | always": board(answered, .diceCleared),
    "answered | time | always": board(answered, .time),
    "won | rollEnded | always": board(won, .rollEnded([5, 1])),
    "won | rollRevised | always": board(won, .rollRevised([5, 1])),
    "won | operationChosen | always": board(won, .operationChosen(.difference)),
    "won | answerChanged | always": board(won, answer(4)),
    "won | diceCleared | always": board(won, .diceCleared),
    "won | time | always": board(won, .time),
  ]

  private static let back: [String: TransitionScenario] = [
    "waitingForRoll | undo | nothing has happened": board([], .undo),
    "waitingForRoll | undo | the turn has passed": board(answered + [.diceCleared], .undo),
    "waitingForRoll | undo | the roll was taken away":
      board(rolled + [.rollRevised([6])], .undo),
    "waitingForRoll | undo | a new game has begun": board(won + [.restart], .undo),
    "answering | undo | it was rolled": board(rolled, .undo),
    "answering | undo | the turn passed by this roll":
      board(answered + [.rollEnded([5, 1])], .undo),
    "answering | undo | a wrong answer was given": board(rolled + [answer(3)], .undo),
    "answered | undo | always": board(answered, .undo),
    "won | undo | always": board(won, .undo),
    "waitingForRoll | restart | always": board([], .restart),
    "answering | restart | always": board(rolled, .restart),
    "answered | restart | always": board(answered, .restart),
    "won | restart | always": board(won, .restart),
  ]
}
