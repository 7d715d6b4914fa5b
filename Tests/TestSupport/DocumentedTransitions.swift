import Foundation

/// A row of a table of transitions in one of the documents.
public struct DocumentedTransition: Hashable, Sendable, CustomStringConvertible {
  /// The phase before.
  public let phase: String
  /// What comes in.
  public let input: String
  /// When the row holds.
  public let condition: String
  /// The phase after.
  public let next: String
  /// What is shown, in order.
  public let shows: [String]

  /// What tells the row from others.
  public var key: String { "\(phase) | \(input) | \(condition)" }
  /// The same.
  public var description: String { key }

  /// The rows of a document's first table of transitions, in order; none where it has no such table.
  ///
  /// - Parameters:
  ///   - document: the file in `Docs`.
  ///   - input: what the column of what comes in is called.
  public static func all(in document: String, input: String) -> [DocumentedTransition] {
    let url = Fixtures.folder.deletingLastPathComponent().appending(path: "Docs/\(document)")
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    let lines = text.components(separatedBy: "\n")
    guard let head = lines.firstIndex(where: { $0.hasPrefix("| phase | \(input) | when |") }) else {
      return []
    }
    return lines.dropFirst(head + 2).prefix { $0.hasPrefix("|") }.compactMap { (line) in
      let cells = line.dropFirst().dropLast().components(separatedBy: "|").map {
        $0.replacingOccurrences(of: "`", with: "").trimmingCharacters(in: .whitespaces)
      }
      guard cells.count == 5 else { return nil }
      return DocumentedTransition(
        phase: cells[0], input: cells[1], condition: cells[2], next: cells[3],
        shows: cells[4].isEmpty ? [] : cells[4].components(separatedBy: ", "))
    }
  }
}

/// The name of a value's case, as the tables of transitions have it.
public func caseName(_ value: Any) -> String {
  String("\(value)".prefix { $0 != "(" })
}
