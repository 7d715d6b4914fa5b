import DiceModelImport
import DiceWeights
import Testing
import TestSupport

struct RealModelTests {
  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func fastestDetAnswersAsInONNXRuntime() throws {
    let model = try ModelImporter.importONNX(Models.bytes("fastestdet/FastestDet.onnx"))
    let input = try Models.array("fastestdet/FastestDet.in.input.1.npy")
    let right = try Models.array("fastestdet/FastestDet.out.758.npy")
    #expect(model.inputs.map { $0.name } == ["input.1"])
    #expect(model.outputs.map { $0.name } == ["758"])
    #expect(model.outputs[0].shape == right.shape)
    let outputs = try run(model, [input.numbers])
    #expect(difference(outputs[0], right.numbers) < 1e-3)
  }

  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func yoloFastestAnswersAsInOpenCV() throws {
    let model = try ModelImporter.importDarknet(
      configuration: Models.bytes("yolo-fastest/yolo-fastest-1.1.cfg"),
      weights: Models.bytes("yolo-fastest/yolo-fastest-1.1.weights"))
    let input = try Models.array("yolo-fastest/yolo-fastest-1.1.in.image.npy")
    let outputs = try run(model, [input.numbers])
    #expect(model.outputs.map { $0.name } == ["yolo_121", "yolo_130"])
    for (index, name) in ["permute_121", "permute_130"].enumerated() {
      let right = try Models.array("yolo-fastest/yolo-fastest-1.1.out.\(name).npy")
      // The answer has its channels last.
      let shape = model.outputs[index].shape
      #expect([shape[0], shape[2], shape[3], shape[1]] == right.shape)
      let area = shape[2] * shape[3]
      let turned = right.numbers.indices.map { (place) in
        outputs[index][place % shape[1] * area + place / shape[1]]
      }
      #expect(difference(turned, right.numbers) < 1e-3, "\(name)")
    }
    let head = try #require(model.description.outputs[0].head)
    #expect(head.kind == "darknet yolo")
    let numbers = Dictionary(uniqueKeysWithValues: head.parameters.map { ($0.name, $0.values) })
    #expect(numbers["anchors"] == [115, 73, 119, 199, 242, 238])
    #expect(numbers["classes"] == [80] && numbers["stride"] == [32, 32])
  }
}
