import Foundation

/// A transition in the table of one of the documents.
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

  /// The transitions of a document's first table of them, in order; none if it has no such table.
  ///
  /// A row that names several inputs, with commas between, or several conditions, with semicolons,
  /// stands for one transition each.
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
    return lines.dropFirst(head + 2).prefix { $0.hasPrefix("|") }.flatMap { (line) in
      let cells = line.dropFirst().dropLast().components(separatedBy: "|").map {
        $0.replacingOccurrences(of: "`", with: "").trimmingCharacters(in: .whitespaces)
      }
      guard cells.count == 5 else { return [DocumentedTransition]() }
      return cells[1].components(separatedBy: ", ").flatMap { (input) in
        cells[2].components(separatedBy: "; ").map { (condition) in
          DocumentedTransition(
            phase: cells[0], input: input, condition: condition, next: cells[3],
            shows: cells[4].isEmpty ? [] : cells[4].components(separatedBy: ", "))
        }
      }
    }
  }
}

/// The name of a value's case, as the tables of transitions have it.
public func caseName(_ value: Any) -> String {
  String("\(value)".prefix { $0 != "(" })
}
