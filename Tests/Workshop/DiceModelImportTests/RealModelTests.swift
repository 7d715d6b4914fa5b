import DiceModelImport
import DiceWeights
import Foundation
import Testing
import TestSupport

struct RealModelTests {
  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func fastestDetAnswersAsInONNXRuntime() throws {
    let model = try ModelImporter.importONNX(Models.bytes("fastestdet/FastestDet.onnx"))
    let input = try Models.array("fastestdet/FastestDet.in.input.1.npy")
    let right = try Models.array("fastestdet/FastestDet.out.758.npy")
    expectEqual(model.inputs.map { $0.name }, ["input.1"])
    expectEqual(model.outputs.map { $0.name }, ["758"])
    expectEqual(model.outputs[0].shape, right.shape)
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
    expectEqual(model.outputs.map { $0.name }, ["yolo_121", "yolo_130"])
    for (index, name) in ["permute_121", "permute_130"].enumerated() {
      let right = try Models.array("yolo-fastest/yolo-fastest-1.1.out.\(name).npy")
      // The answer has its channels last.
      let shape = model.outputs[index].shape
      expectEqual([shape[0], shape[2], shape[3], shape[1]], right.shape)
      let area = shape[2] * shape[3]
      let turned = right.numbers.indices.map { (place) in
        outputs[index][place % shape[1] * area + place / shape[1]]
      }
      #expect(difference(turned, right.numbers) < 1e-3, "\(name)")
    }
    let head = try #require(model.description.outputs[0].head)
    expectEqual(head.kind, "darknet yolo")
    let numbers = Dictionary(uniqueKeysWithValues: head.parameters.map { ($0.name, $0.values) })
    expectEqual(numbers["anchors"], [115, 73, 119, 199, 242, 238])
    #expect(numbers["classes"] == [80] && numbers["stride"] == [32, 32])
  }

  /// The pixels of a picture as an input's numbers.
  private static func pixels(_ array: NumPyArray, _ model: ImportedModel) throws -> [Float] {
    let rules = try #require(model.description.inputs[0].imageRules)
    let channels = rules.channelOrder.channelCount
    #expect(array.shape == model.inputs[0].shape && rules.channelOrder != .bgr)
    return array.numbers.enumerated().map { (place, sample) in
      sample * rules.scales[place % channels] + rules.biases[place % channels]
    }
  }

  /// Compares a Core ML model with its outputs, which have these names.
  private static func compare(
    _ stem: String, _ sample: String, input: String, _ outputs: [String], within tolerance: Float
  ) throws -> ImportedModel {
    let model = try ModelImporter.importCoreML(Models.bytes("\(stem).mlmodel"))
    let folder = stem.split(separator: "/")[0]
    let picture = try pixels(Models.array("\(folder)/\(sample).in.\(input).npy"), model)
    let found = try run(model, [picture])
    for name in outputs {
      let right = try Models.array("\(folder)/\(sample).out.\(name).npy")
      let index = try #require(model.outputs.firstIndex { $0.name == name })
      expectEqual(model.outputs[index].shape, right.shape)
      #expect(difference(found[index], right.numbers) < tolerance, "\(name)")
    }
    return model
  }

  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func poseNetAnswersAsItsLayersSay() throws {
    _ = try Self.compare(
      "posenet/PoseNetMobileNet075S16FP16", "PoseNetMobileNet075S16FP16", input: "image",
      ["heatmap", "offsets", "displacementFwd", "displacementBwd"], within: 1e-3)
  }

  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func poseMachineAnswersAsItsLayersSay() throws {
    _ = try Self.compare(
      "cpm/cpm_model", "cpm_model-mlmodel", input: "image__0",
      ["Convolutional_Pose_Machine__stage_5_out__0"], within: 1e-3)
  }

  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func digitsAreReadAsByTheModelsLayers() throws {
    for sample in ["mnistCNN", "mnistCNN.2", "mnistCNN.3", "mnistCNN.4"] {
      let model = try Self.compare(
        "mnistcnn/mnistCNN", sample, input: "image", ["output"], within: 1e-3)
      expectEqual(model.description.outputs[0].head?.labels, (0..<10).map { "\($0)" })
    }
  }

  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func aDetectorsBoxesAreThoseOfItsNetwork() throws {
    let model = try Self.compare(
      "detector/detector", "detector", input: "image", ["raw_confidence", "raw_coordinates"],
      within: 1e-3)
    expectEqual(model.description.task, "objects")
  }

  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func aClassifierOfActionsAnswersAsItsLayersSay() throws {
    let folder = "playeraction/PlayerActionClassifier"
    let model = try ModelImporter.importCoreML(Models.bytes("\(folder).mlmodel"))
    let input = try Models.array("\(folder).in.poses.npy")
    let right = try Models.array("\(folder).out.labelProbabilities.npy")
    expectEqual(model.inputs.map { $0.name }, ["poses"])
    expectEqual(model.inputs.map { $0.shape }, [input.shape])
    expectEqual(model.outputs.map { $0.name }, ["labelProbabilities"])
    expectEqual(model.outputs[0].shape, right.shape)
    let found = try run(model, [input.numbers])[0]
    #expect(difference(found, right.numbers) < 1e-5)
    let labels = try #require(model.description.outputs[0].head).labels
    expectEqual(labels, ["none", "overhand", "underhand", "underleg"])
    let best = try #require(found.indices.max { found[$0] < found[$1] })
    let label = String(decoding: try Models.bytes("\(folder).out.label.txt"), as: UTF8.self)
    expectEqual(labels[best], label.split(whereSeparator: \.isWhitespace).joined())
  }

  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func poseMachineAnswersAsInLiteRT() throws {
    let model = try ModelImporter.importTensorFlowLite(Models.bytes("cpm/cpm_model.tflite"))
    let input = try Models.array("cpm/cpm_model-tflite.in.image.npy")
    let right = try Models.array(
      "cpm/cpm_model-tflite.out.Convolutional_Pose_Machine_stage_5_out.npy")
    expectEqual(model.inputs.map { $0.shape }, [input.shape])
    expectEqual(model.outputs.map { $0.shape }, [right.shape])
    #expect(difference(try run(model, [input.numbers])[0], right.numbers) < 1e-3)
  }

  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func aQuantizedDetectorFindsTheBoxesOfLiteRT() throws {
    let folder = "byler-dice/byler-d6-dice"
    let bytes = try Models.bytes("\(folder).tflite")
    let model = try ModelImporter.importTensorFlowLite(bytes)
    let input = try Models.array("\(folder).in.normalized_input_image_tensor.npy")
    expectEqual(model.inputs.map { $0.shape }, [input.shape])
    let outputs = try run(model, [input.numbers])
    let right = try ["", "_1", "_2"].map { (suffix) in
      try Models.array("\(folder).out.TFLite_Detection_PostProcess\(suffix).npy").numbers
    }
    // The best score of each class is that of LiteRT's best box of the class.
    let heads = model.description.outputs.compactMap { $0.head }
    expectEqual(heads.map { $0.kind }, ["listed boxes", "box scores", "default boxes"])
    expectEqual(heads[1].labels, ["one", "four", "three", "five", "six", "two"])
    // The boxes as LiteRT's kernel makes them: the surest first, none that overlaps one before.
    let found = Self.boxes(outputs[0], outputs[1], outputs[2], overlap: 0.6, count: 40)
    expectEqual(found.count, right[1].count)
    #expect(right[2].count { $0 > 0.1 } > 20)
    for place in right[2].indices where right[2][place] > 0.1 {
      let corners = Array(right[0][4 * place..<4 * place + 4])
      guard let own = found.first(where: { Self.overlap($0.corners, corners) > 0.8 }) else {
        Issue.record("no box \(place): \(corners)")
        continue
      }
      // LiteRT's reference kernels, which the network follows, round some sums another way than those that gave
      // these answers: scores differ by a few hundredths, and two classes may be as likely.
      if right[2][place] > 0.5 { expectEqual(own.classIndex, Int(right[1][place])) }
      #expect(abs(own.score - right[2][place]) <= 6e-2, "box \(place)")
      #expect(zip(own.corners, corners).allSatisfy { abs($0 - $1) <= 2e-2 }, "box \(place)")
    }
    #expect(!right[1].isEmpty)
  }

  private struct Box {
    var corners: [Float]
    var classIndex: Int
    var score: Float
  }

  private static func overlap(_ first: [Float], _ second: [Float]) -> Float {
    func area(_ box: [Float]) -> Float { max(0, box[2] - box[0]) * max(0, box[3] - box[1]) }
    let shared = area([
      max(first[0], second[0]), max(first[1], second[1]), min(first[2], second[2]),
      min(first[3], second[3]),
    ])
    return shared / (area(first) + area(second) - shared)
  }

  /// Decodes and suppresses boxes: offsets scaled by 10 and 5, a background before six classes.
  private static func boxes(
    _ offsets: [Float], _ scores: [Float], _ defaults: [Float], overlap: Float, count: Int
  ) -> [Box] {
    var boxes: [Box] = []
    for place in 0..<offsets.count / 4 {
      let own = Array(scores[7 * place + 1..<7 * place + 7])
      let best = own.max() ?? 0
      let (offset, anchor) = (
        offsets[4 * place..<4 * place + 4], defaults[4 * place..<4 * place + 4]
      )
      let (o, a) = (Array(offset), Array(anchor))
      let (y, x) = (o[0] / 10 * a[2] + a[0], o[1] / 10 * a[3] + a[1])
      let (height, width) = (exp(o[2] / 5) * a[2], exp(o[3] / 5) * a[3])
      boxes.append(
        Box(
          corners: [y - height / 2, x - width / 2, y + height / 2, x + width / 2],
          classIndex: own.firstIndex(of: best) ?? 0, score: best))
    }
    var kept: [Box] = []
    for box in boxes.sorted(by: { $0.score > $1.score }) where kept.count < count {
      if kept.allSatisfy({ Self.overlap($0.corners, box.corners) <= overlap }) { kept.append(box) }
    }
    return kept
  }
}
