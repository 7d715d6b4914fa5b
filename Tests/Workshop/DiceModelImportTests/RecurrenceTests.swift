import DiceWeights
import TestSupport
import Testing

@testable import DiceModelImport

/// Recurrent operations, whose steps become layers.
struct RecurrenceTests {
  /// Operations with the numbers that ONNX Runtime 1.32 gives for them.
  static let cases: [ONNXCase] = Fixtures.decoded("golden/models/onnx-recurrences.json")

  @Test(arguments: cases)
  func anOperationGivesWhatONNXRuntimeGives(_ item: ONNXCase) throws {
    let model = try ModelImporter.importONNX(item.model)
    expectEqual(model.outputs[0].shape, item.shape)
    let found = try run(model, [item.input])[0]
    #expect(difference(found, item.right) < 5e-6, "\(found)")
  }

  // MARK: ONNX

  /// A network of one operation with `units` units of zeros, or of given weights.
  private static func memory(
    steps: Int, units: Int = 2, weights: [Int]? = nil, states: [Int]? = nil,
    attributes: [[UInt8]] = [], others: [String] = [], constants: [[UInt8]] = []
  ) -> [UInt8] {
    let weights = weights ?? [1, 4 * units, 1]
    let states = states ?? [1, 4 * units, units]
    func zeros(_ name: String, _ shape: [Int]) -> [UInt8] {
      ONNXFile.constant(name, shape, [Float](repeating: 0.25, count: shape.reduce(1, *)))
    }
    return ONNXFile.model(
      operatorSet: 14,
      nodes: [
        ONNXFile.node(
          "LSTM", ["x", "w", "r"] + others, ["y", "h", "c"], name: "memory", attributes: attributes)
      ], constants: [zeros("w", weights), zeros("r", states)] + constants,
      inputs: [("x", [steps, 1, 1])], outputs: ["y", "h", "c"])
  }

  @Test func allStepsShareTheirWeights() throws {
    let few = try ModelImporter.importONNX(Self.memory(steps: 3))
    let many = try ModelImporter.importONNX(Self.memory(steps: 40))
    expectEqual(few.tensors.count, many.tensors.count)
    expectEqual(few.tensors, many.tensors)
    // Fourteen layers for a step.
    expectEqual(many.report.layerCount - few.report.layerCount, 14 * 37)
    // The last hidden state is the last of the sequence.
    let found = try run(many, [[Float](repeating: 0.5, count: 40)])
    expectEqual(Array(found[0].suffix(2)), found[1])
    expectEqual(found[2].count, 2)
  }

  @Test func twoDirectionsShareTheirLayers() throws {
    let one = try ModelImporter.importONNX(Self.memory(steps: 30))
    let both = try ModelImporter.importONNX(
      Self.memory(
        steps: 30, weights: [2, 8, 1], states: [2, 8, 2],
        attributes: [ONNXFile.attribute("direction", "bidirectional")]))
    #expect(both.report.layerCount < one.report.layerCount + 45)
    expectEqual(both.outputs[0].shape, [30, 2, 1, 2])
  }

  @Test func tooManyStepsAreRefusedWithTheNumberThatFits() {
    do {
      _ = try ModelImporter.importONNX(Self.memory(steps: 300))
      Issue.record("300 steps are too many.")
    } catch ModelImportError.unsupported(let operations) {
      expectEqual(
        operations,
        [
          UnsupportedOperation(
            name: "LSTM", place: "memory", count: 1,
            reason: "its 300 steps of 14 layers make 4200 layers, and the format takes 4096: 292 "
              + "steps at most")
        ])
    } catch {
      Issue.record("\(error)")
    }
    #expect(throws: Never.self) { try ModelImporter.importONNX(Self.memory(steps: 290)) }
    // Not tried step by step.
    #expect(throws: ModelImportError.self) {
      try ModelImporter.importONNX(Self.memory(steps: 1 << 22))
    }
  }

  @Test func layersOfTheOthersCountToo() {
    let nodes = (0..<3).flatMap { (index) in
      [
        ONNXFile.node("RNN", ["x\(index)", "w", "w"], ["y\(index)"], name: "net\(index)"),
        ONNXFile.node("Squeeze", ["y\(index)", "one"], ["x\(index + 1)"]),
      ]
    }
    func model(_ steps: Int) -> [UInt8] {
      ONNXFile.model(
        nodes: nodes,
        constants: [ONNXFile.constant("w", [1, 1, 1], [0.5]), ONNXFile.constant("one", [1])],
        inputs: [("x0", [steps, 1, 1])], outputs: ["x3"])
    }
    #expect(throws: Never.self) { try ModelImporter.importONNX(model(400)) }
    do {
      _ = try ModelImporter.importONNX(model(500))
      Issue.record("1500 steps are too many.")
    } catch ModelImportError.unsupported(let operations) {
      expectEqual(
        operations.first,
        UnsupportedOperation(
          name: "RNN", place: "net2", count: 1,
          reason: "its 500 steps of 3 layers make 1500 layers and 3000 of the recurrences before "
            + "it, and the format takes 4096: 365 steps at most"))
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func weightsOfOtherShapesAreRefused() {
    for (weights, states) in [
      ([1, 7, 1], [1, 8, 2]), ([2, 8, 1], [1, 8, 2]), ([1, 8, 1], [1, 8, 3]), ([8, 1], [1, 8, 2]),
      ([1, 8, 2], [1, 8, 2]), ([1, 8, 1], [8, 2]), ([1, 0, 1], [1, 0, 0]),
    ] {
      #expect(throws: ModelImportError.self, "\(weights), \(states)") {
        try ModelImporter.importONNX(Self.memory(steps: 2, weights: weights, states: states))
      }
    }
    for attributes in [
      [ONNXFile.attribute("hidden_size", 3)], [ONNXFile.attribute("direction", "sideways")],
      [ONNXFile.attribute("clip", Float.nan)], [ONNXFile.attribute("clip", Float(-1))],
      [ONNXFile.attribute("layout", 1), ONNXFile.attribute("direction", "bidirectional")],
    ] {
      #expect(throws: ModelImportError.self) {
        try ModelImporter.importONNX(Self.memory(steps: 2, attributes: attributes))
      }
    }
    // Biases, lengths, states and peepholes.
    for (place, shape) in [(0, [1, 8]), (2, [1, 1, 3]), (3, [2, 2]), (4, [1, 2])] {
      var others = [String](repeating: "", count: place) + ["other"]
      if place == 4 { others = ["", "", "", "", "other"] }
      #expect(throws: ModelImportError.self) {
        try ModelImporter.importONNX(
          Self.memory(
            steps: 2, others: others,
            constants: [
              ONNXFile.constant(
                "other", shape, [Float](repeating: 1, count: shape.reduce(1, *)))
            ]))
      }
    }
  }

  @Test func quantizedWeightsAreWhatTheyStandFor() throws {
    // Units 0 and 1 of each gate have scales of their own; 2 stands for 0.
    let codes = (0..<8).map { $0 * 5 - 20 }
    let scales = (0..<8).map { Float($0 + 1) / 64 }
    func floats(_ place: Int) -> Float { Float(codes[place % 8] - 2) * scales[place % 8] }
    func model(_ nodes: [[UInt8]], _ constants: [[UInt8]]) -> [UInt8] {
      ONNXFile.model(
        nodes: nodes, constants: constants, inputs: [("x", [3, 1, 1])], outputs: ["y"])
    }
    let quantized = model(
      [
        ONNXFile.node(
          "DynamicQuantizeLSTM", ["x", "w", "r", "", "", "", "", "", "s", "z", "s", "z"], ["y"],
          domain: "com.microsoft")
      ],
      [
        ONNXFile.constant("w", type: 3, [1, 1, 8], codes),
        ONNXFile.constant("r", type: 3, [1, 2, 8], codes + codes),
        ONNXFile.constant("s", [1, 8], scales), ONNXFile.constant("z", type: 3, [1], [2]),
      ])
    let plain = model(
      [ONNXFile.node("LSTM", ["x", "w", "r"], ["y"])],
      [
        ONNXFile.constant("w", [1, 8, 1], (0..<8).map(floats)),
        ONNXFile.constant("r", [1, 8, 2], (0..<16).map { floats($0 / 2) }),
      ])
    let input: [Float] = [0.5, -1, 2]
    try expectEqual(
      run(ModelImporter.importONNX(quantized), [input]),
      run(ModelImporter.importONNX(plain), [input]))
  }

  @Test func aPartOfASequenceIsRefused() {
    for (length, isRefused) in [(2, true), (3, false)] {
      let bytes = Self.memory(
        steps: 3, others: ["", "n"], constants: [ONNXFile.constant("n", type: 6, [1], [length])])
      if isRefused {
        #expect(throws: ModelImportError.self) { try ModelImporter.importONNX(bytes) }
      } else {
        #expect(throws: Never.self) { try ModelImporter.importONNX(bytes) }
      }
    }
  }

  @Test func whatTheBranchesOfAnUnknownConditionHoldIsTold() {
    let branch = [
      ONNXFile.node("Abs", ["x"], ["b"]), ONNXFile.node("RoiAlign", ["b"], ["a"], name: "inner"),
    ]
    let bytes = ONNXFile.model(
      nodes: [
        ONNXFile.node("ReduceMax", ["x"], ["m"]),
        ONNXFile.node(
          "If", ["m"], ["y"], name: "choice",
          attributes: [
            ONNXFile.attribute("then_branch", graph: branch, outputs: ["a"]),
            ONNXFile.attribute("else_branch", graph: branch, outputs: ["a"]),
          ]),
      ], inputs: [("x", [2])], outputs: ["y"])
    do {
      _ = try ModelImporter.importONNX(bytes)
      Issue.record("The condition is not known.")
    } catch ModelImportError.unsupported(let operations) {
      expectEqual(operations.map { $0.name }, ["If", "RoiAlign"])
      expectEqual(operations.last?.place, "inner in a branch")
      expectEqual(operations.last?.count, 2)
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func longWindowsOfSpectrogramsAreRowsSideBySide() throws {
    // 100 ones, every 70th position, of 1, 2, 3 ...; the padding adds zeros.
    let model = try ModelImporter.importONNX(
      ONNXFile.model(
        nodes: [
          ONNXFile.node(
            "Conv", ["x", "w"], ["y"],
            attributes: [
              ONNXFile.attribute("kernel_shape", [100]), ONNXFile.attribute("strides", [70]),
              ONNXFile.attribute("pads", [10, 5]),
            ])
        ], constants: [ONNXFile.constant("w", [1, 1, 100], [Float](repeating: 1, count: 100))],
        inputs: [("x", [1, 1, 300])], outputs: ["y"]))
    expectEqual(model.outputs[0].shape, [1, 1, 4])
    let found = try run(model, [(1...300).map { Float($0) }])[0]
    func sum(_ range: ClosedRange<Int>) -> Float { Float(range.reduce(0, +)) }
    expectEqual(found, [sum(1...90), sum(61...160), sum(131...230), sum(201...300)])
  }

  // MARK: Core ML

  private static func weights(_ field: UInt64, _ numbers: [Float]) -> [UInt8] {
    Message.bytes(field, CoreMLFile.floats(numbers))
  }

  @Test func argumentsOfCoreMLAreLimited() throws {
    // relu(x + 2 y + 1), where no argument is above 50.
    let model = try ModelImporter.importCoreML(
      CoreMLFile.chain(
        [5, 1, 1, 1, 1],
        [
          (
            400,
            Message.integer(1, 1) + Message.integer(2, 1)
              + Message.bytes(10, Message.bytes(10, [])) + Message.integer(15, 1)
              + Message.integer(20, 1) + Self.weights(30, [1]) + Self.weights(31, [2])
              + Self.weights(32, [1])
          )
        ]))
    try expectEqual(run(model, [[1, 2, -9, 60, -200]])[0], [2, 7, 6, 50, 0])
  }

  /// A long short-term memory whose functions are linear: `i = x`, `f = 2`, `z = 3 x`, `o = 5`.
  private static var linearWeights: [UInt8] {
    let zeros = (20..<24).flatMap { weights($0, [0]) }
    return weights(1, [1]) + weights(2, [0]) + weights(3, [3]) + weights(4, [0]) + zeros
      + weights(40, [0]) + weights(41, [2]) + weights(42, [0]) + weights(43, [5])
  }

  private static func linear(_ field: UInt64) -> [UInt8] {
    (0..<3).flatMap { _ in Message.bytes(field, Message.bytes(5, [])) }
  }

  @Test(arguments: [(false, [15, 90]), (true, [135, 60])] as [(Bool, [Float])])
  func aMemoryOfCoreMLHasItsGates(isReversed: Bool, right: [Float]) throws {
    let layer = CoreMLFile.layer(
      420, ["x", "h0", "c0"], ["y", "h", "c"],
      Message.integer(1, 1) + Message.integer(2, 1) + Self.linear(10)
        + Message.bytes(
          15, Message.integer(10, 1) + Message.integer(20, 1) + Message.float(60, 500))
        + Message.bytes(20, Self.linearWeights) + Message.integer(100, isReversed ? 1 : 0))
    let model = try ModelImporter.importCoreML(
      CoreMLFile.model(
        inputs: [
          CoreMLFile.array("x", [2, 1, 1, 1, 1]), CoreMLFile.array("h0", [1]),
          CoreMLFile.array("c0", [1]),
        ], outputs: ["y", "h", "c"].map { CoreMLFile.array($0, []) },
        content: CoreMLFile.network([layer])))
    let found = try run(model, [[1, 2], [7], [0]])
    expectEqual(found[0], right)
    expectEqual(found[1], [isReversed ? right[0] : right[1]])
    expectEqual(found[2], [found[1][0] / 5])
    // A cell state before the first step is doubled in each.
    try expectEqual(run(model, [[1, 2], [7], [1]])[2], [found[2][0] + 4])
  }

  @Test func bothDirectionsOfCoreMLStandSideBySide() throws {
    let model = try ModelImporter.importCoreML(
      CoreMLFile.chain(
        [2, 1, 1, 1, 1],
        [
          (
            430,
            Message.integer(1, 1) + Message.integer(2, 1) + Self.linear(10) + Self.linear(11)
              + Message.bytes(
                15, Message.integer(10, 1) + Message.integer(20, 1) + Message.float(60, 500))
              + Message.bytes(20, Self.linearWeights) + Message.bytes(20, Self.linearWeights)
          )
        ]))
    try expectEqual(run(model, [[1, 2]])[0], [15, 135, 90, 60])
  }

  @Test func damagedLayersOfCoreMLAreRefused() {
    let sizes = [(1, 2), (2, 1), (0, 1), (1, Int.max), (Int.max, Int.max), (-1, 1)]
    for (inputs, units) in sizes {
      for field: UInt64 in [400, 410, 420, 430] {
        let parameters =
          Message.integer(1, inputs) + Message.integer(2, units) + Self.linear(10)
          + Message.bytes(15, Message.integer(10, 1)) + Message.bytes(20, Self.linearWeights)
          + Self.weights(30, [1]) + Self.weights(31, [2]) + Self.weights(32, [1])
        #expect(throws: ModelImportError.self, "\(inputs), \(units), \(field)") {
          try ModelImporter.importCoreML(CoreMLFile.chain([2, 1, 1, 1, 1], [(field, parameters)]))
        }
      }
    }
  }
}
