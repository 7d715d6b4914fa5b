import DiceDetectorHeads
import DiceModelImport
import DiceWeights
import TestSupport
import Testing

/// TensorFlow Lite models that end with a choice among their boxes.
struct TFLiteChoiceTests {
  /// A model whose boxes, `[2, 4]`, and scores, `[2, 3]`, follow from its input, and what is behind them.
  private static func model(
    _ behind: (inout TFLiteModel, Int, Int) -> [Int]
  ) -> [UInt8] {
    var model = TFLiteModel()
    let x = model.input("x", [1])
    let (boxes, scores) = (model.tensor("boxes", []), model.tensor("scores", []))
    model.operation(
      0, [x, model.floats([2, 4], (0..<8).map { Float($0) })], [boxes], Table([0: .byte(0)]))
    model.operation(
      0, [x, model.floats([2, 3], (0..<6).map { Float($0) })], [scores], Table([0: .byte(0)]))
    let outputs = behind(&model, boxes, scores)
    return model.bytes(outputs: outputs)
  }

  /// The best score of each box.
  private static func best(_ model: inout TFLiteModel, _ scores: Int) -> Int {
    let best = model.tensor("best", [])
    model.operation(82, [scores, model.integers([1])], [best], Table([0: .byte(0)]))
    return best
  }

  @Test(arguments: [48, 109, 120, 121])
  func aDetectorEndsBeforeTheChoice(code: Int) throws {
    let bytes = Self.model { (model, boxes, scores) in
      let best = Self.best(&model, scores)
      let (kept, found) = (model.tensor("kept", []), model.tensor("found", []))
      switch code {
      case 48:
        let values = model.tensor("values", [])
        model.operation(48, [best, model.integers([2])], [values, kept])
      case 109:
        let isBest = model.tensor("is best", [])
        model.operation(61, [best, model.floats([1], [0.5])], [isBest])
        model.operation(109, [isBest], [kept])
      default: model.operation(code, [boxes, best, model.integers([2])], [kept])
      }
      model.operation(36, [boxes, kept], [found])
      return [found]
    }
    let imported = try ModelImporter.importTensorFlowLite(bytes)
    expectEqual(imported.report.notes.count, 1)
    #expect(imported.report.notes[0].contains("choice among boxes at the end was left out"))
    let names = imported.outputs.map { $0.name }
    expectEqual(names, ["boxes", "scores"])
    let found = try run(imported, [[0.5]])
    let right = (0..<8).map { (index: Int) -> Float in Float(index) + 0.5 }
    expectEqual(found[0], right)
    expectEqual(found[1], Array(right[..<6]))
    let entry = imported.description.provenance.first { $0.key == "tflite.left out" }
    expectEqual(entry?.value.isEmpty, false)
  }

  @Test func otherOutputsStayTheFirst() throws {
    let bytes = Self.model { (model, boxes, scores) in
      let (values, kept) = (model.tensor("values", []), model.tensor("kept", []))
      model.operation(
        48, [Self.best(&model, scores), model.integers([2])], [values, kept])
      return [values, kept, boxes]
    }
    let imported = try ModelImporter.importTensorFlowLite(bytes)
    expectEqual(imported.outputs.map { $0.name }, ["boxes", "scores"])
  }

  @Test func weightsBehindTheBestKeepThem() throws {
    let bytes = Self.model { (model, boxes, scores) in
      let (values, kept) = (model.tensor("values", []), model.tensor("kept", []))
      let (found, y) = (model.tensor("found", []), model.tensor("y", []))
      model.operation(
        48, [Self.best(&model, scores), model.integers([2])], [values, kept])
      model.operation(36, [boxes, kept], [found])
      model.operation(9, [found, model.floats([1, 4], [1, 1, 1, 1])], [y], Table())
      return [y]
    }
    let imported = try ModelImporter.importTensorFlowLite(bytes)
    #expect(imported.report.notes.isEmpty)
    // The second box has the better score: 4 + 5 + 6 + 7, and 4 times 0.5.
    let found = try run(imported, [[0.5]])
    expectEqual(found[0], [24, 8])
  }

  @Test func weightsBehindASuppressionAreRefused() {
    let bytes = Self.model { (model, boxes, scores) in
      let (kept, found) = (model.tensor("kept", []), model.tensor("found", []))
      let y = model.tensor("y", [])
      model.operation(
        120, [boxes, Self.best(&model, scores), model.integers([2])], [kept])
      model.operation(36, [boxes, kept], [found])
      model.operation(9, [found, model.floats([1, 4], [1, 1, 1, 1])], [y], Table())
      return [y]
    }
    #expect(throws: ModelImportError.self) { try ModelImporter.importTensorFlowLite(bytes) }
  }

  @Test func whatIsLeftOutMustBeTheOnlyFault() {
    let bytes = Self.model { (model, boxes, scores) in
      let (values, kept) = (model.tensor("values", []), model.tensor("kept", []))
      let random = model.tensor("random", [])
      model.operation(
        48, [Self.best(&model, scores), model.integers([2])], [values, kept])
      model.operation(146, [boxes], [random])
      return [values, random]
    }
    #expect(throws: ModelImportError.self) { try ModelImporter.importTensorFlowLite(bytes) }
  }

  /// A picture's boxes, and one score for each or several, which a suppression reads.
  @Test(arguments: [([2, 4], [2]), ([1, 2, 4], [1, 2, 3])])
  func aDetectorIsMadeOfWhatTheChoiceReads(boxShape: [Int], scoreShape: [Int]) throws {
    var model = TFLiteModel()
    let x = model.input("x", [1, 32, 32, 3])
    let (mean, boxes, scores) = (
      model.tensor("mean", []), model.tensor("boxes", []), model.tensor("scores", [])
    )
    model.operation(40, [x, model.integers([0, 1, 2, 3])], [mean], Table([0: .byte(0)]))
    let corners: [Float] = [0, 0, 0.5, 0.25, 0.5, 0.5, 1, 1]
    let count = scoreShape.reduce(1, *)
    for (shape, numbers, result) in [
      (boxShape, corners, boxes), (scoreShape, (0..<count).map { Float($0) / 8 }, scores),
    ] {
      model.operation(
        0, [mean, model.floats(shape, numbers)], [result], Table([0: .byte(0)]))
    }
    let kept = model.tensor("kept", [])
    model.operation(120, [boxes, scores, model.integers([2])], [kept])
    let imported = try ModelImporter.importTensorFlowLite(model.bytes(outputs: [kept]))
    let detector = try #require(try imported.detector(DetectorOptions(kind: .yolov8Lists)))
    let file = try WeightFile(bytes: detector.weightFile())
    let heads = try DetectorHeads(file.description, shapes: file.shapes)
    expectEqual(heads.labels.count, (scoreShape.count == 1 ? 1 : 3))
    let parts = detector.description.outputs.compactMap { $0.head }
    expectEqual(parts.map { $0.kind }, ["listed boxes", "box scores"])
    // Such models' boxes are shares of the picture's sides.
    expectEqual(parts[0].parameters.first { $0.name == "unit" }?.values, [1])
    let found = try run(detector, [[Float](repeating: 0, count: 3 * 32 * 32)])
    #expect(found[0] == corners && found[1].count == count)
  }
}
