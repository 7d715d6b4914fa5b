import DiceWeights
import TestSupport
import Testing

@testable import DiceModelImport

/// Integers that stand for numbers, worked out by hand.
struct ONNXQuantizationTests {
  private static func scalar(_ name: String, _ number: Float) -> [UInt8] {
    ONNXFile.constant(name, [], [number])
  }

  private static func zero(_ name: String, _ number: Int, type: Int = 2) -> [UInt8] {
    ONNXFile.constant(name, type: type, [], [number])
  }

  private func answers(
    _ nodes: [[UInt8]], _ constants: [[UInt8]], shape: [Int], _ input: [Float],
    outputs: [String] = ["y"]
  ) throws -> [[Float]] {
    let bytes = ONNXFile.model(
      nodes: nodes, constants: constants, inputs: [("x", shape)], outputs: outputs)
    return try run(try ModelImporter.importONNX(bytes), [input])
  }

  @Test(
    arguments: [(2, 10, [0, 11, 9, 255]), (3, -10, [-22, -9, -11, 127])] as [(Int, Int, [Float])])
  func numbersAreRoundedAndLimitedToTheTypeOfTheZeroPoint(
    type: Int, zero: Int, right: [Float]
  ) throws {
    let found = try answers(
      [ONNXFile.node("QuantizeLinear", ["x", "s", "z"], ["y"])],
      [Self.scalar("s", 0.5), Self.zero("z", zero, type: type)], shape: [1, 4],
      [-6, 0.3, -0.3, 200])
    expectEqual(found, [right])
  }

  @Test func aConvolutionOfIntegersHasAScaleForEachChannel() throws {
    let found = try answers(
      [
        ONNXFile.node(
          "QLinearConv", ["x", "xs", "xz", "w", "ws", "wz", "ys", "yz", "b"], ["y"])
      ],
      [
        Self.scalar("xs", 0.5), Self.zero("xz", 2),
        ONNXFile.constant("w", type: 3, [2, 1, 1, 1], [2, -3]),
        ONNXFile.constant("ws", [2], [0.25, 1]), ONNXFile.constant("wz", type: 3, [2], [0, 0]),
        Self.scalar("ys", 0.5), Self.zero("yz", 10), ONNXFile.constant("b", type: 6, [2], [8, 2]),
      ], shape: [1, 1, 1, 2], [4, 6])
    // 1 and 2, times 0.5 and -3, plus 1.
    expectEqual(found, [[13, 14, 6, 0]])
  }

  @Test func whatOnlyMovesIntegersKeepsWhatTheyStandFor() throws {
    let found = try answers(
      [
        ONNXFile.node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        ONNXFile.node(
          "MaxPool", ["q"], ["p"], attributes: [ONNXFile.attribute("kernel_shape", [1, 2])]),
        ONNXFile.node(
          "QLinearConcat", ["t", "u", "p", "s", "z", "q", "s", "z"], ["c"],
          attributes: [ONNXFile.attribute("axis", 3)], domain: "com.microsoft"),
        ONNXFile.node("DequantizeLinear", ["c", "t", "u"], ["y"]),
        // Others see the integers.
        ONNXFile.node("Cast", ["q"], ["i"], attributes: [ONNXFile.attribute("to", 1)]),
        ONNXFile.node("Add", ["i", "one"], ["j"]),
      ],
      [
        Self.scalar("s", 0.5), Self.zero("z", 128), Self.scalar("t", 2), Self.zero("u", 3),
        Self.scalar("one", 1),
      ], shape: [1, 1, 1, 3], [1, 3, -8.5], outputs: ["y", "j"])
    expectEqual(found[0], [4, 4, 2, 4, -6])
    expectEqual(found[1], [131, 135, 112])
  }

  @Test func aScaleMayDependOnTheInput() throws {
    let found = try answers(
      [
        ONNXFile.node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]),
        ONNXFile.node("MatMulInteger", ["q", "w", "z", "v"], ["y"]),
        ONNXFile.node("DequantizeLinear", ["q", "s", "z"], ["n"]),
      ],
      [
        ONNXFile.constant("w", type: 3, [3, 2], [1, -2, 3, 4, -5, 6]),
        Self.zero("v", 1, type: 3),
      ], shape: [1, 3], [-1, 0, 1.55], outputs: ["q", "s", "z", "y", "n"])
    expectEqual(found[0], [0, 100, 255])
    #expect(abs(found[1][0] - 0.01) < 1e-6 && found[2] == [100])
    // -100, 0 and 155 times 0, 2 and -6 and times -3, 3 and 5.
    expectEqual(found[3], [-930, 1075])
    #expect(zip(found[4], [-1, 0, 1.55] as [Float]).allSatisfy { abs($0 - $1) < 1e-5 })
    // Nothing but zeros has no range.
    let still = try answers(
      [ONNXFile.node("DynamicQuantizeLinear", ["x"], ["y", "s", "z"])], [], shape: [1, 2], [0, 0])
    expectEqual(still, [[0, 0]])
  }

  @Test func aProductWithABiasMayGiveNumbers() throws {
    let found = try answers(
      [
        ONNXFile.node(
          "QGemm", ["x", "xs", "xz", "w", "ws", "wz", "b"], ["y"],
          attributes: [ONNXFile.attribute("transB", 1)], domain: "com.microsoft")
      ],
      [
        Self.scalar("xs", 0.5), Self.zero("xz", 0),
        ONNXFile.constant("w", type: 3, [2, 2], [1, 2, 3, 4]),
        ONNXFile.constant("ws", [2], [0.5, 2]), ONNXFile.constant("wz", type: 3, [2], [0, 0]),
        ONNXFile.constant("b", type: 6, [2], [4, -1]),
      ], shape: [1, 2], [2, 4])
    expectEqual(found, [[3.5, 21]])
  }

  @Test func whatCannotBeQuantizedIsTold() {
    func failure(_ scale: Float, type: Int) -> ModelImportError? {
      do throws(ModelImportError) {
        _ = try ModelImporter.importONNX(
          ONNXFile.model(
            nodes: [ONNXFile.node("QuantizeLinear", ["x", "s", "z"], ["y"])],
            constants: [Self.scalar("s", scale), Self.zero("z", 0, type: type)],
            inputs: [("x", [1, 2])], outputs: ["y"]))
        return nil
      } catch { return error }
    }
    expectEqual(failure(1, type: 2), nil)
    expectEqual(failure(0, type: 2), .invalid(place: "y", rule: "Its scale is 0.0."))
    expectEqual(failure(.nan, type: 2), .invalid(place: "y", rule: "Its scale is nan."))
    guard case .unsupported(let all)? = failure(1, type: 6) else {
      Issue.record("int32 is quantized to")
      return
    }
    expectEqual(all.map(\.reason), ["it quantizes to int32"])
  }
}
