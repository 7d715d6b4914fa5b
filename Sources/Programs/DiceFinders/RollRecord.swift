package import DiceFiles
internal import DiceGeometry
internal import DiceNumerics
package import DiceRolls

/// Events, rolls and dice as JSON.
package struct RollRecord {
  /// Whether there is a field of play.
  package var hasField: Bool

  /// A record.
  package init(hasField: Bool = false) { self.hasField = hasField }

  /// What happened in a frame; nil for events that are not told.
  package func object(
    for event: RollTracker.Event, frame: Int, time frameTime: Duration
  ) -> JSONObject? {
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
      JSONObject.Member(key: "frame", value: JSONValue(frame)),
      JSONObject.Member(key: "time", value: seconds(frameTime)),
    ])
    object.members += more
    return object
  }

  /// What is told of a roll.
  ///
  /// Kinds, the notation and the total are told where a die is not of six sides.
  package func members(of roll: Roll) -> [JSONObject.Member] {
    [
      JSONObject.Member(key: "roll", value: JSONValue(roll.number)),
      JSONObject.Member(key: "values", value: .array(roll.values.map { JSONValue($0) })),
      JSONObject.Member(key: "sum", value: JSONValue(roll.sum)),
    ]
      + (roll.hasKinds
        ? [
          JSONObject.Member(key: "notation", value: .string(roll.notation)),
          JSONObject.Member(key: "total", value: JSONValue(roll.total)),
        ] : [])
      + [
        JSONObject.Member(key: "startTime", value: seconds(roll.startTime)),
        JSONObject.Member(key: "restTime", value: seconds(roll.restTime)),
        JSONObject.Member(
          key: "dice", value: .array(roll.dice.map { json($0, namesKind: roll.hasKinds) })),
      ]
      + (hasField
        ? [
          JSONObject.Member(
            key: "outside", value: .array(roll.outside.map { json($0, namesKind: roll.hasKinds) }))
        ] : [])
  }

  /// What is told of a die.
  package func json(_ die: TrackedDie, namesKind: Bool = false) -> JSONValue {
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
    if namesKind || die.kind != .d6 {
      object["kind"] = .string(die.kind.rawValue)
      object["face"] = die.value.map { .string(die.kind.face(for: $0)) } ?? .null
    }
    let others = die.values.dropFirst().filter { (other) in other.confidence >= 0.1 }
    if die.value != nil, !others.isEmpty {
      object["alternatives"] = .array(others.map { (other) in alternative(other) })
    }
    if let place = die.place {
      object.members.append(JSONObject.Member(key: "place", value: json(place)))
    }
    return .object(object)
  }

  /// What else a die may show.
  private func alternative(_ other: ValueProbability) -> JSONValue {
    [
      "kind": .string(other.kind.rawValue), "face": .string(other.kind.face(for: other.value)),
      "value": JSONValue(other.value),
      "probability": .number(NumberText.rounded(Double(other.confidence), decimals: 2)),
    ]
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

extension Roll {
  /// Whether a die of it is not of six sides.
  package var hasKinds: Bool { (dice + outside).contains { (die) in die.kind != .d6 } }
}
