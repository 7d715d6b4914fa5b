import DiceFiles
import DiceReports
import MatrixModel
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders

@Suite struct PageCommandTests {
  @Test func evaluateWritesAPageWithHarmlessNames() throws {
    let folder = try TemporaryFolder()
    let name = "<b>'x'\\\"&.png"
    let written = "<b>'x'\"&.png"
    try folder.writePicture("set/images/\(written)")
    try folder.write(
      """
      [{"image": "\(name)", "annotations": [
         {"label": "5", "coordinates": {"x": 10, "y": 10, "width": 10, "height": 10}}]}]
      """, to: "set/validation.json")
    let call = ToolCall()
    call.find = { (_, _) in
      PictureReading(width: 40, height: 30, dice: [die(3, 0.9, x: 5, y: 5)])
    }
    for (destination, file) in [("report", "report/index.html"), ("page.html", "page.html")] {
      expectEqual(
        call.run(
          "evaluate", "dice", folder.file("set/validation.json"), "--report",
          folder.file(destination)), .success)
      let page = try folder.text(file)
      #expect(isInert(page))
      #expect(!page.contains("<b>'x'") && page.contains("&lt;b&gt;&#39;x&#39;&quot;&amp;.png"))
      #expect(page.contains("1 mistake"))
      #expect(page.contains("href=\"data:image/jpeg;base64,"))
    }
    #expect(call.errors.isEmpty)
    expectEqual(
      call.run(
        "evaluate", "dice", folder.file("set/validation.json"), "--report", folder.file("few.html"),
        "--gallery", "0"), .success)
    #expect(!(try folder.text("few.html").contains("<figure")))
    expectEqual(
      call.run("evaluate", "dice", folder.file("set/validation.json"), "--gallery", "5"), .usage)
    expectEqual(
      call.run(
        "evaluate", "dice", folder.file("set/validation.json"), "--report", folder.file("no/a.html")
      ), .failure)
  }

  @Test(.modelledMatrixUnits) func trainKeepsAPageAndMeasures() throws {
    let folder = try TemporaryFolder()
    try folder.writePicture("images/a.png", width: 64, height: 64)
    let annotations = try folder.write(
      """
      [{"image": "a.png", "annotations": [
         {"label": "5", "coordinates": {"x": 20, "y": 20, "width": 16, "height": 16}}]}]
      """, to: "set.json")
    let call = ToolCall()
    let status = call.run(
      "train", "dice", annotations, "--output", folder.file("w.dvweights"), "--samples", "8",
      "--batch",
      "2", "--input", "64", "--threads", "1", "--log-every", "1", "--report",
      folder.file("run.html"), "--validation", annotations, "--validate-every", "2", "--json")
    expectEqual(status, .success, "\(call.errors)")
    let page = try folder.text("run.html")
    #expect(isInert(page))
    #expect(!page.contains("http-equiv=\"refresh\"") && page.contains("finished"))
    let rows = TrainingTable.rows(of: try folder.bytes("run.csv"))
    expectEqual(rows.map { $0.step }, [1, 2, 3, 4])
    let validations = TrainingTable.validations(of: try folder.bytes("run.validation.csv"))
    expectEqual(validations.map { $0.step }, [2, 4])
    #expect(validations.allSatisfy { $0.dieCount == 1 && $0.photoCount == 1 })
    let json = try JSONReader.parse([UInt8](call.output.utf8))
    expectEqual(json["stepCount"]?.integer, 4)
    expectEqual(json["validation"]?["step"]?.integer, 4)
    expectEqual(json["byteCount"]?.integer, (try folder.bytes("w.dvweights").count))
  }
}
