import DiceDetection
import DiceExport
import DiceWeights
import Foundation
import TestSupport
import Testing

@Suite struct ONNXMetadataTests {
  private func metadata(
    _ file: WeightFile, _ size: ONNXModel.InputSize = .standard
  ) throws -> [String: String] {
    let model = try ReadModel(ONNXModel.encode(file, inputSize: size))
    return Dictionary(uniqueKeysWithValues: model.metadata.map { ($0.key, $0.value) })
  }

  private func json(_ text: String?) throws -> NSObject {
    let value = try JSONSerialization.jsonObject(with: Data(try #require(text).utf8))
    return try #require(value as? NSObject)
  }

  @Test func nothingOfTheFileIsLost() throws {
    let file = try ExportCase.everything().file
    let metadata = try metadata(file)
    expectEqual(metadata["name"], "everything \u{2682}")
    expectEqual(metadata["task"], "tests of a reader")
    expectEqual(metadata["sizeMultiple"], "\(file.shapes.sizeMultiple)")
    expectEqual(UInt64(metadata["checksum"] ?? "", radix: 16), file.checksum)
    expectEqual(metadata["checksum"]?.utf8.count, 16)
    expectEqual(metadata["provenance.licence"], "MIT")
    // Two entries with one key, the second one empty.
    expectEqual(metadata["provenance.credits"], "first line\nsecond line: \u{4E16}\u{754C}\n\n")
    let inputs = """
      [{"name": "picture", "height": 16, "width": 24, "channels": 3, \
      "resizable": true, "image": {"channelOrder": "bgr", \
      "scales": [\(Float(1) / 255), 0.5, -2.0], "biases": [0.0, -1.5, 0.25], \
      "cropAndScale": "scaleFill", "paddingValue": 7}}, \
      {"name": "Ton \u{E9}", "height": 1, "width": 5, "channels": 4, \
      "resizable": false}, \
      {"name": "gray", "height": 8, "width": 8, "channels": 1, \
      "resizable": false, "image": {"channelOrder": "gray", "scales": [2.0], \
      "biases": [-1.0], "cropAndScale": "centerCrop", "paddingValue": 0}}]
      """
    expectEqual(metadata["inputs"], inputs)
    let outputs = """
      [{"name": "boxes", "downsampling": 4, "kind": "grid boxes", \
      "labels": ["heads", "Zahl \u{E9}"], \
      "parameters": {"base size": [48.5], "anchors": [1.0, -2.5, 1e-30]}}, \
      {"name": "plain"}, \
      {"name": "classes", "kind": "classes", \
      "labels": ["a", "b", "c", "d"], "parameters": {}}, \
      {"name": "again"}, {"name": "map"}, {"name": "products"}, \
      {"name": "greatest"}, {"name": "integers"}]
      """
    expectEqual(metadata["outputs"], outputs)
    expectEqual(metadata["profile"], "{\"tile sizes\": [416.0, 640.0], \"weight\": [0.5]}")
    for key in ["inputs", "outputs", "profile"] { _ = try json(metadata[key]) }
    // Three inputs, and heads of two kinds.
    #expect(metadata["inputWidth"] == nil && metadata["heads"] == nil)
  }

  private func detector() throws -> WeightFile {
    var network = CaseNetwork(seed: 0)
    let source = network.input(64, 96, 3, isResizable: true)
    let window = Layer.Window(size: 8, stride: 8)
    let first = network.convolution(source, 3, 7, window)
    _ = network.convolution(first, 7, 7, Layer.Window(size: 2, stride: 2))
    var description = network.description
    description.inputs[0].content = .image(
      ImageRules(
        channelOrder: .bgr, scales: SIMD3(1 / 255, 0.5, -2), biases: SIMD3(0, -1.5, 0.25),
        cropAndScale: .centerCrop, paddingValue: 9))
    let thresholds = RecommendedThresholds(overlap: 0.45, confidence: 0.36)
    description.outputs = [(Float(48.5), 0), (12.25, 1)].map { (baseSize, layer) in
      NetworkOutput(
        name: "boxes \(layer)", layer: layer,
        head: GridBoxes.head(
          labels: ["\"1\\", "Zahl \u{E9}"], baseSize: baseSize, thresholds: thresholds))
    }
    return try WeightFile(
      bytes: WeightFile.encode(
        description: description, tensors: network.tensors, storage: .float16))
  }

  @Test func detectorsSayHowTheirOutputsBecomeBoxes() throws {
    let file = try detector()
    let metadata = try metadata(file)
    expectEqual(metadata["labels"], "[\"\\\"1\\\\\", \"Zahl \u{E9}\"]")
    try expectEqual(json(metadata["labels"]), ["\"1\\", "Zahl \u{E9}"] as NSArray)
    expectEqual(metadata["confidenceThreshold"], "0.36")
    expectEqual(metadata["intersectionOverUnionThreshold"], "0.45")
    expectEqual(
      metadata["heads"],
      "[{\"output\": \"boxes 0\", \"stride\": 8, \"baseSize\": 48.5}, "
        + "{\"output\": \"boxes 1\", \"stride\": 16, \"baseSize\": 12.25}]")
    let decoding = try #require(metadata["decoding"])
    #expect(decoding.contains("centerX = (column + 2 * sigmoid(tx) - 0.5) * stride;"))
    #expect(decoding.contains("width = baseSize * exp(clamp(tw, -4, 4));"))
  }

  @Test func aPictureAloneHasItsRulesAtHand() throws {
    let file = try detector()
    for (size, width, height) in [
      (ONNXModel.InputSize.standard, "96", "64"), (.flexible, "96", "64"),
      (.fixed(width: 32, height: 160), "32", "160"),
    ] {
      let metadata = try metadata(file, size)
      #expect(metadata["inputWidth"] == width && metadata["inputHeight"] == height)
      expectEqual(metadata["channelOrder"], "bgr")
      expectEqual(metadata["scales"], "[\(Float(1) / 255), 0.5, -2.0]")
      expectEqual(metadata["biases"], "[0.0, -1.5, 0.25]")
      expectEqual(metadata["cropAndScale"], "centerCrop")
      expectEqual(metadata["paddingValue"], "9")
    }
  }
}
