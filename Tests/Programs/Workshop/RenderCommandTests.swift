import DiceFiles
import DiceCodecs
import DiceEvaluation
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import dicevision_workshop

@Suite struct RenderCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws { folder = try TemporaryFolder() }

  private func render(_ arguments: String...) -> CallStatus {
    call.run(["render", "--width", "64", "--height", "48", "--seed", "3"] + arguments)
  }

  @Test func picturesComeWithAnnotations() throws {
    expectEqual(render("--count", "2", "--format", "png", "--output", folder.file("new")), .success)
    let entries = try AnnotationFile.parse(try folder.bytes("new/annotations.json"))
    expectEqual(entries.map { $0.fileName }, ["scene-3.png", "scene-4.png"])
    for entry in entries {
      let image = try ImageDecoder.decode(try folder.bytes("new/\(entry.fileName)"))
      #expect(image.width == 64 && image.height == 48)
      for object in entry.objects {
        #expect(["1", "2", "3", "4", "5", "6", "?"].contains(object.label))
      }
    }
    #expect(entries.contains { !$0.objects.isEmpty })
  }

  @Test func gamePiecesAreLabelledWithWords() throws {
    expectEqual(
      render("--style", "pieces", "--count", "3", "--json", "--output", folder.file("p")), .success)
    let objects = try AnnotationFile.parse(try folder.bytes("p/annotations.json"))
      .flatMap(\.objects)
    let words: Set = ["pawn", "meeple", "token", "coin", "d20", "domino"]
    let named = objects.filter { words.contains($0.label) }
    #expect(!named.isEmpty)
    #expect(objects.allSatisfy { words.contains($0.label) || $0.label == "?" })
    #expect(call.output.contains("\"pieceCount\": \(named.count)"))
    expectEqual(
      render("--style", "pieces", "--polyhedra", "2", "--output", folder.file("q")), .usage)
  }

  @Test func theSameSeedGivesTheSamePicture() throws {
    expectEqual(render("--output", folder.file("a")), .success)
    expectEqual(render("--output", folder.file("b")), .success)
    let first = try folder.bytes("a/scene-3.jpg")
    try expectEqual(ImageDecoder.format(of: first), .jpeg)
    try expectEqual(folder.bytes("b/scene-3.jpg"), first)
    try expectEqual(folder.bytes("b/annotations.json"), folder.bytes("a/annotations.json"))
  }

  @Test func threadsChangeNothingAndTheSpeedIsTold() throws {
    expectEqual(render("--count", "5", "--threads=1", "--output", folder.file("a")), .success)
    #expect(call.errors.contains("5 pictures in "))
    #expect(call.errors.contains(" a second."))
    expectEqual(render("--count", "5", "--threads=3", "--output", folder.file("b")), .success)
    try expectEqual(folder.bytes("b/annotations.json"), folder.bytes("a/annotations.json"))
    for seed in 3..<8 {
      try expectEqual(
        folder.bytes("b/scene-\(seed).jpg"), folder.bytes("a/scene-\(seed).jpg"))
    }
  }

  @Test func aRunThatFailsLeavesTheAnnotationsOfWhatWasDrawn() throws {
    // The fourth picture cannot be written.
    try FileSystem.createFolder(at: folder.file("f/scene-6.jpg"))
    expectEqual(render("--count", "9", "--output", folder.file("f")), .failure)
    #expect(call.errors.contains("scene-6.jpg"))
    let entries = try AnnotationFile.parse(try folder.bytes("f/annotations.json"))
    expectEqual(entries.map { $0.fileName }, ["scene-3.jpg", "scene-4.jpg", "scene-5.jpg"])
  }

  @Test func scenesThatAreThereKeepTheirAnnotations() throws {
    expectEqual(render("--count", "2", "--output", folder.file("g")), .success)
    let whole = ToolCall()
    let size = ["render", "--width", "64", "--height", "48"]
    expectEqual(
      whole.run(size + ["--seed", "3", "--count", "4", "--output", folder.file("h")]), .success)
    expectEqual(
      call.run(size + ["--seed", "4", "--count", "3", "--output", folder.file("g")]), .success)
    try expectEqual(folder.bytes("g/annotations.json"), folder.bytes("h/annotations.json"))
    // What --json counts is what was drawn.
    expectEqual(
      call.run(size + ["--seed", "9", "--json", "--output", folder.file("g")]), .success)
    try expectEqual(JSONReader.parse([UInt8](call.output.utf8))["photoCount"]?.integer, 1)
    expectEqual(
      call.run(size + ["--seed", "9", "--force", "--output", folder.file("g")]), .success)
    let entries = try AnnotationFile.parse(try folder.bytes("g/annotations.json"))
    expectEqual(entries.map(\.fileName), ["scene-9.jpg"])
  }

  @Test func photosAndTheirAnnotationsAreLeftAlone() throws {
    let labels = #"[{"image": "roll.jpg", "annotations": []}]"#
    for text in [labels, "[", "{}"] {
      try folder.write(text, to: "photos/annotations.json")
      expectEqual(render("--output", folder.file("photos")), .usage)
      #expect(call.errors.contains("names pictures that were not rendered. --force replaces it."))
      try expectEqual(folder.text("photos/annotations.json"), text)
      try expectEqual(FileSystem.files(in: folder.file("photos")).count, 1)
    }
    expectEqual(render("--force", "--output", folder.file("photos")), .success)
    // A picture of another's under a scene's name.
    try folder.writePicture("mine/scene-4.jpg")
    let before = try folder.bytes("mine/scene-4.jpg")
    expectEqual(render("--count", "3", "--output", folder.file("mine")), .usage)
    try expectEqual(folder.bytes("mine/scene-4.jpg"), before)
    try expectEqual(FileSystem.files(in: folder.file("mine")).count, 1)
    // The same of throws.
    try folder.write("mine", to: "t/throw-3/roll.json")
    expectEqual(
      render("--throws", "--frames-per-second=1", "--output", folder.file("t")), .usage)
    try expectEqual(folder.text("t/throw-3/roll.json"), "mine")
    try FileSystem.removeFile(at: folder.file("t/throw-3/roll.json"))
    for _ in 0..<2 {
      expectEqual(
        render("--throws", "--frames-per-second=1", "--output", folder.file("t")), .success)
    }
  }

  @Test func annotationsAreWrittenAsTheyGrow() throws {
    var time = 10.0
    var environment = Environment.system
    environment.seconds = { time }
    var annotations = GrowingAnnotations(in: folder.path, environment)
    func names() throws -> [String] {
      try AnnotationFile.parse(try folder.bytes("annotations.json")).map { $0.fileName }
    }
    annotations.append(AnnotatedImage(fileName: "a.jpg", objects: []))
    try annotations.saveWhereDue()
    try expectEqual(names(), ["a.jpg"])
    annotations.append(AnnotatedImage(fileName: "b.jpg", objects: []))
    time += GrowingAnnotations.interval / 2
    try annotations.saveWhereDue()
    try expectEqual(names(), ["a.jpg"])
    time += GrowingAnnotations.interval
    try annotations.saveWhereDue()
    try expectEqual(names(), ["a.jpg", "b.jpg"])
    annotations.append(AnnotatedImage(fileName: "c.jpg", objects: []))
    try annotations.save()
    try expectEqual(names(), ["a.jpg", "b.jpg", "c.jpg"])
    // Nothing but the file itself is left beside it.
    try expectEqual(FileSystem.files(in: folder.path).count, 1)
  }

  @Test func wrongCallsAreUsageErrors() {
    expectEqual(render(), .usage)
    #expect(call.errors.contains("render needs --output."))
    let hostile = [
      "--count=0", "--count=nan", "--seed=-1", "--seed=9223372036854775808", "--width=31",
      "--height=4097", "--style=fancy", "--faces=letters", "--makes=odd",
      "--format=gif", "--dice=101",
      "--dice=4-2", "--dice=1.5", "--dice=1-2-3", "--dice=-1", "--die-size=0.5", "--die-size=nan",
      "--elevation=10-20",
      "--elevation=", "--frames-per-second=0", "--threads=0",
    ]
    for argument in hostile {
      let call = ToolCall()
      expectEqual(call.run("render", "--output", folder.file("c"), argument), .usage, "\(argument)")
    }
    #expect(!FileSystem.exists(at: folder.file("c")))
  }

  @Test func layoutsCanBeAskedFor() throws {
    expectEqual(
      call.run(
        "render", "--seed=3", "--width=320", "--height=240", "--style=varied", "--count=4",
        "--dice=3-5", "--die-size=5-8", "--elevation=80-90", "--output", folder.file("l")), .success
    )
    let entries = try AnnotationFile.parse(try folder.bytes("l/annotations.json"))
    expectEqual(entries.count, 4)
    for entry in entries {
      #expect(entry.objects.count <= 5)
      for object in entry.objects where object.label != "?" {
        // Seen from above a die's face is about as long as its edge; at most its diagonal.
        let side = max(object.boundingBox.width, object.boundingBox.height)
        #expect(side > 320 * 0.02 && side < 320 * 0.08 * 1.7, "\(side)")
      }
    }
    #expect(entries.contains { $0.objects.count >= 3 })
  }

  @Test func numeralsChangeThePictureAndNotTheAnnotations() throws {
    let layout = ["--dice", "2", "--die-size", "30", "--format", "png"]
    func render(_ name: String, _ faces: [String]) -> CallStatus {
      call.run(
        ["render", "--width", "64", "--height", "48", "--output", folder.file(name)] + layout
          + faces)
    }
    expectEqual(render("a", []), .success)
    expectEqual(render("b", ["--faces", "pips"]), .success)
    expectEqual(render("c", ["--faces", "numerals"]), .success)
    let first = try folder.bytes("a/scene-1.png")
    try expectEqual(folder.bytes("b/scene-1.png"), first)
    #expect(try folder.bytes("c/scene-1.png") != first)
    try expectEqual(folder.bytes("c/annotations.json"), folder.bytes("a/annotations.json"))
  }

  @Test func makesAreForVariedScenes() throws {
    func render(_ name: String, _ makes: [String]) -> CallStatus {
      call.run(
        ["render", "--style=varied", "--dice=3", "--die-size=20", "--width=64", "--height=48"]
          + ["--output", folder.file(name)] + makes)
    }
    expectEqual(render("a", []), .success)
    expectEqual(render("b", ["--makes", "usual"]), .success)
    expectEqual(render("c", ["--makes", "rare"]), .success)
    expectEqual(render("d", ["--makes", "large-one"]), .success)
    let first = try folder.bytes("a/scene-1.jpg")
    try expectEqual(folder.bytes("b/scene-1.jpg"), first)
    #expect(try folder.bytes("c/scene-1.jpg") != first)
    #expect(try folder.bytes("d/scene-1.jpg") != first)
  }

  @Test func hardNegativesHoldNoDice() throws {
    expectEqual(
      render("--style=hard-negatives", "--count=2", "--output", folder.file("n")), .success)
    let entries = try AnnotationFile.parse(try folder.bytes("n/annotations.json"))
    #expect(entries.count == 2 && entries.allSatisfy { $0.objects.isEmpty })
  }

  @Test func clutterAndDiceOfManySidesHaveNoLabels() throws {
    expectEqual(render("--style=clutter", "--count=2", "--output", folder.file("c")), .success)
    expectEqual(
      render("--style=varied", "--dice=0", "--polyhedra=3-5", "--output", folder.file("p")),
      .success)
    for name in ["c", "p"] {
      let entries = try AnnotationFile.parse(try folder.bytes("\(name)/annotations.json"))
      #expect(!entries.isEmpty && entries.allSatisfy { $0.objects.isEmpty })
    }
  }

  @Test func diceOfManySidesHaveLabelsWhereAskedFor() throws {
    func render(_ arguments: String...) -> CallStatus {
      call.run(["render", "--style=varied", "--seed=5", "--width=160", "--height=120"] + arguments)
    }
    let counts = ["--dice=8", "--polyhedra=3-5"]
    expectEqual(
      render(counts[0], counts[1], "--output", folder.file("l"), "--label-polyhedra=kinds"),
      .success)
    expectEqual(
      render(counts[0], counts[1], "--output", folder.file("v"), "--label-polyhedra=values"),
      .success)
    expectEqual(render(counts[0], counts[1], "--output", folder.file("n")), .success)
    try expectEqual(folder.bytes("l/scene-5.jpg"), folder.bytes("n/scene-5.jpg"))
    let (labelled, plain) = (
      try AnnotationFile.parse(try folder.bytes("l/annotations.json"))[0].objects,
      try AnnotationFile.parse(try folder.bytes("n/annotations.json"))[0].objects
    )
    let sides: Set = ["d4", "d6", "d8", "d10", "d12", "d20"]
    let found = labelled.filter { sides.contains($0.label) }
    #expect(!found.isEmpty && found.allSatisfy { $0.boundingBox.width > 0 })
    expectEqual(labelled.filter { $0.label == "1" }, plain.filter { $0.label == "1" })
    expectEqual(render("--label-polyhedra=kinds", "--output", folder.file("u")), .usage)
    let valued = try AnnotationFile.parse(try folder.bytes("v/annotations.json"))[0].objects
    #expect(valued.count == labelled.count && valued.contains { $0.label.hasPrefix("d6-") })
    #expect(
      valued.allSatisfy { object in
        object.label == "?" || sides.contains(String(object.label.prefix { $0 != "-" }))
          || object.label.hasPrefix("d%-")
      })
    expectEqual(
      call.run([
        "render", "--style=pieces", "--label-polyhedra=values", "--output", folder.file("w"),
      ]), .usage)
    expectEqual(
      render(
        "--dice=0", "--polyhedra=9", "--sides=4,20", "--label-polyhedra=kinds", "--output",
        folder.file("s")), .success)
    let chosen = try AnnotationFile.parse(try folder.bytes("s/annotations.json"))[0].objects
    expectEqual(Set(chosen.map(\.label)), ["d4", "d20"])
  }

  @Test func throwsComeWithWhatIsTrueOfThem() throws {
    expectEqual(
      render("--throws", "--frames-per-second=8", "--output", folder.file("t")), .success)
    let roll = try JSONReader.parse(try folder.bytes("t/throw-3/roll.json"))
    #expect("\(roll)".contains("values"))
    let names = try FileSystem.files(in: folder.file("t/throw-3"))
    #expect(names.count > 8)
    for arguments in [
      ["--throws", "--dice=7"], ["--throws", "--style=hard-negatives"],
      ["--throws", "--faces=numerals"], ["--frames-per-second=8"],
      ["--throws", "--style=varied", "--makes=rare"], ["--makes=rare"],
      ["--style=plain", "--makes=usual"], ["--polyhedra=2"], ["--style=varied", "--polyhedra=101"],
      ["--throws", "--style=varied", "--polyhedra=1"], ["--style=varied", "--sides=20"],
      ["--style=varied", "--polyhedra=1", "--sides=7"],
      ["--style=varied", "--polyhedra=1", "--sides=4,"],
    ] {
      let call = ToolCall()
      expectEqual(call.run(["render", "--output", folder.file("u")] + arguments), .usage)
    }
  }

  @Test func aFolderThatCannotBeMadeIsNamed() throws {
    try folder.write("text", to: "file")
    expectEqual(render("--output", folder.file("file/deep")), .failure)
    #expect(call.errors.contains("\(folder.path)/file"))
  }
}
