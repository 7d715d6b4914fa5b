import DiceWeights
import TestSupport
import Testing

@testable import DiceModelImport

struct ONNXOperationTests {
  @Test(arguments: ONNXCase.all)
  func anOperationGivesWhatONNXRuntimeGives(_ item: ONNXCase) throws {
    let model = try ModelImporter.importONNX(item.model)
    expectEqual(model.outputs[0].shape, item.shape)
    let found = try run(model, [item.input])[0]
    #expect(difference(found, item.right) < 5e-6, "\(found)")
  }

  @Test func resultsThatAreNotCarriedOverAreRefusedWhereTheyAreUsed() throws {
    func model(_ outputs: [String]) -> [UInt8] {
      ONNXFile.model(
        nodes: [
          ONNXFile.node(
            "BatchNormalization", ["x", "c", "c", "c", "c"], ["y", "mean"], name: "norm")
        ], constants: [ONNXFile.constant("c", [2], [1, 1])], inputs: [("x", [1, 2, 3])],
        outputs: outputs)
    }
    #expect(throws: Never.self) { try ModelImporter.importONNX(model(["y"])) }
    #expect(
      throws: ModelImportError.unsupported([
        UnsupportedOperation(
          name: "BatchNormalization", place: "norm", count: 1, reason: "its result mean is used")
      ])
    ) { try ModelImporter.importONNX(model(["y", "mean"])) }
  }

  @Test func aNormalisationOfLayersGivesMeanAndDeviation() throws {
    let model = try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: [
          ONNXFile.node(
            "LayerNormalization", ["x", "s"], ["y", "mean", "inverse"],
            attributes: [ONNXFile.attribute("epsilon", Float(1e-5))])
        ], constants: [ONNXFile.constant("s", [2], [1, 2])], inputs: [("x", [2, 2])],
        outputs: ["y", "mean", "inverse"]))
    let found = try run(model, [[1, 3, -2, 2]])
    #expect(difference(found[0], [-1, 2, -1, 2]) < 1e-5)
    expectEqual(found[1], [2, 0])
    #expect(difference(found[2], [1, 0.5]) < 1e-5)
  }

  @Test func aMaskOfInfiniteNumbersIsOne() throws {
    let bytes = ONNXFile.model(
      nodes: [ONNXFile.node("Add", ["x", "mask"], ["z"]), ONNXFile.node("Softmax", ["z"], ["y"])],
      constants: [ONNXFile.constant("mask", [3], [0, -.infinity, 0])], inputs: [("x", [2, 3])],
      outputs: ["y"])
    let found = try run(ModelImporter.importONNX(bytes), [[2, 1, 2, -5, 900, -5]])[0]
    #expect(difference(found, [0.5, 0, 0.5, 0.5, 0, 0.5]) < 1e-6)
  }

  @Test func trainingIsRefused() {
    let bytes = ONNXFile.model(
      nodes: [ONNXFile.node("Dropout", ["x", "r", "t"], ["y"])],
      constants: [
        ONNXFile.constant("r", [], [0.5]), ONNXFile.constant("t", type: 9, [], [1]),
      ], inputs: [("x", [4])], outputs: ["y"])
    #expect(throws: ModelImportError.self) { try ModelImporter.importONNX(bytes) }
  }

  @Test(arguments: [(4, [3, -3, 0, 49, -48]), (49, [0, 0, 0, 4, -3])] as [(Int, [Float])])
  func integersAreDividedAsSuch(divisor: Int, right: [Float]) throws {
    let model = try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: [
          ONNXFile.node("Cast", ["x"], ["i"], attributes: [ONNXFile.attribute("to", 7)]),
          ONNXFile.node("Div", ["i", "d"], ["y"]),
        ], constants: [ONNXFile.constant("d", type: 7, [], [divisor])], inputs: [("x", [5])],
        outputs: ["y"]))
    // Cut off: 12, -12, 0, 196 and -195.
    try expectEqual(run(model, [[12.9, -12.9, -0.5, 196, -195]])[0], right)
  }

  @Test(arguments: [1, 0])
  func theBranchOfAKnownConditionIsTaken(condition: Int) throws {
    let bytes = ONNXFile.model(
      nodes: [
        ONNXFile.node("Neg", ["x"], ["n"]),
        ONNXFile.node(
          "If", ["c"], ["y"],
          attributes: [
            ONNXFile.attribute(
              "then_branch", graph: [ONNXFile.node("Add", ["n", "two"], ["a"])],
              constants: [ONNXFile.constant("two", [], [2])], outputs: ["a"]),
            ONNXFile.attribute(
              "else_branch", graph: [ONNXFile.node("Abs", ["n"], ["b"])], outputs: ["b"]),
          ]),
      ], constants: [ONNXFile.constant("c", type: 9, [], [condition])], inputs: [("x", [2])],
      outputs: ["y"])
    let found = try run(try ModelImporter.importONNX(bytes), [[1, -3]])[0]
    expectEqual(found, (condition == 1 ? [1, 5] : [1, 3]))
  }

  @Test func weightsMayStandInOtherFiles() throws {
    func model(offset: Int, length: Int = 8) -> [UInt8] {
      ONNXFile.model(
        nodes: [ONNXFile.node("Add", ["x", "w"], ["y"])],
        constants: [
          ONNXFile.constant("w", [2], in: "weights.data", offset: offset, length: length)
        ], inputs: [("x", [2])], outputs: ["y"])
    }
    let file = [Float(5), 1, 2].flatMap(Message.little)
    var options = ImportOptions()
    #expect(throws: ModelImportError.externalData(tensor: "w", file: "weights.data")) {
      try ModelImporter.importONNX(model(offset: 4))
    }
    options.externalFiles["weights.data"] = file
    let imported = try ModelImporter.importONNX(model(offset: 4), options: options)
    try expectEqual(run(imported, [[10, 20]])[0], [11, 22])
    for (offset, length) in [(8, 8), (-4, 8), (Int.max, 8), (4, Int.max), (4, 4), (4, -8)] {
      #expect(throws: ModelImportError.self) {
        try ModelImporter.importONNX(model(offset: offset, length: length), options: options)
      }
    }
  }

  @Test func theGreatestNumbersComeInOrder() throws {
    let bytes = ONNXFile.model(
      nodes: [ONNXFile.node("TopK", ["x", "k"], ["v", "i"])],
      constants: [ONNXFile.constant("k", [3])], inputs: [("x", [2, 4])], outputs: ["v", "i"])
    let found = try run(
      try ModelImporter.importONNX(bytes), [[1, 4, 4, -2, -5, -1, -3, -7]])
    expectEqual(found[0], [4, 4, 1, -1, -3, -5])
    expectEqual(found[1], [1, 2, 0, 1, 2, 0])
  }

  @Test(arguments: [0, 1], [1, 0])
  func theBestOfManyComeInOrder(axis: Int, largest: Int) throws {
    // 60 and 70 numbers, of which many are equal.
    let numbers = (0..<4200).map { (index: Int) -> Float in Float(index * 37 % 101 - 50) }
    let count = 40
    let bytes = ONNXFile.model(
      nodes: [
        ONNXFile.node(
          "TopK", ["x", "k"], ["v", "i"],
          attributes: [
            ONNXFile.attribute("axis", axis), ONNXFile.attribute("largest", largest),
          ])
      ],
      constants: [ONNXFile.constant("k", [count])], inputs: [("x", [60, 70])],
      outputs: ["v", "i"])
    let found = try run(try ModelImporter.importONNX(bytes), [numbers])
    let (lines, extent) = axis == 0 ? (70, 60) : (60, 70)
    func place(_ line: Int, _ index: Int, _ width: Int) -> Int {
      axis == 0 ? index * width + line : line * width + index
    }
    expectEqual(found[0].count, lines * count)
    for line in 0..<lines {
      let order = (0..<extent).sorted { (first, second) in
        let (a, b) = (numbers[place(line, first, 70)], numbers[place(line, second, 70)])
        return a == b ? first < second : (a > b) == (largest == 1)
      }
      for rank in 0..<count {
        let index = place(line, rank, axis == 0 ? 70 : count)
        expectEqual(found[1][index], Float(order[rank]))
        expectEqual(found[0][index], numbers[place(line, order[rank], 70)])
      }
    }
  }

  @Test func computedIndicesNamePositions() throws {
    // Places of a table `[2, 3, 4]`, some counted from behind.
    let table = (0..<24).map { Float($0) }
    let indices: [Float] = [2, -1, 0, -3, 1, 1]
    let cast = ONNXFile.node(
      "Cast", ["i"], ["n"], attributes: [ONNXFile.attribute("to", 7)])
    func found(
      _ operation: String, _ shape: [Int], _ indices: [Float], _ attributes: [[UInt8]]
    ) throws -> ([Int], [Float]) {
      let model = try ModelImporter.importONNX(
        ONNXFile.model(
          nodes: [cast, ONNXFile.node(operation, ["x", "n"], ["y"], attributes: attributes)],
          inputs: [("x", [2, 3, 4]), ("i", shape)], outputs: ["y"]))
      return (model.outputs[0].shape, try run(model, [table, indices])[0])
    }
    func at(_ i: Int, _ j: Int, _ k: Int) -> Float { Float((i * 3 + j) * 4 + k) }
    func positive(_ index: Float, _ extent: Int) -> Int {
      index < 0 ? Int(index) + extent : Int(index)
    }

    let (rowsShape, rows) = try found(
      "Gather", [3, 2], indices, [ONNXFile.attribute("axis", 1)])
    expectEqual(rowsShape, [2, 3, 2, 4])
    var right: [Float] = []
    for i in 0..<2 {
      for index in indices {
        for k in 0..<4 { right.append(at(i, positive(index, 3), k)) }
      }
    }
    expectEqual(rows, right)

    // All of -3 to 2.
    let own: [Float] = [-3, 2, 0, -2, 1, -1, 2, 2, 0, 0, -3, 1, -1, -2, 1, 0]
    let (alongShape, along) = try found(
      "GatherElements", [2, 2, 4], own, [ONNXFile.attribute("axis", 1)])
    expectEqual(alongShape, [2, 2, 4])
    right = []
    for place in 0..<16 { right.append(at(place / 8, positive(own[place], 3), place % 4)) }
    expectEqual(along, right)

    let (pointsShape, points) = try found("GatherND", [3, 2], [1, 2, 0, -2, -1, 0], [])
    expectEqual(pointsShape, [3, 4])
    right = []
    for (i, j) in [(1, 2), (0, 1), (1, 0)] {
      for k in 0..<4 { right.append(at(i, j, k)) }
    }
    expectEqual(points, right)
  }

  @Test func quotientsByKnownNumbersAreRoundedOnce() throws {
    let model = try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: [ONNXFile.node("Mod", ["x", "d"], ["y"])],
        constants: [ONNXFile.constant("d", [], [49])], inputs: [("x", [3])], outputs: ["y"]))
    try expectEqual(run(model, [[49, 98, -50]])[0], [0, 0, 48])
  }

  @Test func eachPictureOfABatchIsConvolved() throws {
    let model = try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: [ONNXFile.node("Conv", ["x", "w"], ["y"])],
        constants: [ONNXFile.constant("w", [1, 1, 1, 2], [1, 2])], inputs: [("x", [2, 1, 1, 3])],
        outputs: ["y"]))
    expectEqual(model.outputs[0].shape, [2, 1, 1, 2])
    try expectEqual(run(model, [[1, 2, 3, 4, 5, 6]])[0], [5, 8, 14, 17])
  }

  @Test func aKernelMayFollowFromOtherNumbers() throws {
    let model = try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: [
          ONNXFile.node("ReduceMean", ["w"], ["m"]), ONNXFile.node("Sub", ["w", "m"], ["k"]),
          ONNXFile.node("Conv", ["x", "k"], ["y"]),
        ], constants: [ONNXFile.constant("w", [1, 1, 1, 2], [1, 3])],
        inputs: [("x", [1, 1, 1, 3])], outputs: ["y"]))
    try expectEqual(run(model, [[1, 4, 9]])[0], [3, 5])
  }

  @Test(arguments: [9, 11, 16])
  func numbersAreRearrangedAlongManyAxes(rank: Int) throws {
    let count = 1 << rank
    let model = try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: [
          ONNXFile.node("Reshape", ["x", "s"], ["a"]), ONNXFile.node("Transpose", ["a"], ["b"]),
          ONNXFile.node("Reshape", ["b", "t"], ["y"]),
        ],
        constants: [
          ONNXFile.constant("s", [Int](repeating: 2, count: rank)),
          ONNXFile.constant("t", [count]),
        ], inputs: [("x", [count])], outputs: ["y"]))
    let reversed = (0..<count).map { (index) in
      Float((0..<rank).reduce(0) { $0 << 1 | (index >> $1) & 1 })
    }
    try expectEqual(run(model, [(0..<count).map { Float($0) }])[0], reversed)
  }
}
