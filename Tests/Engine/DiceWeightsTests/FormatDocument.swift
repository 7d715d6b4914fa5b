import DiceWeights
import Foundation
import TestSupport

/// What the tests read out of `Docs/WeightFormat.md`.
enum FormatDocument {
  /// The text of the document.
  static func text() throws -> String {
    let url = Fixtures.folder.deletingLastPathComponent().appending(path: "Docs/WeightFormat.md")
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  /// The error case of each rule, by rule: "W07" has "reservedByteNotZero".
  ///
  /// The document has a table row for each rule: `| W07 | ... | `reservedByteNotZero` |`.
  static func rules() throws -> [String: String] {
    var rules: [String: String] = [:]
    for line in try text().split(separator: "\n") where line.hasPrefix("| W") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      rules[cells[0]] = cells[2].trimmingCharacters(in: ["`"])
    }
    return rules
  }

  /// The bytes of the hex dump: lines of an eight-digit offset, two blanks and pairs of digits up
  /// to two more blanks.
  static func hexDump() throws -> [UInt8] {
    var bytes: [UInt8] = []
    for line in try text().split(separator: "\n") {
      let parts = line.components(separatedBy: "  ")
      guard parts.count >= 2, parts[0].count == 8, Int(parts[0], radix: 16) == bytes.count else {
        continue
      }
      bytes += parts[1].split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
    return bytes
  }
}

extension WeightFileError {
  /// The name of the case, without its payload.
  var caseName: String {
    Mirror(reflecting: self).children.first?.label ?? ""
  }
}
