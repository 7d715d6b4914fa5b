internal import DiceFiles
internal import DiceStatistics

extension TallyReport {
  /// The report for programs, a line.
  var json: String {
    let object: JSONValue = [
      "kind": question.kind.map { .string($0.rawValue) } ?? .null,
      "rolls": JSONValue(rollCount), "leftOut": JSONValue(leftOutCount),
      "foreignValues": JSONValue(foreignCount),
      "otherKinds": .object(
        JSONObject(
          otherKinds.keys.sorted().map {
            JSONObject.Member(key: $0.rawValue, value: JSONValue(otherKinds[$0] ?? 0))
          })), "expected": Self.numbers(question.expected.shares),
      "readerErrors": question.reader.map { Self.number($0.errorShare) } ?? .null,
      "level": Self.number(level), "power": Self.number(question.power),
      "parts": .array(parts.map { json($0) }),
      "rollsNeeded": .array(
        needed.map {
          ["bias": Self.number($0.bias), "rolls": $0.rollCount.map { JSONValue($0) } ?? .null]
        }),
    ]
    return String(decoding: JSONWriter.write(object), as: UTF8.self) + "\n"
  }

  private func json(_ part: Part) -> JSONValue {
    var object = JSONObject([
      JSONObject.Member(key: "name", value: .string(name(of: part))),
      JSONObject.Member(
        key: "diceInEachRoll", value: part.dieCount.map { JSONValue($0) } ?? .null),
      JSONObject.Member(key: "counts", value: .array(part.tally.counts.map { JSONValue($0) })),
      JSONObject.Member(key: "unread", value: JSONValue(part.unreadCount)),
      JSONObject.Member(key: "verdict", value: .string(verdict(on: part).rawValue)),
    ])
    if let look = part.appearance {
      object["size"] = Self.number(look.size, decimals: 1)
      if hasColors {
        object["color"] = Self.numbers([look.color.x, look.color.y, look.color.z], decimals: 3)
      }
    }
    guard let results = part.results else { return .object(object) }
    object["faces"] = .array(
      results.estimates.map {
        [
          "value": JSONValue(question.value(ofFace: $0.value)),
          "face": .string(question.name(ofFace: $0.value)), "share": Self.number($0.share),
          "low": Self.number($0.interval.lowerBound), "high": Self.number($0.interval.upperBound),
        ]
      })
    let chi = results.chiSquare
    object["chiSquare"] = [
      "statistic": .number(chi.statistic), "degreesOfFreedom": JSONValue(chi.degreesOfFreedom),
      "p": .number(chi.pValue), "leastExpectedCount": Self.number(chi.leastExpectedCount),
    ]
    object["exact"] = Self.json(results.exact)
    object["runs"] =
      results.runs.map {
        [
          "count": JSONValue($0.runCount), "expected": Self.number($0.expectedRunCount),
          "standardScore": Self.number($0.standardScore), "p": .number($0.pValue),
        ]
      } ?? .null
    object["p"] = .number(results.pValue)
    object["leastBias"] = results.leastBias.map { Self.number($0) } ?? .null
    return .object(object)
  }

  private static func json(_ test: DiceTally.ExactTest) -> JSONValue {
    switch test.method {
    case .enumerated(let count):
      ["p": .number(test.pValue), "method": "enumerated", "outcomes": JSONValue(count)]
    case .simulated(let count, let interval):
      [
        "p": .number(test.pValue), "method": "simulated", "tests": JSONValue(count),
        "interval": numbers([interval.lowerBound, interval.upperBound]),
      ]
    case .approximated: ["p": .number(test.pValue), "method": "approximated"]
    }
  }

  private static func number(_ value: Double, decimals: Int = 6) -> JSONValue {
    .number(NumberText.rounded(value, decimals: decimals))
  }

  private static func numbers(_ values: [Double], decimals: Int = 6) -> JSONValue {
    .array(values.map { number($0, decimals: decimals) })
  }
}
