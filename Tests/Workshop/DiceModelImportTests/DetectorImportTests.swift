import DiceDetectorHeads
import DiceModelImport
import DiceWeights
import TestSupport
import Testing

/// Models that become detectors, by the shapes of their outputs.
struct DetectorImportTests {
  /// A model of a picture of 64 by 64 pixels with outputs of these shapes.
  ///
  /// The numbers of an output are its places, counted from 0.
  private static func model(
    _ shapes: [[Int]], metadata: [(String, String)] = []
  ) throws -> ImportedModel {
    var nodes = [
      ONNXFile.node(
        "ReduceMean", ["x"], ["mean"],
        attributes: [ONNXFile.attribute("axes", [1, 2, 3]), ONNXFile.attribute("keepdims", 0)])
    ]
    var constants: [[UInt8]] = []
    for (index, shape) in shapes.enumerated() {
      constants.append(
        ONNXFile.constant(
          "c\(index)", shape, (0..<shape.reduce(1, *)).map { (place) in Float(place) }))
      nodes.append(ONNXFile.node("Add", ["c\(index)", "mean"], ["out\(index)"]))
    }
    let pairs = metadata.flatMap { (pair) in
      Message.bytes(14, Message.text(1, pair.0) + Message.text(2, pair.1))
    }
    return try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: nodes, constants: constants, inputs: [("x", [1, 3, 64, 64])],
        outputs: shapes.indices.map { "out\($0)" }) + pairs)
  }

  // 64 + 16 + 4 cells of 8, 16 and 32 pixels, and one of 64.
  @Test(
    arguments: [
      ([1, 7, 84], DetectorHeadKind.boxRows, 3), ([1, 252, 8], .boxRows, 3),
      ([1, 84, 8], .freeGrid, 3), ([1, 85, 34], .distanceGrid, 2),
    ])
  func familiesAreRecognised(shape: [Int], kind: DetectorHeadKind, classCount: Int) throws {
    let plain = try Self.model([shape])
    let model = try #require(try plain.detector())
    let head = try #require(model.description.outputs[0].head)
    expectEqual(head.kind, kind.rawValue)
    #expect(model.description.inputs[0].imageRules != nil && model.description.task == "objects")
    let file = try WeightFile(bytes: model.weightFile())
    let heads = try DetectorHeads(file.description, shapes: file.shapes)
    expectEqual(heads.labels, (0..<classCount).map { "\($0)" })
    // As a tensor, the output is what it was.
    let right = try run(plain, [[Float](repeating: 0, count: 3 * 64 * 64)])
    try expectEqual(run(model, [[Float](repeating: 0, count: 3 * 64 * 64)]), right)
    #expect(right[0][1] == 1 && model.outputs[0].shape == shape)
  }

  @Test func othersAreNot() throws {
    for shape in [[1, 7, 85], [1, 7, 8, 8], [1, 84, 4], [1, 1000]] {
      #expect(try Self.model([shape]).detector() == nil)
    }
    #expect(try Self.model([[1, 9, 6]]).detector() == nil)
    // An exporter's other tasks, and names of another number of classes.
    #expect(try Self.model([[1, 7, 84]], metadata: [("task", "pose")]).detector() == nil)
    #expect(try Self.model([[1, 7, 84], [1, 32, 8, 8]]).detector() == nil)
    #expect(
      try Self.model([[1, 7, 84]], metadata: [("task", "detect"), ("names", "{0: 'cat'}")])
        .detector() == nil)
  }

  @Test func metadataOfUltralyticsNamesTheClasses() throws {
    let model = try #require(
      try Self.model(
        [[1, 7, 84]],
        metadata: [("task", "detect"), ("names", #"{0: 'cat', 1: "d'og", 2: 'cow'}"#)]
      ).detector())
    expectEqual(model.description.outputs[0].head?.labels, ["cat", "d'og", "cow"])
    let results = try #require(
      try Self.model(
        [[1, 300, 6]], metadata: [("task", "detect"), ("names", "{0: 'cat', 1: 'dog'}")]
      ).detector())
    expectEqual(results.description.outputs[0].head?.kind, "detection rows")
  }

  @Test func familiesCanBeNamed() throws {
    let ssd = try #require(
      try Self.model([[1, 9, 4], [1, 9, 3]]).detector(
        DetectorOptions(kind: .ssd, labels: ["a", "b"], cropAndScale: .scaleFit)))
    expectEqual(
      ssd.description.outputs.map { $0.head?.kind }, ["listed boxes", "box scores"])
    expectEqual(ssd.description.inputs[0].imageRules?.cropAndScale, .scaleFit)
    let maps = try #require(
      try Self.model([[1, 66, 8, 8], [1, 66, 4, 4], [1, 66, 2, 2]]).detector(
        DetectorOptions(kind: .yolov8Maps)))
    #expect(maps.description.outputs.allSatisfy { $0.head?.kind == "distance grid" })
    let nano = try #require(
      try Self.model([[1, 85, 34]]).detector(
        DetectorOptions(kind: .nanodet, channelOrder: .rgb)))
    // Red comes first, with its own mean.
    let rules = try #require(nano.description.inputs[0].imageRules)
    #expect(rules.channelOrder == .rgb && abs(rules.biases.x + 123.675 / 58.395) < 1e-5)
  }

  @Test func whatDoesNotFitIsAnError() throws {
    #expect(throws: ModelImportError.self) {
      try Self.model([[1, 7, 84]]).detector(DetectorOptions(kind: .ssd))
    }
    #expect(throws: ModelImportError.self) {
      try Self.model([[1, 7, 84]]).detector(DetectorOptions(labels: ["a"]))
    }
    #expect(throws: ModelImportError.self) {
      try Self.model([[1, 9, 6]]).detector(DetectorOptions(kind: .results))
    }
    #expect(throws: ModelImportError.self) {
      try Self.model([[1, 50, 34]]).detector(DetectorOptions(kind: .nanodet))
    }
  }
}
