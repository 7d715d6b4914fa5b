import DiceWeights
import TestSupport
import Testing

struct WeightFileSummaryTests {
  private static func text(_ name: String) throws -> String {
    String(decoding: try Fixtures.bytes("golden/weights/\(name).txt"), as: UTF8.self)
  }

  @Test func printsTheWholeFileInColumns() throws {
    let file = try WeightFile(bytes: Fixtures.bytes("golden/weights/everything.dvweights"))
    let summary = file.summary()
    try expectEqual(summary, Self.text("everything"))
    expectEqual(summary, file.overview.text)
    #expect(!summary.split(separator: "\n").contains { $0.hasSuffix(" ") })
  }

  @Test func printsTheSmallestFile() throws {
    let file = try WeightFile(bytes: Fixtures.bytes("golden/weights/smallest.dvweights"))
    try expectEqual(file.summary(), Self.text("smallest"))
  }

  @Test func overviewHasTheNumbersThatTheFileGives() throws {
    let file = try WeightFile(bytes: Fixtures.bytes("golden/weights/everything.dvweights"))
    let overview = file.overview
    #expect(overview.name == file.description.name && overview.formatVersion == "2.0")
    #expect(overview.task == "tests of a reader" && overview.sizeMultiple == 4)
    expectEqual(overview.inputs, file.description.inputs)
    expectEqual(overview.outputs, file.description.outputs)
    expectEqual(overview.profile, file.description.profile)
    #expect(overview.byteCount == 6400 && overview.checksum == file.checksum)
    expectEqual(overview.layers.count, 62)
    expectEqual(overview.layers.map(\.multiplyAddCount).reduce(0, +), overview.multiplyAddCount)
    expectEqual(overview.storages.map(\.parameterCount).reduce(0, +), overview.parameterCount)
    expectEqual(overview.storages.map(\.tensorCount).reduce(0, +), file.tensorCount)
    let row = overview.layers[17]
    #expect(row.sources == [.layer(16), .input(2)] && row.storage == nil)
    expectEqual(row.shape, file.shapes.layers[17])
    #expect(overview.layers[19].storage == .float32 && overview.layers[25].storage == .float16)
  }

  @Test func groupsLongNumbers() throws {
    var description = Networks.detector
    description.inputs[0].shape = TensorShape(height: 2048, width: 4096, channels: 3)
    let file = try WeightFile(
      bytes: WeightFile.encode(
        description: description, tensors: Networks.detectorValues, storage: .float32))
    #expect(file.summary().contains("150,994,944\n"))
  }

  @Test func shortensLongLists() throws {
    var description = Networks.smallest
    description.profile = [NamedValues("many", (0..<20).map { Float($0) })]
    let file = try WeightFile(
      bytes: WeightFile.encode(description: description, tensors: [], storages: []))
    #expect(file.summary().contains(" 14 15 and 4 more\n"))
  }
}
