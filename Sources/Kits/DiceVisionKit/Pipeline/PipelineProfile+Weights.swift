internal import DiceWeights

extension PipelineProfile {
  /// The numbers that a detector's and a second stage's weights state; what neither names is as in
  /// ``bundled``.
  ///
  /// - Throws: `unusableProfile` with the broken rule.
  init(detector: WeightFile, secondStage: WeightFile?) throws(DetectorError) {
    var numbers: [NamedValue] = []
    for file in [detector, secondStage] {
      guard let file else { continue }
      for entry in file.description.profile {
        if entry.name.utf8.starts(with: "activations.".utf8) { continue }
        guard entry.values.count == 1 else {
          throw .unusableProfile(rule: "\"\(entry.name)\" must be one number")
        }
        numbers.append(NamedValue(name: entry.name, value: entry.values[0]))
      }
    }
    do throws(PipelineProfileError) {
      try self.init(values: numbers)
    } catch { throw .unusableProfile(rule: error.description) }
  }
}
