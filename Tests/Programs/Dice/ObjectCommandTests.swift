import DiceCodecs
import DiceDetectorHeads
import DiceImaging
import DiceModelImport
import DiceVisionKit
import DiceWeights
import Foundation
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders
@testable import dicevision

/// Detectors of objects on the command line.
struct ObjectCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The path of weights that find a box of each of two classes.
  private func weights(_ labels: [String], head: DetectorHeadKind = .boxRows) throws -> String {
    let rows: [Float] = [40, 32, 16, 8, 0.1, 0.9, 16, 32, 16, 8, 0.8, 0.1]
    let network = NetworkDescription(
      name: "test",
      inputs: [
        NetworkInput(
          name: "image", shape: TensorShape(height: 64, width: 64, channels: 3),
          content: .image(ImageRules()))
      ],
      layers: [
        .constant(
          Layer.Constant(tensor: 0, shape: TensorShape(height: 2, width: 1, channels: 6))),
        .activation(Layer.Pointwise(input: .input(0), function: .relu)),
      ],
      outputs: [
        NetworkOutput(
          name: "boxes", layer: 0, head: NetworkHead(kind: head.rawValue, labels: labels)),
        NetworkOutput(name: "rest", layer: 1),
      ])
    let path = folder.file("objects.dvweights")
    let bytes = try WeightFile.encode(
      description: network, tensors: [rows], storage: .float32)
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  /// The path of the fast detector's weights with other labels.
  private func dice(_ labels: [String]) throws -> String {
    let file = try WeightFile(bytes: DiceDetector.bundledWeights(.fast))
    var description = file.description
    for index in description.outputs.indices { description.outputs[index].head?.labels = labels }
    let path = folder.file("dice.dvweights")
    let bytes = try WeightFile.encode(
      description: description, tensors: (0..<file.tensorCount).map { file.floats(of: $0) },
      storage: .float16)
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  @Test func labelsThatAreFacesOfDiceAreDice() throws {
    for last in ["6", "d20-20"] {
      let faces = try dice(["1", "d4-1", "d6-6", "d10-0", "d%-00", last])
      #expect(try ObjectFinder(FinderOptions(weights: faces)) == nil)
    }
    let words = try dice(["d4-1", "d6-6", "d10-0", "d%-00", "d20-20", "d20"])
    #expect(try ObjectFinder(FinderOptions(weights: words)) != nil)
  }

  private func reading(_ labels: [String]) throws -> PictureReading {
    let finder = try #require(try ObjectFinder(FinderOptions(weights: weights(labels))))
    expectEqual(finder.network.labels, labels)
    let image = PixelImage(
      width: 64, height: 64, format: .rgb, samples: [UInt8](repeating: 9, count: 64 * 64 * 3))
    return try finder.dice(
      in: image, subject: "a.png",
      FinderRequest(
        confidence: finder.network.confidence,
        intersectionOverUnion: finder.network.intersectionOverUnion))
  }

  @Test func objectsHaveTheirLabelsInAllFormats() throws {
    let reading = try reading(["board", "token"])
    func text(_ format: ResultFormat) -> String {
      ReadingPrinter(format: format, showsTimings: false).text(
        for: reading, of: "a.png", number: 1)
    }
    #expect(text(.text).hasPrefix("a.png: token board, 2 objects\n  token  90.0 %  x 32.0"))
    #expect(
      text(.json)
        == #"{"image":"a.png","width":64,"height":64,"objects":[{"label":"token","confidence":0.9,"#
        + #""box":{"x":32,"y":28,"width":16,"height":8}},{"label":"board","confidence":0.8,"#
        + #""box":{"x":8,"y":28,"width":16,"height":8}}]}"# + "\n")
    #expect(text(.csv).hasPrefix("a.png,64,64,1,2,token,0.9,32,28,16,8\r\n"))
    #expect(text(.coco).contains(#""category_id":2,"#))
    #expect(text(.coco).contains(#""category_name":"token""#))
    expectEqual(reading.name(of: reading.dice[0]), "token")
  }

  @Test func numbersAreDice() throws {
    let reading = try reading(["5", "6"])
    // From left to right, with a sum.
    #expect(!reading.namesObjects && reading.dice.map { $0.value } == [5, 6])
    expectEqual(reading.sum, 11)
  }

  @Test func otherWeightsAreNotObjects() throws {
    #expect(try ObjectFinder(FinderOptions(weights: "standard")) == nil)
    #expect(try ObjectFinder(FinderOptions(weights: folder.file("none.dvweights"))) == nil)
    #expect(try ObjectFinder(FinderOptions()) == nil)
    var options = FinderOptions(weights: try weights(["a", "b"]))
    options.secondStage = .bundled
    #expect(throws: ToolError.self) { try ObjectFinder(options) }
  }

  @Test func runNamesTheInputsWhereANameIsWrong() throws {
    let call = ToolCall()
    expectEqual(
      call.run(
        "run", try weights(["a", "b"]), "--input", "picture=none.npy", "--output",
        folder.file("answers")), .failure)
    #expect(call.errors.contains("picture=none.npy") && call.errors.contains("image"))
    #expect(call.errors.contains("It names none of the inputs"))
  }

  @Test(.enabled(if: Fixtures.models != nil, "shared/models is not there"))
  func runDropsBoxesAsAPipelineDoes() throws {
    let models = try #require(Fixtures.models)
    let weights = folder.file("detector.dvweights")
    let call = ToolCall()
    expectEqual(
      call.run(
        "import", models.appending(path: "detector/detector.mlmodel").path, "--output", weights),
      .success)
    let image = models.appending(path: "detector/detector.in.image.npy").path
    expectEqual(
      call.run(
        "run", weights, "--input", "image=\(image)", "--input", "iouThreshold=0.2", "--input",
        "confidenceThreshold=0.4", "--output", folder.file("answers")), .success)
    for name in ["confidence", "coordinates"] {
      let found = try NumPyArray(
        [UInt8](Data(contentsOf: URL(filePath: folder.file("answers/\(name).npy")))))
      let right = try NumPyArray(
        [UInt8](
          Data(
            contentsOf: models.appending(
              path: "detector/detector.iou0.2-confidence0.4.out.\(name).npy"))))
      expectEqual(found.shape, right.shape)
      for (found, right) in zip(found.numbers, right.numbers) {
        #expect(abs(found - right) < 1e-3)
      }
    }
    expectEqual(
      call.run(
        "run", weights, "--input", "image=\(image)", "--input", "iouThreshold=2", "--output",
        folder.file("more")), .failure)
  }
}
