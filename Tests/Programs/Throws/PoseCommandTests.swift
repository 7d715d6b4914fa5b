import DiceCodecs
import DiceFiles
import DiceImaging
import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct PoseCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()
  let picture: String

  init() throws {
    folder = try TemporaryFolder()
    let image = PixelImage(
      width: 120, height: 90, format: .gray,
      samples: (0..<120 * 90).map { (pixel: Int) -> UInt8 in UInt8(pixel % 120 * 2) })
    picture = try folder.write(PNGEncoder.encode(image), to: "slope.png")
  }

  @Test func jsonHasABoxAConfidenceAndJointsForEachPerson() throws {
    expectEqual(call.run("pose", "--format", "json", "--box", "20,10,60,70", picture), .success)
    let lines = call.output.split(separator: "\n")
    expectEqual(lines.count, 1)
    let json = try JSONReader.parse([UInt8](call.output.utf8))
    expectEqual(json.object?.members.map(\.key), ["image", "people"])
    expectEqual(json["image"]?.string, picture)
    let people = try #require(json["people"]?.array)
    expectEqual(people.count, 1)
    let person = try #require(people.first)
    expectEqual(person.object?.members.map(\.key), ["box", "confidence", "joints"])
    expectEqual(person["box"]?.object?.members.map(\.key), ["x", "y", "width", "height"])
    #expect((0...1).contains(person["confidence"]?.number ?? -1))
    let joints = try #require(person["joints"]?.object)
    let names = [
      "leftShoulder", "rightShoulder", "leftElbow", "rightElbow", "leftWrist", "rightWrist",
      "leftHip", "rightHip", "leftKnee", "rightKnee", "leftAnkle", "rightAnkle", "neck", "root",
      "head",
    ]
    for member in joints.members {
      #expect(names.contains(member.key))
      expectEqual(member.value.object?.members.map(\.key), ["x", "y", "confidence"])
      #expect((0...1).contains(member.value["confidence"]?.number ?? -1))
    }
  }

  @Test func aPictureWithoutPeopleHasAnEmptyListAndCopiesAreWritten() throws {
    let marked = folder.file("marked.png")
    expectEqual(
      call.run("pose", "--json", "--confidence", "1", "--annotate", marked, picture), .success)
    #expect(call.output == #"{"image":"\#(picture)","people":[]}"# + "\n")
    let copy = try ImageDecoder.decode(try FileSystem.readFile(at: marked, byteLimit: 1 << 24))
    #expect(copy.width == 120 && copy.height == 90)
    let text = ToolCall()
    expectEqual(text.run("pose", "--confidence", "1", picture), .success)
    expectEqual(text.output, "\(picture): 0 people\n")
  }

  @Test func skeletonsAreDrawnIntoCopies() throws {
    let (plain, marked) = (folder.file("plain.png"), folder.file("marked.png"))
    expectEqual(call.run("pose", "--confidence", "1", "--annotate", plain, picture), .success)
    let other = ToolCall()
    expectEqual(
      other.run("pose", "--box", "20,10,60,70", "--annotate", marked, picture), .success)
    func samples(_ path: String) throws -> [UInt8] {
      try ImageDecoder.decode(FileSystem.readFile(at: path, byteLimit: 1 << 24)).samples
    }
    #expect(try samples(plain) != samples(marked))
  }

  @Test func whatCannotBeReadIsReportedAndOthersAreAnswered() throws {
    let broken = try folder.write("no picture", to: "broken.png")
    expectEqual(call.run("pose", "--json", broken, picture), .failure)
    #expect(call.errors.contains("broken.png") && call.output.contains("slope.png"))
    let weights = ToolCall()
    expectEqual(weights.run("pose", "--joints", broken, picture), .failure)
    #expect(weights.errors.contains("broken.png"))
    for box in ["1,2,3", "1,2,0,4", "1,2,x,4", "1,,2,3,4", "1,2,-3,4"] {
      expectEqual(ToolCall().run("pose", "--box", box, picture), .usage, "\(box)")
    }
  }

  @Test func trainingNamesWhatIsMissing() throws {
    expectEqual(call.run("train", "poses", folder.path), .usage)
    let output = folder.file("x.dvweights")
    let other = ToolCall()
    expectEqual(other.run("train", "poses", folder.path, "--output", output), .failure)
    #expect(other.errors.contains("annotations.json"))
    let drawn = ToolCall()
    let missing = folder.file("places")
    expectEqual(
      drawn.run("train", "poses", folder.path, "--figures", missing, "--output", output), .failure
    )
    #expect(drawn.errors.contains("places"))
    let people = ToolCall()
    expectEqual(people.run("train", "people", folder.path, "--output", output), .usage)
    #expect(people.errors.contains("--backgrounds"))
    #expect(!FileSystem.exists(at: output))
  }
}
