import DiceFiles
import DiceImaging
import DiceRolls
import DiceVisionKit
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders
@testable import dicevision_workshop

@Suite struct EvaluateCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  /// Two pictures of different widths, three dice, and what is found in them.
  init() throws {
    folder = try TemporaryFolder()
    try folder.writePicture("set/images/one.png", width: 40)
    try folder.writePicture("set/images/two.png", width: 50)
    try folder.write(
      """
      [{"image": "two.png", "annotations": [
         {"label": "5", "coordinates": {"x": 10, "y": 10, "width": 10, "height": 10}}]},
       {"image": "one.png", "annotations": [
         {"label": "2", "coordinates": {"x": 10, "y": 10, "width": 10, "height": 10}},
         {"label": "6", "coordinates": {"x": 30, "y": 20, "width": 8, "height": 8}}]}]
      """, to: "set/validation.json")
    call.find = { (image, _) in
      PictureReading(
        width: image.width, height: image.height,
        dice: image.width == 50
          ? [die(5, 0.9, x: 5, y: 5), die(1, 0.05, x: 30, y: 10)]
          : [die(2, 0.8, x: 5, y: 5), die(6, 0.7, x: 26, y: 16, width: 8, height: 8)])
    }
  }

  private var report: JSONValue {
    get throws { try JSONReader.parse(try folder.bytes("report.json")) }
  }

  private func evaluate(_ arguments: String...) -> CallStatus {
    call.run(
      [
        "evaluate", "dice", folder.file("set/validation.json"), "--output",
        folder.file("report.json"),
      ]
        + arguments)
  }

  @Test func perfectReadingsScoreFully() throws {
    expectEqual(evaluate(), .success)
    let report = try report
    expectEqual(report["overall"]?["dieCount"]?.integer, 3)
    expectEqual(report["overall"]?["detections"]?["diceReadRight"]?["value"]?.number, 1)
    expectEqual(report["overall"]?["detections"]?["photosReadExactlyRight"]?["count"]?.integer, 2)
    let precision = try #require(report["overall"]?["averagePrecision"]?["at50To95"]?.number)
    #expect(abs(precision - 1) < 1e-9)
    expectEqual(report["sets"]?.array?.first?["name"]?.string, "set/validation")
    #expect(call.output.contains("set/validation"))
    #expect(call.output.hasPrefix("test, weights 00000000000000a1, input 64 x 64\n"))
    #expect(call.errors.isEmpty)
  }

  @Test func theDetectorIsAskedForDoubtfulReadings() throws {
    expectEqual(evaluate("--iou", "0.6"), .success)
    expectEqual(
      call.requests,
      [
        FinderRequest(confidence: 0.01, intersectionOverUnion: 0.6),
        FinderRequest(confidence: 0.01, intersectionOverUnion: 0.6),
      ])
    try expectEqual(report["confidenceThreshold"]?.number, 0.25)
    try expectEqual(report["intersectionOverUnionThreshold"]?.number, 0.6)
  }

  @Test func stagesAreLeftOutByName() throws {
    expectEqual(evaluate("--without", "second-crop,contextual-rescoring"), .success)
    expectEqual(
      call.finderOptions.map(\.stages),
      [PipelineStages(without: [.secondCrop, .contextualRescoring])])
    for text in ["second-crops", "second-crop,", "", "second-crop second-crop"] {
      let other = ToolCall()
      expectEqual(
        other.run("evaluate", "dice", folder.file("set/validation.json"), "--without", text), .usage
      )
      #expect(other.errors.contains("--without"))
    }
  }

  @Test func theReportHoldsEveryReadingOfEveryPhoto() throws {
    expectEqual(evaluate("--without", "second-crop"), .success)
    let photos = try #require(try report["sets"]?.array?.first?["photos"]?.array)
    expectEqual(photos.map { $0["name"]?.string }, ["two.png", "one.png"])
    expectEqual(photos.map { $0["dieCount"]?.integer }, [1, 2])
    expectEqual(
      photos[0]["detections"],
      [
        ["confidence": 0.9, "isRight": true], ["confidence": 0.05, "isRight": false],
      ])
  }

  @Test func theThresholdDecidesWhatIsAReading() throws {
    expectEqual(evaluate("--confidence", "0.05"), .success)
    try expectEqual(report["overall"]?["detections"]?["falsePositiveCount"]?.integer, 1)
    expectEqual(evaluate("--confidence", "0.75"), .success)
    try expectEqual(report["overall"]?["detections"]?["missedCount"]?.integer, 1)
  }

  @Test func theJSONOfOutputAndFileAreTheSame() throws {
    expectEqual(evaluate("--format", "json"), .success)
    expectEqual(call.output, (try folder.text("report.json")))
    try expectEqual(report["network"]?["checksum"]?.string, "00000000000000a1")
  }

  @Test func kindsOfDiceAreMeasured() throws {
    try folder.write(
      """
      [{"image": "two.png", "annotations": [
         {"label": "d20-9", "coordinates": {"x": 10, "y": 10, "width": 10, "height": 10}}]},
       {"image": "one.png", "annotations": [
         {"label": "3", "coordinates": {"x": 10, "y": 10, "width": 10, "height": 10}},
         {"label": "d10-0", "coordinates": {"x": 30, "y": 20, "width": 8, "height": 8}}]}]
      """, to: "set/validation.json")
    call.network.labels = ["d6-3", "d10-0", "d%-00", "d20-6", "d20-9"]
    call.find = { (image, _) in
      var dice = [die(3, 0.9, x: 5, y: 5), die(0, 0.7, x: 26, y: 16, width: 8, height: 8)]
      if image.width == 50 { dice = [die(6, 0.5, x: 5, y: 5), die(10, 0.4, x: 30, y: 10)] }
      let labels = image.width == 50 ? ["d20-6", "d10-0"] : ["d6-3", "d%-00"]
      for index in dice.indices { dice[index].label = labels[index] }
      // A kind that is sure to 0.8, of which the number has 5 parts in 8.
      if image.width == 50 {
        dice[0].alternatives = [
          ValueProbability(kind: .d20, value: 6, confidence: 0.5),
          ValueProbability(kind: .d20, value: 9, confidence: 0.3),
          ValueProbability(kind: .d12, value: 6, confidence: 0.2),
        ]
      }
      return PictureReading(width: image.width, height: image.height, dice: dice)
    }
    expectEqual(evaluate(), .success, "\(call.errors)")
    #expect(call.output.contains("Each kind, set/validation\n"))
    let kinds = try #require(try report["overall"]?["kinds"])
    let rows = try #require(kinds["kinds"]?.array)
    expectEqual(rows.map { $0["name"]?.string }, ["d6", "d10", "d%", "d20"])
    expectEqual(rows.map { $0["kindRight"]?["count"]?.integer }, [1, 0, 0, 1])
    expectEqual(rows.map { $0["right"]?["count"]?.integer }, [1, 0, 0, 0])
    expectEqual(rows.map { $0["falsePositiveCount"]?.integer }, [0, 1, 0, 0])
    #expect(abs(try #require(kinds["kindCalibration"]?["expectedError"]?.number) - 0.2) < 1e-6)
    #expect(abs(try #require(kinds["numberCalibration"]?["expectedError"]?.number) - 0.625) < 1e-6)

    expectEqual(evaluate("--format", "csv"), .success, "\(call.errors)")
    let lines = call.output.split(whereSeparator: \.isNewline)
    #expect(lines.contains { $0.hasSuffix(",box_height,label_kind,value_kind") })
    #expect(lines.contains { $0.contains(",confused,d10-0,d%-00,") && $0.hasSuffix(",d10,d%") })
    #expect(lines.contains { $0.contains(",false_positive,,d10-0,") && $0.hasSuffix(",,d10") })
  }

  @Test func theSameFilesGiveTheSameReport() throws {
    expectEqual(evaluate(), .success)
    let first = try folder.bytes("report.json")
    expectEqual(evaluate(), .success)
    try expectEqual(folder.bytes("report.json"), first)
  }

  @Test func diceThatNobodyCanReadDoNotCount() throws {
    try folder.write(
      """
      [{"image": "two.png", "annotations": [
         {"label": "5", "coordinates": {"x": 10, "y": 10, "width": 10, "height": 10}},
         {"label": "?", "coordinates": {"x": 35, "y": 15, "width": 10, "height": 10}}]}]
      """, to: "set/validation.json")
    expectEqual(evaluate("--confidence", "0.02"), .success)
    let report = try report
    expectEqual(report["overall"]?["dieCount"]?.integer, 1)
    expectEqual(report["overall"]?["detections"]?["falsePositiveCount"]?.integer, 0)
    expectEqual(report["overall"]?["detections"]?["photosReadExactlyRight"]?["count"]?.integer, 1)
  }

  @Test func picturesThatCannotBeReadAreNamedAndLeftOut() throws {
    try folder.write("no picture", to: "set/images/two.png")
    expectEqual(evaluate(), .failure)
    #expect(call.errors.contains("set/images/two.png: "))
    #expect(call.errors.contains("1 picture was left out"))
    try expectEqual(report["photosLeftOut"]?.integer, 1)
    try expectEqual(report["overall"]?["photoCount"]?.integer, 1)
  }

  @Test func severalSetsAreReportedEachAndTogether() throws {
    try folder.writePicture("other/three.png", width: 50)
    let other = try folder.write(
      """
      [{"image": "three.png", "annotations": [
         {"label": "4", "coordinates": {"x": 10, "y": 10, "width": 10, "height": 10}}]}]
      """, to: "other/validation.json")
    expectEqual(evaluate(other), .success)
    let report = try report
    expectEqual(
      report["sets"]?.array?.compactMap { $0["name"]?.string },
      ["set/validation", "other/validation"])
    expectEqual(report["overall"]?["photoCount"]?.integer, 3)
    expectEqual(report["overall"]?["detections"]?["confusedCount"]?.integer, 1)
  }

  @Test func progressIsForTerminalsOnly() throws {
    expectEqual(evaluate(), .success)
    #expect(call.errors.isEmpty)
    call.isErrorTerminal = true
    expectEqual(evaluate(), .success)
    call.variables["NO_COLOR"] = "1"
    // The test's clock runs a quarter of a second at each look, so that few pictures take long.
    let names = try (0..<12).map { index in
      try folder.writePicture("set/images/\(index).png")
      return #"{"image": "\#(index).png", "annotations": []}"#
    }
    try folder.write("[\(names.joined(separator: ", "))]", to: "set/validation.json")
    expectEqual(evaluate(), .success)
    #expect(call.errors.contains("\revaluate  ━"))
    #expect(call.errors.contains(" of 12  "))
    #expect(call.errors.hasSuffix("\r\u{1B}[K"))
  }

  @Test func brokenAnnotationsAreNamed() throws {
    for (text, rule) in [
      ("[", "Not a JSON text"), ("{}", "an array"),
      (
        #"[{"image": "one.png", "annotations": [{"label": "7", "coordinates": "#
          + #"{"x": 1, "y": 1, "width": 1, "height": 1}}]}]"#, "the label \"7\" is none of"
      ),
    ] {
      let path = try folder.write(text, to: "broken.json")
      let call = ToolCall()
      call.find = self.call.find
      expectEqual(call.run("evaluate", "dice", path), .failure)
      #expect(call.errors.contains(path))
      #expect(call.errors.contains(rule))
      #expect(call.output.isEmpty)
    }
    expectEqual(call.run("evaluate", "dice", folder.file("missing.json")), .failure)
    expectEqual(call.run("evaluate", "dice"), .usage)
  }

  @Test func aFileWithoutPicturesIsAnError() throws {
    let path = try folder.write("[]", to: "none.json")
    expectEqual(call.run("evaluate", "dice", path), .failure)
    #expect(call.errors.contains("\(path): The file names no pictures."))
    expectEqual(evaluate(path), .failure)
    #expect(call.output.isEmpty && call.requests.isEmpty)
  }

  @Test func labelsOutsideTheirPicturesAreCounted() throws {
    try folder.write(
      """
      [{"image": "two.png", "annotations": [
         {"label": "5", "coordinates": {"x": 10, "y": 10, "width": 10, "height": 10}},
         {"label": "4", "coordinates": {"x": 51, "y": 10, "width": 10, "height": 10}},
         {"label": "4", "coordinates": {"x": 10, "y": -1, "width": 10, "height": 10}}]}]
      """, to: "set/validation.json")
    expectEqual(evaluate(), .success)
    #expect(
      call.errors.contains(
        "2 labelled boxes have their middle outside the picture, the first of them in \"two.png\""))
  }

  @Test(.enabled(if: FileSystem.exists(at: "/dev/full"), "a device of Linux"))
  func aFullDiskDoesNotTakeTheResult() throws {
    let page = folder.file("page.html")
    expectEqual(
      call.run(
        "evaluate", "dice", folder.file("set/validation.json"), "--output", "/dev/full", "--report",
        page), .failure)
    #expect(call.output.contains("set/validation"))
    #expect(call.errors.contains("No room is left to write \"/dev/full\"."))
    #expect(FileSystem.exists(at: page))
  }

  @Test func aReportThatCannotBeWrittenIsNamedBeforeTheWork() throws {
    for path in [folder.file("missing/report.json"), folder.path] {
      expectEqual(
        call.run("evaluate", "dice", folder.file("set/validation.json"), "--output", path), .failure
      )
    }
    #expect(call.errors.contains("\(folder.path)/missing"))
    #expect(call.requests.isEmpty && call.output.isEmpty)
  }

  @Test func imagesMayLieElsewhere() throws {
    try folder.write(
      #"[{"image": "one.png", "annotations": []}]"#, to: "labels/empty.json")
    expectEqual(
      call.run(
        "evaluate", "dice", folder.file("labels/empty.json"), "--images", folder.file("set/images")),
      .success)
    expectEqual(call.requests.count, 1)
  }

  @Test func setsAreNamedByAsMuchOfTheirPathsAsTellsThemApart() {
    expectEqual(EvaluateCommand.setNames(for: ["a.json"]), ["a"])
    expectEqual(EvaluateCommand.setNames(for: ["/x/y/a.json"]), ["y/a"])
    expectEqual(EvaluateCommand.setNames(for: ["x/a.json", "y/a.json"]), ["x/a", "y/a"])
    expectEqual(EvaluateCommand.setNames(for: ["1/x/a.json", "2/x/a.json"]), ["1/x/a", "2/x/a"])
    expectEqual(EvaluateCommand.setNames(for: ["x/a.json", "x/a.json"]), ["x/a", "x/a"])
  }
}
