import DiceGameKit

// What the page of the game calls, beside what reads dice. Every call that can fail returns −1 then.
// `mathText` has its answer, JSON, or why it failed. `Docs/Demo/README.md` has the members.

@safe nonisolated(unsafe) private let session = GameSession()

/// Memory for bytes from outside; what stood there before is lost.
///
/// - Parameter place: 0 the weights of digits, 1 of the pen's way, 2 of speech, 3 names, 4 numbers of
///   8 bytes, 5 samples of 4 bytes, 6 the weights that know what is no digit, 7 a saved game.
/// - Returns: Where to write, or nil where there is no such place or no memory left.
@_expose(wasm, "mathReserve") @_cdecl("diceMathReserve")
func mathReserve(_ place: Int32, _ byteCount: Int32) -> UnsafeMutableRawPointer? {
  guard let place = GameSession.Place(rawValue: place), byteCount >= 0 else { return nil }
  return unsafe session.reserve(place, byteCount: Int(byteCount))
}

/// Where the answer of the latest call stands, in UTF-8.
@_expose(wasm, "mathText") @_cdecl("diceMathText")
func mathText() -> UnsafePointer<UInt8>? { unsafe UnsafePointer(session.text.base) }

/// How many bytes the answer has.
@_expose(wasm, "mathTextByteCount") @_cdecl("diceMathTextByteCount")
func mathTextByteCount() -> Int32 { Int32(session.text.count) }

/// Begins a game on the standard board.
///
/// - Parameters:
///   - pauseMilliseconds: how long an answer has to stay as it is before it counts.
///   - attempts: the answers that a player may give to a roll.
@_expose(wasm, "mathBegin") @_cdecl("diceMathBegin")
func mathBegin(_ pauseMilliseconds: Int32, _ attempts: Int32) -> Int32 {
  session.answer { (session) throws(GameSessionError) in
    try session.begin(
      pause: .milliseconds(Int(pauseMilliseconds)), attempts: Int(attempts))
  }
}

/// Begins a practice of one player, or several in turn.
///
/// - Parameters:
///   - level: what is asked, 1 counting to 5 mixed.
///   - advancesAfter: after how many answers in a row at the first attempt the next level comes; 0 for
///     never.
///   - pauseMilliseconds, attempts: as of `mathBegin`.
@_expose(wasm, "mathPractice") @_cdecl("diceMathPractice")
func mathPractice(
  _ level: Int32, _ advancesAfter: Int32, _ pauseMilliseconds: Int32, _ attempts: Int32
) -> Int32 {
  session.answer { (session) throws(GameSessionError) in
    try session.practise(
      level: Int(level), advancesAfter: advancesAfter == 0 ? nil : Int(advancesAfter),
      pause: .milliseconds(Int(pauseMilliseconds)), attempts: Int(attempts))
  }
}

/// The game as a text to be kept.
@_expose(wasm, "mathSave") @_cdecl("diceMathSave")
func mathSave() -> Int32 {
  session.answer { (session) throws(GameSessionError) in try session.save() }
}

/// Goes on with the saved game in place 7.
///
/// A text that is none leaves the game that there was.
@_expose(wasm, "mathRestore") @_cdecl("diceMathRestore")
func mathRestore() -> Int32 {
  session.answer { (session) throws(GameSessionError) in try session.restore() }
}

/// What was asked and answered, for parents and teachers.
@_expose(wasm, "mathLog") @_cdecl("diceMathLog")
func mathLog() -> Int32 {
  session.answer { (session) throws(GameSessionError) in try session.log() }
}

/// Tells the game of an event.
///
/// - Parameters:
///   - kind: 1 a roll has ended, 2 the latest one reads differently (values in place 4), 3 the dice were
///     taken away, 4 an operation was chosen, 5 the answer changed, 6 time has passed, 7 undo, 8 restart.
///   - number: the operation (0 sum, 1 difference), or the number that was answered, −1 for none.
///   - openness: of an answer: 0 closed, 1 the last digit may change, 2 anything may.
///   - seconds: when, on a clock that does not run backwards.
@_expose(wasm, "mathTell") @_cdecl("diceMathTell")
func mathTell(_ kind: Int32, _ number: Int32, _ openness: Int32, _ seconds: Double) -> Int32 {
  session.answer { (session) throws(GameSessionError) in
    let event: DiceMathGame.Event
    switch kind {
    case 1: event = .rollEnded(try session.values())
    case 2: event = .rollRevised(try session.values())
    case 3: event = .diceCleared
    case 4: event = .operationChosen(number == 0 ? .sum : .difference)
    case 5:
      let open: PlayerAnswer.Openness =
        openness == 0 ? .closed : openness == 1 ? .lastDigit : .anything
      event = .answerChanged(number < 0 ? nil : PlayerAnswer(Int(number), openness: open))
    case 6: event = .time
    case 7: event = .undo
    case 8: event = .restart
    default: throw .invalidEvent
    }
    return try session.handle(event, seconds: seconds)
  }
}

/// Makes the reader of strokes from places 0 and 1.
@_expose(wasm, "mathOpenInk") @_cdecl("diceMathOpenInk")
func mathOpenInk() -> Int32 {
  session.answer { (session) throws(GameSessionError) in try session.openInk() }
}

/// Reads what is drawn with one more stroke, whose places are in place 4.
///
/// - Parameter isOver: 0 while the pen is still down: the stroke is then read and not kept.
@_expose(wasm, "mathStroke") @_cdecl("diceMathStroke")
func mathStroke(_ isOver: Int32) -> Int32 {
  session.answer { (session) throws(GameSessionError) in
    try session.stroke(isOver: isOver != 0)
  }
}

/// Takes the last stroke back.
@_expose(wasm, "mathUndoStroke") @_cdecl("diceMathUndoStroke")
func mathUndoStroke() -> Int32 {
  session.answer { (session) throws(GameSessionError) in try session.undoStroke() }
}

/// Takes all strokes away.
@_expose(wasm, "mathClearInk") @_cdecl("diceMathClearInk")
func mathClearInk() -> Int32 {
  session.answer { (session) throws(GameSessionError) in try session.clearInk() }
}

/// Makes the recogniser of spoken numbers from place 2.
///
/// - Parameters:
///   - sampleRate: samples a second of the sound to come.
///   - greatest: numbers from 0 to this one are expected; negative for no such wish.
@_expose(wasm, "mathOpenEars") @_cdecl("diceMathOpenEars")
func mathOpenEars(_ sampleRate: Int32, _ greatest: Int32) -> Int32 {
  session.answer { (session) throws(GameSessionError) in
    try session.openEars(sampleRate: Int(sampleRate), greatest: Int(greatest))
  }
}

/// Hears the sound in place 5.
///
/// - Parameter isOver: not 0 where the sound ends with it.
@_expose(wasm, "mathHear") @_cdecl("diceMathHear")
func mathHear(_ isOver: Int32) -> Int32 {
  session.answer { (session) throws(GameSessionError) in try session.hear(isOver: isOver != 0) }
}
