import DiceGameKit
import DiceServer
import Foundation
import ServiceSupport
import Testing

@testable import ScoreServer

/// Tables in a folder of their own, which goes with the test.
final class ScoreServiceTests {
  private static let picture = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../../Fixtures/scenes/scene-15.jpg")
    .standardizedFileURL
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "scores-\(UUID().uuidString)")
  private let service: ScoreService

  init() throws {
    service = try ScoreService(tables: try Tables(folder: folder))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func status(_ method: String, _ path: String, _ body: String = "") -> Int {
    service.respond(to: HTTPRequest(method: method, path: path, body: Array(body.utf8))).status
  }

  private func post(
    _ path: String, _ body: [UInt8] = [], method: String = "POST", to service: ScoreService? = nil
  ) throws -> TableState {
    let response = (service ?? self.service)
      .respond(to: HTTPRequest(method: method, path: path, body: body))
    #expect(response.status == 200, "\(path): \(String(decoding: response.body, as: UTF8.self))")
    return try JSONDecoder().decode(TableState.self, from: Data(response.body))
  }

  private func post(_ path: String, _ body: String) throws -> TableState {
    try post(path, Array(body.utf8))
  }

  @Test func keepsScoreForSeveralTables() throws {
    let one = try post("/tables", #"{"players": ["Ann", "Ben"]}"#).table
    let other = try post("/tables", #"{"players": ["Cleo"], "level": 1}"#).table
    #expect(
      try post("/tables/\(one)/roll", #"{"values": [6, 2]}"#).questions == ["6 + 2", "6 − 2"])
    #expect(
      try post("/tables/\(other)/roll", #"{"values": [1, 1, 1]}"#).questions == ["how many dice"])
    let won = try post("/tables/\(one)/answer", #"{"number": 8}"#)
    #expect(won.winner == "Ann" && won.phase == "won")
    #expect(won.players.map(\.section) == [9, 1])
    #expect(won.told == ["Right: 6 + 2 = 8.", "Ann moves from 1 to 9.", "Ann wins."])
    let practice = try post("/tables/\(other)", method: "GET")
    #expect(practice.phase == "answering" && practice.players.map(\.level) == [1])
    #expect(try post("/tables/\(one)/undo").players.map(\.section) == [1, 1])
    #expect(try post("/tables/\(one)", method: "DELETE").table == one)
    #expect(status("GET", "/tables/\(one)") == 404)
    #expect(status("POST", "/tables/\(one)/undo") == 404)
  }

  @Test func readsARollFromAPicture() throws {
    let table = try post("/tables", #"{"players": ["Ann"]}"#).table
    let roll = try post("/tables/\(table)/roll", [UInt8](try Data(contentsOf: Self.picture)))
    #expect(roll.values == [6, 1])
    #expect(roll.questions == ["6 + 1", "6 − 1"])
  }

  @Test func tablesOutliveTheServer() throws {
    let table = try post("/tables", #"{"players": ["Ann", "Ben"]}"#).table
    _ = try post("/tables/\(table)/roll", #"{"values": [3, 2]}"#)
    let moved = try post("/tables/\(table)/answer", #"{"number": 5}"#)
    try Data("no game".utf8).write(to: folder.appending(path: "broken.json"))
    let tables = try Tables(folder: folder)
    #expect(tables.problems.count == 1)
    let later = try ScoreService(tables: tables)
    var again = try post("/tables/\(table)", method: "GET", to: later)
    again.told = moved.told
    #expect(again == moved)
    #expect(try post("/tables/\(table)/undo", to: later).players[0].section == 1)
  }

  @Test func aSavedGameGoesOnAtAnotherTable() throws {
    let table = try post("/tables", #"{"players": ["Ann", "Ben"]}"#).table
    let rolled = try post("/tables/\(table)/roll", #"{"values": [3, 2]}"#)
    let saved = service.respond(to: HTTPRequest(method: "GET", path: "/tables/\(table)/saved")).body
    let other = try post("/tables/saved", saved)
    #expect(other.table != table)
    #expect(other.questions == rolled.questions)
    let log = service.respond(to: HTTPRequest(method: "GET", path: "/tables/\(table)/log"))
    #expect(try JSONDecoder().decode(PracticeLog.self, from: Data(log.body)).entries.isEmpty)
  }

  @Test func whatMeansNothingChangesNothing() throws {
    let table = try post("/tables", #"{"players": ["Ann", "Ben"]}"#).table
    let before = try post("/tables/\(table)", method: "GET")
    #expect(status("POST", "/tables/\(table)/answer", #"{"number": 5}"#) == 409)
    #expect(status("POST", "/tables/\(table)/undo") == 409)
    #expect(status("POST", "/tables/\(table)/roll", #"{"values": [1, 2, 3]}"#) == 422)
    #expect(status("POST", "/tables/\(table)/roll", #"{"values": [7, 1]}"#) == 422)
    #expect(try post("/tables/\(table)", method: "GET") == before)
  }

  @Test(arguments: [
    "", "{", "[]", "{}", "no picture", #"{"values": "6 2"}"#, #"{"values": [1e300, 1]}"#,
    #"{"values": [-1, 1]}"#, #"{"values": [9223372036854775807, 9223372036854775807]}"#,
    String(repeating: "{\"values\":", count: 5000), "{" + String(repeating: " ", count: 70_000),
  ])
  func hostileRollsAreRefused(body: String) throws {
    let table = try post("/tables", #"{"players": ["Ann"], "level": 4}"#).table
    #expect([400, 413, 422].contains(status("POST", "/tables/\(table)/roll", body)))
    #expect([400, 413].contains(status("POST", "/tables/\(table)/answer", body)))
    #expect([400, 413].contains(status("POST", "/tables", body)))
    #expect(status("POST", "/tables/saved", body) == 422)
    #expect(try post("/tables/\(table)", method: "GET").phase == "waitingForRoll")
  }

  @Test func answersOfAnySizeAreJudged() throws {
    let table = try post("/tables", #"{"players": ["Ann"], "attempts": 100}"#).table
    _ = try post("/tables/\(table)/roll", #"{"values": [6, 2]}"#)
    for number in [Int.max, Int.min, -1, 0] {
      let told = try post("/tables/\(table)/answer", "{\"number\": \(number)}")
      #expect(told.told.first?.hasPrefix("Not \(number).") == true)
    }
  }

  @Test(arguments: [
    #"{"players": []}"#, #"{"players": ["Ann", "Ann"]}"#, #"{"players": [""]}"#,
    #"{"players": ["Ann"], "level": 6}"#, #"{"players": ["Ann"], "attempts": 0}"#,
  ])
  func rulesThatMakeNoSenseAreRefused(body: String) {
    #expect(status("POST", "/tables", body) == 422)
  }

  @Test func knowsItsPaths() {
    #expect(status("GET", "/") == 404)
    #expect(status("GET", "/tables") == 405)
    #expect(status("GET", "/tables/../../etc/passwd") == 404)
    #expect(status("POST", "/tables/x/roll", #"{"values": [1, 2]}"#) == 404)
    #expect(status("PUT", "/tables/x") == 405)
  }
}
