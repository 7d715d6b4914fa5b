import DiceCodecs
import DiceFiles
import DiceGeometry
import DiceRolls
import DiceServer
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import dicevision_table

@Suite struct LiveServiceTests {
  let table = LiveTable()
  let service: LiveService
  let camera = BrowserCamera()

  init() throws {
    service = LiveService(
      table: table, feed: nil, camera: camera, server: try Server(ServerAccess()),
      sourceName: "test", startTime: 0)
  }

  private func roll(_ number: Int, _ values: [Int]) -> Roll {
    let dice = values.enumerated().map { (index, value) in
      TrackedDie(
        identifier: UInt64(index), boundingBox: BoundingBox(x: 0, y: 0, width: 9, height: 9),
        value: value)
    }
    return Roll(number: number, dice: dice)
  }

  private func tell(_ event: RollTracker.Event) {
    table.tell(event, frame: 1, time: .zero, unixTime: 5)
  }

  private func answer(_ path: String, _ method: String = "GET", body: [UInt8] = []) -> HTTPResponse
  {
    service.respond(to: HTTPRequest(method: method, path: path, body: body))
  }

  private func json(_ path: String) throws -> JSONValue { try JSONReader.parse(answer(path).body) }

  @Test func tellsTheRollAndTheHistory() throws {
    try expectEqual(json("/roll")["roll"], .null)
    tell(.rollEnded(roll(1, [3, 5])))
    tell(.rollEnded(roll(2, [6])))
    try expectEqual(json("/roll")["roll"]?["values"], [6])
    try expectEqual(json("/roll")["rollCount"], 2)
    let history = try json("/history")
    expectEqual(history["version"], 1)
    expectEqual(history["rolls"]?.array?.map { $0["sum"]?.integer }, [8, 6])
    expectEqual(history["totals"], ["3": 1, "5": 1, "6": 1])
  }

  @Test func aRevisionReplacesTheLastRoll() throws {
    tell(.rollEnded(roll(1, [3, 5])))
    tell(.resultRevised(roll(1, [3, 6])))
    let history = try json("/history")
    expectEqual(history["rolls"]?.array?.count, 1)
    expectEqual(history["rolls"]?.array?.first?["roll"], 1)
    expectEqual(history["totals"], ["3": 1, "6": 1])
    // A photo is a roll of its own, which no revision of an earlier one touches.
    #expect(table.tell(photo: roll(1, [1]).dice, time: .zero, unixTime: 5) != nil)
    tell(.resultRevised(roll(1, [2, 2])))
    try expectEqual(json("/roll")["roll"]?["values"], [1])
    try expectEqual(json("/roll")["roll"]?["roll"], 2)
  }

  @Test func totalsTellKindsApart() throws {
    var dice = roll(1, [4, 4, 10, 0]).dice
    for (index, kind) in [DieKind.d6, .d20, .d10, .percentile].enumerated() {
      dice[index].kind = kind
    }
    tell(.rollEnded(Roll(number: 1, dice: dice)))
    try expectEqual(json("/roll")["totals"], ["4": 1, "d10 0": 1, "d% 00": 1, "d20 4": 1])
  }

  @Test func keepsOnlySoManyRolls() throws {
    for number in 1...(LiveTable.rollLimit + 50) { tell(.rollEnded(roll(number, [1]))) }
    let history = try json("/history")
    expectEqual(history["rolls"]?.array?.count, LiveTable.rollLimit)
    expectEqual(history["rollCount"]?.integer, LiveTable.rollLimit + 50)
    expectEqual(history["totals"]?["1"]?.integer, LiveTable.rollLimit + 50)
  }

  @Test func knowsItsPaths() throws {
    for path in ["/", "/overlay", "/large", "/camera", "/roll", "/history", "/health"] {
      expectEqual(answer(path).status, 200, "\(path)")
      expectEqual(answer(path, "DELETE").status, 405, "\(path)")
    }
    expectEqual(answer("/nothing").status, 404)
    expectEqual(answer("/picture.jpg").status, 503)
    table.show([0xFF, 0xD8])
    expectEqual(answer("/picture.jpg").body, [0xFF, 0xD8])
    try expectEqual(json("/health")["state"], "running")
  }

  @Test func takesPicturesOnlyWithABrowser() throws {
    expectEqual(answer("/frame", "POST", body: [1]).status, 202)
    expectEqual(camera.frames.take(waiting: 0)?.bytes, [1])
    expectEqual(answer("/photo", "POST").status, 422)
    expectEqual(answer("/photo", "POST", body: [2]).status, 202)
    expectEqual(camera.photos.take(waiting: 0)?.bytes, [2])
    let closed = LiveService(
      table: table, feed: nil, camera: nil, server: service.server, sourceName: "", startTime: 0)
    for (method, path) in [("GET", "/camera"), ("POST", "/frame"), ("POST", "/photo")] {
      expectEqual(
        closed.respond(to: HTTPRequest(method: method, path: path, body: [1])).status, 404)
    }
  }

  @Test func oneBrowserSendsAtATime() {
    #expect(camera.take([1], from: 1, at: 10))
    #expect(!camera.take([2], from: 2, at: 11))
    expectEqual(camera.frames.take(waiting: 0)?.bytes, [1])
    #expect(camera.take([2], from: 2, at: 20))
    expectEqual(camera.frames.take(waiting: 0)?.bytes, [2])
  }

  @Test func pagesAskNobodyElse() {
    for page in [LivePages.table, LivePages.overlay, LivePages.large, LivePages.camera] {
      #expect(!page.contains("//") || !page.contains("http:") && !page.contains("src=\"//"))
      #expect(page.hasPrefix("<!doctype html>"))
      #expect(!page.contains("innerHTML"))
      #expect(page.utf8.count < 12_000)
    }
  }
}

@Suite struct FrameFeedTests {
  @Test func aFilmBeginsAgainAndTimeGoesOn() throws {
    let path = Fixtures.path("clips/throw-34.mjpeg")
    let feed = FrameFeed(
      .film(path), pace: .init(isLooped: true, isEveryFrame: true), ToolCall().environment)
    try feed.start()
    defer { feed.stop() }
    var last = Duration.seconds(-1)
    var restarts = 0
    for _ in 0..<150 {
      guard case .frame(let frame) = feed.mailbox.take(waiting: 10_000) else {
        Issue.record("no frame")
        return
      }
      #expect(frame.time > last)
      last = frame.time
      if frame.frame.index == 0 { restarts += 1 }
    }
    #expect(restarts > 1)
    expectEqual(feed.statistics.state, .running)
    expectEqual(feed.statistics.skippedCount, 0)
  }

  @Test func aProgramThatIsMissingIsNamed() {
    #expect(throws: ToolError.self) { try ChildProcess("no-such-program-here", []) }
  }

  @Test func aProgramIsReadToItsEnd() throws {
    let process = try ChildProcess("sh", ["-c", "printf abc; echo broken >&2; exit 3"])
    var buffer = [UInt8](repeating: 0, count: 100)
    var found: [UInt8] = []
    while let count = process.read(into: &buffer) { found += buffer[..<count] }
    expectEqual(found, Array("abc".utf8))
    expectEqual(process.message, "broken")
  }

  @Test func aProgramCanBeStopped() throws {
    let process = try ChildProcess("sh", ["-c", "exec sleep 100"])
    let begin = ContinuousClock.now
    process.end()
    var buffer = [UInt8](repeating: 0, count: 100)
    expectEqual(process.read(into: &buffer), nil)
    #expect(ContinuousClock.now - begin < .seconds(5))
  }

  @Test func aSourceThatIsLostIsTriedAgain() throws {
    // No ffmpeg, no camera: a stream that nobody sends is lost at once.
    guard (try? ChildProcess("ffmpeg", ["-version"])) != nil else { return }
    let feed = FrameFeed(
      try LiveSource("tcp://127.0.0.1:1/none"), pace: .init(), ToolCall().environment)
    try feed.start()
    defer { feed.stop() }
    for _ in 0..<200 where feed.statistics.restartCount == 0 { _ = feed.mailbox.take(waiting: 50) }
    guard case .waiting(let message, _) = feed.statistics.state else {
      Issue.record("the loss is not told")
      return
    }
    #expect(!message.isEmpty)
  }
}
