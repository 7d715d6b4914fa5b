import DiceFiles
import DiceGeometry
import DiceImaging
import DiceCodecs
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders

@Suite struct DetectCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws {
    folder = try TemporaryFolder()
    call.find = { (image, request) in
      PictureReading(
        width: image.uprightWidth, height: image.uprightHeight,
        dice: [
          die(2, 0.97891234, x: 4.126, y: 20, width: 8.55, height: 9),
          die(6, 0.5, x: 21, y: 1.5, width: 10, height: 11),
        ], timings: [PictureReading.Timing(name: "network", seconds: 0.0125)])
    }
  }

  // MARK: - Results

  @Test func textShowsValuesSumAndEachDie() throws {
    let path = try folder.writePicture("a.png")
    expectEqual(call.run("detect", path), .success)
    #expect(
      call.output == """
        \(path): 2 6, sum 8
          2  97.9 %  x  4.1  y 20.0   8.6 x  9.0
          6  50.0 %  x 21.0  y  1.5  10.0 x 11.0

        """)
    #expect(call.errors.isEmpty)
  }

  @Test func aPictureWithoutDiceSaysSo() throws {
    let path = try folder.writePicture("a.png")
    call.find = { (image, _) in PictureReading(width: 40, height: 30, dice: []) }
    expectEqual(call.run("detect", path), .success)
    expectEqual(call.output, "\(path): no dice\n")
  }

  @Test func jsonHasOneObjectForEachPicture() throws {
    try folder.writePicture("b.png", width: 50, height: 20)
    try folder.writePicture("a.png")
    expectEqual(call.run("detect", "--format", "json", folder.path), .success)
    let dice =
      #"[{"value":2,"confidence":0.9789,"box":{"x":4.13,"y":20,"width":8.55,"height":9}},"#
      + #"{"value":6,"confidence":0.5,"box":{"x":21,"y":1.5,"width":10,"height":11}}]"#
    #expect(
      call.outputLines == [
        #"{"image":"\#(folder.path)/a.png","width":40,"height":30,"dice":\#(dice)}"#,
        #"{"image":"\#(folder.path)/b.png","width":50,"height":20,"dice":\#(dice)}"#,
      ])
  }

  @Test func jsonLinesAreJSON() throws {
    let path = try folder.writePicture("with \"quotes\" and\nbreak.png")
    expectEqual(call.run("detect", "--format=json", "--timings", path), .success)
    expectEqual(call.outputLines.count, 1)
    let value = try JSONReader.parse([UInt8](call.output.utf8))
    expectEqual(value["image"]?.string, path)
    expectEqual(value["dice"]?.array?.count, 2)
    expectEqual(value["milliseconds"]?["network"]?.number, 12.5)
    expectEqual(value["milliseconds"]?["file"]?.number, 250)
  }

  @Test func labelsThatAreNoNumbersAreAdded() throws {
    let path = try folder.writePicture("a.png")
    call.find = { (_, _) in
      var found = die(3, 0.5, x: 1, y: 1)
      found.label = "skull"
      return PictureReading(width: 40, height: 30, dice: [found])
    }
    expectEqual(call.run("detect", path), .success)
    #expect(call.output.contains("  3 (skull)  50.0 %"))
    expectEqual(call.run("detect", path, "--format", "json"), .success)
    #expect(call.output.contains(#""value":3,"#))
    #expect(call.output.contains(#""label":"skull""#))
  }

  @Test func kindsOfDiceAreTold() throws {
    let path = try folder.writePicture("a.png")
    call.find = { (_, _) in
      var dice = [die(17, 0.5, x: 1, y: 1), die(10, 0.9, x: 9, y: 1), die(3, 0.9, x: 20, y: 1)]
      for (index, label) in ["d20-17", "d10-0", "d6-3"].enumerated() { dice[index].label = label }
      return PictureReading(width: 40, height: 30, dice: dice)
    }
    expectEqual(call.run("detect", path), .success)
    for line in ["  d20 17  50.0 %", "   d10 0  90.0 %", "    d6 3  90.0 %"] {
      #expect(call.output.contains(line), "\(call.output)")
    }
    expectEqual(call.run("detect", path, "--format", "json"), .success)
    #expect(call.output.contains(#""value":10,"#))
    #expect(call.output.contains(#""kind":"d10","face":"0""#))
    #expect(call.output.contains(#""kind":"d6","face":"3""#) && !call.output.contains("label"))
  }

  @Test func kindsThatTheWeightsDoNotKnowAreRefused() throws {
    let path = try folder.writePicture("a.png")
    call.find = nil
    expectEqual(call.run("detect", "--weights", "standard", "--kinds", "d20,d6", path), .failure)
    #expect(call.errors.contains("(d6); they do not know d20. --weights any-dice reads all kinds."))
    expectEqual(call.run("detect", "--weights", "standard", "--kinds", "d6", path), .success)
  }

  @Test func timingsNameEveryPart() throws {
    let path = try folder.writePicture("a.png")
    expectEqual(call.run("detect", "--timings", path), .success)
    let timings = try #require(call.outputLines.last)
    for part in ["file 250.0", "image 250.0", "network 12.5"] { #expect(timings.contains(part)) }
    #expect(call.errors.contains("250.0 ms"))
  }

  // MARK: - Pictures

  @Test func standardInputIsOnePicture() {
    call.input = PNGEncoder.encode(picture(width: 40, height: 30))
    expectEqual(call.run("detect", "-", "--format", "json"), .success)
    #expect(call.output.hasPrefix(#"{"image":"-","width":40,"#))
    expectEqual(call.run("detect", "-", "-"), .usage)
    #expect(call.errors.contains("Standard input (-) can be read only once."))
  }

  @Test func unreadablePicturesAreNamedAndPassedOver() throws {
    let good = try folder.writePicture("good.png")
    let text = try folder.write("no picture", to: "text.png")
    let empty = try folder.write([UInt8](), to: "empty.jpg")
    let cut = try folder.write(
      Array(PNGEncoder.encode(picture(width: 40, height: 30)).prefix(60)), to: "cut.png")
    let missing = folder.file("missing.png")
    expectEqual(call.run("detect", text, missing, good, empty, cut), .failure)
    expectEqual(call.outputLines.first, "\(good): 2 6, sum 8")
    expectEqual(call.outputLines.count, 3)
    let lines = call.errors.split(separator: "\n")
    expectEqual(lines.count, 4)
    for (line, path) in zip(lines, [text, missing, empty, cut]) {
      #expect(line.hasPrefix("dicevision: "))
      #expect(line.contains(path))
    }
    #expect(call.errors.contains("\(empty): The file is empty"))
    #expect(call.errors.contains("\"\(missing)\" does not exist."))
  }

  @Test func aPictureThatTheDetectorRefusesIsNamed() throws {
    let path = try folder.writePicture("a.png")
    call.find = { (_, _) throws(ToolError) in
      throw .failure(subject: path, sentence: "The rule is broken.")
    }
    expectEqual(call.run("detect", path), .failure)
    expectEqual(call.errors, "dicevision: \(path): The rule is broken.\n")
  }

  @Test func foldersListTheirPicturesSorted() throws {
    for name in ["c.jpg", "a.PNG", "b.ppm", "sub/e.png", ".hidden.png"] {
      try folder.writePicture(name)
    }
    try folder.write("P5 is a word of a text", to: "d.txt")
    expectEqual(call.run("detect", folder.path), .success)
    func names() -> [String] {
      call.outputLines.filter { !$0.hasPrefix(" ") }.map {
        String($0.dropFirst(folder.path.count + 1).prefix { $0 != ":" })
      }
    }
    expectEqual(names(), ["a.PNG", "b.ppm", "c.jpg"])
    let recursive = ToolCall()
    recursive.find = call.find
    expectEqual(recursive.run("detect", "--recursive", "--format", "json", folder.path), .success)
    expectEqual(recursive.outputLines.count, 4)
    #expect(recursive.output.contains("sub/e.png"))
  }

  @Test func aFoldersPicturesAreKnownByTheirFirstBytes() throws {
    let jpeg = try JPEGEncoder.encode(picture(width: 40, height: 30))
    for name in ["a.jfif", "b.jpe", "c", "d.JPEG", "e.backup"] { try folder.write(jpeg, to: name) }
    // Films begin as pictures do, and cameras keep small pictures beside them.
    for name in ["f.mjpeg", "g.THM"] { try folder.write(jpeg, to: name) }
    expectEqual(call.run("detect", "--json", folder.path), .success)
    expectEqual(call.outputLines.count, 5)
    for name in ["a.jfif", "b.jpe", "c", "d.JPEG", "e.backup"] {
      #expect(call.output.contains("\"\(folder.path)/\(name)\""))
    }
    #expect(call.errors.isEmpty)
  }

  @Test func picturesThatCannotBeReadAreCounted() throws {
    func file(_ brand: String) -> [UInt8] {
      [0, 0, 0, 16] + Array("ftyp\(brand)".utf8) + [0, 0, 0, 0]
    }
    try folder.writePicture("a.png")
    for name in ["b.heic", "c.HEIC", "d"] { try folder.write(file("heic"), to: name) }
    try folder.write(file("isom"), to: "e.mp4")
    try folder.write("GIF89a", to: "f.gif")
    try folder.write("[]", to: "annotations.json")
    try folder.write(file("heic"), to: "phone/a.heic")
    expectEqual(call.run("detect", folder.path), .success)
    expectEqual(
      call.errors,
      "dicevision: \(folder.path): 3 HEIC pictures were not read: heif-convert makes a JPEG "
        + "file of such a picture. 1 GIF picture was not read: ImageMagick makes a PNG file of "
        + "such a picture. 1 film was not read: `dicevision track`, `session` and "
        + "`trajectories` follow films.\n")
    let alone = ToolCall()
    expectEqual(alone.run("detect", folder.file("phone")), .failure)
    #expect(alone.errors.contains("holds no picture that can be read. 1 HEIC picture was not read"))
    let named = ToolCall()
    named.find = call.find
    expectEqual(named.run("detect", folder.file("phone/a.heic")), .failure)
    #expect(named.errors.contains("heif-convert"))
  }

  #if os(Linux)
    @Test func namesThatAreNoUTF8AreReadAllTheSame() throws {
      let name = FileName.text(Array("bad".utf8) + [0xFF] + Array(".png".utf8))
      let path = try folder.writePicture(name)
      for arguments in [["detect", "--json", path], ["detect", "--json", folder.path]] {
        let call = ToolCall()
        call.find = self.call.find
        expectEqual(call.run(arguments), .success)
        expectEqual(call.outputLines.count, 1)
        #expect(call.output.contains("/bad\u{FFFD}.png\""))
      }
      expectEqual(call.run("detect", path, "--annotate", folder.file("out/")), .success)
      #expect(FileSystem.exists(at: Paths.joined(folder.file("out"), name)))
    }
  #endif

  @Test func aFolderWithoutPicturesIsAnError() throws {
    try folder.write("text", to: "empty/notes.txt")
    let path = try folder.writePicture("a.png")
    expectEqual(call.run("detect", folder.file("empty"), path), .failure)
    #expect(call.errors.contains("\(folder.path)/empty: The folder holds no picture"))
    #expect(call.output.contains("sum 8"))
    let alone = ToolCall()
    alone.find = call.find
    expectEqual(alone.run("detect", folder.file("empty")), .failure)
    #expect(alone.finderOptions.isEmpty)
  }

  @Test func picturesAboveTheLimitAreRefused() throws {
    let path = try folder.writePicture("a.png")
    expectEqual(call.run("detect", "--max-pixels", "1199", path), .failure)
    #expect(call.errors.contains(path))
    #expect(call.errors.contains("1199"))
    expectEqual(call.run("detect", "--max-pixels", "1200", path), .success)
  }

  @Test func aReaderThatLeavesEndsTheCall() throws {
    let path = try folder.writePicture("a.png")
    call.writesUntilClosed = 1
    expectEqual(call.run("detect", path, path, path), .success)
    expectEqual(call.requests.count, 2)
    #expect(call.errors.isEmpty)
  }

  // MARK: - Options

  @Test func optionsReachTheDetector() throws {
    let path = try folder.writePicture("a.png")
    let status = call.run(
      "detect", "--confidence", "0.5", "--iou=0.3", "--orientation", "right", "--region",
      "0.25,0.5,0.5,0.5", "--crop", "fill", "--input", "640x384", "--threads", "3", "--weights",
      "w.dvweights", "--suppression", "soft", "--kinds", "d20,d%", path)
    expectEqual(status, .success)
    expectEqual(
      call.finderOptions,
      [
        FinderOptions(
          weights: "w.dvweights", inputSize: InputSize(width: 640, height: 384),
          cropAndScale: .scaleFill, suppression: .soft, givenSuppression: .soft,
          kinds: [.d20, .percentile], threadCount: 3)
      ])
    // The lower half, counted from the upper left, begins at the bottom of Vision's rectangle.
    expectEqual(
      call.requests,
      [
        FinderRequest(
          orientation: .right,
          regionOfInterest: NormalizedRect(x: 0.25, y: 0, width: 0.5, height: 0.5),
          confidence: 0.5, intersectionOverUnion: 0.3)
      ])
  }

  @Test func withoutOptionsTheWeightsDecide() throws {
    let path = try folder.writePicture("a.png")
    call.network.confidence = 0.125
    call.network.intersectionOverUnion = 0.375
    expectEqual(call.run("detect", path), .success)
    expectEqual(call.finderOptions, [FinderOptions()])
    expectEqual(
      call.requests, [FinderRequest(confidence: 0.125, intersectionOverUnion: 0.375)])
  }

  @Test func theResolutionReachesTheDetector() throws {
    let path = try folder.writePicture("a.png")
    for (text, choice): (String, ResolutionChoice) in [
      ("automatic", .automatic), ("full", .full), ("1", .longerSide(1)),
      ("2000", .longerSide(2000)),
    ] {
      let call = ToolCall()
      call.find = self.call.find
      expectEqual(call.run("detect", "--resolution", text, path), .success)
      expectEqual(call.finderOptions, [FinderOptions(resolution: choice)])
    }
  }

  @Test func boxesAreInPixelsOfTheFileAtEveryResolution() throws {
    let picture = picture(width: 400, height: 200)
    let path = try folder.write(JPEGEncoder.encode(picture), to: "a.jpg")
    let marked = folder.file("marked.png")
    call.decodedSide = 100
    var sizes: [[Int]] = []
    call.find = { (image, _) in
      sizes.append([image.width, image.height])
      return PictureReading(
        width: image.uprightWidth, height: image.uprightHeight,
        dice: [die(4, 0.9, x: 10, y: 5, width: 20, height: 12)])
    }
    expectEqual(call.run("detect", "--json", "--annotate", marked, path), .success)
    expectEqual(call.run("detect", "--json", "--orientation", "right", path), .success)
    expectEqual(sizes, [[100, 50], [100, 50]])
    let dice =
      #""dice":[{"value":4,"confidence":0.9,"box":{"x":40,"y":20,"width":80,"height":48}}]}"#
    #expect(
      call.outputLines == [
        #"{"image":"\#(path)","width":400,"height":200,"# + dice,
        #"{"image":"\#(path)","width":200,"height":400,"# + dice,
      ])
    // The copy has all pixels.
    let copy = try PNGDecoder.decode(folder.bytes("marked.png"))
    #expect(copy.width == 400 && copy.height == 200)
  }

  @Test func orientationsHaveNumbersAndNames() {
    let cases: [(String, ImageOrientation?)] = [
      ("1", .up), ("2", .upMirrored), ("3", .down), ("4", .downMirrored), ("5", .leftMirrored),
      ("6", .right), ("7", .rightMirrored), ("8", .left), ("0", nil), ("9", nil), ("10", nil),
      ("up", .up), ("Right", .right), ("left-mirrored", .leftMirrored),
      ("rightMirrored", .rightMirrored), ("", nil), ("rigth", nil), ("-1", nil),
    ]
    for (text, orientation) in cases {
      expectEqual(OrientationNames.read(text), orientation, "\(text)")
    }
    expectEqual(OrientationNames.names.count, ImageOrientation.allCases.count)
  }

  @Test func hostileValuesAreUsageErrors() throws {
    let path = try folder.writePicture("a.png")
    let cases: [(option: String, values: [String])] = [
      (
        "--region",
        [
          "", "0,0,1", "0,0,1,1,1", "0,0,0,1", "0.5,0,0.6,1", "nan,0,1,1", "-0.1,0,1,1",
          "0,0,1,inf", "a,b,c,d", "0,0,1e-400,1", ",,,",
        ]
      ),
      (
        "--input",
        [
          "0", "31", "33", "100", "4128", "-64", "64x", "x64", "64x64x64", "nan",
          "9223372036854775808",
        ]
      ),
      ("--threads", ["0", "-1", "65", "1.5", "nan", "all", "99999999999999999999"]),
      ("--confidence", ["nan", "-0.1", "1.1", "inf", "half"]),
      ("--iou", ["nan", "-0.1", "1.1", "1e999"]),
      ("--max-pixels", ["0", "-1", "1e9", "99999999999999999999"]),
      ("--format", ["xml", "JSON", ""]), ("--crop", ["stretch", ""]), ("--weights", [""]),
      ("--orientation", ["0", "9", "nan", "sideways"]), ("--suppression", ["none"]),
      ("--kinds", ["", "d7", "d6,", "D20", "any,d6"]),
      ("--annotate", [""]), ("--resolution", ["", "0", "-1", "1.5", "1000001", "half"]),
    ]
    for (option, values) in cases {
      for value in values {
        let call = ToolCall()
        call.find = self.call.find
        expectEqual(call.run("detect", "\(option)=\(value)", path), .usage, "\(option)=\(value)")
        #expect(call.errors.hasPrefix("dicevision: \(option) must be "))
        #expect(call.output.isEmpty && call.finderOptions.isEmpty)
      }
    }
  }

  @Test func aRegionMayEndAtTheEdge() throws {
    let path = try folder.writePicture("a.png")
    expectEqual(call.run("detect", "--region", "0.9,0.7,0.1,0.3", path), .success)
    let region = try #require(call.requests.first?.regionOfInterest)
    #expect(region.x + region.width <= 1 && region.y >= 0 && region.y + region.height <= 1)
  }
}
