extension DiceMathGame {
  /// Goes on by an event.
  ///
  /// - Parameters:
  ///   - event: what has happened.
  ///   - time: when, on a clock of the program's. A time before that of an earlier event counts as
  ///     that one's, and one after 2³² seconds as that.
  /// - Returns: what to show, in this order.
  @discardableResult
  public mutating func handle(_ event: Event, at time: Duration) -> [Output] {
    // What a saved game may say.
    self.time = min(max(self.time, time), Self.timeLimit)
    let before = position
    var outputs: [Output] = []
    switch event {
    case .undo: return undo()
    case .restart:
      position = Position(beginning: rules)
      position.entryCount = before.entryCount
      outputs = [.restarted, .turn(player: 0)]
    case .rollEnded(let values): outputs = roll(values)
    case .rollRevised(let values): outputs = revise(values)
    case .operationChosen(let operation): outputs = choose(operation)
    case .answerChanged(let answer):
      guard phase == .answering else { return [] }
      let verdict = judge.update(with: answer, at: self.time)
      outputs = verdict.map { conclude($0) } ?? [.heard(answer)]
    case .diceCleared:
      if phase == .answered { outputs = passTurn() }
    case .time:
      guard phase == .answering, let verdict = judge.advance(to: self.time) else { return [] }
      outputs = conclude(verdict)
    }
    if position != before {
      history.append(before)
      if history.count > Self.undoLimit { history.removeFirst() }
    }
    return outputs
  }

  private mutating func undo() -> [Output] {
    guard let earlier = history.popLast() else { return [] }
    for _ in earlier.entryCount..<max(position.entryCount, earlier.entryCount) { log.removeLast() }
    position = earlier
    beginJudging()
    return [.undone]
  }

  /// Judges answers to the open questions from the beginning.
  mutating func beginJudging() {
    var expected = questions.map { $0.answer }
    if !expected.isEmpty, let hidden = rules.hiddenAnswer { expected.append(hidden) }
    judge = AnswerJudge(
      expected: expected, pause: rules.pause, acceptsAtOnce: rules.acceptsAtOnce)
  }
}

// MARK: - Rolls

extension DiceMathGame {
  private mutating func roll(_ values: [Int]) -> [Output] {
    switch phase {
    case .won: return []
    case .answering where !rules.allowsRerolls: return [.rollRefused(.alreadyRolled)]
    case .waitingForRoll, .answering: return ask(about: values)
    case .answered: return passTurn() + ask(about: values)
    }
  }

  private mutating func revise(_ values: [Int]) -> [Output] {
    switch phase {
    case .won, .answered: return []
    case .waitingForRoll: return ask(about: values)
    case .answering:
      // The same dice in another order are the same question.
      return values.sorted() == self.values.sorted() ? [] : ask(about: values)
    }
  }

  /// Asks about a roll, or waits for another one.
  private mutating func ask(about values: [Int]) -> [Output] {
    position.wrongAnswers = []
    position.choice = nil
    defer { beginJudging() }
    do throws(RollRefusalError) {
      position.questions = try questions(about: values)
    } catch {
      position.questions = []
      position.phase = .waitingForRoll
      return [.rollRefused(error.refusal)]
    }
    position.phase = .answering
    position.questionTime = time
    return [.asked(position.questions)]
  }

  private struct RollRefusalError: Error {
    let refusal: RollRefusal
  }

  private func questions(about values: [Int]) throws(RollRefusalError) -> [ArithmeticQuestion] {
    switch rules.play {
    case .practice:
      let player = players[turn]
      do throws(ArithmeticQuestionError) {
        return [try player.level.question(about: values, number: player.questionCount)]
      } catch {
        switch error {
        case .diceCount(let found, let required):
          throw RollRefusalError(refusal: .diceCount(found: found, required: required))
        case .value(let found, let required):
          throw RollRefusalError(refusal: .value(found: found, required: required))
        case .answerTooLarge(let limit):
          throw RollRefusalError(refusal: .answerTooLarge(limit: limit))
        }
      }
    case .board(let board):
      guard values.count == 2 else {
        throw RollRefusalError(refusal: .diceCount(found: values.count, required: 2...2))
      }
      for value in values where !(1...board.sides).contains(value) {
        throw RollRefusalError(refusal: .value(found: value, required: 1...board.sides))
      }
      return board.legalMoves(of: values, from: players[turn].section).map { $0.question }
    }
  }

  private mutating func choose(_ operation: ArithmeticOperation) -> [Output] {
    guard
      phase == .answering, position.choice != operation,
      position.questions.contains(where: { $0.operation == operation })
    else { return [] }
    position.choice = operation
    beginJudging()
    return [.asked(questions)]
  }

  private mutating func passTurn() -> [Output] {
    position.turn = (turn + 1) % players.count
    position.phase = .waitingForRoll
    position.questions = []
    position.choice = nil
    position.wrongAnswers = []
    beginJudging()
    return [.turn(player: turn)]
  }
}

// MARK: - Answers

extension DiceMathGame {
  private mutating func conclude(_ verdict: AnswerJudge.Verdict) -> [Output] {
    switch verdict {
    case .right(let number): right(number)
    case .wrong(let number): wrong(number)
    }
  }

  private mutating func wrong(_ number: Int) -> [Output] {
    position.wrongAnswers.append(number)
    if position.wrongAnswers.count > Self.wrongAnswerLimit { position.wrongAnswers.removeFirst() }
    let count = position.wrongAnswers.count
    let left = rules.attempts.map { $0 - count }
    var outputs: [Output] = [.wrong(number, attemptsLeft: left)]
    let question = nearest(to: number)
    if left == 0 {
      outputs.append(.revealed(questions))
      close(question, isRight: false)
      position.players[turn].streak = 0
      position.phase = .answered
    } else if rules.givesHints {
      outputs.append(.hint(question.hint(after: number, attempt: count)))
    }
    beginJudging()
    return outputs
  }

  private mutating func right(_ number: Int) -> [Output] {
    let question = questions.first { $0.answer == number }
    let answered = question ?? nearest(to: number)
    var outputs: [Output] = [.right(number, answered)]
    close(answered, isRight: true)
    position.players[turn].rightCount += 1
    if position.wrongAnswers.isEmpty {
      position.players[turn].streak += 1
      position.players[turn].longestStreak = max(
        position.players[turn].longestStreak, position.players[turn].streak)
    } else {
      position.players[turn].streak = 0
    }
    position.phase = .answered
    switch rules.play {
    case .practice(_, let count):
      if let count, players[turn].streak > 0, players[turn].streak % count == 0,
        let next = players[turn].level.next
      {
        position.players[turn].level = next
        position.players[turn].questionCount = 0
        outputs.append(.level(player: turn, next))
      }
    case .board(let board):
      let origin = players[turn].section
      let way =
        question.map { board.way(from: origin, by: $0.answer) } ?? [board.target]
      if let destination = way.last {
        position.players[turn].section = destination
        outputs.append(.moved(player: turn, from: origin, over: way))
      }
      if players[turn].section == board.target {
        position.phase = .won
        outputs.append(.won(player: turn))
      }
    }
    beginJudging()
    return outputs
  }

  /// The open question whose answer is nearest to a number, the first of several.
  private func nearest(to number: Int) -> ArithmeticQuestion {
    let open = position.openQuestions
    var best = open[0]
    // Answers are 0...999,999: clamped, the difference cannot overflow.
    let number = min(max(number, -1), ArithmeticQuestion.answerLimit + 1)
    for question in open where abs(question.answer - number) < abs(best.answer - number) {
      best = question
    }
    return best
  }

  /// Writes what became of a question into the log.
  private mutating func close(_ question: ArithmeticQuestion, isRight: Bool) {
    log.add(
      PracticeLog.Entry(
        player: turn, question: question, wrongAnswers: position.wrongAnswers, isRight: isRight,
        duration: time - position.questionTime))
    position.entryCount += 1
    position.players[turn].questionCount += 1
  }
}

extension BoardRules {
  /// The sections over which a pawn goes, the last being where it lands; empty where it stays.
  ///
  /// - Precondition: `section` is one of the board, `distance` is not negative.
  /// - Complexity: O(`distance`).
  public func way(from section: Int, by distance: Int) -> [Int] {
    let clockwise = distanceToTarget(from: section)
    if overshoot == .staysPut, distance > clockwise { return [] }
    var way: [Int] = []
    var place = section
    for step in 0..<distance {
      let isBack = overshoot == .bouncesBack && step >= clockwise
      place = (place - 1 + (isBack ? sectionCount - 1 : 1)) % sectionCount + 1
      way.append(place)
    }
    return way
  }
}
