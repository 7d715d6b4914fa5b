import DiceModelImport
import DiceWeights
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
    #expect(imported.report.notes.count == 1)
    #expect(imported.report.notes[0].contains("choice among boxes at the end was left out"))
    let names = imported.outputs.map { $0.name }
    #expect(names == ["boxes", "scores"])
    let found = try run(imported, [[0.5]])
    #expect(found[0] == (0..<8).map { Float($0) + 0.5 })
    #expect(found[1] == (0..<6).map { Float($0) + 0.5 })
    let entry = imported.description.provenance.first { $0.key == "tflite.left out" }
    #expect(entry?.value.isEmpty == false)
  }

  @Test func otherOutputsStayTheFirst() throws {
    let bytes = Self.model { (model, boxes, scores) in
      let (values, kept) = (model.tensor("values", []), model.tensor("kept", []))
      model.operation(
        48, [Self.best(&model, scores), model.integers([2])], [values, kept])
      return [values, kept, boxes]
    }
    let imported = try ModelImporter.importTensorFlowLite(bytes)
    #expect(imported.outputs.map { $0.name } == ["boxes", "scores"])
  }

  @Test func weightsBehindAChoiceAreRefused() {
    let bytes = Self.model { (model, boxes, scores) in
      let (values, kept) = (model.tensor("values", []), model.tensor("kept", []))
      let (found, y) = (model.tensor("found", []), model.tensor("y", []))
      model.operation(
        48, [Self.best(&model, scores), model.integers([2])], [values, kept])
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
}
