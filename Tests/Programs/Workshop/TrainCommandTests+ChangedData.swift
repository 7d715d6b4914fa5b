import DiceCodecs
import DiceFiles
import DiceTraining
import DiceVisionTraining
import DiceWeights
import TestSupport
import Testing

@testable import DiceCommandLine

// Changed data.
extension TrainCommandTests {
  func annotations(_ label: String = "5", x: Int = 20) -> String {
    """
    [{"image": "a.png", "annotations": [
       {"label": "\(label)", "coordinates": {"x": \(x), "y": 20, "width": 16, "height": 16}}]},
     {"image": "b.png", "annotations": []}]
    """
  }

  @Test func aRunWithOtherLabelsBoxesOrPicturesIsAnotherRun() throws {
    let pictures = try folder.bytes("images/a.png")
    for looks in [2, nil] {
      try folder.write(annotations(), to: "set.json")
      try folder.write(pictures, to: "images/a.png")
      call.interruption = looks.map { (looks: $0, signal: 2) }
      expectEqual(train("--restart").rawValue, (looks == nil ? 0 : 130))
      call.interruption = nil
      let checkpoint = try folder.bytes("w.dvweights.checkpoint")

      func isRefused(_ what: String, _ arguments: String...) throws {
        let call = ToolCall()
        expectEqual(call.run(self.arguments + arguments), .failure)
        #expect(
          call.errors.contains("The checkpoint is of a run with other \(what), not of this run."),
          "\(call.errors)")
        #expect(call.errors.contains("--restart begins anew"))
        try expectEqual(folder.bytes("w.dvweights.checkpoint"), checkpoint)
      }
      let set = "\"\(folder.file("set.json"))\""
      try folder.write(annotations("6"), to: "set.json")
      try isRefused("labels in \(set)")
      try folder.write(annotations(x: 21), to: "set.json")
      try isRefused("labels in \(set)")
      try folder.write(annotations(), to: "set.json")
      try folder.writePicture("images/a.png", width: 63, height: 64)
      try isRefused("pictures in \(set)")
      try isRefused("options of learning and pictures in \(set)", "--learning-rate", "0.1")
      // The same pixels in another file are the same picture, and spaces are no labels.
      try folder.write(
        PNGEncoder.encode(try PNGDecoder.decode(pictures), compression: .stored),
        to: "images/a.png")
      try folder.write(annotations() + "\n", to: "set.json")
      expectEqual(train(), .success)
      #expect(call.errors.contains("going on after step \(looks ?? 4) of 4"))
    }
  }

  @Test func weightsWithoutTheirCheckpointAreNotReplaced() throws {
    expectEqual(train(), .success)
    try FileSystem.removeFile(at: folder.file("w.dvweights.checkpoint"))
    let weights = try folder.bytes("w.dvweights")
    expectEqual(train("--seed", "2"), .usage)
    #expect(call.errors.contains("w.dvweights\" is there already. --force replaces it."))
    try expectEqual(folder.bytes("w.dvweights"), weights)
    expectEqual(train("--seed", "2", "--force"), .success)
    #expect(try folder.bytes("w.dvweights") != weights)
  }
}
