import DiceCodecs
import DiceImaging
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders
@testable import dicevision_game

@Suite struct PlayCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws { folder = try TemporaryFolder() }

  private func play(_ lines: [String], _ arguments: String...) -> CallStatus {
    call.input = [UInt8](lines.map { "\($0)\n" }.joined().utf8)
    return call.run(["play"] + arguments)
  }

  @Test func theBoardIsDrawnWhenAPawnMoves() throws {
    let path = folder.file("board.svg")
    expectEqual(play(["5 2", "7"], "--players", "Ann,Ben", "--board", path), .success)
    let drawing = String(decoding: try folder.bytes("board.svg"), as: UTF8.self)
    #expect(drawing.contains("<title>Ann on 8, Ben on 1</title>"))
    #expect(drawing.contains("Made by dicevision"))
    // It is replaced, and nothing else is.
    expectEqual(play(["6 2", "8"], "--board", path), .success)
    #expect(
      String(decoding: try folder.bytes("board.svg"), as: UTF8.self).contains("Player 1 on 9"))
    try folder.write([1, 2, 3], to: "other.svg")
    expectEqual(play(["6 2", "8"], "--board", folder.file("other.svg")), .usage)
    expectEqual(play([], "--practice", "mixed", "--board", path), .usage)
  }

  @Test func aGameWithTypedDice() {
    expectEqual(
      play(["5 2", "7", "6 1", "7", "5 3", "2", "6 1", "5", "6 2", "8"], "--players", "Ann,Ben"),
      .success)
    #expect(call.errors.isEmpty)
    expectEqual(
      call.outputLines,
      [
        "+-----+-----+-----+-----+-----+",
        "| 1   | 2   | 3   | 4   | 5   |",
        "| AB  |     |     |     |     |",
        "+-----+-----+-----+-----+-----+",
        "| 9*  | 8   | 7   | 6   |",
        "|     |     |     |     |",
        "+-----+-----+-----+-----+",
        "Ann: roll the dice.",
        "Type what they show, such as 5 2, or ? for help.",
        "Ann has 5 2. How much is 5 + 2, or 5 − 2?",
        "Right: 5 + 2 = 7.",
        "Ann moves from 1 to 8.",
        "+-----+-----+-----+-----+-----+",
        "| 1   | 2   | 3   | 4   | 5   |",
        "| B   |     |     |     |     |",
        "+-----+-----+-----+-----+-----+",
        "| 9*  | 8   | 7   | 6   |",
        "|     | A   |     |     |",
        "+-----+-----+-----+-----+",
        "Ben: roll the dice.",
        "Ben has 6 1. How much is 6 + 1, or 6 − 1?",
        "Right: 6 + 1 = 7.",
        "Ben moves from 1 to 8.",
        "+-----+-----+-----+-----+-----+",
        "| 1   | 2   | 3   | 4   | 5   |",
        "|     |     |     |     |     |",
        "+-----+-----+-----+-----+-----+",
        "| 9*  | 8   | 7   | 6   |",
        "|     | AB  |     |     |",
        "+-----+-----+-----+-----+",
        "Ann: roll the dice.",
        "Ann has 5 3. How much is 5 + 3, or 5 − 3?",
        "Right: 5 − 3 = 2.",
        "Ann moves from 8 to 1.",
        "+-----+-----+-----+-----+-----+",
        "| 1   | 2   | 3   | 4   | 5   |",
        "| A   |     |     |     |     |",
        "+-----+-----+-----+-----+-----+",
        "| 9*  | 8   | 7   | 6   |",
        "|     | B   |     |     |",
        "+-----+-----+-----+-----+",
        "Ben: roll the dice.",
        "Ben has 6 1. How much is 6 + 1, or 6 − 1?",
        "Right: 6 − 1 = 5.",
        "Ben moves from 8 to 4.",
        "+-----+-----+-----+-----+-----+",
        "| 1   | 2   | 3   | 4   | 5   |",
        "| A   |     |     | B   |     |",
        "+-----+-----+-----+-----+-----+",
        "| 9*  | 8   | 7   | 6   |",
        "|     |     |     |     |",
        "+-----+-----+-----+-----+",
        "Ann: roll the dice.",
        "Ann has 6 2. How much is 6 + 2, or 6 − 2?",
        "Right: 6 + 2 = 8.",
        "Ann moves from 1 to 9.",
        "+-----+-----+-----+-----+-----+",
        "| 1   | 2   | 3   | 4   | 5   |",
        "|     |     |     | B   |     |",
        "+-----+-----+-----+-----+-----+",
        "| 9*  | 8   | 7   | 6   |",
        "| A   |     |     |     |",
        "+-----+-----+-----+-----+",
        "Ann has won.",
        "Ann: 3 of 3 questions answered, 3 at the first attempt, 3 in a row at best.",
        "Ben: 2 of 2 questions answered, 2 at the first attempt, 2 in a row at best.",
      ])
  }

  @Test func wrongAnswersGetHintsUntilNoAttemptIsLeft() {
    expectEqual(play(["6 4", "9", "11", "3", "5 1"]), .success)
    for line in [
      "9 is wrong. 2 attempts are left.", "It is more than 9.",
      "11 is wrong. One attempt is left.", "Begin at 6 and count on 4.",
      "3 is wrong. No attempt is left.", "It was 6 + 4 = 10, or 6 − 4 = 2.",
      "Player 2 has 5 1. How much is 5 + 1, or 5 − 1?",
      "Player 1: 0 of 1 question answered, 0 at the first attempt, 0 in a row at best.",
    ] {
      #expect(call.outputLines.contains(line), "\(line)")
    }
    #expect(call.errors.contains("the game is not over."))
  }

  @Test func whatIsTypedBesides() {
    expectEqual(
      play(
        [
          "", "hello", "6 4 1", "undo", "6 4", "x", "-", "10", "6 1", "dice 6 2", "who", "2",
          "undo", "board", "new", "?", "quit", "6 2", "8",
        ], "--players", "Ann,Ben"), .success)
    for line in [
      #""hello" is not understood; ? lists what is."#,
      "The roll has 3 dice; the question is for 2.", "There is nothing to take back.",
      "That is not asked.", "Ann has 6 4. How much is 6 − 4?",
      "10 is wrong. 2 attempts are left.",
      "The first roll counts, and waits for its answer.",
      "Ann has 6 2. How much is 6 + 2, or 6 − 2?",
      "Ann: 8 steps to go, 5 of 36 rolls win: 4 + 4, 5 + 3, 6 + 2.",
      "The last step is taken back.", "A new game.", "quit: the end",
    ] {
      #expect(call.outputLines.contains(line), "\(line)")
    }
    #expect(!call.output.contains("has won"), "after quit nothing counts")
  }

  @Test func theHiddenAnswerIsThereOnlyWhereItIsAskedFor() {
    expectEqual(play(["6 4", "44"]), .success)
    #expect(call.output.contains("44 is wrong."))
    let other = ToolCall()
    other.input = [UInt8]("6 4\n44\n".utf8)
    expectEqual(other.run("play", "--hidden-answer", "44"), .success)
    #expect(other.output.contains("Right: 44 always is."))
    #expect(other.output.contains("Player 1 has won."))
  }

  @Test func practiceHasLevelsAndNoBoard() {
    let rolls = (0..<5).flatMap { _ in ["3 4", "7"] }
    expectEqual(play(rolls + ["3 4 5"], "--practice", "adding", "--players", "Ann"), .success)
    #expect(call.output.contains("Ann has reached level 3, subtracting."))
    #expect(call.output.contains("Ann has 3 4 5. How much is 3 + 4 + 5?"))
    #expect(!call.output.contains("+-----+"))
  }

  @Test func countingAsksForTheDice() {
    expectEqual(play(["4", "1"], "--practice", "counting"), .success)
    #expect(call.output.contains("Player 1 has 4. How many dice are there?"))
    #expect(call.output.contains("Right: there is one die."))
  }

  @Test func signsAreASCIIWhereTheTerminalHasNoOthers() {
    call.variables = ["LANG": "C"]
    expectEqual(play(["6 4", "2"]), .success)
    #expect(call.output.contains("Right: 6 - 4 = 2."))
    #expect(call.output.utf8.allSatisfy { $0 < 128 })
  }

  @Test func callsThatMakeNoSense() {
    expectEqual(call.run("play", "--practice", "adding", "--sections", "8"), .usage)
    expectEqual(call.run("play", "--players", "Ann,Ann"), .usage)
    expectEqual(call.run("play", "--rendered", "1", "film.y4m"), .usage)
    expectEqual(call.run("play", "nowhere.y4m"), .failure)
  }

  /// A film of two rolls, 3 5 and then 6 2: brightness tells the frame, and so where the dice are.
  @Test func aFilmWaitsForItsAnswers() throws {
    call.find = { (image, _) in
      let frame = (Int(image.samples[0]) + 1) / 2
      var dice: [FoundDie] = []
      for (start, values) in [(5, [3, 5]), (65, [6, 2])]
      where (start..<start + 29).contains(frame) {
        let slide = Double(max(0, start + 10 - frame))
        dice = [
          die(values[0], 0.9, x: 100 - 8 * slide, y: 40 + 5 * slide, width: 30, height: 30),
          die(values[1], 0.8, x: 200 - 11 * slide, y: 90 + slide, width: 30, height: 30),
        ]
      }
      return PictureReading(width: image.width, height: image.height, dice: dice)
    }
    let writer = try Y4MWriter(width: 320, height: 180, chroma: .s444, range: .full)
    var bytes = writer.header
    for index in 0..<125 {
      bytes += try writer.frame(
        PixelImage(
          width: 320, height: 180, format: .gray,
          samples: [UInt8](repeating: UInt8(2 * index), count: 320 * 180)))
    }
    call.input = bytes
    let answers = try folder.write("dice 3 4\n7\n8\n", to: "answers.txt")
    expectEqual(call.run("play", "--answers", answers, "--players", "Ann,Ben", "-"), .success)
    for line in [
      "Ann has 3 5. How much is 3 + 5, or 5 − 3?", "Ann has 3 4. How much is 3 + 4, or 4 − 3?",
      "Ann moves from 1 to 8.", "Ben has 6 2. How much is 6 + 2, or 6 − 2?", "Ben has won.",
    ] {
      #expect(call.outputLines.contains(line), "\(line) is not in \(call.output)")
    }
  }

  @Test func renderedThrowsAreReadByTheDetector() throws {
    call.input = [UInt8]("who\nquit\n".utf8)
    expectEqual(call.run("play", "--rendered", "1"), .success)
    #expect(call.outputLines.contains { $0.hasPrefix("Player 1 has ") }, "\(call.output)")
    #expect(call.outputLines.contains { $0.hasPrefix("Player 2: 8 steps to go, 5 of 36") })
  }
}

@Suite struct LineInputTests {
  private func lines(_ pieces: [String]) throws -> [String] {
    var rest = pieces[...]
    let input = LineInput { rest.popFirst().map { [UInt8]($0.utf8) } }
    var lines: [String] = []
    while let line = try input.next() { lines.append(line) }
    return lines
  }

  @Test func linesStraddlePieces() throws {
    try expectEqual(lines(["ab", "c\n", "\nd\r\n  e  ", "f"]), ["abc", "", "d", "e  f"])
    #expect(try lines([]).isEmpty)
    try expectEqual(lines(["\n"]), [""])
  }

  @Test func longLinesAreCut() throws {
    let long = String(repeating: "x", count: 300_000)
    try expectEqual(lines([long, long + "\n7\n"]), [String(long.prefix(1000)), "7"])
  }

  @Test func hostileLines() {
    expectEqual(PlayLine("99999999999999999999"), .unknown("99999999999999999999"))
    expectEqual(PlayLine("dice"), .unknown("dice"))
    expectEqual(PlayLine("5,2"), .dice([5, 2]))
    expectEqual(PlayLine("-3"), .number(-3))
    #expect(PlayLine(String(repeating: "1 ", count: 400)) != .nothing)
  }
}
