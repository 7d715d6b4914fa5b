import DiceGeometry
import DiceEvaluation
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders

@Suite struct RelabelCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  /// A picture with two marked dice, of which the network finds one face and misreads the other.
  init() throws {
    folder = try TemporaryFolder()
    try folder.writePicture("set/images/one.png", width: 60)
    try folder.write(
      """
      [{"image": "one.png", "annotations": [
         {"label": "5", "coordinates": {"x": 15, "y": 15, "width": 20, "height": 30}},
         {"label": "2", "coordinates": {"x": 45, "y": 15, "width": 20, "height": 30}},
         {"label": "?", "coordinates": {"x": 30, "y": 35, "width": 8, "height": 8}}]}]
      """, to: "set/whole.json")
    call.find = { (image, _) in
      PictureReading(
        width: image.width, height: image.height,
        dice: [
          die(5, 0.2, x: 6, y: 2, width: 18, height: 16), die(3, 0.9, x: 36, y: 2),
        ])
    }
  }

  private func relabel(_ arguments: String...) -> CallStatus {
    call.run(["relabel", folder.file("set/whole.json")] + arguments)
  }

  @Test func replacesBoxesWhoseValueIsFoundInThem() throws {
    expectEqual(relabel("--output", folder.file("faces.json")), .success)
    #expect(call.output.hasPrefix("1 of 3 "))
    let entries = try AnnotationFile.parse(try folder.bytes("faces.json"))
    expectEqual(entries.map(\.fileName), ["one.png"])
    expectEqual(entries[0].objects.map(\.label), ["5", "2", "?"])
    expectEqual(
      entries[0].objects.map(\.boundingBox),
      [
        BoundingBox(x: 6, y: 2, width: 18, height: 16),
        BoundingBox(x: 35, y: 0, width: 20, height: 30),
        BoundingBox(x: 26, y: 31, width: 8, height: 8),
      ])
    expectEqual(call.requests, [FinderRequest(confidence: 0.1, intersectionOverUnion: 0.45)])
  }

  @Test func anOutputIsRequired() {
    expectEqual(relabel(), .usage)
    #expect(call.errors.contains("--output"))
  }

  @Test func unreadablePicturesKeepTheirBoxesAndFailTheCall() throws {
    try folder.write("no picture", to: "set/images/one.png")
    expectEqual(relabel("--output", folder.file("faces.json")), .failure)
    #expect(call.errors.contains("one.png"))
    let entries = try AnnotationFile.parse(try folder.bytes("faces.json"))
    expectEqual(entries[0].objects[0].boundingBox, BoundingBox(x: 5, y: 0, width: 20, height: 30))
  }
}
