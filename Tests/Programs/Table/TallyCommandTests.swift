import DiceCodecs
import DiceFiles
import DiceImaging
import DiceStatistics
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders
@testable import dicevision_table

@Suite struct TallyCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws { folder = try TemporaryFolder() }

  /// A line of a log: a roll with dice of these values, sizes and places.
  private func line(
    _ number: Int, _ dice: [(identity: Int, value: Int?, size: Double, x: Double)],
    event: String = "rollEnded"
  ) -> String {
    let text = dice.map {
      "{\"identity\":\($0.identity),\"value\":\($0.value.map { "\($0)" } ?? "null"),"
        + "\"confidence\":0.9,\"box\":{\"x\":\($0.x),\"y\":5,\"width\":\($0.size),\"height\":\($0.size)}}"
    }
    return "{\"event\":\"\(event)\",\"frame\":1,\"time\":1,\"roll\":\(number),\"dice\":["
      + text.joined(separator: ",") + "]}\n"
  }

  /// A log of rolls of one die.
  private func log(_ values: [Int]) -> String {
    values.enumerated().map { line($0 + 1, [($0, $1, 40, 100)]) }.joined()
  }

  private func report() throws -> JSONValue {
    try JSONReader.parse([UInt8](call.output.utf8))
  }

  private func counts(_ part: Int = 0) throws -> [Int?]? {
    try report()["parts"]?.array?[part]["counts"]?.array?.map(\.integer)
  }

  @Test func countsALog() throws {
    call.input = [UInt8](log([1, 1, 2, 6, 6, 6, 3]).utf8)
    expectEqual(call.run("tally", "--json", "-"), .success)
    try expectEqual(counts(), [2, 1, 1, 0, 0, 3])
    let part = try #require(try report()["parts"]?.array?.first)
    #expect(
      part["exact"]?["method"]?.string == "enumerated" && part["verdict"]?.string == "noBiasSeen")
    #expect(call.errors.isEmpty)
  }

  @Test func textDoesNotPromiseTooMuch() throws {
    try folder.write(log((0..<60).map { $0 % 6 + 1 }), to: "rolls.jsonl")
    expectEqual(call.run("tally", folder.file("rolls.jsonl")), .success)
    #expect(
      call.output.contains("These rolls show no bias.") && call.output.contains("does not prove"))
    #expect(call.output.contains("60 rolls show a bias of"))
    // Whoever sorts values has no random rolls.
    #expect(call.output.contains("Values change too often"))
    let loaded = ToolCall()
    loaded.input = [UInt8](log([Int](repeating: 6, count: 40)).utf8)
    expectEqual(loaded.run("tally", "-"), .success)
    #expect(loaded.output.contains("Face 6 differs most") && !loaded.output.contains("proof"))
  }

  @Test func revisionsReplaceAndLyingDiceAreNotCountedAgain() throws {
    call.input = [UInt8](
      (line(1, [(1, 3, 40, 100), (2, 4, 40, 300)])
        + line(1, [(1, 3, 40, 100), (2, 5, 40, 300)], event: "resultRevised")
        // Die 1 lies where it lay, die 2 was thrown.
        + line(2, [(1, 3, 40, 101), (2, 5, 40, 400)])
        + line(2, [(1, 3, 40, 101), (2, 6, 40, 400)], event: "resultRevised")
        // Another film with the same identities.
        + line(1, [(1, 3, 40, 101), (2, nil, 40, 400)])).utf8)
    expectEqual(call.run("tally", "--json", "-"), .success)
    try expectEqual(counts(), [0, 0, 2, 0, 1, 1])
    try expectEqual(report()["parts"]?.array?[0]["unread"]?.integer, 1)
  }

  @Test func readsResultsOfDetect() throws {
    call.input = [UInt8](
      #"""
      {"image":"a.png","width":9,"height":9,"dice":[{"value":2,"confidence":0.9,"box":{"x":1,"y":1,"width":3,"height":3}}]}
      {"image":"b.png","width":9,"height":9,"dice":[]}

      """#.utf8)
    expectEqual(call.run("tally", "--json", "-"), .success)
    #expect(try counts() == [0, 1, 0, 0, 0, 0] && report()["leftOut"]?.integer == 1)
  }

  /// A d100 of two dice, and a die of six sides.
  private let kinds = #"""
    {"image":"a","dice":[{"value":10,"kind":"d10","face":"0","box":{"x":1,"y":2,"width":30,"height":30}},{"value":30,"kind":"d%","face":"30","box":{"x":51,"y":2,"width":30,"height":30}}]}
    {"image":"b","dice":[{"value":3,"kind":"d10","face":"3","box":{"x":1,"y":2,"width":30,"height":30}},{"value":0,"kind":"d%","face":"00","box":{"x":51,"y":2,"width":30,"height":30}}]}
    {"image":"c","dice":[{"value":3,"box":{"x":1,"y":2,"width":30,"height":30}}]}

    """#

  @Test(arguments: [
    ("d6", [0, 0, 1, 0, 0, 0]), ("d10", [0, 0, 1, 0, 0, 0, 0, 0, 0, 1]),
    ("d%", [1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
  ]) func countsDiceOfOneKind(_ kind: String, _ expected: [Int]) throws {
    call.input = [UInt8](kinds.utf8)
    expectEqual(call.run("tally", "--json", "--kinds", kind, "-"), .success)
    try expectEqual(counts(), expected)
    let report = try report()
    #expect(report["kind"]?.string == kind && report["rolls"]?.integer == expected.reduce(0, +))
    expectEqual(report["otherKinds"]?["d6"]?.integer, (kind == "d6" ? nil : 1))
    let faces = try #require(report["parts"]?.array?[0]["faces"]?.array)
    let names = faces.compactMap { $0["face"]?.string }
    let values = faces.compactMap { $0["value"]?.integer }
    #expect(names.count == expected.count && names.contains(kind == "d%" ? "00" : "3"))
    expectEqual(values.first, (kind == "d%" ? 0 : 1))
  }

  @Test func whatIsOfAnotherKindIsNamed() throws {
    let six = ToolCall()
    six.input = [UInt8](kinds.utf8)
    expectEqual(six.run("tally", "-"), .success)
    #expect(six.output.contains("are left out: 2 d10, 2 d%. --kinds d10 counts a d10."))
    // All dice, whatever their kind: 10, 30, 3, 0 and 3 of 40 faces.
    let all = ToolCall()
    all.input = [UInt8](kinds.utf8)
    expectEqual(all.run("tally", "--faces", "40", "-"), .success)
    #expect(
      all.output.contains("4 values of 3 rolls")
        && all.output.contains("1 value that no face has is"))
    let none = ToolCall()
    none.input = [UInt8](kinds.utf8)
    expectEqual(none.run("tally", "--kinds", "d20", "-"), .failure)
    #expect(none.errors.contains("1 d6, 2 d10, 2 d%"))
    let wrong = ToolCall()
    wrong.input = [UInt8](
      #"{"image":"a","dice":[{"value":1,"kind":"d11","box":{"x":1,"y":1,"width":9,"height":9}}]}"#
        .utf8)
    expectEqual(wrong.run("tally", "-"), .failure)
    #expect(wrong.errors.contains("the kind where it is known"))
  }

  @Test func readsServerSentEvents() throws {
    call.input = [UInt8](
      (":\n\nretry: 1000\nid: 1\ndata: " + line(1, [(1, 3, 40, 100)]) + "\nid: 2\nevent: x\ndata: "
        + line(2, [(2, 4, 40, 100)]) + "\n").utf8)
    expectEqual(call.run("tally", "--json", "-"), .success)
    try expectEqual(counts(), [0, 0, 1, 1, 0, 0])
  }

  @Test func linesThatBreakARuleAreToldAndPassedOver() throws {
    let long = "{\"event\":\"" + String(repeating: "x", count: RollLog.lineLimit) + "\"}\n"
    let broken = [
      "{", "[1]", "{}", "{\"event\":1}", "{\"event\":\"rollEnded\"}",
      "{\"event\":\"rollEnded\",\"roll\":1}", "{\"event\":\"rollEnded\",\"roll\":1.5,\"dice\":[]}",
      "{\"event\":\"rollEnded\",\"roll\":1,\"dice\":[1]}",
      line(3, [(1, 2, -4, 1)]).trimmingLineEnd,
      "{\"event\":\"rollEnded\",\"roll\":1,\"dice\":[{\"value\":0.5,\"box\":"
        + "{\"x\":1,\"y\":1,\"width\":1,\"height\":1}}]}",
      "{\"image\":\"a\"}", "{\"event\":\"rollEnded\",\"roll\":1e999,\"dice\":[]}",
    ]
    call.input = [UInt8]((log([4]) + broken.joined(separator: "\n") + "\n" + long).utf8)
    expectEqual(call.run("tally", "--json", "-"), .failure)
    try expectEqual(counts(), [0, 0, 0, 1, 0, 0])
    #expect(call.errors.contains("Line 2: ") && call.errors.contains("3 more such lines"))
    for number in 3...11 { #expect(call.errors.contains("Line \(number): "), "\(call.errors)") }
  }

  @Test func nothingHostileTraps() {
    let whole = [UInt8](
      (line(1, [(1, 3, 40, 100), (2, 4, 1e300, -1e300)])
        + line(.max, [(1, .max, 40, 100), (.min, .min, 0, 1e308)], event: "resultRevised")).utf8)
    var rolls = CountedRolls()
    func read(_ bytes: [UInt8]) {
      var rest: [UInt8]? = bytes
      _ = try? RollLog.count("log", into: &rolls, ToolCall().environment) {
        defer { rest = nil }
        return rest
      }
    }
    #expect(Mutations.forEachPrefix(of: whole, read) > 100)
    #expect(Mutations.forEachChange(of: whole, header: [], read) > 1000)
    #expect(Mutations.forEachShift(of: whole, read) > 100)
    #expect(!rolls.rolls.isEmpty)
    call.input = [UInt8](repeating: UInt8(ascii: "{"), count: 3_000_000)
    expectEqual(call.run("tally", "-"), .failure)
    #expect(call.errors.contains("bytes of a line") && call.output.isEmpty)
  }

  @Test func inputsThatAreNoneAreNamed() throws {
    try folder.write("hello", to: "notes.txt")
    expectEqual(call.run("tally", folder.file("notes.txt"), folder.file("none")), .failure)
    #expect(call.errors.contains("notes.txt") && call.errors.contains("none"))
    #expect(call.errors.contains("No die with a value was counted.") && call.output.isEmpty)
    expectEqual(ToolCall().run("tally", "-", "-"), .usage)
  }

  @Test func theQuestionKeepsItsRules() throws {
    for options in [
      ["--expect", "0.5,0.6"], ["--expect", "1/6,1/6"], ["--expect", "1/0,1"],
      ["--expect", "nan,1"], ["--expect", "-1,2"], ["--expect", ""], ["--expect", "1/2/2,1/2"],
      ["--expect", "1/2,1/2", "--faces", "6"], ["--faces", "1"], ["--faces", "101"],
      ["--level", "0"], ["--power", "1"], ["--bias", "0"], ["--bias", "0.9"],
      ["--faces", "8", "--misreadings", "bundled"], ["--expect", "1,0,0,0,0,0"],
      ["--kinds", "d6,d20"], ["--kinds", "any"], ["--kinds", "d20", "--faces", "6"],
    ] {
      let call = ToolCall()
      call.input = [UInt8](log([1, 2]).utf8)
      expectEqual(call.run(["tally"] + options + ["-"]), .usage, "\(options)")
      #expect(call.output.isEmpty)
    }
    call.input = [UInt8](log([1, 2, 2, 2]).utf8)
    expectEqual(call.run("tally", "--json", "--expect", "1/4,0.75", "-"), .success)
    try expectEqual(counts(), [1, 3])
    expectEqual(TallyCommand.readProbabilities("1/3,1/3,1/3")?.count, 3)
  }

  @Test func aReportOfEvaluateIsAMatrix() throws {
    let matrix = (0..<6).map { row in
      "[" + (0..<6).map { $0 == row ? "90" : $0 == 0 ? "8" : "0" }.joined(separator: ",") + "]"
    }.joined(separator: ",")
    try folder.write(
      "{\"overall\":{\"confusion\":{\"counts\":[\(matrix)]}}}", to: "report.json")
    // As a fair die is read by it.
    let values = (1...6).flatMap { [Int](repeating: $0, count: $0 == 1 ? 150 : 90) }
    call.input = [UInt8](log(values).utf8)
    expectEqual(
      call.run("tally", "--misreadings", folder.file("report.json"), "--json", "-"), .success)
    try expectEqual(report()["parts"]?.array?[0]["verdict"]?.string, "noBiasSeen")
    let blind = ToolCall()
    blind.input = call.input
    expectEqual(blind.run("tally", "--misreadings", "none", "--json", "-"), .success)
    #expect(blind.output.contains(#""verdict":"bias""#))
    for text in [
      "{}", "[", #"{"confusion":{"counts":[[1]]}}"#, #"{"confusion":{"counts":[["1"]]}}"#,
    ] {
      let path = try folder.write(text, to: "bad.json")
      expectEqual(ToolCall().run("tally", "--misreadings", path, "-"), .failure)
    }
  }

  @Test func diceAreToldApartBySize() throws {
    var lines = ""
    for roll in 1...40 {
      lines += line(
        roll, [(2 * roll, 1 + roll % 6, 40 + Double(roll % 3), 0), (2 * roll + 1, 6, 80, 200)])
    }
    lines += line(41, [(100, 2, 40, 0)])
    try folder.write(lines, to: "rolls.jsonl")
    expectEqual(call.run("tally", "--json", folder.file("rolls.jsonl")), .success)
    let parts = try #require(try report()["parts"]?.array)
    expectEqual(parts.count, 3)
    #expect(Set(try [counts(1), counts(2)]).contains([0, 0, 0, 0, 0, 40]))
    try expectEqual(counts(0)?.compactMap { $0 }.reduce(0, +), 81)
    let text = ToolCall()
    expectEqual(
      text.run("tally", "--dice", "2", folder.file("rolls.jsonl")), .success)
    #expect(
      text.output.contains("80 values of 40 rolls.") && text.output.contains("told apart by size"))
  }

  @Test func picturesTellColorsApart() throws {
    for index in 0..<12 {
      let isSwapped = index.isMultiple(of: 3)
      var samples: [UInt8] = []
      for _ in 0..<60 {
        for column in 0..<120 {
          let isRed = (column < 60) != isSwapped
          samples += isRed ? [200, 30, UInt8(30 + index)] : [220, 220, UInt8(210 - index)]
        }
      }
      try folder.write(
        PNGEncoder.encode(PixelImage(width: 120, height: 60, format: .rgb, samples: samples)),
        to: "photos/\(index).png")
    }
    call.find = { (image, _) in
      let isSwapped = image.samples[1] > 100
      return PictureReading(
        width: 120, height: 60,
        dice: [
          die(isSwapped ? 1 : 6, 0.9, x: 10, y: 10, width: 40, height: 40),
          die(isSwapped ? 6 : 1, 0.9, x: 70, y: 10, width: 40, height: 40),
        ])
    }
    expectEqual(call.run("tally", folder.file("photos")), .success)
    #expect(call.output.contains("the white die of about 40 pixels"), "\(call.output)")
    #expect(call.output.contains("the red die of about 40 pixels"))
    let json = ToolCall()
    json.find = call.find
    expectEqual(json.run("tally", "--json", folder.file("photos")), .success)
    #expect(json.output.contains(#""counts":[12,0,0,0,0,0]"#), "\(json.output)")
    #expect(json.output.contains(#""counts":[0,0,0,0,0,12]"#))
  }

  @Test func filmsAreCounted() throws {
    call.find = { (image, _) in
      let frame = (Int(image.samples[0]) + 2) / 4
      var dice: [FoundDie] = []
      if (5..<34).contains(frame) {
        let slide = Double(max(0, 15 - frame))
        dice = [die(3, 0.9, x: 100 - 8 * slide, y: 40 + 5 * slide, width: 30, height: 30)]
      }
      return PictureReading(width: image.width, height: image.height, dice: dice)
    }
    let writer = try Y4MWriter(width: 320, height: 180, chroma: .s444, range: .full)
    var bytes = writer.header
    for index in 0..<60 {
      bytes += try writer.frame(
        PixelImage(
          width: 320, height: 180, format: .gray,
          samples: [UInt8](repeating: UInt8(4 * index), count: 320 * 180)))
    }
    let path = try folder.write(bytes, to: "roll.y4m")
    call.input = bytes
    // The same film twice, once from standard input.
    expectEqual(call.run("tally", "--json", path, "-"), .success)
    try expectEqual(counts(), [0, 0, 2, 0, 0, 0])
  }

  @Test func aPageHoldsItsPlots() throws {
    call.input = [UInt8](log((0..<60).map { $0 % 6 + 1 }).utf8)
    let page = folder.file("tally.html")
    expectEqual(call.run("tally", "--page", page, "-"), .success)
    let text = try folder.text("tally.html")
    #expect(isInert(text) && text.contains("<svg class=\"chart\"") && text.contains("p-value"))
    // Its own page it replaces, another file not.
    let again = ToolCall()
    again.input = call.input
    expectEqual(again.run("tally", "--page", page, "-"), .success)
    try folder.write("mine", to: "other.html")
    expectEqual(again.run("tally", "--page", folder.file("other.html"), "-"), .usage)
    try expectEqual(folder.text("other.html"), "mine")
  }
}
