internal import DiceCodecs
internal import DiceFiles
internal import DiceNumerics
internal import DiceRolls
internal import DiceVisionKit

/// Sets the events of a film out for people or for programs.
struct EventPrinter {
  let isJSON: Bool
  /// Whether there is a field of play.
  var hasField = false

  /// The whole text for an event, line break included; nil for events that are not told.
  func text(for event: RollTracker.Event, in frame: VideoFrame) -> String? {
    guard isJSON else { return plainText(event, frame) }
    return json(event, frame).map { String(decoding: JSONWriter.write($0), as: UTF8.self) + "\n" }
  }

  private func plainText(_ event: RollTracker.Event, _ frame: VideoFrame) -> String? {
    let what: String
    switch event {
    case .rollEnded(let roll): what = "roll \(roll.number): \(values(roll))"
    case .resultRevised(let roll): what = "roll \(roll.number), now: \(values(roll))"
    case .rollAbandoned: what = "the dice of the roll are gone"
    case .cleared: what = "no dice"
    case .rollStarted, .cameraMoved, .dieEntered, .dieMoved, .dieLeft, .unsettled: return nil
    }
    let time = NumberText.fixed(frame.timestamp.inSeconds, decimals: 3)
    return String(repeating: " ", count: max(0, 8 - time.count)) + "\(time) s  \(what)\n"
  }

  private func values(_ roll: Roll) -> String {
    let inside =
      roll.dice.isEmpty && !roll.outside.isEmpty
      ? "no dice on the field"
      : roll.values.map { "\($0)" }.joined(separator: " ") + ", sum \(roll.sum)"
    var parts = [inside]
    for (name, dice) in [("cocked", roll.cocked), ("outside", roll.outside)] where !dice.isEmpty {
      parts.append(
        "\(name): " + dice.map { $0.value.map { "\($0)" } ?? "?" }.joined(separator: " "))
    }
    return parts.joined(separator: "; ")
  }

  private func json(_ event: RollTracker.Event, _ frame: VideoFrame) -> JSONValue? {
    let name: String
    var more: [JSONObject.Member] = []
    switch event {
    case .rollStarted(let time):
      name = "rollStarted"
      more.append(JSONObject.Member(key: "startTime", value: seconds(time)))
    case .rollEnded(let roll):
      name = "rollEnded"
      more = members(of: roll)
    case .resultRevised(let roll):
      name = "resultRevised"
      more = members(of: roll)
    case .rollAbandoned: name = "rollAbandoned"
    case .cleared: name = "cleared"
    case .cameraMoved(let x, let y):
      name = "cameraMoved"
      more.append(JSONObject.Member(key: "x", value: pixels(x)))
      more.append(JSONObject.Member(key: "y", value: pixels(y)))
    case .dieEntered, .dieMoved, .dieLeft, .unsettled: return nil
    }
    var object = JSONObject([
      JSONObject.Member(key: "event", value: .string(name)),
      JSONObject.Member(key: "frame", value: JSONValue(frame.index)),
      JSONObject.Member(key: "time", value: seconds(frame.timestamp)),
    ])
    object.members += more
    return .object(object)
  }

  private func members(of roll: Roll) -> [JSONObject.Member] {
    [
      JSONObject.Member(key: "roll", value: JSONValue(roll.number)),
      JSONObject.Member(key: "values", value: .array(roll.values.map { JSONValue($0) })),
      JSONObject.Member(key: "sum", value: JSONValue(roll.sum)),
      JSONObject.Member(key: "startTime", value: seconds(roll.startTime)),
      JSONObject.Member(key: "restTime", value: seconds(roll.restTime)),
      JSONObject.Member(key: "dice", value: .array(roll.dice.map { json($0) })),
    ]
      + (hasField
        ? [
          JSONObject.Member(key: "outside", value: .array(roll.outside.map { json($0) }))
        ] : [])
  }

  private func json(_ die: TrackedDie) -> JSONValue {
    let box = die.boundingBox
    var object = JSONObject([
      JSONObject.Member(key: "identity", value: JSONValue(Int(clamping: die.identifier))),
      JSONObject.Member(key: "value", value: die.value.map { JSONValue($0) } ?? .null),
      JSONObject.Member(
        key: "confidence",
        value: .number(NumberText.rounded(Double(die.confidence), decimals: 4))),
      JSONObject.Member(
        key: "box",
        value: [
          "x": pixels(box.x), "y": pixels(box.y), "width": pixels(box.width),
          "height": pixels(box.height),
        ]),
    ])
    if let place = die.place {
      object.members.append(JSONObject.Member(key: "place", value: json(place)))
    }
    return .object(object)
  }

  private func json(_ place: FieldPlace) -> JSONValue {
    func pair(_ numbers: SIMD2<Double>?, decimals: Int) -> JSONValue {
      guard let numbers else { return .null }
      return .array(
        [numbers.x, numbers.y].map { .number(NumberText.rounded($0, decimals: decimals)) })
    }
    return [
      "foot": .array([pixels(place.foot.x), pixels(place.foot.y)]),
      "outside": .bool(place.isOutside), "cocked": .bool(place.isCocked),
      "centimeters": pair(place.centimeters, decimals: 2),
      "fromPlayer": pair(place.fromPlayer, decimals: 4),
    ]
  }

  private func seconds(_ time: Duration) -> JSONValue {
    .number(NumberText.rounded(time.inSeconds, decimals: 4))
  }

  private func pixels(_ value: Double) -> JSONValue {
    .number(NumberText.rounded(value, decimals: 2))
  }
}
