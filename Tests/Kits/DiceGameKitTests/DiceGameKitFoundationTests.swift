import DiceAudio
import DiceGameKit
import Foundation
import TestSupport
import Testing

/// What Foundation's types bring: sentences of errors.
@Suite struct DiceGameKitFoundationTests {
  @Test func errorsSayTheirSentence() {
    let errors: [any Error & CustomStringConvertible] = [
      DigitClassifierError.labels(found: ["a"]),
      SpokenNumberError.labels(found: ["a"]),
      NumberRecognizerError.drawing(.emptyStroke(stroke: 0)),
      DrawingError.strokeCount(found: 300),
      NumberPictureError.size(width: 0, height: 1),
      SavedGameError.notJSON(line: 1, column: 2),
      DiceMathRulesError.repeatedName("Ann"),
      BoardRulesError.noMoves,
      ArithmeticQuestionError.answerTooLarge(limit: 9),
      WAVError.notWAV,
      FLACError.notFLAC,
      AudioFileError.unknown,
    ]
    for error in errors {
      expectEqual((error as any Error).localizedDescription, error.description)
      #expect(error.description.count > 15)
    }
  }
}
