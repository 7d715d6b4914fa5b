import Foundation
import Testing
import TestSupport

@testable import DiceModelImport

/// The lists of `Docs/ImportedModels.md` say what the code does.
struct DocumentTests {
  /// What a section of the document says: each name, a colon, and its limits or reason, sorted.
  ///
  /// A paragraph that begins with "Without limits:" names what has none. A row of the table names
  /// all that have the same.
  private static func entries(_ name: String) throws -> [String] {
    let url = Fixtures.folder.deletingLastPathComponent().appending(
      path: "Docs/ImportedModels.md")
    let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(
      lines.firstIndex { $0 == "<!-- \(name): compared with the code by DiceModelImportTests -->" })
    let end = try #require(lines.firstIndex { $0 == "<!-- end of \(name) -->" })
    let section = lines[(start + 1)..<end].map { $0.replacingOccurrences(of: "`", with: "") }
    let paragraph = section.filter { !$0.hasPrefix("|") && !$0.isEmpty }.joined(separator: " ")
    var entries: [String] = []
    if !paragraph.isEmpty {
      let head = "Without limits: "
      try #require(paragraph.hasPrefix(head) && paragraph.hasSuffix("."))
      entries += paragraph.dropFirst(head.count).dropLast().components(separatedBy: ", ").map {
        "\($0): "
      }
    }
    // Behind the table's head.
    for row in section.filter({ $0.hasPrefix("|") }).dropFirst(2) {
      let cells = row.components(separatedBy: "|").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      try #require(cells.count == 4, "\(row)")
      entries += cells[1].components(separatedBy: ", ").map { "\($0): \(cells[2])" }
    }
    return entries.sorted()
  }

  @Test func theListOfOperationsIsThatOfTheCode() throws {
    try expectEqual(
      Self.entries("operations"), ONNXOperations.all.map { "\($0.name): \($0.limits)" }.sorted())
  }

  @Test func theListOfFusedOperationsIsThatOfTheCode() throws {
    try expectEqual(
      Self.entries("fused operations"),
      ONNXOperations.fused.map { "\($0.name): \($0.limits)" }.sorted())
  }

  @Test func theListOfOperationsWithGraphsIsThatOfTheCode() throws {
    try expectEqual(
      Self.entries("operations with graphs"),
      ONNXOperations.graphRunning.map { "\($0.name): \($0.limits)" }.sorted())
  }

  @Test func theListOfRefusalsIsThatOfTheCode() throws {
    try expectEqual(
      Self.entries("refusals"), ONNXOperations.refused.map { "\($0.name): \($0.reason)" }.sorted())
  }

  @Test func theListOfSectionsIsThatOfTheCode() throws {
    try expectEqual(
      Self.entries("sections"),
      DarknetImporter.sections.map { "[\($0.name)]: \($0.limits)" }.sorted())
  }

  @Test func theListOfLayersIsThatOfTheCode() throws {
    try expectEqual(
      Self.entries("layers"), CoreMLOperations.all.map { "\($0.name): \($0.limits)" }.sorted()
    )
    try expectEqual(
      Self.entries("refused layers"),
      CoreMLOperations.refused.map { "\($0.name): \($0.reason)" }.sorted())
    // All that there are, each once.
    let fields = CoreMLOperations.all.map { $0.field } + CoreMLOperations.refused.map { $0.field }
    #expect(fields.count == 158 && Set(fields).count == 158)
  }

  @Test func theListOfTensorFlowLiteIsThatOfTheCode() throws {
    try expectEqual(
      Self.entries("tflite operations"),
      TFLiteOperations.all.map { "\($0.name): \($0.limits)" }.sorted())
    try expectEqual(
      Self.entries("tflite refusals"),
      TFLiteOperations.refused.map { "\($0.name): \($0.reason)" }.sorted())
    // All up to 161 but the code of custom ones and that which no operation has, each once.
    let builtin = TFLiteOperations.all.filter { $0.code != TFLiteOperations.customCode }
    let codes = builtin.map { $0.code } + TFLiteOperations.refused.map { $0.code }
    expectEqual(codes.sorted(), (0...161).filter { $0 != 32 && $0 != 127 })
    expectEqual(builtin.count, 130)
  }
}
