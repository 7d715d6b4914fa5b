import DiceFiles
import DiceReports
import DiceWeights
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders
@testable import dicevision_workshop

@Suite struct EarlyStoppingTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a.png", "b.png"] { try folder.writePicture("images/\(name)", width: 64) }
    try folder.write(
      """
      [{"image": "a.png", "annotations": [
         {"label": "5", "coordinates": {"x": 20, "y": 20, "width": 16, "height": 16}}]},
       {"image": "b.png", "annotations": []}]
      """, to: "set.json")
  }

  private func train(_ call: ToolCall, _ arguments: String...) -> CallStatus {
    call.run(
      [
        "train", "dice", folder.file("set.json"), "--output", folder.file("w.dvweights"), "--batch",
        "2",
        "--input", "64", "--threads", "1",
      ] + arguments)
  }

  /// Measurements one after another: whether the die is found.
  private func measuring(_ call: ToolCall, _ found: [Bool]) {
    var left = found[...]
    var isSecond = false
    call.find = { (_, _) in
      // Two pictures for each measurement.
      let finds = !isSecond && (left.popFirst() ?? false)
      isSecond.toggle()
      return PictureReading(
        width: 64, height: 30,
        dice: finds ? [die(5, 0.9, x: 12, y: 12, width: 16, height: 16)] : [])
    }
  }

  private var weights: WeightFile {
    get throws { try WeightFile(bytes: try folder.bytes("w.dvweights")) }
  }

  private func fact(_ key: String) throws -> String {
    try #require(try weights.description.provenance.first { $0.key == key }?.value)
  }

  @Test func epochsCountPictures() throws {
    expectEqual(train(call, "--epochs", "3", "--json"), .success, "\(call.errors)")
    let result = try JSONReader.parse([UInt8](call.output.utf8))
    #expect(result["sampleCount"]?.integer == 6 && result["stepCount"]?.integer == 3)
    #expect(try fact("training").contains(" 3 steps of 2 samples"))
    expectEqual(train(call, "--epochs", "3", "--samples", "9"), .usage)
    #expect(call.errors.contains("--epochs and --samples exclude each other."))
    expectEqual(train(call, "--epochs", "0"), .usage)
  }

  @Test func aRunEndsWhereNothingGetsBetterAndKeepsTheBest() throws {
    measuring(call, [false, true, false, true, true, true])
    let arguments = [
      "--samples", "40", "--validation", folder.file("set.json"), "--validate-every", "2",
      "--patience", "2", "--json",
    ]
    expectEqual(call.run(base + arguments), .success, "\(call.errors)")
    let validations = TrainingTable.validations(of: try folder.bytes("w.validation.csv"))
    expectEqual(validations.map(\.step), [2, 4, 6, 8])
    #expect(call.errors.contains("stopped after step 8 of 20: 2 measurements without a better one"))
    #expect(call.errors.contains("holds the weights of step 4, the best"))
    #expect(try fact("training").contains(" 4 of 20 steps of 2 samples"))
    let result = try JSONReader.parse([UInt8](call.output.utf8))
    expectEqual(result["stepCount"]?.integer, 8)
    expectEqual(result["validation"]?["step"]?.integer, 4)
    expectEqual(result["checksum"]?.string, NumberText.hexadecimal(try weights.checksum))

    // The same call knows that it is done.
    let bytes = try folder.bytes("w.dvweights")
    let again = ToolCall()
    again.find = { (_, _) in PictureReading(width: 64, height: 30, dice: []) }
    expectEqual(again.run(base + arguments), .success, "\(again.errors)")
    #expect(again.requests.isEmpty)
    try expectEqual(folder.bytes("w.dvweights"), bytes)
  }

  private var base: [String] {
    [
      "train", "dice", folder.file("set.json"), "--output", folder.file("w.dvweights"), "--batch",
      "2",
      "--input", "64", "--threads", "1",
    ]
  }

  @Test func withPatienceLeftTheRunGoesToItsEnd() throws {
    measuring(call, [false, true])
    let status = train(
      call, "--samples", "8", "--validation", folder.file("set.json"), "--validate-every", "2",
      "--patience", "5")
    expectEqual(status, .success, "\(call.errors)")
    #expect(try fact("training").contains(" 4 steps of 2 samples"))
    #expect(!call.errors.contains("stopped after"))
  }

  @Test func patienceNeedsSomethingToMeasureOn() {
    expectEqual(train(call, "--patience", "2"), .usage)
    #expect(call.errors.contains("--patience needs --validation."))
  }

  @Test func betterIsMorePicturesThenMoreDiceThenPrecision() {
    func measurement(_ photos: Int, _ dice: Int, _ precision: Double) -> TrainingTable.Validation {
      TrainingTable.Validation(
        step: 1, dieCount: 9, rightCount: dice, photoCount: 9, exactPhotoCount: photos,
        missedCount: 0, confusedCount: 0, falsePositiveCount: 0, at50: precision, at50To95: 0)
    }
    let base = measurement(2, 5, 0.5)
    #expect(measurement(3, 1, 0.1).isBetter(than: base))
    #expect(measurement(2, 6, 0.1).isBetter(than: base))
    #expect(measurement(2, 5, 0.6).isBetter(than: base))
    #expect(!measurement(2, 5, 0.500_001).isBetter(than: base))
    #expect(!base.isBetter(than: base) && !measurement(1, 9, 1).isBetter(than: base))
  }
}
