import DiceModelImport
import Foundation
import TestSupport
import Testing

/// What Foundation's types bring: sentences of errors.
@Suite struct FoundationTests {
  @Test func errorsSayTheirSentence() {
    let errors: [any Error & CustomStringConvertible] = [
      ModelImportError.missingPart("a graph"),
      FlatbufferError.wrongIdentifier(required: "TFL3"),
      ProtobufError.truncated(offset: 3),
    ]
    for error in errors {
      expectEqual((error as any Error).localizedDescription, error.description)
      #expect(error.description.count > 15)
    }
  }
}
