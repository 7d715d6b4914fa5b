import DiceDetectorHeads
import DiceObjects
import Foundation
import TestSupport
import Testing

/// What Foundation's types bring: sentences of errors.
@Suite struct DiceObjectsFoundationTests {
  @Test func errorsSayTheirSentence() {
    let errors: [any Error & CustomStringConvertible] = [
      ObjectDetectorError.invalidThreadCount(0),
      DetectorHeadError.repeated(kind: "boxes"),
    ]
    for error in errors {
      expectEqual((error as any Error).localizedDescription, error.description)
      #expect(error.description.count > 15)
    }
  }
}
