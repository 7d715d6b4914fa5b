import DiceWeights
import TestSupport
import Testing

@testable import DiceModelImport

struct ONNXImportTests {
  /// A convolution with batch normalisation and a function, behind a padding.
  private static func block(_ shape: [Int] = [1, 2, 6, 6]) -> [UInt8] {
    ONNXFile.model(
      nodes: [
        ONNXFile.node("Pad", ["x", "pads"], ["p"]),
        ONNXFile.node("Conv", ["p", "w"], ["c"]),
        ONNXFile.node("BatchNormalization", ["c", "s", "b", "m", "v"], ["n"]),
        ONNXFile.node("Sigmoid", ["n"], ["g"]), ONNXFile.node("Mul", ["g", "n"], ["y"]),
      ],
      constants: [
        ONNXFile.constant("pads", [0, 0, 1, 1, 0, 0, 1, 1]),
        ONNXFile.constant("w", [3, 2, 3, 3], (0..<54).map { Float($0 % 7) / 10 - 0.3 }),
        ONNXFile.constant("s", [3], [1, 2, 3]), ONNXFile.constant("b", [3], [0.1, 0.2, 0.3]),
        ONNXFile.constant("m", [3], [0, 0.5, 1]), ONNXFile.constant("v", [3], [1, 2, 4]),
      ], inputs: [("x", shape)], outputs: ["y"])
  }

  @Test func aBlockOfFiveOperationsBecomesOneLayer() throws {
    let model = try ModelImporter.importONNX(Self.block())
    expectEqual(model.description.layers.count, 1)
    guard case .convolution(let layer) = model.description.layers[0] else {
      Issue.record("no convolution")
      return
    }
    #expect(layer.activation == .silu && layer.window.padding.top == 1)
    #expect(model.report.operationCount == 5 && model.report.layerCount == 1)
    expectEqual(model.description.inputs[0].shape, TensorShape(height: 6, width: 6, channels: 2))
    #expect(!model.description.inputs[0].isResizable)
  }

  @Test func openSizesMustBeGivenAndMakeAResizableNetwork() throws {
    let bytes = Self.block([0, 2, 0, 0])
    #expect(
      throws: ModelImportError.openShapes([OpenInput(name: "x", shape: [1, 2, nil, nil])])
    ) { try ModelImporter.importONNX(bytes) }
    let model = try ModelImporter.importONNX(
      bytes, options: ImportOptions(inputShapes: ["x": [1, 2, 8, 4]]))
    #expect(model.description.inputs[0].isResizable)
    expectEqual(model.outputs[0].shape, [1, 3, 8, 4])
    #expect(
      throws: ModelImportError.inputShape(
        name: "x", given: [1, 3, 8, 8], required: [nil, 2, nil, nil])
    ) {
      try ModelImporter.importONNX(
        bytes, options: ImportOptions(inputShapes: ["x": [1, 3, 8, 8]]))
    }
    #expect(throws: ModelImportError.unknownInput(name: "y", known: ["x"])) {
      try ModelImporter.importONNX(bytes, options: ImportOptions(inputShapes: ["y": [1]]))
    }
  }

  @Test func aShapeThatDependsOnTheSizeIsNotResizable() throws {
    let bytes = ONNXFile.model(
      nodes: [
        ONNXFile.node("Shape", ["x"], ["s"]),
        ONNXFile.node("Gather", ["s", "two"], ["h"]),
        ONNXFile.node("Concat", ["one", "h"], ["t"], attributes: [ONNXFile.attribute("axis", 0)]),
        ONNXFile.node("Reshape", ["x", "t"], ["y"]),
      ], constants: [ONNXFile.constant("two", [2]), ONNXFile.constant("one", [-1])],
      inputs: [("x", [1, 2, 0, 0])], outputs: ["y"])
    let model = try ModelImporter.importONNX(
      bytes, options: ImportOptions(inputShapes: ["x": [1, 2, 4, 6]]))
    expectEqual(model.outputs[0].shape, [12, 4])
    #expect(!model.description.inputs[0].isResizable)
  }

  @Test func allThatCannotBeCarriedOverIsToldAtOnce() throws {
    let bytes = ONNXFile.model(
      nodes: [
        ONNXFile.node("NonMaxSuppression", ["x", "x"], ["a"], name: "nms"),
        ONNXFile.node("Relu", ["a"], ["b"]), ONNXFile.node("Fancy", ["x"], ["c"], name: "one"),
        ONNXFile.node("Fancy", ["b"], ["d"], name: "two"),
      ], inputs: [("x", [1, 2, 3, 4])], outputs: ["d"])
    let error = #expect(throws: ModelImportError.self) { try ModelImporter.importONNX(bytes) }
    guard case .unsupported(let operations) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectEqual(operations.map { $0.name }, ["NonMaxSuppression", "Fancy"])
    expectEqual(operations.map { $0.count }, [1, 2])
    expectEqual(operations.map { $0.place }, ["nms", "one"])
    #expect("\(operations[0].reason)".contains("suppress"))
  }

  @Test func externalWeightsAreRefusedByName() {
    let tensor =
      Message.integer(1, 1) + Message.integer(2, 1) + Message.text(8, "w")
      + Message.bytes(13, Message.text(1, "location") + Message.text(2, "model.onnx.data"))
      + Message.integer(14, 1)
    let bytes = ONNXFile.model(
      nodes: [ONNXFile.node("Relu", ["x"], ["y"])], constants: [tensor],
      inputs: [("x", [1])], outputs: ["y"])
    #expect(throws: ModelImportError.externalData(tensor: "w", file: "model.onnx.data")) {
      try ModelImporter.importONNX(bytes)
    }
  }

  @Test func operationsOutOfOrderAreRefused() {
    let cycle = ONNXFile.model(
      nodes: [ONNXFile.node("Relu", ["b"], ["a"]), ONNXFile.node("Relu", ["a"], ["b"])],
      inputs: [("x", [1])], outputs: ["b"])
    #expect(
      throws: ModelImportError.invalid(
        place: "a", rule: "It reads b, which no earlier operation gives.")
    ) { try ModelImporter.importONNX(cycle) }
  }

  @Test func hugeShapesAreErrors() {
    for shape in [[1 << 40], [1, 1 << 20, 1 << 20], [1, 3, 1 << 21, 1]] {
      let bytes = ONNXFile.model(
        nodes: [ONNXFile.node("Relu", ["x"], ["y"])], inputs: [("x", shape)], outputs: ["y"])
      #expect(throws: ModelImportError.self) { try ModelImporter.importONNX(bytes) }
    }
    for target in [[Int.max, 2], [-1, -1], [1 << 40, 1 << 40]] {
      let bytes = ONNXFile.model(
        nodes: [
          ONNXFile.node("Reshape", ["x", "s"], ["y"]), ONNXFile.node("Expand", ["x", "s"], ["z"]),
          ONNXFile.node("ConstantOfShape", ["s"], ["w"]),
        ], constants: [ONNXFile.constant("s", target)], inputs: [("x", [2])],
        outputs: ["y", "z", "w"])
      #expect(throws: ModelImportError.self) { try ModelImporter.importONNX(bytes) }
    }
  }

  @Test func damagedFilesAreErrors() throws {
    let bytes = Self.block()
    var errorCount = 0
    for count in 0..<bytes.count {
      do { _ = try ModelImporter.importONNX(Array(bytes[..<count])) } catch { errorCount += 1 }
    }
    expectEqual(errorCount, bytes.count)
    // Whatever a changed byte makes of it, it is a model or an error.
    var changed = bytes
    for index in bytes.indices {
      for value in [0, 0x7F, 0x80, 0xFF, bytes[index] ^ 1, bytes[index] ^ 0x10] {
        changed[index] = value
        _ = try? ModelImporter.importONNX(changed)
      }
      changed[index] = bytes[index]
    }
  }

  @Test func messagesWithinMessagesHaveALimit() {
    var bytes: [UInt8] = []
    for _ in 0..<200 { bytes = Message.bytes(1, bytes) }
    // A graph in an attribute is not even looked at; dimensions of types are.
    var reader = ProtobufReader(bytes)
    var depth = 0
    let error = #expect(throws: ProtobufError.self) {
      while let field = try reader.next() {
        reader = try reader.message(field)
        depth += 1
      }
    }
    expectEqual(depth, ProtobufReader.depthLimit)
    if case .tooDeep(_, let limit) = error { expectEqual(limit, 64) } else { Issue.record() }
  }

  @Test func theListOfOperationsHasEachOnce() {
    let names = ONNXOperations.all.map { $0.name } + ONNXOperations.refused.map { $0.name }
    expectEqual(Set(names).count, names.count)
  }

  /// Windows that lie farther apart than they are wide, with the numbers that ONNX Runtime 1.27 gives.
  @Test(
    arguments: [
      (9, 1, 3, "SAME_UPPER", [2, 5, 8]), (9, 1, 3, "SAME_LOWER", [1, 4, 7]),
      (9, 2, 5, "SAME_UPPER", [2.5, 7.5]), (9, 2, 5, "SAME_LOWER", [1.5, 6.5]),
      (5, 1, 5, "SAME_UPPER", [3]), (5, 1, 5, "SAME_LOWER", [2]), (8, 1, 4, "SAME_LOWER", [2, 6]),
    ] as [(Int, Int, Int, String, [Float])])
  func automaticPaddingBelowNothingCentresTheWindowsOfAMean(
    count: Int, kernel: Int, stride: Int, padding: String, means: [Float]
  ) throws {
    let bytes = ONNXFile.model(
      nodes: [
        ONNXFile.node(
          "AveragePool", ["x"], ["y"],
          attributes: [
            ONNXFile.attribute("kernel_shape", [kernel]),
            ONNXFile.attribute("strides", [stride]), ONNXFile.attribute("auto_pad", padding),
          ])
      ], inputs: [("x", [1, 1, count])], outputs: ["y"])
    let model = try ModelImporter.importONNX(bytes)
    try expectEqual(run(model, [(1...count).map { Float($0) }])[0], means)
  }
}
