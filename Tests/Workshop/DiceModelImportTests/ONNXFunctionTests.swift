import TestSupport
import Testing

@testable import DiceModelImport

/// Functions that an ONNX file defines.
struct ONNXFunctionTests {
  private static func call(
    _ name: String, _ inputs: [String], _ outputs: [String], place: String = "",
    attributes: [[UInt8]] = [], overload: String = ""
  ) -> [UInt8] {
    ONNXFile.node(
      name, inputs, outputs, name: place, attributes: attributes, domain: "local",
      overload: overload)
  }

  private static func model(
    _ nodes: [[UInt8]], functions: [[UInt8]], operatorSet: Int = 17,
    constants: [[UInt8]] = [], outputs: [String] = ["y"]
  ) -> [UInt8] {
    ONNXFile.model(
      operatorSet: operatorSet, nodes: nodes, constants: constants, inputs: [("x", [2])],
      outputs: outputs, functions: functions)
  }

  private static func results(_ bytes: [UInt8]) throws -> [[Float]] {
    try run(ModelImporter.importONNX(bytes), [[1, -2]])
  }

  /// `x + |x|`, whose inner tensor has a name that the graph has, too.
  private static let twice = ONNXFile.function(
    "twice", ["x"], ["sum"],
    nodes: [ONNXFile.node("Abs", ["x"], ["t"]), ONNXFile.node("Add", ["x", "t"], ["sum"])])

  @Test func callsWithinCallsAreTheirOperations() throws {
    let outer = ONNXFile.function(
      "outer", ["x"], ["sum"],
      nodes: [
        Self.call("twice", ["x"], ["t"]), Self.call("twice", ["t"], ["u"]),
        ONNXFile.node("Neg", ["u"], ["sum"]),
      ])
    // t = x * x; y = -4 |x| where x > 0, else 0, of t and of x.
    let bytes = Self.model(
      [
        ONNXFile.node("Mul", ["x", "x"], ["t"]), Self.call("outer", ["t"], ["y"]),
        Self.call("outer", ["x"], ["z"]),
      ], functions: [outer, Self.twice], outputs: ["y", "z"])
    try expectEqual(Self.results(bytes), [[-4, -16], [-4, 0]])
    try expectEqual(ModelImporter.importONNX(bytes).report.operationCount, 11)
  }

  @Test func attributesAreTheCallsElseTheFunctions() throws {
    let function = ONNXFile.function(
      "leak", ["x"], ["z"],
      nodes: [
        ONNXFile.node(
          "LeakyRelu", ["x"], ["z"], attributes: [ONNXFile.attribute("alpha", callers: "slope")])
      ], defaults: [ONNXFile.attribute("slope", Float(0.5))])
    // Nobody gives the last one: the operation's own default is 0.01.
    let plain = ONNXFile.function(
      "plain", ["x"], ["z"],
      nodes: [
        ONNXFile.node(
          "LeakyRelu", ["x"], ["z"], attributes: [ONNXFile.attribute("alpha", callers: "slope")])
      ])
    let found = try Self.results(
      Self.model(
        [
          Self.call("leak", ["x"], ["a"], attributes: [ONNXFile.attribute("slope", Float(0.25))]),
          Self.call("leak", ["x"], ["b"]), Self.call("plain", ["x"], ["c"]),
        ], functions: [function, plain], outputs: ["a", "b", "c"]))
    expectEqual(found, [[1, -0.5], [1, -1], [1, -0.02]])
  }

  @Test func operandsMayBeLeftOut() throws {
    let function = ONNXFile.function(
      "limited", ["x", "low", "high"], ["z"],
      nodes: [ONNXFile.node("Clip", ["x", "low", "high"], ["z"])])
    let constants = [ONNXFile.constant("zero", [], [0]), ONNXFile.constant("half", [], [0.5])]
    let found = try Self.results(
      Self.model(
        [
          Self.call("limited", ["x", "zero"], ["a"]),
          Self.call("limited", ["x", "", "half"], ["b"]), Self.call("limited", ["x"], ["c"]),
        ], functions: [function], constants: constants, outputs: ["a", "b", "c"]))
    expectEqual(found, [[1, 0], [0.5, -2], [1, -2]])
  }

  @Test func overloadsAreDifferentFunctions() throws {
    let functions = [("", "Neg"), ("absolute", "Abs")].map { (overload, operation) in
      ONNXFile.function(
        "f", ["x"], ["z"], nodes: [ONNXFile.node(operation, ["x"], ["z"])], overload: overload)
    }
    let found = try Self.results(
      Self.model(
        [Self.call("f", ["x"], ["a"]), Self.call("f", ["x"], ["b"], overload: "absolute")],
        functions: functions, outputs: ["a", "b"]))
    expectEqual(found, [[-1, 2], [1, 2]])
  }

  @Test func anOperandMayBeAResult() throws {
    let function = ONNXFile.function(
      "pair", ["x"], ["x", "z", "z"], nodes: [ONNXFile.node("Neg", ["x"], ["z"])])
    let found = try Self.results(
      Self.model(
        [Self.call("pair", ["x"], ["a", "b", "c"])], functions: [function],
        outputs: ["a", "b", "c"]))
    expectEqual(found, [[1, -2], [-1, 2], [-1, 2]])
  }

  @Test func aFunctionHasItsOwnOperatorSet() throws {
    // Before operator set 13 the axes of a softmax from the stated one on were one.
    let nodes = [
      ONNXFile.node("Unsqueeze", ["x", "axes"], ["u"]), Self.call("f", ["u"], ["y"]),
    ]
    func model(_ operatorSet: Int) -> [UInt8] {
      Self.model(
        nodes,
        functions: [
          ONNXFile.function(
            "f", ["x"], ["z"],
            nodes: [
              ONNXFile.node("Softmax", ["x"], ["z"], attributes: [ONNXFile.attribute("axis", 0)])
            ], operatorSet: operatorSet)
        ], constants: [ONNXFile.constant("axes", [1])])
    }
    try expectEqual(Self.results(model(17))[0].reduce(0, +), 1)
    try expectEqual(Self.results(model(13)), Self.results(model(17)))
    let old = try Self.results(model(11))[0]
    #expect(abs(old[0] + old[1] - 1) < 1e-6 && old[0] > 0.9)
  }

  @Test func graphsWithinFunctionsReadTheirTensors() throws {
    let function = ONNXFile.function(
      "f", ["x", "holds"], ["z"],
      nodes: [
        ONNXFile.node("Neg", ["x"], ["t"]),
        ONNXFile.node(
          "If", ["holds"], ["z"],
          attributes: [
            ONNXFile.attribute(
              "then_branch", graph: [ONNXFile.node("Add", ["t", "one"], ["a"])],
              constants: [ONNXFile.constant("one", [], [1])], outputs: ["a"]),
            ONNXFile.attribute(
              "else_branch", graph: [Self.call("twice", ["t"], ["a"])], outputs: ["a"]),
          ]),
      ])
    let constants = [
      ONNXFile.constant("yes", type: 9, [], [1]), ONNXFile.constant("no", type: 9, [], [0]),
    ]
    let found = try Self.results(
      Self.model(
        [Self.call("f", ["x", "yes"], ["a"]), Self.call("f", ["x", "no"], ["b"])],
        functions: [function, Self.twice], constants: constants, outputs: ["a", "b"]))
    expectEqual(found, [[0, 3], [0, 4]])
  }

  @Test func theErrorNamesTheCall() {
    let function = ONNXFile.function(
      "f", ["x"], ["z"], nodes: [ONNXFile.node("Strange", ["x"], ["z"], name: "inner")])
    #expect(
      throws: ModelImportError.unsupported([
        UnsupportedOperation(
          name: "Strange", place: "here/inner", count: 1,
          reason: "the weight format has no such layer")
      ])
    ) {
      try ModelImporter.importONNX(
        Self.model([Self.call("f", ["x"], ["y"], place: "here")], functions: [function]))
    }
  }

  @Test func tensorsOfTheGraphAreNotThoseOfAFunction() {
    let function = ONNXFile.function(
      "f", ["a"], ["z"], nodes: [ONNXFile.node("Neg", ["x"], ["z"])])
    #expect(throws: ModelImportError.self) {
      try ModelImporter.importONNX(
        Self.model([Self.call("f", ["x"], ["y"])], functions: [function]))
    }
  }

  @Test func functionsThatCallThemselvesAreRefused() {
    let functions = [("f", "g"), ("g", "f")].map { (name, other) in
      ONNXFile.function(name, ["x"], ["z"], nodes: [Self.call(other, ["x"], ["z"])])
    }
    #expect(
      throws: ModelImportError.invalid(
        place: "y/g/f", rule: "The function f calls itself.")
    ) {
      try ModelImporter.importONNX(Self.model([Self.call("f", ["x"], ["y"])], functions: functions))
    }
  }

  @Test func callsWithMoreOperandsThanTheFunctionAreInvalid() {
    for (inputs, outputs) in [(["x", "x"], ["y"]), (["x"], ["y", "z"])] {
      #expect(throws: ModelImportError.self) {
        try ModelImporter.importONNX(
          Self.model([Self.call("twice", inputs, outputs)], functions: [Self.twice]))
      }
    }
  }

  /// Each function calls the next one so often.
  private static func tower(depth: Int, width: Int) -> [UInt8] {
    let functions = (0..<depth).map { (level) in
      ONNXFile.function(
        "f\(level)", ["x"], ["z0"],
        nodes: (0..<width).map { (number) in
          level == depth - 1
            ? ONNXFile.node("Neg", ["x"], ["z\(number)"])
            : Self.call("f\(level + 1)", ["x"], ["z\(number)"])
        })
    }
    return model([call("f0", ["x"], ["y"])], functions: functions)
  }

  @Test func callsAreBounded() throws {
    try expectEqual(Self.results(Self.tower(depth: 64, width: 1)), [[-1, 2]])
    for (depth, width) in [(65, 1), (40, 2), (3, 200)] {
      let error = #expect(throws: ModelImportError.self) {
        try ModelImporter.importONNX(Self.tower(depth: depth, width: width))
      }
      #expect("\(error!)".contains("more than"))
    }
  }
}
