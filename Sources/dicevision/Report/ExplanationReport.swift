internal import DiceFiles
internal import DiceGeometry
internal import DiceVisionKit

/// An explanation set out for people or for programs.
struct ExplanationReport {
  let name: String
  let labels: [String]
  let explanation: DetectionExplanation

  // MARK: - Words

  /// What became of a box, in words; `numbers` says what indices stand for, `what` they count.
  static func words(_ fate: DetectionExplanation.Fate) -> String {
    switch fate {
    case .replacedByCloserLook: "seen better by a closer look"
    case .suppressed(let winner, let overlap):
      "suppressed by #\(winner + 1), overlap \(NumberText.fixed(overlap, decimals: 2))"
    case .beyondLimit: "one too many"
    case .read(let reading): "read, as reading #\(reading + 1)"
    case .refusedByReader: "nothing there for the reader"
    case .belowThreshold: "below the threshold"
    case .kept(let place): "kept: die \(place + 1) of the result"
    }
  }

  /// The kind of a fate as one word for programs.
  private static func word(_ fate: DetectionExplanation.Fate) -> String {
    switch fate {
    case .replacedByCloserLook: "replaced"
    case .suppressed: "suppressed"
    case .beyondLimit: "beyondLimit"
    case .read: "read"
    case .refusedByReader: "refused"
    case .belowThreshold: "belowThreshold"
    case .kept: "kept"
    }
  }

  /// A look in words: `640 x 480 at 0, 0 in 416 x 416`.
  static func words(_ look: DetectionExplanation.Look) -> String {
    func whole(_ value: Double) -> String { NumberText.fixed(value, decimals: 0) }
    let region = look.region
    return "\(whole(region.width)) x \(whole(region.height)) at \(whole(region.x)), "
      + "\(whole(region.y)), in \(look.input.width) x \(look.input.height)"
  }

  /// How many proposals came to each end, in words.
  var proposalSummary: String {
    var counts: [String: Int] = [:]
    for proposal in explanation.proposals { counts[Self.word(proposal.fate), default: 0] += 1 }
    let names = [
      ("replaced", "seen better by a closer look"), ("suppressed", "suppressed by a surer one"),
      ("belowThreshold", "below the threshold"), ("beyondLimit", "too many"),
      ("refused", "nothing for the reader"), ("read", "read"), ("kept", "kept"),
    ]
    let parts = names.compactMap { word, meaning in
      counts[word].map { "\($0) \(meaning)" }
    }
    let least = NumberText.short(
      NumberText.rounded(Double(explanation.leastConfidence), decimals: 4))
    let count = explanation.proposals.count
    return "\(NumberText.count(count, "proposal", "proposals")) of confidence \(least) or more"
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  // MARK: - Text

  /// The explanation in a few lines.
  func text(_ style: TextStyle) -> String {
    let values = explanation.result.values
    var text = printable(name, limit: .max) + ": "
    text +=
      values.isEmpty
      ? "no dice\n"
      : values.map { style.value($0, "\($0)") }.joined(separator: " ")
        + ", sum \(style.bold("\(explanation.result.sum)"))\n"
    text += "\n\(style.bold("Looks"))\n"
    for (index, look) in explanation.looks.enumerated() {
      text += "  \(index + 1)  \(look.round == 0 ? "first" : "closer"): \(Self.words(look))\n"
    }
    text += "\n\(style.bold("Proposals"))\n  \(proposalSummary)\n"
    if explanation.hasReader {
      text += "\n\(style.bold("Readings"))\n"
      var rows = [["#", "detector", "reader", "together", "in company", "what became of it"]]
      for (index, reading) in explanation.readings.enumerated() {
        let detector = explanation.proposals[reading.proposalIndex].opinion
        rows.append([
          "\(index + 1)", Self.short(detector), Self.short(reading.opinion),
          Self.short(reading.pooled),
          reading.company.map { NumberText.percent(Double($0.confidence)) } ?? "",
          Self.words(reading.fate),
        ])
      }
      text += Self.aligned(rows)
    } else {
      let shown = explanation.proposals.enumerated().filter {
        $0.element.fate != .belowThreshold && $0.element.fate != .replacedByCloserLook
      }
      var rows = [["#", "detector", "what became of it"]]
      for (index, proposal) in shown {
        rows.append(["\(index + 1)", Self.short(proposal.opinion), Self.words(proposal.fate)])
      }
      text += Self.aligned(rows)
    }
    return text
  }

  /// An opinion as value and confidence: `5  97 %`.
  static func short(_ opinion: DetectionExplanation.Opinion) -> String {
    "\(opinion.value)  \(NumberText.percent(Double(opinion.confidence)))"
  }

  private static func aligned(_ rows: [[String]]) -> String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    var text = ""
    for row in rows {
      var line = "  "
      for (column, cell) in row.enumerated() {
        let gap = String(repeating: " ", count: widths[column] - cell.count)
        let isLast = column == row.count - 1
        line += isLast ? cell : gap + cell + "  "
      }
      text += line + "\n"
    }
    return text
  }

  // MARK: - JSON

  /// Everything but the pictures and the heat of cells that are nearly certainly empty.
  var json: JSONValue {
    let result = explanation.result
    return [
      "image": .string(name),
      "width": JSONValue(result.uprightWidth),
      "height": JSONValue(result.uprightHeight),
      "labels": .array(labels.map { .string($0) }),
      "values": .array(result.values.map { JSONValue($0) }),
      "confidenceThreshold": number(explanation.thresholds.confidenceThreshold),
      "intersectionOverUnionThreshold": number(explanation.thresholds.iouThreshold),
      "leastConfidence": number(Double(explanation.leastConfidence)),
      "looks": .array(explanation.looks.map { json($0) }),
      "proposals": .array(explanation.proposals.map { json($0) }),
      "readings": .array(explanation.readings.map { json($0) }),
    ]
  }

  private func number(_ value: Double) -> JSONValue {
    .number(NumberText.rounded(value, decimals: 4))
  }

  private func json(_ box: BoundingBox) -> JSONValue {
    func pixels(_ value: Double) -> JSONValue { .number(NumberText.rounded(value, decimals: 2)) }
    return [
      "x": pixels(box.x), "y": pixels(box.y), "width": pixels(box.width),
      "height": pixels(box.height),
    ]
  }

  private func json(_ opinion: DetectionExplanation.Opinion) -> JSONValue {
    [
      "value": JSONValue(opinion.value), "confidence": number(Double(opinion.confidence)),
      "objectness": number(Double(opinion.objectness)),
      "probabilities": .array(opinion.probabilities.map { number(Double($0)) }),
    ]
  }

  /// Indices count from 0, as in the lists.
  private func json(_ fate: DetectionExplanation.Fate) -> JSONValue {
    var object = JSONObject([
      JSONObject.Member(key: "outcome", value: .string(Self.word(fate)))
    ])
    switch fate {
    case .suppressed(let winner, let overlap):
      object["by"] = JSONValue(winner)
      object["overlap"] = number(overlap)
    case .read(let index): object["reading"] = JSONValue(index)
    case .kept(let index): object["die"] = JSONValue(index)
    default: break
    }
    return .object(object)
  }

  private func json(_ look: DetectionExplanation.Look) -> JSONValue {
    [
      "round": JSONValue(look.round), "region": json(look.region),
      "inputWidth": JSONValue(look.input.width), "inputHeight": JSONValue(look.input.height),
      "heads": .array(
        look.heads.map { head in
          [
            "columns": JSONValue(head.width), "rows": JSONValue(head.height),
            "stride": JSONValue(head.stride),
            "greatestObjectness": number(Double(head.objectness.max() ?? 0)),
          ]
        }),
    ]
  }

  private func json(_ proposal: DetectionExplanation.Proposal) -> JSONValue {
    [
      "box": json(proposal.boundingBox), "opinion": json(proposal.opinion),
      "look": JSONValue(proposal.lookIndex), "head": JSONValue(proposal.headIndex),
      "column": JSONValue(proposal.column), "row": JSONValue(proposal.row),
      "fate": json(proposal.fate),
    ]
  }

  private func json(_ reading: DetectionExplanation.Reading) -> JSONValue {
    [
      "proposal": JSONValue(reading.proposalIndex), "window": json(reading.window),
      "box": json(reading.boundingBox), "reader": json(reading.opinion),
      "together": json(reading.pooled),
      "company": reading.company.map {
        ["share": number($0.share), "confidence": number(Double($0.confidence))]
      } ?? .null, "fate": json(reading.fate),
    ]
  }
}
