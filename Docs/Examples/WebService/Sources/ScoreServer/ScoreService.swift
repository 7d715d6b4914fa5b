import DiceGameKit
import DiceServer
import DiceVisionKit
import Foundation
import ServiceSupport

/// Keeps score for several tables: what is the service's own, whatever server carries it.
///
///     POST   /tables              a table, from {"players": ["Ann", "Ben"]}, with "level" for a practice
///     POST   /tables/saved        a table, from a saved game
///     GET    /tables/NAME         where its game stands
///     POST   /tables/NAME/roll    {"values": [6, 2]}, or a picture of the dice
///     POST   /tables/NAME/answer  {"number": 8}
///     POST   /tables/NAME/next    the dice are taken away; /undo, /restart
///     GET    /tables/NAME/log     what was asked and answered
///     GET    /tables/NAME/saved   the game, to be kept
///     DELETE /tables/NAME         takes the table away
struct ScoreService: Sendable {
  /// The most bytes of what is no picture and no saved game.
  static let jsonByteLimit = 1 << 16

  private let tables: Tables
  private let limits: Limits
  private let detector: DiceDetector
  private let gate: Gate

  /// - Throws: `DetectorError`.
  init(tables: Tables, limits: Limits = Limits()) throws {
    self.tables = tables
    self.limits = limits
    gate = Gate(places: limits.readingCount)
    let processors = ProcessInfo.processInfo.activeProcessorCount
    detector = try DiceDetector(
      configuration: .init(threadCount: max(1, processors / limits.readingCount)))
  }

  /// The response to a request, computed on the caller's thread.
  func respond(to request: HTTPRequest) -> HTTPResponse {
    do {
      return try answer(request)
    } catch let error as HTTPError {
      return .refusal(error)
    } catch {
      return .refusal(HTTPError(500, "The table could not be kept."))
    }
  }

  private func answer(_ request: HTTPRequest) throws -> HTTPResponse {
    let path = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map(String.init)
    guard path.first == "tables", path.count <= 3 else {
      throw HTTPError(404, "There is nothing at this path.")
    }
    switch (request.method, path.count) {
    case ("POST", 1):
      return try json(TableState(try tables.add(try newGame(request.body))))
    case ("POST", 2) where path[1] == "saved":
      return try json(TableState(try tables.add(try savedGame(request.body))))
    case ("GET", 2):
      return try json(TableState(try tables.table(path[1])))
    case ("DELETE", 2):
      let table = try tables.table(path[1])
      tables.remove(table)
      return try json(TableState(table))
    case ("GET", 3):
      let game = try tables.table(path[1]).told.game
      switch path[2] {
      case "saved": return HTTPResponse(status: 200, body: game.savedText)
      case "log": return try json(game.log)
      default: throw HTTPError(404, "There is nothing at this path.")
      }
    case ("POST", 3):
      let table = try tables.table(path[1])
      return try json(try tell(table, try event(path[2], request.body)))
    default:
      throw HTTPError(405, "\(request.method) is not for \(request.path).")
    }
  }

  /// Tells a table of an event.
  private func tell(_ table: Table, _ event: DiceMathGame.Event) throws -> TableState {
    let told = try table.handle(event) { try tables.keep($0, at: table.name) }
    if case .rollRefused(let refusal)? = told.outputs.last {
      throw HTTPError(422, refusal.description)
    }
    guard !told.outputs.isEmpty else {
      throw HTTPError(409, "The table is \(told.game.phase), where this means nothing.")
    }
    return TableState(table.name, told)
  }

  // MARK: - What clients send

  private func event(_ name: String, _ body: [UInt8]) throws -> DiceMathGame.Event {
    switch name {
    case "roll": return .rollEnded(try values(body))
    case "answer":
      struct Answer: Decodable { var number: Int }
      return .answerChanged(PlayerAnswer(try decoded(Answer.self, body).number))
    case "next": return .diceCleared
    case "undo": return .undo
    case "restart": return .restart
    default: throw HTTPError(404, "There is nothing at this path.")
    }
  }

  private func newGame(_ body: [UInt8]) throws -> DiceMathGame {
    struct NewTable: Decodable {
      var players: [String]
      var level: Int?
      var attempts: Int?
    }
    let table = try decoded(NewTable.self, body)
    var play = DiceMathGame.Play.board(.standard)
    if let number = table.level {
      guard let level = PracticeLevel(rawValue: number) else {
        throw HTTPError(422, "There is no level \(number); there are 1 to 5.")
      }
      play = .practice(level: level, advancesAfter: 5)
    }
    do {
      return DiceMathGame(
        try DiceMathGame.Rules(play, players: table.players, attempts: table.attempts ?? 3))
    } catch {
      throw HTTPError(422, error.description)
    }
  }

  private func savedGame(_ body: [UInt8]) throws -> DiceMathGame {
    do { return try DiceMathGame(savedText: body) } catch {
      throw HTTPError(422, error.description)
    }
  }

  /// A roll, as numbers or read from a picture, none of which begins with a brace.
  private func values(_ body: [UInt8]) throws -> [Int] {
    struct Roll: Decodable { var values: [Int] }
    if body.first == UInt8(ascii: "{") { return try decoded(Roll.self, body).values }
    guard gate.enter(within: limits.waitingTime) else {
      throw HTTPError(503, "Too many pictures at once: please come again.")
    }
    defer { gate.leave() }
    do {
      return try detector.detect(
        inImageFile: body, limits: DecodingLimits(pixelCount: limits.pixelCount)
      ).values
    } catch .image(let error) {
      throw HTTPError(422, error.description)
    }
  }

  private func decoded<Body: Decodable>(_ type: Body.Type, _ body: [UInt8]) throws -> Body {
    guard body.count <= Self.jsonByteLimit else {
      throw HTTPError(413, "JSON may have \(Self.jsonByteLimit) bytes at most.")
    }
    do { return try JSONDecoder().decode(type, from: Data(body)) } catch {
      throw HTTPError(400, "The body is not the JSON that is needed here.")
    }
  }

  private func json(_ value: some Encodable) throws -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return HTTPResponse(status: 200, body: Array(try encoder.encode(value)) + [10])
  }
}
