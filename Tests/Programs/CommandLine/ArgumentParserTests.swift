import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct ArgumentParserTests {
  static let count = ValueOption.integer("count", "N", in: 1...64, "How many.")
  static let side = ValueOption.integer("side", "N", in: 32...4096, multipleOf: 32, "How long.")
  static let share = ValueOption.number("share", "S", in: 0...1, "How much.")
  static let rate = ValueOption.number(
    "rate", "R", in: 0...1, excludesLowerBound: true, "How fast.")
  static let mode = ValueOption<Int>.choice("mode", [("text", 1), ("json", 2)], "Which.")
  static let name = ValueOption.text("name", "NAME", "What.")
  static let fact = ValueOption<String>(
    "fact", "FACT", "Anything.", requirement: "a fact", isRepeatable: true, read: { $0 })
  static let loud = Switch("loud", "Louder.")

  static let command = CommandDescription(
    name: "measure", summary: "Measures.",
    argument: CommandDescription.Argument(name: "PATH", summary: "Paths.", counts: 0...3),
    groups: [
      CommandDescription.OptionGroup(
        title: "Options",
        options: [
          count.description, side.description, share.description, rate.description,
          mode.description, name.description, fact.description, loud.description,
        ])
    ])

  private func parse(_ arguments: String...) throws(UsageError) -> ParsedArguments {
    try ArgumentParser.parse(arguments, for: Self.command)
  }

  @Test func valuesStandBehindASpaceOrAnEqualsSign() throws {
    for arguments in [["--count", "3", "--share", "0.5"], ["--count=3", "--share=0.5"]] {
      let parsed = try ArgumentParser.parse(arguments, for: Self.command)
      expectEqual(parsed[Self.count], 3)
      expectEqual(parsed[Self.share], 0.5)
    }
  }

  @Test func onlyTheFirstEqualsSignDivides() throws {
    try expectEqual(parse("--name=a=b")[Self.name], "a=b")
  }

  @Test func missingOptionsAreNil() throws {
    let parsed = try parse()
    expectEqual(parsed[Self.count], nil)
    #expect(!parsed.contains(Self.loud))
    #expect(parsed.all(Self.fact).isEmpty)
  }

  @Test func optionsAndArgumentsMayBeMixed() throws {
    let parsed = try parse("a", "--count", "2", "b", "--loud", "c")
    expectEqual(parsed.positionals, ["a", "b", "c"])
    expectEqual(parsed[Self.count], 2)
    #expect(parsed.contains(Self.loud))
  }

  @Test func afterTwoDashesEverythingIsAnArgument() throws {
    let parsed = try parse("--loud", "--", "--count", "-x")
    expectEqual(parsed.positionals, ["--count", "-x"])
    expectEqual(parsed[Self.count], nil)
  }

  @Test func aSingleDashIsAnArgument() throws {
    try expectEqual(parse("-").positionals, ["-"])
  }

  @Test func anEmptyArgumentIsKept() throws {
    try expectEqual(parse("").positionals, [""])
  }

  @Test func repeatableOptionsKeepTheirOrder() throws {
    try expectEqual(parse("--fact", "b", "--fact=a").all(Self.fact), ["b", "a"])
  }

  @Test func otherOptionsAreGivenOnce() {
    #expect(throws: UsageError.repeatedOption(option: "--count")) {
      try parse("--count", "1", "--count", "1")
    }
  }

  @Test func aSwitchTakesNoValue() {
    #expect(throws: UsageError.unexpectedValue(option: "--loud", found: "yes")) {
      try parse("--loud=yes")
    }
  }

  @Test func aMissingValueNamesWhatIsRequired() {
    let missing = UsageError.missingValue(
      option: "--count", required: "a whole number from 1 to 64")
    #expect(throws: missing) { try parse("--count") }
    #expect(throws: missing) { try parse("--count", "--loud") }
    #expect(throws: missing) { try parse("--count", "--") }
  }

  @Test func aValueMayBeginWithOneDash() {
    #expect(
      throws: UsageError.invalidValue(
        option: "--count", found: "-3", required: "a whole number from 1 to 64", suggestion: nil)
    ) { try parse("--count", "-3") }
  }

  @Test func unknownOptionsSuggestTheNearest() {
    for (written, meant) in [
      ("--cuont", "--count"), ("--coun", "--count"), ("-count", "--count"), ("--Mode", "--mode"),
      ("--lod", "--loud"),
    ] {
      #expect(
        throws: UsageError.unknownOption(found: written, command: "measure", suggestion: meant)
      ) { try parse(written) }
    }
    #expect(
      throws: UsageError.unknownOption(found: "--quiet", command: "measure", suggestion: nil)
    ) { try parse("--quiet=1") }
  }

  @Test func unknownOptionsAreNotAbbreviations() {
    #expect(throws: UsageError.self) { try parse("--c", "1") }
  }

  @Test func countsOfArgumentsAreChecked() throws {
    #expect(
      throws: UsageError.tooManyArguments(found: "d", command: "measure", limit: 3)
    ) { try parse("a", "b", "c", "d") }
    var one = Self.command
    one.argument?.counts = 1...1
    #expect(throws: UsageError.missingArgument(name: "PATH", command: "measure")) {
      try ArgumentParser.parse([], for: one)
    }
    one.argument = nil
    #expect(throws: UsageError.tooManyArguments(found: "a", command: "measure", limit: 0)) {
      try ArgumentParser.parse(["a"], for: one)
    }
  }

  @Test func helpComesBeforeEveryOtherRule() throws {
    for arguments in [["--help"], ["-h"], ["--nonsense", "--help"], ["--count", "no", "-h"]] {
      let parsed = try ArgumentParser.parse(arguments, for: Self.command)
      #expect(parsed.contains(CommandDescription.help))
    }
  }

  @Test func helpIsNotAskedForByValuesAndArguments() throws {
    try expectEqual(parse("--name", "-h")[Self.name], "-h")
    try expectEqual(parse("--", "--help").positionals, ["--help"])
  }

  // MARK: - Values

  @Test func wholeNumbersOutsideTheRulesAreRefused() {
    let hostile = [
      "", " 3", "3 ", "three", "nan", "inf", "-1", "0", "65", "3.0", "1e1", "0x10", "٣",
      "99999999999999999999999", "--3", "+",
    ]
    for text in hostile {
      #expect(throws: UsageError.self, "\(text)") { try parse("--count=\(text)") }
    }
    for text in ["33", "31", "0", "-32", "4128"] {
      #expect(throws: UsageError.self, "\(text)") { try parse("--side=\(text)") }
    }
  }

  @Test func numbersOutsideTheRulesAreRefused() {
    let hostile = [
      "", "nan", "NaN", "-nan", "inf", "-inf", "infinity", "1e999", "-0.1", "1.0001", "0x1p-1",
      "0,5", "1e", "half", "snan(0x1)", " 0.5",
    ]
    for text in hostile {
      #expect(throws: UsageError.self, "\(text)") { try parse("--share=\(text)") }
    }
    #expect(throws: UsageError.self) { try parse("--rate", "0") }
    #expect(throws: UsageError.self) { try parse("--rate", "1e-999") }
  }

  @Test func boundsBelongToTheRange() throws {
    try expectEqual(parse("--share", "0")[Self.share], 0)
    try expectEqual(parse("--share", "1")[Self.share], 1)
    try expectEqual(parse("--share", "2.5e-1")[Self.share], 0.25)
    try expectEqual(parse("--count", "1")[Self.count], 1)
    try expectEqual(parse("--count", "64")[Self.count], 64)
    try expectEqual(parse("--side", "4096")[Self.side], 4096)
  }

  @Test func aRefusedValueNamesOptionAndRequirement() {
    let error = UsageError.invalidValue(
      option: "--side", found: "33", required: "a multiple of 32 from 32 to 4096", suggestion: nil)
    #expect(throws: error) { try parse("--side", "33") }
    for part in ["--side", "a multiple of 32 from 32 to 4096", "\"33\""] {
      #expect("\(error)".contains(part))
    }
  }

  @Test func aMisspeltChoiceIsSuggested() throws {
    try expectEqual(parse("--mode", "json")[Self.mode], 2)
    let error = UsageError.invalidValue(
      option: "--mode", found: "jsn", required: "text or json", suggestion: "json")
    #expect(throws: error) { try parse("--mode", "jsn") }
    expectEqual("\(error)", "--mode must be text or json, not \"jsn\". Did you mean json?")
  }

  @Test func messagesHoldNoControlCharacters() {
    let error = UsageError.invalidValue(
      option: "--count", found: "\u{1B}[2J\n\u{7}", required: "a number", suggestion: nil)
    #expect(!"\(error)".unicodeScalars.contains { $0.value < 0x20 })
    let long = UsageError.unknownCommand(
      found: String(repeating: "x", count: 100_000), suggestion: nil)
    #expect("\(long)".count < 300)
  }
}
