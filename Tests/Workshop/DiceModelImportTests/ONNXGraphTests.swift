import DiceModelImport
import TestSupport
import Testing

/// Operations of ONNX that run graphs of their own, and sequences of tensors.
struct ONNXGraphTests {
  private static func results(
    _ nodes: [[UInt8]], constants: [[UInt8]] = [], outputs: [String] = ["y"],
    shape: [Int] = [2], _ numbers: [Float] = [1, -2]
  ) throws -> [[Float]] {
    try run(imported(nodes, constants: constants, outputs: outputs, shape: shape), [numbers])
  }

  private static func imported(
    _ nodes: [[UInt8]], constants: [[UInt8]] = [], outputs: [String] = ["y"], shape: [Int] = [2]
  ) throws -> ImportedModel {
    try ModelImporter.importONNX(
      ONNXFile.model(nodes: nodes, constants: constants, inputs: [("x", shape)], outputs: outputs))
  }

  private static func reason(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return ""
  }

  // MARK: Choices

  /// `y = sum(x) > 0 ? x + x : -x`, or with another second branch.
  private static func choice(_ second: [[UInt8]], result: String = "b") -> [[UInt8]] {
    [
      ONNXFile.node("ReduceSum", ["x"], ["s"], attributes: [ONNXFile.attribute("keepdims", 0)]),
      ONNXFile.node("Greater", ["s", "zero"], ["holds"]),
      ONNXFile.node(
        "If", ["holds"], ["y"], name: "choice",
        attributes: [
          ONNXFile.attribute(
            "then_branch", graph: [ONNXFile.node("Add", ["x", "x"], ["a"])], outputs: ["a"]),
          ONNXFile.attribute("else_branch", graph: second, outputs: [result]),
        ]),
    ]
  }

  private static let zero = ONNXFile.constant("zero", [], [0])

  @Test func bothBranchesOfAConditionOfTheInputAreComputed() throws {
    let model = try Self.imported(
      Self.choice([ONNXFile.node("Neg", ["x"], ["b"])]), constants: [Self.zero])
    try expectEqual(run(model, [[1, -2]]), [[-1, 2]])
    try expectEqual(run(model, [[3, -2]]), [[6, -4]])
    expectEqual(
      model.report.notes,
      [
        "Both branches of choice are computed, and its condition chooses; a fixed value of x decides it."
      ])
  }

  @Test func aBranchMayGiveATensorOfTheGraphAroundIt() throws {
    let model = try Self.imported(Self.choice([], result: "x"), constants: [Self.zero])
    try expectEqual(run(model, [[1, -2]]), [[1, -2]])
    try expectEqual(run(model, [[3, -2]]), [[6, -4]])
  }

  @Test func branchesOfDifferentShapesAreRefused() {
    let reason = Self.reason {
      _ = try Self.imported(
        Self.choice([ONNXFile.node("Unsqueeze", ["x", "axes"], ["b"])]),
        constants: [Self.zero, ONNXFile.constant("axes", [0])])
    }
    #expect(reason.contains("results of the shapes [2] and [1, 2]"))
    #expect(reason.contains("a fixed value of x decides it"))
  }

  @Test func aBranchThatDoesNotFitTheInputIsRefusedWithTheRule() {
    let reason = Self.reason {
      _ = try Self.imported(
        Self.choice([ONNXFile.node("MatMul", ["x", "w"], ["b"])]),
        constants: [Self.zero, ONNXFile.constant("w", [3, 1], [1, 2, 3])])
    }
    #expect(reason.contains("one of them does not fit it"))
    #expect(reason.contains("a fixed value of x decides it"))
  }

  // MARK: Attention

  @Test(arguments: [true, false])
  func queriesWithoutAKeyGiveNothing(isMaskKnown: Bool) throws {
    let names = isMaskKnown ? "mask" : "wanted"
    let found = try Self.results(
      [
        ONNXFile.node(
          "ReduceMax", ["x"], ["greatest"], attributes: [ONNXFile.attribute("keepdims", 0)]),
        // Of a truth value that the network computes; it always holds.
        ONNXFile.node("Less", ["greatest", "much"], ["holds"]),
        ONNXFile.node("And", ["mask", "holds"], ["wanted"]),
        ONNXFile.node("Attention", ["x", "x", "x", names], ["y"]),
      ],
      constants: [
        ONNXFile.constant("much", [], [100]),
        ONNXFile.constant("mask", type: 9, [2, 2], [0, 0, 1, 0]),
      ], shape: [1, 1, 2, 2], [1, 2, 3, 4])
    expectEqual(found, [[0, 0, 1, 2]])
  }

  @Test func attentionGivesKeysValuesAndScores() throws {
    let found = try Self.results(
      [
        ONNXFile.node(
          "Attention", ["x", "x", "x", "", "past", "past"], ["", "keys", "values", "scores"],
          attributes: [
            ONNXFile.attribute("scale", Float(1)),
            ONNXFile.attribute("qk_matmul_output_mode", 3), ONNXFile.attribute("is_causal", 1),
            ONNXFile.attribute("left_window_size", 0),
          ])
      ], constants: [ONNXFile.constant("past", [1, 1, 1, 2], [7, 8])],
      outputs: ["keys", "values", "scores"], shape: [1, 1, 2, 2], [1, 2, 3, 4])
    // Each query sees the key at its own position.
    #expect(found[0] == [7, 8, 1, 2, 3, 4] && found[1] == found[0])
    #expect(difference(found[2], [0, 1, 0, 0, 0, 1]) < 1e-6)
  }

  // MARK: Loops

  private static func loop(
    count: String = "count", holds: String = "", states: [String] = ["x"], results: [String],
    _ nodes: [[UInt8]], inputs: [String], outputs: [String]
  ) -> [UInt8] {
    ONNXFile.node(
      "Loop", [count, holds] + states, results, name: "loop",
      attributes: [
        ONNXFile.attribute(
          "body", graph: nodes, inputs: ["step", "goes"] + inputs, outputs: outputs)
      ])
  }

  /// `state = 2 state + step`, and the sum of the state's numbers, in each repetition.
  private static let body = [
    ONNXFile.node("Identity", ["goes"], ["same"]),
    ONNXFile.node("Cast", ["step"], ["number"], attributes: [ONNXFile.attribute("to", 1)]),
    ONNXFile.node("Add", ["state", "state"], ["double"]),
    ONNXFile.node("Add", ["double", "number"], ["next"]),
    ONNXFile.node("ReduceSum", ["next"], ["sum"], attributes: [ONNXFile.attribute("keepdims", 0)]),
  ]

  @Test func aLoopIsRepeated() throws {
    let found = try Self.results(
      [
        Self.loop(
          results: ["y", "sums"], Self.body, inputs: ["state"], outputs: ["same", "next", "sum"])
      ], constants: [ONNXFile.constant("count", [3])], outputs: ["y", "sums"])
    // 1, -2; 2, -4; 5, -7; 12, -12.
    expectEqual(found, [[12, -12], [-2, -2, 0]])
  }

  @Test func aLoopEndsWithItsCondition() throws {
    let body = Self.body + [ONNXFile.node("Less", ["step", "last"], ["again"])]
    let found = try Self.results(
      [
        Self.loop(
          count: "", holds: "yes", results: ["y"], body, inputs: ["state"],
          outputs: ["again", "next"])
      ],
      constants: [
        ONNXFile.constant("last", type: 7, [], [1]), ONNXFile.constant("yes", type: 9, [], [1]),
      ])
    expectEqual(found, [[5, -7]])
  }

  @Test func aLoopThatRepeatsNothingGivesItsStates() throws {
    let found = try Self.results(
      [
        Self.loop(results: ["z"], Self.body, inputs: ["state"], outputs: ["same", "next"]),
        ONNXFile.node("Neg", ["z"], ["y"]),
      ], constants: [ONNXFile.constant("count", [0])])
    expectEqual(found, [[-1, 2]])
  }

  @Test(arguments: [
    (count: "x", holds: "", "how often it repeats its graph depends on the network's input"),
    (count: "many", holds: "", "its graph is repeated more than 4096 times"),
    (count: "", holds: "", "its graph is repeated more than 4096 times"),
  ])
  func loopsAreBounded(count: String, holds: String, expected: String) {
    let constants = [ONNXFile.constant("many", [1 << 40])]
    let body = [ONNXFile.node("Identity", ["goes"], ["same"])]
    let reason = Self.reason {
      _ = try Self.imported(
        [
          Self.loop(
            count: count, holds: holds, results: ["y"], body, inputs: ["state"],
            outputs: ["same", "state"])
        ], constants: constants, shape: [1])
    }
    #expect(reason.contains(expected), "\(reason)")
  }

  @Test func loopsWithinLoopsAreBounded() {
    var nodes = [ONNXFile.node("Neg", ["x"], ["z"])]
    for level in 0..<6 {
      nodes = [
        ONNXFile.node("Identity", ["goes"], ["same\(level)"]),
        ONNXFile.node(
          "Loop", ["count", ""], ["out\(level)"],
          attributes: [
            ONNXFile.attribute(
              "body", graph: nodes + [ONNXFile.node("Identity", ["goes"], ["on\(level)"])],
              inputs: ["step", "goes"],
              outputs: ["on\(level)", level == 0 ? "z" : "out\(level - 1)"])
          ]),
      ]
    }
    let reason = Self.reason {
      _ = try Self.imported(
        [ONNXFile.node("Identity", ["yes"], ["goes"])] + nodes,
        constants: [ONNXFile.constant("count", [60]), ONNXFile.constant("yes", type: 9, [], [1])],
        outputs: ["out5"])
    }
    #expect(reason.contains("more than 4096 times"), "\(reason)")
  }

  @Test func whatALoopHoldsIsRefusedOnce() {
    let body = [
      ONNXFile.node("Identity", ["goes"], ["same"]),
      ONNXFile.node("RoiAlign", ["state"], ["next"], name: "inner"),
    ]
    do {
      _ = try Self.imported(
        [Self.loop(results: ["y"], body, inputs: ["state"], outputs: ["same", "next"])],
        constants: [ONNXFile.constant("count", [3])])
      Issue.record("It has no counterpart.")
    } catch ModelImportError.unsupported(let operations) {
      expectEqual(operations.map { $0.place }, ["inner in a loop"])
      expectEqual(operations.map { $0.count }, [1])
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test(arguments: [
    (attributes: [], sums: [4, 4], rows: [1, 4, 2, 4] as [Float]),
    (
      attributes: [ONNXFile.attribute("scan_input_directions", [1])], sums: [4, 4],
      rows: [3, 4, 2, 4]
    ),
    (
      attributes: [ONNXFile.attribute("scan_output_directions", [1])], sums: [4, 4],
      rows: [4, 1, 4, 2]
    ),
    (
      attributes: [ONNXFile.attribute("scan_output_axes", [0])], sums: [4, 4], rows: [1, 2, 4, 4]
    ),
  ])
  func aScanReadsPositionByPosition(
    attributes: [[UInt8]], sums: [Float], rows: [Float]
  ) throws {
    var attributes = attributes
    if !attributes.contains(ONNXFile.attribute("scan_output_axes", [0])) {
      attributes.append(ONNXFile.attribute("scan_output_axes", [-1]))
    }
    // The columns of [[1, 3], [2, 2]], added up.
    let found = try Self.results(
      [
        ONNXFile.node(
          "Scan", ["first", "x"], ["sums", "rows"],
          attributes: [
            ONNXFile.attribute("num_scan_inputs", 1), ONNXFile.attribute("scan_input_axes", [1]),
            ONNXFile.attribute(
              "body", graph: [ONNXFile.node("Add", ["state", "column"], ["sum"])],
              inputs: ["state", "column"], outputs: ["sum", "sum"]),
          ] + attributes)
      ], constants: [ONNXFile.constant("first", [2], [0, 0])], outputs: ["sums", "rows"],
      shape: [2, 2], [1, 3, 2, 2])
    expectEqual(found, [sums, rows])
  }

  // MARK: Sequences

  private static let places = [
    ONNXFile.constant("first", type: 7, [], [0]), ONNXFile.constant("last", type: 7, [], [-1]),
    ONNXFile.constant("two", type: 7, [], [2]), ONNXFile.constant("lengths", [1, 2]),
  ]

  @Test func sequencesAreTakenApartAndPutTogether() throws {
    let axis = [ONNXFile.attribute("axis", 0)]
    let found = try Self.results(
      [
        ONNXFile.node("SplitToSequence", ["x", "two"], ["pairs"], attributes: axis),
        ONNXFile.node("SequenceAt", ["pairs", "last"], ["a"]),
        ONNXFile.node("SplitToSequence", ["x", "lengths"], ["parts"], attributes: axis),
        ONNXFile.node("SequenceAt", ["parts", "first"], ["one"]),
        ONNXFile.node("SequenceErase", ["parts", "first"], ["rest"]),
        ONNXFile.node("SequenceInsert", ["rest", "one"], ["turned"]),
        // Before the last one.
        ONNXFile.node("SequenceInsert", ["rest", "one", "last"], ["straight"]),
        ONNXFile.node("ConcatFromSequence", ["straight"], ["e"], attributes: axis),
        ONNXFile.node("ConcatFromSequence", ["turned"], ["b"], attributes: axis),
        ONNXFile.node("SequenceLength", ["turned"], ["n"]),
        ONNXFile.node("Add", ["n", "n"], ["c"]),
        ONNXFile.node("SequenceConstruct", ["x", "x"], ["twice"]),
        ONNXFile.node(
          "ConcatFromSequence", ["twice"], ["d"],
          attributes: [ONNXFile.attribute("axis", -1), ONNXFile.attribute("new_axis", 1)]),
      ], constants: Self.places, outputs: ["a", "b", "c", "d", "e"], shape: [3], [5, 6, 7])
    expectEqual(found, [[7], [6, 7, 5], [4], [5, 5, 6, 6, 7, 7], [5, 6, 7]])
  }

  @Test func aLoopCollectsASequence() throws {
    let found = try Self.results(
      [
        ONNXFile.node("SequenceEmpty", [], ["empty"]),
        Self.loop(
          states: ["empty", "x"], results: ["all", "end"],
          [
            ONNXFile.node("Identity", ["goes"], ["same"]),
            ONNXFile.node("Add", ["state", "state"], ["next"]),
            ONNXFile.node("SequenceInsert", ["list", "next", "first"], ["longer"]),
          ], inputs: ["list", "state"], outputs: ["same", "longer", "next"]),
        ONNXFile.node(
          "ConcatFromSequence", ["all"], ["y"], attributes: [ONNXFile.attribute("axis", 0)]),
      ], constants: Self.places + [ONNXFile.constant("count", [3])])
    expectEqual(found, [[8, -16, 4, -8, 2, -4]])
  }

  @Test(arguments: [
    ([ONNXFile.node("SequenceAt", ["x", "first"], ["y"])], "It takes a tensor where"),
    (
      [
        ONNXFile.node("SequenceConstruct", ["x"], ["s"]),
        ONNXFile.node("SequenceAt", ["s", "two"], ["y"]),
      ], "Its position is [2] in a sequence of 1."
    ),
    (
      [
        ONNXFile.node("SequenceConstruct", ["x"], ["s"]), ONNXFile.node("Neg", ["s"], ["y"]),
      ], "It takes a sequence where it needs a tensor."
    ),
    (
      [
        ONNXFile.node("SequenceConstruct", ["x"], ["s"]),
        ONNXFile.node("SequenceInsert", ["s", "s"], ["y"]),
      ], "It takes a sequence where it needs a tensor."
    ),
    ([ONNXFile.node("SequenceConstruct", ["x"], ["y"])], "it is a sequence of tensors"),
    (
      [
        ONNXFile.node("SequenceEmpty", [], ["s"]),
        ONNXFile.node(
          "ConcatFromSequence", ["s"], ["y"], attributes: [ONNXFile.attribute("axis", 0)]),
      ], "its sequence is empty"
    ),
    (
      [ONNXFile.node("SplitToSequence", ["x", "lengths"], ["s"])], "It splits 2 into [1, 2]."
    ),
  ])
  func sequencesThatDoNotFitAreRefused(nodes: [[UInt8]], expected: String) {
    let reason = Self.reason { _ = try Self.imported(nodes, constants: Self.places) }
    #expect(reason.contains(expected), "\(reason)")
  }
}
