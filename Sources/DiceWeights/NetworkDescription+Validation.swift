extension NetworkDescription {
  /// Checks the description against the rules of the format and infers all shapes.
  ///
  /// The tensors are those that the layers refer to: their indices must be 0, 1, 2, ... without a
  /// gap.
  ///
  /// - Returns: The shapes of the outputs and of the tensors.
  /// - Throws: The first broken rule about text, input, labels, thresholds, provenance, layers or
  ///   references to tensors.
  /// - Complexity: O(size of the description).
  /// - Source: `Docs/WeightFormat.md`, sections 4, 5 and 7.
  public func validated() throws(WeightFileError) -> NetworkShapes {
    try validated(stated: nil)
  }

  /// Checks the description, and where `stated` has the shapes of a file's tensors, that the layers
  /// use exactly those.
  func validated(stated: [[Int]]?) throws(WeightFileError) -> NetworkShapes {
    try validateText()
    try validateNumbers()
    var inference = ShapeInference(input: input, labelCount: labels.count, stated: stated)
    return try inference.run(layers)
  }

  private func validateText() throws(WeightFileError) {
    try TextRule.check(name, .name)
    try WeightFileError.check(labels.count, in: WeightFormat.labelCounts) { (found, allowed) in
      .labelCount(found: found, allowed: allowed)
    }
    var known: Set<[UInt8]> = []
    for (index, label) in labels.enumerated() {
      try TextRule.check(label, .label(index))
      // Compared as bytes: labels that only look the same are different labels.
      if !known.insert([UInt8](label.utf8)).inserted {
        throw .duplicateLabel(index: index, label: label)
      }
    }
    try WeightFileError.check(provenance.count, in: WeightFormat.provenanceCounts) {
      (found, allowed) in .provenanceCount(found: found, allowed: allowed)
    }
    for (index, entry) in provenance.enumerated() {
      try TextRule.check(entry.key, .provenanceKey(index))
      try TextRule.check(entry.value, .provenanceValue(index))
    }
  }

  private func validateNumbers() throws(WeightFileError) {
    for size in [input.width, input.height] {
      guard WeightFormat.inputSizes.contains(size), size % WeightFormat.inputMultiple == 0 else {
        throw .inputSize(width: input.width, height: input.height)
      }
    }
    for channel in 0..<3 {
      let scale = input.scales[channel]
      guard scale.isFinite, scale != 0 else {
        throw .inputScale(channel: channel, found: scale)
      }
      let bias = input.biases[channel]
      guard bias.isFinite else { throw .inputBias(channel: channel, found: bias) }
    }
    guard thresholds.intersectionOverUnion >= 0, thresholds.intersectionOverUnion <= 1 else {
      throw .thresholdOutOfRange(
        .intersectionOverUnion, found: thresholds.intersectionOverUnion)
    }
    guard thresholds.confidence >= 0, thresholds.confidence <= 1 else {
      throw .thresholdOutOfRange(.confidence, found: thresholds.confidence)
    }
  }
}

extension WeightFileError {
  /// Throws the error that `failure` makes unless `allowed` contains `found`.
  static func check(
    _ found: Int, in allowed: ClosedRange<Int>,
    _ failure: (_ found: Int, _ allowed: ClosedRange<Int>) -> WeightFileError
  ) throws(WeightFileError) {
    guard allowed.contains(found) else { throw failure(found, allowed) }
  }
}

/// The rules for text: length in bytes and characters that may not appear.
enum TextRule {
  /// How many bytes of UTF-8 the text may have.
  static func byteCounts(_ field: WeightFileError.TextField) -> ClosedRange<Int> {
    switch field {
    case .name: 1...256
    case .label, .provenanceKey: 1...64
    case .provenanceValue: 0...65_536
    }
  }

  /// Checks a text that is already known to be Unicode.
  static func check(
    _ text: String, _ field: WeightFileError.TextField
  ) throws(WeightFileError) {
    try WeightFileError.check(text.utf8.count, in: byteCounts(field)) { (found, allowed) in
      .textLength(field, byteCount: found, allowed: allowed)
    }
    for scalar in text.unicodeScalars where isForbidden(scalar.value, in: field) {
      throw .forbiddenCharacter(field, scalar: scalar.value)
    }
  }

  /// Whether a character could steer a terminal or make a text look like another one.
  private static func isForbidden(
    _ scalar: UInt32, in field: WeightFileError.TextField
  ) -> Bool {
    switch scalar {
    case 0x0A:
      if case .provenanceValue = field { return false }
      return true
    case 0...0x1F, 0x7F...0x9F: return true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: return true
    default: return false
    }
  }
}
