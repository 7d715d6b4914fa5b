import DiceFiles
import DiceImaging
import DiceTraining
import Testing

@testable import dicevision

@Suite struct RenderCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws { folder = try TemporaryFolder() }

  private func render(_ arguments: String...) -> CallStatus {
    call.run(["render", "--width", "64", "--height", "48", "--seed", "3"] + arguments)
  }

  @Test func picturesComeWithAnnotations() throws {
    #expect(render("--count", "2", "--format", "png", "--output", folder.file("new")) == .success)
    let entries = try AnnotationFile.parse(try folder.bytes("new/annotations.json"))
    #expect(entries.map { $0.fileName } == ["scene-3.png", "scene-4.png"])
    for entry in entries {
      let image = try ImageDecoder.decode(try folder.bytes("new/\(entry.fileName)"))
      #expect(image.width == 64 && image.height == 48)
      for object in entry.objects {
        #expect(["1", "2", "3", "4", "5", "6", "?"].contains(object.label))
      }
    }
    #expect(entries.contains { !$0.objects.isEmpty })
  }

  @Test func theSameSeedGivesTheSamePicture() throws {
    #expect(render("--output", folder.file("a")) == .success)
    #expect(render("--output", folder.file("b")) == .success)
    let first = try folder.bytes("a/scene-3.jpg")
    #expect(try ImageDecoder.format(of: first) == .jpeg)
    #expect(try folder.bytes("b/scene-3.jpg") == first)
    #expect(try folder.bytes("b/annotations.json") == folder.bytes("a/annotations.json"))
  }

  @Test func wrongCallsAreUsageErrors() {
    #expect(render() == .usage)
    #expect(call.errors.contains("render needs --output."))
    let hostile = [
      "--count=0", "--count=nan", "--seed=-1", "--seed=9223372036854775808", "--width=31",
      "--height=4097", "--style=fancy", "--format=gif",
    ]
    for argument in hostile {
      let call = ToolCall()
      #expect(call.run("render", "--output", folder.file("c"), argument) == .usage, "\(argument)")
    }
    #expect(!FileSystem.exists(at: folder.file("c")))
  }

  @Test func aFolderThatCannotBeMadeIsNamed() throws {
    try folder.write("text", to: "file")
    #expect(render("--output", folder.file("file/deep")) == .failure)
    #expect(call.errors.contains("\(folder.path)/file"))
  }
}
