internal import DiceFiles
internal import DiceGeometry
internal import DiceVisionKit

/// An explanation set out for people or for programs.
struct ExplanationReport {
  let name: String
  let labels: [String]
  let explanation: DetectionExplanation

  /// An explanation of a picture.
  ///
  /// - Parameters:
  ///   - name: the picture's name.
  ///   - labels: the network's classes.
  ///   - explanation: what the networks made of it.
  init(name: String, labels: [String], explanation: DetectionExplanation) {
    self.name = name
    self.labels = labels
    self.explanation = explanation
  }

  // MARK: - Words

  /// What became of a box, in words; `numbers` says what indices stand for, `what` they count.
  static func words(_ fate: DetectionExplanation.Fate) -> String {
    switch fate {
    case .replacedByTiles: "seen better in tiles"
    case .suppressed(let winner, let overlap):
      "suppressed by #\(winner + 1), overlap \(NumberText.fixed(overlap, decimals: 2))"
    case .beyondLimit: "one too many"
    case .classified(let place): "classified, as #\(place + 1)"
    case .refusedBySecondStage: "no die to the second stage"
    case .belowThreshold: "below the threshold"
    case .kept(let place): "kept: die \(place + 1) of the result"
    }
  }

  /// The kind of a fate as one word for programs.
  private static func word(_ fate: DetectionExplanation.Fate) -> String {
    switch fate {
    case .replacedByTiles: "replaced"
    case .suppressed: "suppressed"
    case .beyondLimit: "beyondLimit"
    case .classified: "classified"
    case .refusedBySecondStage: "refused"
    case .belowThreshold: "belowThreshold"
    case .kept: "kept"
    }
  }

  /// A pass in words: `640 x 480 at 0, 0 in 416 x 416`.
  static func words(_ pass: DetectionExplanation.Pass) -> String {
    func whole(_ value: Double) -> String { NumberText.fixed(value, decimals: 0) }
    let region = pass.region
    return "\(whole(region.width)) x \(whole(region.height)) at \(whole(region.x)), "
      + "\(whole(region.y)), in \(pass.input.width) x \(pass.input.height)"
  }

  /// How many proposals came to each end, in words.
  var proposalSummary: String {
    var counts: [String: Int] = [:]
    for proposal in explanation.proposals { counts[Self.word(proposal.fate), default: 0] += 1 }
    let names = [
      ("replaced", "seen better in tiles"), ("suppressed", "suppressed by a surer one"),
      ("belowThreshold", "below the threshold"), ("beyondLimit", "too many"),
      ("refused", "no die to the second stage"), ("classified", "classified"), ("kept", "kept"),
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

  /// Scores as value and confidence: `5  97 %`.
  static func short(_ scores: DetectionExplanation.Scores) -> String {
    "\(scores.value)  \(NumberText.percent(Double(scores.confidence)))"
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
      "passes": .array(explanation.passes.map { json($0) }),
      "proposals": .array(explanation.proposals.map { json($0) }),
      "classifications": .array(explanation.classifications.map { json($0) }),
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

  private func json(_ scores: DetectionExplanation.Scores) -> JSONValue {
    [
      "value": JSONValue(scores.value), "confidence": number(Double(scores.confidence)),
      "objectness": number(Double(scores.objectness)),
      "probabilities": .array(scores.probabilities.map { number(Double($0)) }),
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
    case .classified(let index): object["classification"] = JSONValue(index)
    case .kept(let index): object["die"] = JSONValue(index)
    default: break
    }
    return .object(object)
  }

  private func json(_ pass: DetectionExplanation.Pass) -> JSONValue {
    [
      "round": JSONValue(pass.round), "region": json(pass.region),
      "inputWidth": JSONValue(pass.input.width), "inputHeight": JSONValue(pass.input.height),
      "heads": .array(
        pass.heads.map { head in
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
      "box": json(proposal.boundingBox), "scores": json(proposal.scores),
      "pass": JSONValue(proposal.passIndex), "head": JSONValue(proposal.headIndex),
      "column": JSONValue(proposal.column), "row": JSONValue(proposal.row),
      "fate": json(proposal.fate),
    ]
  }

  private func json(_ reading: DetectionExplanation.Classification) -> JSONValue {
    [
      "proposal": JSONValue(reading.proposalIndex), "crop": json(reading.window),
      "box": json(reading.boundingBox), "secondStage": json(reading.scores),
      "fused": json(reading.fused),
      "rescored": reading.rescoring.map {
        ["support": number($0.support), "confidence": number(Double($0.confidence))]
      } ?? .null, "fate": json(reading.fate),
    ]
  }
}
