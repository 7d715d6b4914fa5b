import Foundation
import Testing
import TestSupport

@testable import DiceModelImport

/// The tables of `Docs/ImportedModels.md` say what the code does.
struct DocumentTests {
  private static func section(_ name: String) throws -> [String] {
    let url = Fixtures.folder.deletingLastPathComponent().appending(
      path: "Docs/ImportedModels.md")
    let lines = try String(contentsOf: url, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(
      lines.firstIndex { $0 == "<!-- \(name): compared with the code by DiceModelImportTests -->" })
    let end = try #require(lines.firstIndex { $0 == "<!-- end of \(name) -->" })
    // Behind the table's head.
    return lines[(start + 3)..<end].map(String.init)
  }

  @Test func theTableOfOperationsIsThatOfTheCode() throws {
    #expect(
      try Self.section("operations") == ONNXOperations.all.map { "| \($0.name) | \($0.limits) |" })
  }

  @Test func theTableOfFusedOperationsIsThatOfTheCode() throws {
    #expect(
      try Self.section("fused operations")
        == ONNXOperations.fused.map { "| \($0.name) | \($0.limits) |" })
  }

  @Test func theTableOfOperationsWithGraphsIsThatOfTheCode() throws {
    #expect(
      try Self.section("operations with graphs")
        == ONNXOperations.graphRunning.map { "| \($0.name) | \($0.limits) |" })
  }

  @Test func theTableOfRefusalsIsThatOfTheCode() throws {
    #expect(
      try Self.section("refusals")
        == ONNXOperations.refused.map { "| \($0.name) | \($0.reason) |" })
  }

  @Test func theTableOfSectionsIsThatOfTheCode() throws {
    #expect(
      try Self.section("sections")
        == DarknetImporter.sections.map { "| `[\($0.name)]` | \($0.limits) |" })
  }

  @Test func theTableOfLayersIsThatOfTheCode() throws {
    #expect(
      try Self.section("layers") == CoreMLOperations.all.map { "| \($0.name) | \($0.limits) |" })
    #expect(
      try Self.section("refused layers")
        == CoreMLOperations.refused.map { "| \($0.name) | \($0.reason) |" })
    // All that there are, each once.
    let fields = CoreMLOperations.all.map { $0.field } + CoreMLOperations.refused.map { $0.field }
    #expect(fields.count == 158 && Set(fields).count == 158)
  }

  @Test func theTableOfTensorFlowLiteIsThatOfTheCode() throws {
    #expect(
      try Self.section("tflite operations")
        == TFLiteOperations.all.map { "| \($0.name) | \($0.limits) |" })
    #expect(
      try Self.section("tflite refusals")
        == TFLiteOperations.refused.map { "| \($0.name) | \($0.reason) |" })
    // All up to 161 but the code of custom ones and that which no operation has, each once.
    let builtin = TFLiteOperations.all.filter { $0.code != TFLiteOperations.customCode }
    let codes = builtin.map { $0.code } + TFLiteOperations.refused.map { $0.code }
    #expect(codes.sorted() == (0...161).filter { $0 != 32 && $0 != 127 })
    #expect(builtin.count == 130)
  }
}
