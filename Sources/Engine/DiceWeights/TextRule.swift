/// The rules for text: length in bytes, characters that may not appear, names that must differ.
enum TextRule {
  /// How many bytes of UTF-8 the text may have.
  static func byteCounts(_ field: WeightFileError.TextField) -> ClosedRange<Int> {
    switch field {
    case .name, .inputName, .outputName, .label: 1...256
    case .headKind, .headParameter, .profileName, .provenanceKey: 1...64
    case .task: 0...64
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

  /// Checks names that must differ.
  ///
  /// They are compared as bytes: names that only look the same are different names.
  static func check(
    _ names: [String], _ field: (Int) -> WeightFileError.TextField
  ) throws(WeightFileError) {
    var known: Set<[UInt8]> = []
    for (index, name) in names.enumerated() {
      try check(name, field(index))
      if !known.insert([UInt8](name.utf8)).inserted {
        throw .duplicateName(field(index), text: name)
      }
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
