import DiceFiles
import DiceWeights
import TestSupport
import Testing

@testable import dicevision

@Suite struct ConvertCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws { folder = try TemporaryFolder() }

  private func old(_ name: String) -> String {
    Fixtures.path("version-1/\(name).dvweights")
  }

  private func read(_ name: String) throws -> WeightFile {
    try WeightFile(
      bytes: FileSystem.readFile(at: folder.file(name), byteLimit: 1 << 20))
  }

  @Test func convertingWritesAFileThatIsReadToday() throws {
    let path = folder.file("new.dvweights")
    #expect(call.run("convert", old("weights/everything"), "--output", path) == .success)
    #expect(call.errors.contains("new.dvweights") && call.output.isEmpty)
    let file = try read("new.dvweights")
    #expect(file.description.task == "dice detection")
    #expect(file.description.outputs.map(\.name) == ["boxes-8", "boxes-2"])
    let inspect = ToolCall()
    #expect(inspect.run("inspect", path) == .success)
    #expect(inspect.output.contains("boxes-8"))
  }

  @Test func theTaskIsTheCallers() throws {
    let status = call.run(
      "convert", old("weights/smallest"), "--task", "coins", "--json", "--output",
      folder.file("new.dvweights"))
    #expect(status == .success)
    let file = try read("new.dvweights")
    #expect(file.description.task == "coins")
    let value = try JSONReader.parse([UInt8](call.output.utf8))
    #expect(value["checksum"]?.string == NumberText.hexadecimal(file.checksum))
    #expect(value["byteCount"]?.integer == file.bytes.count)
  }

  @Test func otherFilesAreRefusedAndNothingIsWritten() throws {
    let text = try folder.write("no weights", to: "text.dvweights")
    let current = Fixtures.path("golden/weights/smallest.dvweights")
    for path in [
      text, current, old("invalid/W37-padding"), old("missing"), folder.path,
    ] {
      let call = ToolCall()
      #expect(call.run("convert", path, "--output", folder.file("new.dvweights")) == .failure)
      #expect(call.errors.contains(path))
    }
    #expect(!FileSystem.exists(at: folder.file("new.dvweights")))
    #expect(
      call.run(
        "convert", old("weights/smallest"), "--task", "a\nb", "--output",
        folder.file("new.dvweights")) == .failure)
    #expect(!FileSystem.exists(at: folder.file("new.dvweights")))
  }

  @Test func convertingNeedsAFileAndADestination() {
    #expect(call.run("convert", "old.dvweights") == .usage)
    #expect(call.errors.contains("convert needs --output."))
    #expect(call.run("convert", "--output", "x") == .usage)
  }

  @Test func readingAnOldFileNamesTheCommand() {
    #expect(call.run("inspect", old("weights/smallest")) == .failure)
    #expect(call.errors.contains("`dicevision convert OLD --output NEW`"))
  }
}
