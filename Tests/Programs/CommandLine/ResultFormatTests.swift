import DiceFiles
import DiceGeometry
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders

@Suite struct ResultFormatTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws {
    folder = try TemporaryFolder()
    call.find = { (image, request) in
      let dice =
        image.width == 40
        ? [
          die(2, 0.97891234, x: 4.126, y: 20, width: 8.55, height: 9),
          die(6, 0.5, x: 21, y: 1.5, width: 10, height: 11),
        ] : []
      return PictureReading(
        width: image.uprightWidth, height: image.uprightHeight, dice: dice)
    }
  }

  // MARK: - CSV

  let header =
    "image,width,height,die,value,label,confidence,x,y,box_width,box_height\r\n"

  @Test func aTableHasARowForEachDie() throws {
    let path = try folder.writePicture("a.png")
    let empty = try folder.writePicture("empty.png", width: 41)
    expectEqual(call.run("detect", "--format", "csv", path, empty), .success)
    #expect(
      call.output == header + """
        \(path),40,30,1,2,2,0.9789,4.13,20,8.55,9\r
        \(path),40,30,2,6,6,0.5,21,1.5,10,11\r

        """)
  }

  @Test func fieldsAreQuotedAsRFC4180Says() throws {
    expectEqual(
      CSVTable.row(["a", "b,c", "d\"e", "f\r\ng", "", " h "]),
      "a,\"b,c\",\"d\"\"e\",\"f\r\ng\",, h \r\n")
    let path = try folder.writePicture("a \"b\", c.png")
    expectEqual(call.run("detect", "--format=csv", path), .success)
    let name = path.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"")
    #expect(call.output.hasPrefix("\(header)\"\(name)\",40,30,1,2,"))
  }

  @Test func standardInputAndErrorsWorkInEveryFormat() throws {
    call.input = try folder.bytes(Paths.lastComponent(of: folder.writePicture("a.png")))
    let broken = try folder.write("no picture", to: "b.png")
    expectEqual(call.run("detect", "--format", "csv", broken, "-"), .failure)
    #expect(call.output.hasPrefix("\(header)-,40,30,1,2,2,"))
    #expect(call.errors.contains("b.png"))
    let other = ToolCall()
    other.input = call.input
    other.find = call.find
    expectEqual(other.run("detect", "--format", "coco", broken, "-"), .failure)
    let results = try JSONReader.parse([UInt8](other.output.utf8))
    expectEqual(results.array?.compactMap { $0["image_id"]?.integer }, [2, 2])
    expectEqual(results.array?.first?["file_name"]?.string, "-")
  }

  // MARK: - COCO

  @Test func cocoResultsAreOneArray() throws {
    for name in ["a.png", "c.png"] { try folder.writePicture(name) }
    try folder.writePicture("b.png", width: 41)
    expectEqual(call.run("detect", "--format", "coco", folder.path), .success)
    let results = try #require(try JSONReader.parse([UInt8](call.output.utf8)).array)
    expectEqual(results.count, 4)
    expectEqual(results.compactMap { $0["image_id"]?.integer }, [1, 1, 3, 3])
    expectEqual(results.compactMap { $0["category_id"]?.integer }, [2, 6, 2, 6])
    expectEqual(results[0]["bbox"]?.array?.compactMap { $0.number }, [4.126, 20, 8.55, 9])
    expectEqual(results[0]["score"]?.number, 0.978912)
    expectEqual(results[3]["file_name"]?.string, folder.file("c.png"))
  }

  @Test func noDiceAndNoPicturesAreAnEmptyArray() throws {
    let empty = try folder.writePicture("empty.png", width: 41)
    let broken = try folder.write("no picture", to: "b.png")
    expectEqual(call.run("detect", "--format", "coco", empty, broken), .failure)
    try expectEqual(JSONReader.parse([UInt8](call.output.utf8)), [])
  }

  @Test func optionsThatDoNotGoTogetherAreRefused() throws {
    let path = try folder.writePicture("a.png")
    for format in ["csv", "coco"] {
      expectEqual(call.run("detect", path, "--format", format, "--json"), .usage)
      expectEqual(call.run("detect", path, "--format", format, "--timings"), .usage)
      expectEqual(call.run("track", path, "--format", format), .usage)
    }
    #expect(call.errors.contains("--json and --format csv contradict each other."))
    #expect(call.errors.contains("--format coco has no place for --timings."))
    #expect(call.output.isEmpty)
  }

  // MARK: - Evaluations

  private func writeSet() throws {
    try folder.writePicture("set/images/one.png")
    try folder.writePicture("set/images/two.png", width: 41)
    try folder.write(
      #"""
      {"images": [{"id": 70, "file_name": "two.png"}, {"id": 30, "file_name": "one.png"}],
       "categories": [{"id": 0, "name": "dice"}, {"id": 11, "name": "dice-2"},
         {"id": 12, "name": "dice-4"}],
       "annotations": [
         {"image_id": 30, "category_id": 11, "bbox": [4, 20, 8, 9]},
         {"image_id": 30, "category_id": 12, "bbox": [20, 1, 10, 11]},
         {"image_id": 70, "category_id": 12, "bbox": [1, 1, 5, 5]}]}
      """#, to: "set/coco.json")
  }

  @Test func anEvaluationIsATableOfOutcomes() throws {
    try writeSet()
    expectEqual(
      call.run("evaluate", "dice", "--format", "csv", folder.file("set/coco.json")), .success)
    #expect(
      call.output == """
        set,image,outcome,label,value,confidence,x,y,box_width,box_height\r
        set/coco,two.png,missed,4,,,1,1,5,5\r
        set/coco,one.png,right,2,2,0.9789,4.13,20,8.55,9\r
        set/coco,one.png,confused,4,6,0.5,21,1.5,10,11\r

        """)
  }

  @Test func cocoResultsHaveTheNumbersOfTheirAnnotations() throws {
    try writeSet()
    expectEqual(
      call.run("evaluate", "dice", "--format", "coco", folder.file("set/coco.json")), .success)
    let results = try #require(try JSONReader.parse([UInt8](call.output.utf8)).array)
    // There is no category of a six.
    expectEqual(results.count, 1)
    #expect(results[0]["image_id"]?.integer == 30 && results[0]["category_id"]?.integer == 11)
    expectEqual(
      call.run(
        "evaluate", "dice", "--format", "coco", folder.file("set/coco.json"),
        folder.file("set/coco.json")), .usage)
  }

  // MARK: - Crops

  @Test func eachDieIsAPictureOfItsOwn() throws {
    let path = try folder.writePicture("a.png")
    expectEqual(
      call.run("detect", path, "--crops", folder.file("crops")), .success, "\(call.errors)")
    try expectEqual(
      FileSystem.files(in: folder.file("crops")),
      [
        folder.file("crops/a-01-value-2.png"), folder.file("crops/a-02-value-6.png"),
      ])
    let image = try #require(
      try? PictureReader(environment: .system).read(
        .file(path: folder.file("crops/a-02-value-6.png"))
      ).image)
    // 10 x 11 at 21, 1.5, and 15 % around it.
    #expect(image.width == 14 && image.height == 15)
    #expect(image.samples[0] == UInt8(19 * 5) && image.samples[1] == 0)
  }

  @Test func cropsStandUpright() throws {
    let path = try folder.writePicture("a.png", width: 30, height: 40)
    call.find = { (image, request) in
      PictureReading(
        width: 40, height: 30, dice: [die(1, 0.9, x: 30, y: 0, width: 10, height: 4)])
    }
    let status = call.run(
      "detect", path, "--orientation", "right", "--crops", folder.file("crops"), "--crops-as",
      "jpeg")
    expectEqual(status, .success, "\(call.errors)")
    let image = try #require(
      try? PictureReader(environment: .system).read(
        .file(path: folder.file("crops/a-01-value-1.jpg"))
      ).image)
    // The upright picture's right end is the stored one's top.
    #expect(image.width == 12 && image.height == 5)
    #expect(image.samples[1] > image.samples[(image.width - 1) * 3 + 1] + 30)
  }

  @Test func noFileIsReplaced() throws {
    let path = try folder.writePicture("a.png")
    let taken = try folder.write("mine", to: "crops/a-02-value-6.png")
    expectEqual(call.run("detect", path, "--crops", folder.file("crops")), .failure)
    #expect(call.errors.contains(taken) && call.output.contains("2 6, sum 8"))
    try expectEqual(folder.text("crops/a-02-value-6.png"), "mine")
    #expect(!FileSystem.exists(at: folder.file("crops/a-01-value-2.png")))
    expectEqual(call.run("detect", folder.file("crops"), "--crops", folder.file("crops")), .usage)
    expectEqual(call.run("detect", path, "--crops-as", "png"), .usage)
  }

  @Test func picturesWithTheSameNameHaveDifferentCrops() throws {
    let paths = ["x/a.png", "y/A.png"].map { folder.file($0) }
    for name in ["x/a.png", "y/A.png"] { try folder.writePicture(name) }
    expectEqual(call.run(["detect"] + paths + ["--crops", folder.file("crops")]), .success)
    try expectEqual(
      FileSystem.files(in: folder.file("crops")).map { Paths.lastComponent(of: $0) },
      [
        "A-2-01-value-2.png", "A-2-02-value-6.png", "a-01-value-2.png", "a-02-value-6.png",
      ])
  }

  @Test func cropsAreBounded() throws {
    let path = try folder.writePicture("a.png")
    call.find = { (_, _) in
      let whole = die(1, 0.9, x: 0, y: 0, width: 40, height: 30)
      return PictureReading(
        width: 40, height: 30, dice: [FoundDie](repeating: whole, count: 17))
    }
    expectEqual(call.run("detect", path, "--crops", folder.file("crops")), .failure)
    #expect(call.errors.contains("more than 16 times the picture's pixels"))
    call.find = { (_, _) in
      let small = die(1, 0.9, x: 0, y: 0, width: 0.1, height: 0.1)
      return PictureReading(
        width: 40, height: 30, dice: [FoundDie](repeating: small, count: 1000))
    }
    expectEqual(call.run("detect", path, "--crops", folder.file("crops")), .failure)
    #expect(call.errors.contains("1000 dice are too many"))
    #expect(try FileSystem.files(in: folder.file("crops")).isEmpty)
  }
}
