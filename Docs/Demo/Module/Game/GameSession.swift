import DiceGameKit

/// The game of the page, its canvas and its microphone, and what the latest call told.
final class GameSession {
  /// Where bytes from outside are written.
  enum Place: Int32 {
    case digitWeights = 0
    case penWayWeights = 1
    case speechWeights = 2
    case names = 3
    /// Numbers of 8 bytes: values of dice, or places of a pen.
    case numbers = 4
    /// Samples of 4 bytes, -1...1.
    case samples = 5
    case digitOrNoneWeights = 6
    /// A saved game, JSON.
    case savedGame = 7
  }

  /// The answer of the latest call, JSON, or why it failed.
  private(set) var text = Numbers<UInt8>()

  private var digitWeights = Numbers<UInt8>()
  private var penWayWeights = Numbers<UInt8>()
  private var digitOrNoneWeights = Numbers<UInt8>()
  private var speechWeights = Numbers<UInt8>()
  private var names = Numbers<UInt8>()
  private var numbers = Numbers<Double>()
  private var samples = Numbers<Float>()
  private var savedGame = Numbers<UInt8>()

  private(set) var game: DiceMathGame?
  private var ink: NumberRecognizer?
  private var ears: SpokenNumberRecognizer?

  /// Memory for `byteCount` bytes.
  func reserve(_ place: Place, byteCount: Int) -> UnsafeMutableRawPointer? {
    switch place {
    case .digitWeights: unsafe digitWeights.reserve(byteCount)
    case .penWayWeights: unsafe penWayWeights.reserve(byteCount)
    case .digitOrNoneWeights: unsafe digitOrNoneWeights.reserve(byteCount)
    case .speechWeights: unsafe speechWeights.reserve(byteCount)
    case .names: unsafe names.reserve(byteCount)
    case .numbers: unsafe numbers.reserve(byteCount / 8)
    case .samples: unsafe samples.reserve(byteCount / 4)
    case .savedGame: unsafe savedGame.reserve(byteCount)
    }
  }

  /// Does something; the answer's byte count, or −1 and the error's sentence as the text.
  func answer(_ body: (GameSession) throws(GameSessionError) -> JSON) -> Int32 {
    do {
      tell(try body(self))
      return Int32(text.count)
    } catch { return fail(error) }
  }

  @inline(never)
  private func tell(_ json: JSON) {
    text.removeAll()
    json.write(to: &text)
  }

  @inline(never)
  private func fail(_ error: GameSessionError) -> Int32 {
    text.removeAll()
    for byte in error.description.utf8 { text.append(byte) }
    return -1
  }
}

// MARK: - The game

extension GameSession {
  /// Begins a game on the standard board, between the players in the place `names`, one a line.
  func begin(pause: Duration, attempts: Int) throws(GameSessionError) -> JSON {
    try begin(.board(.standard), pause: pause, attempts: attempts)
  }

  /// Begins a practice of the players in the place `names`.
  func practise(
    level: Int, advancesAfter: Int?, pause: Duration, attempts: Int
  ) throws(GameSessionError) -> JSON {
    guard let level = PracticeLevel(rawValue: level) else { throw .level(level) }
    return try begin(
      .practice(level: level, advancesAfter: advancesAfter), pause: pause, attempts: attempts)
  }

  private func begin(
    _ play: DiceMathGame.Play, pause: Duration, attempts: Int
  ) throws(GameSessionError) -> JSON {
    let lines = names.array.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let players = lines.map { String(decoding: $0, as: UTF8.self) }
    do {
      game = DiceMathGame(
        try DiceMathGame.Rules(play, players: players, attempts: attempts, pause: pause))
    } catch { throw .rules(error) }
    return try told([])
  }

  /// The game as a text.
  func save() throws(GameSessionError) -> JSON {
    guard let game else { throw .noGame }
    return .text(game.savedText)
  }

  /// Goes on with a saved game, if it is one that the page can show.
  func restore() throws(GameSessionError) -> JSON {
    let restored: DiceMathGame
    do { restored = try DiceMathGame(savedText: savedGame.array) } catch { throw .saved(error) }
    switch restored.rules.play {
    case .board(let board):
      guard board == .standard, restored.players.count == 2 else { throw .otherRules }
    case .practice:
      guard restored.players.count == 1 else { throw .otherRules }
    }
    game = restored
    return try told([])
  }

  /// What was asked and answered.
  func log() throws(GameSessionError) -> JSON {
    guard let game else { throw .noGame }
    return json(game.log)
  }

  /// Goes on by an event.
  func handle(_ event: DiceMathGame.Event, seconds: Double) throws(GameSessionError) -> JSON {
    guard abs(seconds) < 1e9 else { throw .invalidTime(seconds) }
    guard let outputs = game?.handle(event, at: .seconds(seconds)) else { throw .noGame }
    return try told(outputs)
  }

  /// The values of a roll, in the place `numbers`.
  func values() throws(GameSessionError) -> [Int] {
    var values: [Int] = []
    for number in numbers.array {
      guard number >= 0, number <= 1e6 else { throw .invalidNumber(number) }
      values.append(Int(number))
    }
    return values
  }

  private func told(_ outputs: [DiceMathGame.Output]) throws(GameSessionError) -> JSON {
    guard let game else { throw .noGame }
    return .object([
      ("outputs", .array(outputs.map { json($0) })), ("state", json(game)),
    ])
  }
}

// MARK: - The canvas

extension GameSession {
  /// Makes the reader of strokes from its weights.
  func openInk() throws(GameSessionError) -> JSON {
    do {
      ink = try NumberRecognizer(
        digits: digitWeights.array, penWays: penWayWeights.array,
        digitOrNone: digitOrNoneWeights.array)
    } catch { throw .ink(error) }
    return .null
  }

  /// Reads what is drawn with one more stroke, whose places are in `numbers`: x, y, x, y and so on.
  ///
  /// - Parameter isOver: whether the pen was lifted; otherwise the next call has the whole stroke anew.
  func stroke(isOver: Bool) throws(GameSessionError) -> JSON {
    guard var recognizer = ink else { throw .noInk }
    let places = numbers.array
    let points = stride(from: 0, to: places.count - 1, by: 2).map {
      StrokePoint(x: places[$0], y: places[$0 + 1])
    }
    do {
      let reading = try recognizer.add(Stroke(points))
      if isOver { ink = recognizer }
      return json(reading)
    } catch { throw .ink(error) }
  }

  /// Takes the last stroke back.
  func undoStroke() throws(GameSessionError) -> JSON {
    guard var recognizer = ink else { throw .noInk }
    do {
      let reading = try recognizer.undo()
      ink = recognizer
      return json(reading)
    } catch { throw .ink(error) }
  }

  /// Takes all strokes away.
  func clearInk() throws(GameSessionError) -> JSON {
    guard ink != nil else { throw .noInk }
    ink?.clear()
    return .null
  }
}

// MARK: - The microphone

extension GameSession {
  /// Makes the recogniser of spoken numbers from its weights.
  func openEars(sampleRate: Int, greatest: Int) throws(GameSessionError) -> JSON {
    let rates = SpokenNumberRecognizer.sampleRates
    guard rates.contains(sampleRate) else { throw .sampleRate(sampleRate) }
    do {
      let recognizer = try SpokenNumberRecognizer(
        weights: speechWeights.array, sampleRate: sampleRate)
      if greatest >= 0 { recognizer.expectedAnswers = Set(0...min(greatest, 999)) }
      ears = recognizer
    } catch { throw .ears(error) }
    return .null
  }

  /// Hears the sound in the place `samples`.
  ///
  /// - Parameter isOver: whether the sound ends with it.
  func hear(isOver: Bool) throws(GameSessionError) -> JSON {
    guard let ears else { throw .noEars }
    do {
      var events = try ears.append(samples.array)
      if isOver { events += try ears.finish() }
      return .array(events.map { json($0) })
    } catch { throw .ears(error) }
  }
}

/// Why a call of the page fails.
enum GameSessionError: Error {
  /// `mathBegin` was not called, or failed.
  case noGame
  /// `mathOpenInk` was not called, or failed.
  case noInk
  /// `mathOpenEars` was not called, or failed.
  case noEars
  /// A time is NaN, infinite, or more than thirty years away.
  case invalidTime(Double)
  /// A die's value is no number of 0 to a million.
  case invalidNumber(Double)
  /// There is no such event, operation or openness.
  case invalidEvent
  /// Sound has too few or too many samples a second.
  case sampleRate(Int)
  /// There is no such level.
  case level(Int)
  /// The rules make no sense.
  case rules(DiceMathRulesError)
  /// The text is no saved game.
  case saved(SavedGameError)
  /// The saved game is on another board, or has other players, than the page can show.
  case otherRules
  /// The library refuses a drawing or its weights.
  case ink(NumberRecognizerError)
  /// The library refuses the weights of speech.
  case ears(SpokenNumberError)

  /// One sentence that says what was found and what was required.
  var description: String {
    switch self {
    case .noGame: "No game has begun."
    case .noInk: "The canvas is not open."
    case .noEars: "The microphone is not open."
    case .invalidTime(let seconds): "\(seconds) s is no time of an event."
    case .invalidNumber(let number): "\(number) is no value of a die."
    case .invalidEvent: "There is no such event."
    case .sampleRate(let rate):
      "The sound has \(rate) samples a second; 8,000 to 48,000 can be heard."
    case .level(let level): "There is no level \(level); there are 1 to 5."
    case .rules(let error): error.description
    case .saved(let error): error.description
    case .otherRules: "The saved game is one that this page cannot show."
    case .ink(let error): error.description
    case .ears(let error): error.description
    }
  }
}
