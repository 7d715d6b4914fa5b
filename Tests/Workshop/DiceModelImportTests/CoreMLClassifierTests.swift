import DiceModelImport
import DiceWeights
import Testing

/// Core ML models as Create ML writes classifiers of actions, activities and sounds.
struct CoreMLClassifierTests {
  /// A model with one array in exact shapes, and its layers: fields, operands, parameters.
  private static func exact(
    _ shape: [Int], _ layers: [(UInt64, [String], String, [UInt8])]
  ) -> [UInt8] {
    CoreMLFile.model(
      version: 4, inputs: [CoreMLFile.array("x", shape)],
      outputs: [CoreMLFile.array(layers[layers.count - 1].2, [])],
      content: CoreMLFile.network(
        layers.map { CoreMLFile.layer($0.0, $0.1, [$0.2], $0.3) }, Message.integer(5, 1)))
  }

  private static func constant(_ shape: [Int], _ numbers: [Float]) -> [UInt8] {
    shape.flatMap { Message.integer(1, $0) } + Message.bytes(2, CoreMLFile.floats(numbers))
  }

  private static func imported(_ bytes: [UInt8]) throws -> ImportedModel {
    try ModelImporter.importCoreML(bytes)
  }

  // MARK: Shapes

  /// The end of a classifier of actions: the first extent of a shape, and -1 for the others.
  @Test func aMatrixAndAVectorAreJoinedWithAxesInFront() throws {
    let bytes = Self.exact(
      [1, 3, 1, 1],
      [
        (1070, [], "place", Self.constant([1], [0])),
        (1065, ["x"], "shape", []),
        (930, ["shape", "place"], "count", []),
        (1125, ["count"], "counts", Message.integer(1, 0)),
        (1070, [], "rest", Self.constant([1], [-1])),
        (980, ["counts", "rest"], "target", []),
        (1145, ["x", "target"], "flat", []),
        (175, ["flat"], "y", []),
      ])
    let model = try Self.imported(bytes)
    #expect(model.outputs[0].shape == [1, 3])
    // exp(0), exp(1) and exp(2) over their sum.
    let found = try run(model, [[0, 1, 2]])[0]
    #expect(difference(found, [0.090030573, 0.244728471, 0.665240956]) < 1e-6)
  }

  @Test func computedTensorsOfOtherRanksAreJoinedToo() throws {
    // [2, 3] with [3] below, which is [1, 3].
    let below = Self.exact(
      [2, 3],
      [
        (1070, [], "c", Self.constant([3], [7, 8, 9])),
        (980, ["x", "c"], "y", []),
      ])
    let model = try Self.imported(below)
    #expect(model.outputs[0].shape == [3, 3])
    #expect(try run(model, [[1, 2, 3, 4, 5, 6]])[0] == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    // The axis counts in the tensor with the most axes, wherever that stands.
    let behind = Self.exact(
      [1, 2],
      [
        (1070, [], "c", Self.constant([3], [7, 8, 9])),
        (980, ["c", "x"], "y", Message.integer(1, 1)),
      ])
    #expect(try run(Self.imported(behind), [[1, 2]])[0] == [7, 8, 9, 1, 2])
  }

  @Test func joinsThatDoNotFitAreRefused() throws {
    for (shape, axis, isInterleaved, rule) in [
      // [1, 2] beside [3, 2] along the last axis.
      ([3, 2], 1, 0, "Tensors of different shapes are concatenated."),
      // An axis that no tensor has.
      ([3, 2], 2, 0, "Axis 2 is none of a tensor with 2."),
      ([3, 2], -3, 0, "Axis -3 is none of a tensor with 2."),
      // Interleaved tensors have one shape.
      ([3, 2], 0, 1, "Tensors of different shapes are stacked."),
      ([3, 2], 1, 1, "Axis 1 is none of a tensor with 1."),
    ] {
      let parameters = Message.integer(1, axis) + Message.integer(2, isInterleaved)
      let bytes = Self.exact(
        shape,
        [
          (1070, [], "c", Self.constant([2], [7, 8])),
          (980, ["c", "x"], "y", parameters),
        ])
      #expect(throws: ModelImportError.invalid(place: "y", rule: rule)) {
        try Self.imported(bytes)
      }
    }
    let none = Self.exact([2], [(980, [], "y", [])])
    #expect(throws: ModelImportError.self) { try Self.imported(none) }
  }

  @Test func channelsAreTheLastAxisOfVectorsAndMatrices() throws {
    let halves: [Float] = [0.5, 0.5]
    // exp(0) and exp(ln 3) over their sum.
    let quarters: [Float] = [0.25, 0.75]
    let third: Float = 1.0986123
    for (shape, numbers, right) in [
      ([2], [0, third], quarters), ([2, 2], [1, 1, 0, third], halves + quarters),
      // Behind, the third axis from the end.
      ([2, 1, 2], [1, 0, 1, third], [0.5, 0.25, 0.5, 0.75]),
    ] {
      let model = try Self.imported(Self.exact(shape, [(175, ["x"], "y", [])]))
      #expect(model.outputs[0].shape == shape)
      #expect(difference(try run(model, [numbers])[0], right) < 1e-6, "\(shape)")
    }
  }
}
