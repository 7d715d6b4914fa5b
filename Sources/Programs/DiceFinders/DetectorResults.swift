internal import DiceCommandLine
internal import DiceDetectorHeads
internal import DiceFiles
internal import DiceGeometry
internal import DiceNetwork
internal import DiceWeights

/// What an imported pipeline gives behind its network: the boxes that its suppression leaves.
///
/// The provenance of such a network names the results and the thresholds (`Docs/ImportedModels.md`).
struct DetectorResults {
  /// A result: rows of boxes or of class scores.
  private struct Result {
    var name: String
    var holdsBoxes: Bool
  }

  private let results: [Result]
  /// The names of the inputs for thresholds: overlap, confidence.
  private let thresholdNames: (overlap: String?, confidence: String?)

  /// Nil where a network's file names no such results.
  init?(_ description: NetworkDescription) {
    func entries(_ key: String) -> [(name: String, text: String)] {
      description.provenance.filter { $0.key == key }.compactMap { (entry) in
        guard let colon = entry.value.lastIndex(of: ":") else { return nil }
        return (
          String(entry.value[..<colon]),
          String(entry.value[entry.value.index(after: colon)...].drop { $0 == " " })
        )
      }
    }
    results = entries("result").map { (name, text) in
      Result(name: name, holdsBoxes: text.hasPrefix("boxes"))
    }
    if results.isEmpty { return nil }
    let thresholds = entries("threshold")
    thresholdNames = (
      thresholds.first { $0.text == "overlap" }?.name,
      thresholds.first { $0.text == "confidence" }?.name
    )
  }

  /// The files of the results, in order.
  func paths(in folder: String, besides others: [String]) -> [String] {
    var names = others
    return results.map { (result) in
      let name = RunCommand.fileName(result.name, among: names)
      names.append(name)
      return Paths.joined(folder, "\(name).npy")
    }
  }

  /// Whether an input of the call, `NAME=FILE`, is one of the thresholds.
  func isThreshold(_ text: String) -> Bool {
    [thresholdNames.overlap, thresholdNames.confidence].contains { (name) in
      name.map { text.hasPrefix("\($0)=") } ?? false
    }
  }

  /// The suppression with the thresholds that the call gives.
  func rule(
    _ usual: SuppressionRule, _ texts: [String],
    read: (String) throws(ToolError) -> Float
  ) throws(ToolError) -> SuppressionRule {
    var rule = usual
    for text in texts {
      for (name, field) in [
        (thresholdNames.overlap, \SuppressionRule.overlapThreshold),
        (thresholdNames.confidence, \SuppressionRule.confidenceThreshold),
      ] {
        guard let name, text.hasPrefix("\(name)=") else { continue }
        let value = String(text.dropFirst(name.count + 1))
        let number: Float
        if let given = NumberText.number(value) {
          number = Float(given)
        } else {
          number = try read(value)
        }
        guard (0...1).contains(number) else {
          throw .failure(subject: text, sentence: "A threshold must be from 0 to 1.")
        }
        rule[keyPath: field] = number
      }
    }
    return rule
  }

  /// The results' arrays for a run.
  func arrays(
    _ runner: NetworkRunner, _ heads: DetectorHeads, _ rule: SuppressionRule
  ) -> [(name: String, array: NumPyArray)] {
    guard case .boxList(_, let boxes, let scores, _)? = heads.heads.first else { return [] }
    let maps = runner.plan.outputs.indices.map { (index) in
      let map = runner.output(index)
      return HeadValues(
        rows: map.height, columns: map.width, channels: map.channelCount, numbers: map.values)
    }
    var candidates: [BoxCandidate] = []
    heads.append(
      maps, HeadInputSize(width: runner.width, height: runner.height),
      threshold: rule.confidenceThreshold, to: &candidates)
    var workspace = NonMaximumSuppression.Workspace()
    rule.select(&candidates, using: &workspace)
    return results.map { (result) in
      let map = maps[result.holdsBoxes ? boxes : scores]
      let numbers = candidates.flatMap { (candidate) in
        map.numbers[candidate.place * map.channels..<(candidate.place + 1) * map.channels]
      }
      return (
        result.name, NumPyArray(shape: [candidates.count, map.channels], numbers: numbers)
      )
    }
  }
}
