import TestSupport
import Testing

@testable import DiceCommandLine

/// What commands that answer file by file and line by line do alike.
@Suite struct InputFilesTests {
  private static let drawing = #"{"id":"a","strokes":[[[0,0],[0,40]]]}"#
  private static let poses = #"{"id":"a","joints":["nose"],"frames":[[[1,2,1]]]}"#

  @Test(arguments: [("numbers", drawing), ("throws", poses)])
  func whatFailsDoesNotKeepTheOthersFromBeingAnswered(_ command: String, _ line: String) {
    let call = ToolCall()
    call.input = Array("\(line)\nnonsense\n\n \n\(line)".utf8)
    expectEqual(call.run(command, "/nowhere/at all", "-"), .failure)
    expectEqual(call.outputLines.count, 2)
    let errors = call.errors.split(separator: "\n")
    expectEqual(errors.count, 2)
    expectEqual(errors.first?.contains("/nowhere/at all"), true)
    expectEqual(errors.last?.contains("2"), true)
  }

  @Test(arguments: [("numbers", drawing), ("throws", poses)])
  func nothingIsSaidOrDoneWhereNobodyReadsAnswers(_ command: String, _ line: String) {
    let call = ToolCall()
    call.input = Array("\(line)\nnonsense\n\(line)\n".utf8)
    call.writesUntilClosed = 0
    expectEqual(call.run(command, "-"), .success)
    #expect(call.errors.isEmpty)
  }

  @Test(arguments: ["numbers", "detect", "field", "pose"])
  func standardInputIsNamedOnce(_ command: String) {
    let call = ToolCall()
    expectEqual(call.run(command, "-", "-"), .usage)
    #expect(call.errors.contains("Standard input (-) can be read only once."))
  }
}
