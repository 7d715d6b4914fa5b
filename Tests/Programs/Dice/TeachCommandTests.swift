import DiceFiles
import DiceGeometry
import DiceVisionKit
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders
@testable import dicevision

@Suite struct TeachCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()
  let scene = Fixtures.path("scenes/scene-15.jpg")

  init() throws {
    folder = try TemporaryFolder()
    let bytes = try FileSystem.readFile(at: scene, byteLimit: 1 << 20)
    try folder.write(bytes, to: "photos/pips/1.jpg")
    try folder.write(bytes, to: "photos/other-2.jpg")
  }

  @Test func teachesAndReads() throws {
    let set = folder.file("mine.faces")
    expectEqual(call.run("teach", "--values", "pips=-3", set, folder.file("photos")), .success)
    #expect(call.output.contains("pips: counts -3, 1 photo\n"))
    #expect(call.output.contains("other: counts "))
    let faces = try FaceSet(decoding: FileSystem.readFile(at: set, byteLimit: 1 << 20))
    #expect(faces.name == "mine" && Set(faces.faces.map(\.name)) == ["pips", "other"])

    // Both were taught with the same die: a second photo more tells them as little.
    let adding = ToolCall()
    expectEqual(adding.run("teach", "--add", "--json", set, folder.file("photos/pips")), .success)
    let json = try JSONReader.parse([UInt8](adding.output.utf8))
    #expect(json["faces"]?.array?.count == 3 && json["photos"]?.array?.count == 1)

    // The network that compares faces belongs to no weights: others find dice for it, too.
    let fast = try folder.write(DiceDetector.bundledWeights(.fast), to: "fast.dvweights")
    for weights in [[], ["--weights", "standard"], ["--weights", fast]] {
      let reading = ToolCall()
      expectEqual(
        reading.run(["detect", "--faces", set, "--threads", "1", scene] + weights), .success)
      #expect(reading.output.contains("pips") || reading.output.contains("other"))
      #expect(reading.output.contains("unknown") && reading.errors.isEmpty)
    }
  }

  @Test func facesAreToldByFileOrFolder() {
    for (path, face) in [
      ("a/plus.jpg", "plus"), ("plus-12.png", "plus"), ("plus-a.jpg", "plus-a"), ("-1.jpg", "-1"),
      ("d20-17.jpg", "d20-17"), ("d20-17-2.jpg", "d20-17"), ("6.jpg", "6"),
    ] {
      expectEqual(TaughtPhoto.face(ofFile: path), face)
    }
  }

  @Test func aDieWithAnUnknownFaceHasNoValueInARoll() {
    let box = BoundingBox(x: 0, y: 0, width: 10, height: 10)
    var die = FoundDie(
      label: FaceSet.unknownLabel, value: 0, confidence: 0.9, boundingBox: box, alternatives: [])
    #expect(die.observation.values.isEmpty)
    die.alternatives = nil
    expectEqual(die.observation.value, 0)
    die.value = .max
    let reading = PictureReading(width: 20, height: 20, dice: [die, die], namesFaces: true)
    #expect(reading.sum == .max && reading.name(of: die) == FaceSet.unknownLabel)
  }

  @Test func whatCannotBeTaughtIsNamed() throws {
    let set = folder.file("mine.faces")
    expectEqual(call.run("teach", set), .usage)
    expectEqual(call.run("teach", "--values", "pips", set, scene), .usage)
    expectEqual(call.run("teach", "--values", "plus=1", set, folder.file("photos")), .failure)
    #expect(call.errors.contains("plus"))
    expectEqual(call.run("teach", set, folder.file("missing.png")), .failure)
    #expect(!FileSystem.exists(at: set))
    try folder.write("mine", to: "mine.txt")
    expectEqual(call.run("teach", folder.file("mine.txt"), scene), .usage)
    expectEqual(call.run("detect", "--faces", folder.file("mine.txt"), scene), .failure)
    #expect(call.errors.contains("DFACES"))
  }
}
