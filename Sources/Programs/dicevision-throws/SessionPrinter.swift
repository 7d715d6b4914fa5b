internal import DiceFiles
internal import DiceGeometry
internal import ThrowVisionKit

/// Sets the events of a game of throws out for people or for programs.
struct SessionPrinter {
  let isJSON: Bool

  /// The whole text for an event, line break included.
  func text(for event: ThrowGame.Event, frame: Int, time: Double) -> String {
    guard isJSON else {
      let start = NumberText.fixed(time, decimals: 3)
      return String(repeating: " ", count: max(0, 8 - start.count)) + "\(start) s  "
        + plainText(event) + "\n"
    }
    let (name, more) = members(event)
    return Self.line(
      [
        JSONObject.Member(key: "event", value: .string(name)),
        JSONObject.Member(key: "frame", value: JSONValue(frame)),
        JSONObject.Member(key: "time", value: Self.number(time, 4)),
      ] + more)
  }

  /// The last line: what all has come to.
  func text(for summary: ThrowSummary) -> String {
    guard isJSON else { return plainText(summary) + "\n" }
    return Self.line(
      [JSONObject.Member(key: "event", value: .string("summary"))] + members(summary))
  }

  private static func line(_ members: [JSONObject.Member]) -> String {
    String(decoding: JSONWriter.write(.object(JSONObject(members))), as: UTF8.self) + "\n"
  }

  private static func number(_ value: Double, _ decimals: Int) -> JSONValue {
    .number(NumberText.rounded(value, decimals: decimals))
  }

  private static func number(_ value: Double?, _ decimals: Int) -> JSONValue {
    value.map { number($0, decimals) } ?? .null
  }

  // MARK: - For people

  /// What a throw has come to, in words: "underleg, hole, 15 points, 5.2 m/s at 48°".
  static func words(_ result: ThrowResult) -> String {
    var parts = [result.place.rawValue, NumberText.count(result.points, "point", "points")]
    if let type = result.type { parts.insert(printable(type), at: 0) }
    if let speed = result.speed { parts.append("\(NumberText.fixed(speed, decimals: 1)) m/s") }
    if let angle = result.outcome.releaseAngle {
      parts.append("\(NumberText.fixed(angle, decimals: 0)) degrees")
    }
    return parts.joined(separator: ", ")
  }

  private func plainText(_ event: ThrowGame.Event) -> String {
    switch event {
    case .fieldFound: "field found"
    case .fieldLost: "field lost"
    case .sceneStable: "scene stable"
    case .sceneMoved: "camera moved"
    case .playerEntered(let identity): "player \(identity) entered"
    case .playerLeft(let identity): "player \(identity) left"
    case .ready(let number): "ready for throw \(number)"
    case .throwStarted(let number): "throw \(number) in flight"
    case .throwEnded(let number): "throw \(number) ended"
    case .scored(let result): "throw \(result.number): \(Self.words(result))"
    case .finished(let summary): "finished, \(NumberText.count(summary.points, "point", "points"))"
    case .restarted: "restarted"
    }
  }

  private func plainText(_ summary: ThrowSummary) -> String {
    var parts = [
      NumberText.count(summary.results.count, "throw", "throws"),
      NumberText.count(summary.points, "point", "points"),
    ]
    if let speed = summary.meanSpeed {
      parts.append("mean speed \(NumberText.fixed(speed, decimals: 1)) m/s")
    }
    if let speed = summary.bestSpeed {
      parts.append("best speed \(NumberText.fixed(speed, decimals: 1)) m/s")
    }
    if let angle = summary.meanAngle {
      parts.append("mean angle \(NumberText.fixed(angle, decimals: 0)) degrees")
    }
    if let best = summary.best { parts.append("best throw \(best.number)") }
    return parts.joined(separator: ", ")
  }

  // MARK: - For programs

  private func members(
    _ event: ThrowGame.Event
  ) -> (name: String, members: [JSONObject.Member]) {
    func one(_ key: String, _ value: Int) -> [JSONObject.Member] {
      [JSONObject.Member(key: key, value: JSONValue(value))]
    }
    switch event {
    case .fieldFound(let outline):
      let corners = outline.corners.map {
        JSONValue.array([Self.number($0.x, 2), Self.number($0.y, 2)])
      }
      return ("fieldFound", [JSONObject.Member(key: "corners", value: .array(corners))])
    case .fieldLost: return ("fieldLost", [])
    case .sceneStable: return ("sceneStable", [])
    case .sceneMoved: return ("sceneMoved", [])
    case .playerEntered(let identity): return ("playerEntered", one("identity", identity))
    case .playerLeft(let identity): return ("playerLeft", one("identity", identity))
    case .ready(let number): return ("ready", one("throw", number))
    case .throwStarted(let number): return ("throwStarted", one("throw", number))
    case .throwEnded(let number): return ("throwEnded", one("throw", number))
    case .scored(let result): return ("scored", members(result))
    case .finished(let summary): return ("finished", one("points", summary.points))
    case .restarted: return ("restarted", [])
    }
  }

  private func members(_ result: ThrowResult) -> [JSONObject.Member] {
    let outcome = result.outcome
    let position = outcome.position.map {
      JSONValue.array([Self.number($0.x, 1), Self.number($0.y, 1)])
    }
    return [
      JSONObject.Member(key: "throw", value: JSONValue(result.number)),
      JSONObject.Member(key: "place", value: .string(result.place.rawValue)),
      JSONObject.Member(key: "points", value: JSONValue(result.points)),
      JSONObject.Member(key: "type", value: outcome.type.map { .string($0) } ?? .null),
      JSONObject.Member(
        key: "typeConfidence", value: Self.number(Double(outcome.typeConfidence), 4)),
      JSONObject.Member(key: "releaseTime", value: Self.number(outcome.releaseTime, 4)),
      JSONObject.Member(key: "speed", value: Self.number(outcome.speed, 3)),
      JSONObject.Member(key: "releaseAngle", value: Self.number(outcome.releaseAngle, 2)),
      JSONObject.Member(key: "position", value: position ?? .null),
      JSONObject.Member(
        key: "path",
        value: .array(
          result.path.map {
            .array([Self.number($0.location.x, 2), Self.number($0.location.y, 2)])
          })),
    ]
  }

  private func members(_ summary: ThrowSummary) -> [JSONObject.Member] {
    [
      JSONObject.Member(key: "throws", value: JSONValue(summary.results.count)),
      JSONObject.Member(key: "points", value: JSONValue(summary.points)),
      JSONObject.Member(key: "board", value: JSONValue(summary.count(.board))),
      JSONObject.Member(key: "hole", value: JSONValue(summary.count(.hole))),
      JSONObject.Member(key: "missed", value: JSONValue(summary.count(.missed))),
      JSONObject.Member(key: "meanSpeed", value: Self.number(summary.meanSpeed, 3)),
      JSONObject.Member(key: "bestSpeed", value: Self.number(summary.bestSpeed, 3)),
      JSONObject.Member(key: "meanAngle", value: Self.number(summary.meanAngle, 2)),
      JSONObject.Member(
        key: "best", value: summary.best.map { JSONValue($0.number) } ?? .null),
    ]
  }
}
