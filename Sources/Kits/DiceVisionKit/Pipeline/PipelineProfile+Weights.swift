internal import DiceWeights

extension PipelineProfile {
  /// The numbers that weights state; what they do not name is as in ``bundled``.
  ///
  /// - Parameter faces: the weights that compare taught faces, whose numbers take the place of others'.
  /// - Throws: `unusableProfile` with the broken rule.
  init(
    detector: WeightFile, secondStage: WeightFile?, faces: WeightFile? = nil
  ) throws(DetectorError) {
    var numbers: [NamedValue] = []
    for (index, file) in [detector, secondStage, faces].enumerated() {
      guard let file else { continue }
      if index == 2 {
        // Bytes are compared, which needs no Unicode tables.
        numbers.removeAll { number in
          file.description.profile.contains { $0.name.utf8.elementsEqual(number.name.utf8) }
        }
      }
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
