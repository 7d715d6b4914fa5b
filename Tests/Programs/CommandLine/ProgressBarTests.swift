import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders

@Suite struct ProgressBarTests {
  static func text(
    _ done: Int, _ total: Int, columns: Int, detail: String = "", isUnicode: Bool = true,
    isColored: Bool = false
  ) -> String {
    ProgressBar.text(
      title: "detect", done: done, total: total, secondsLeft: 65, detail: detail, columns: columns,
      isUnicode: isUnicode, style: TextStyle(isColored: isColored))
  }

  @Test func showsShareCountsAndTimeLeft() {
    let text = Self.text(54, 1280, columns: 100, detail: "a.jpg")
    for part in ["detect", " 4 %", "54 of 1,280", "1 min 05 s left", "a.jpg"] {
      #expect(text.contains(part), "\(text)")
    }
    #expect(Self.text(1, 2, columns: 70, isUnicode: false).utf8.allSatisfy { $0 < 128 })
    #expect(Self.text(2, 2, columns: 100).contains("100 %"))
    #expect(!Self.text(1999, 2000, columns: 100).contains("100 %"))
  }

  @Test func neverBreaksTheLine() {
    for columns in [1, 2, 7, 20, 33, 34, 48, 79, 80, 200] {
      for detail in ["", "photo.jpg", String(repeating: "骰子 😀 ", count: 40)] {
        for isUnicode in [true, false] {
          for (done, total) in [(0, 1), (7, 9), (123_456, 1_000_000)] {
            let text = Self.text(
              done, total, columns: columns, detail: detail, isUnicode: isUnicode)
            #expect(
              TerminalText.width(of: text) <= max(1, columns - 1),
              "\(columns): \(text)")
          }
        }
      }
    }
  }

  @Test func colorsAddNothingToTheText() {
    let plain = Self.text(54, 128, columns: 100, detail: "a")
    let colored = Self.text(54, 128, columns: 100, detail: "a", isColored: true)
    #expect(colored != plain)
    var stripped = ""
    var isEscape = false
    for character in colored {
      if character == "\u{1B}" { isEscape = true }
      if !isEscape { stripped.append(character) }
      if isEscape, character == "m" { isEscape = false }
    }
    expectEqual(stripped, plain)
  }

  @Test func hostileDetailsCannotSteerTheTerminal() {
    let text = Self.text(1, 2, columns: 200, detail: "\u{1B}[2J\nname\u{7}")
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test func longNamesKeepTheirEnds() {
    expectEqual(TerminalText.clipped("folder/photo-17.jpg", to: 10, isUnicode: true), "…to-17.jpg")
    expectEqual(TerminalText.clipped("folder/photo-17.jpg", to: 10, isUnicode: false), "...-17.jpg")
    expectEqual(TerminalText.clipped("a.jpg", to: 10, isUnicode: true), "a.jpg")
    expectEqual(TerminalText.prefix("骰子骰子", of: 5), "骰子")
  }

  @Test func shortWorkHasNoBar() throws {
    let folder = try TemporaryFolder()
    let path = try folder.writePicture("a.png")
    let call = ToolCall()
    call.isErrorTerminal = true
    call.find = { (_, _) in PictureReading(width: 40, height: 30, dice: []) }
    expectEqual(call.run("detect", path), .success)
    #expect(call.errors.isEmpty)
    // Every picture takes over half a second on the test's clock.
    expectEqual(call.run(["detect"] + Array(repeating: path, count: 20)), .success)
    #expect(call.errors.contains(" of 20  "))
    #expect(call.errors.hasSuffix("\r\u{1B}[K"))
    let piped = ToolCall()
    piped.find = call.find
    expectEqual(piped.run(["detect", "--json"] + Array(repeating: path, count: 20)), .success)
    #expect(piped.errors.isEmpty && !piped.output.contains("\u{1B}"))
  }
}

@Suite struct TextStyleTests {
  private func call(_ arguments: [String]) throws -> ToolCall {
    let call = ToolCall()
    call.isErrorTerminal = true
    call.isOutputTerminal = true
    call.find = { (_, _) in PictureReading(width: 40, height: 30, dice: [die(4, 0.9, x: 1, y: 1)]) }
    return call
  }

  @Test func terminalsHaveColorsUnlessTheyAreRefused() throws {
    let folder = try TemporaryFolder()
    let path = try folder.writePicture("a.png")
    let cases: [([String], [String: String], Bool, Bool)] = [
      ([], [:], true, true), ([], ["NO_COLOR": "1"], true, false),
      ([], ["NO_COLOR": ""], true, true),
      ([], ["TERM": "dumb"], true, false), ([], [:], false, false),
      (["--color", "never"], [:], true, false), (["--color=always"], [:], false, true),
      (["--color", "always"], ["NO_COLOR": "1"], true, true),
      (["--json"], [:], true, false), (["--json", "--color", "always"], [:], true, false),
    ]
    for (options, variables, isTerminal, isColored) in cases {
      let call = try call([])
      call.isOutputTerminal = isTerminal
      call.isErrorTerminal = isTerminal
      call.variables = variables
      expectEqual(call.run(["detect", path] + options), .success)
      expectEqual(call.output.contains("\u{1B}["), isColored, "\(options) \(variables)")
    }
  }

  @Test func errorsFollowTheChoiceEvenInWrongCalls() throws {
    let call = try call([])
    expectEqual(call.run("detect", "--color=always", "--nonsense"), .usage)
    #expect(call.errors.hasPrefix("\u{1B}[1;31mdicevision:\u{1B}[0m detect has no option"))
    let plain = try self.call([])
    expectEqual(plain.run("detect", "--color", "never", "--nonsense"), .usage)
    #expect(plain.errors.hasPrefix("dicevision: detect has no option"))
  }

  @Test func jsonAndTextContradictEachOther() throws {
    let call = try call([])
    expectEqual(call.run("inspect", "--json", "--format", "text"), .usage)
    #expect(call.errors.contains("contradict each other"))
    let json = ToolCall()
    expectEqual(json.run("inspect", "--json"), .success)
    let format = ToolCall()
    expectEqual(format.run("inspect", "--format", "json"), .success)
    #expect(json.output == format.output && json.output.hasPrefix("{"))
  }
}
