import DiceWeights
import TestSupport
import Testing

@testable import DiceModelImport

/// Layers that only move numbers.
struct MovementTests {
  private static func perm(_ axes: [Int]) -> [[UInt8]] { [ONNXFile.attribute("perm", axes)] }

  /// Maps of six channels of 4 by 5 behind a function, and what follows.
  private static func model(_ nodes: [[UInt8]], _ constants: [[UInt8]]) -> [UInt8] {
    ONNXFile.model(
      nodes: [ONNXFile.node("Relu", ["x"], ["r"])] + nodes, constants: constants,
      inputs: [("x", [1, 6, 4, 5])], outputs: ["y"])
  }

  private let numbers = (0..<120).map { Float($0) }

  /// The maps of some channels.
  private func channels(_ places: [Int]) -> [Float] {
    places.flatMap { numbers[20 * $0..<20 * $0 + 20] }
  }

  @Test func aShuffleOfChannelsIsTwoSlices() throws {
    // As the second version of ShuffleNet has it: odd and even channels.
    let bytes = Self.model(
      [
        ONNXFile.node("Reshape", ["r", "pairs"], ["p"]),
        ONNXFile.node("Transpose", ["p"], ["t"], attributes: Self.perm([1, 0, 2])),
        ONNXFile.node("Reshape", ["t", "halves"], ["h"]),
        ONNXFile.node("Gather", ["h", "zero"], ["even"]),
        ONNXFile.node("Gather", ["h", "one"], ["odd"]),
        ONNXFile.node("MaxPool", ["even"], ["a"], attributes: Self.window),
        ONNXFile.node("MaxPool", ["odd"], ["b"], attributes: Self.window),
        ONNXFile.node("Concat", ["b", "a"], ["y"], attributes: [ONNXFile.attribute("axis", 1)]),
      ],
      [
        ONNXFile.constant("pairs", [3, 2, 20]), ONNXFile.constant("halves", [2, 1, 3, 4, 5]),
        Self.scalar("zero", 0), Self.scalar("one", 1),
      ])
    let model = try ModelImporter.importONNX(bytes)
    let slices = model.description.layers.compactMap { (layer) -> Layer.Slice? in
      if case .slice(let slice) = layer { return slice }
      return nil
    }
    expectEqual(Set(slices.map(\.start)), [0, 1])
    expectEqual(model.description.layers.count, 6)
    #expect(slices.allSatisfy { $0.axis == .channels && $0.step == 2 && $0.count == 3 })
    let greatest = [1, 3, 5, 0, 2, 4].map { numbers[20 * $0 + 19] }
    try expectEqual(run(model, [numbers])[0], greatest)
  }

  @Test func channelsThatPassThroughShufflesStayInMaps() throws {
    // Two units of ShuffleNet's second version: one half passes, the other is computed with.
    var nodes: [[UInt8]] = []
    var input = "r"
    for unit in ["u", "v"] {
      nodes += [
        ONNXFile.node("Reshape", [input, "pairs"], [unit + "p"]),
        ONNXFile.node("Transpose", [unit + "p"], [unit + "t"], attributes: Self.perm([1, 0, 2])),
        ONNXFile.node("Reshape", [unit + "t", "halves"], [unit + "h"]),
        ONNXFile.node("Gather", [unit + "h", "zero"], [unit + "even"]),
        ONNXFile.node("Gather", [unit + "h", "one"], [unit + "odd"]),
        ONNXFile.node("Neg", [unit + "odd"], [unit + "n"]),
        ONNXFile.node(
          "Concat", [unit + "even", unit + "n"], [unit],
          attributes: [ONNXFile.attribute("axis", 1)]),
      ]
      input = unit
    }
    nodes.append(ONNXFile.node("Abs", ["v"], ["w"]))
    nodes.append(ONNXFile.node("Sub", ["w", "v"], ["y"]))
    let bytes = Self.model(
      nodes,
      [
        ONNXFile.constant("pairs", [3, 2, 20]), ONNXFile.constant("halves", [2, 1, 3, 4, 5]),
        Self.scalar("zero", 0), Self.scalar("one", 1),
      ])
    let model = try ModelImporter.importONNX(bytes)
    for layer in model.description.layers {
      if case .rearrangement = layer { Issue.record("numbers are rearranged") }
      if case .concatenation(let layer) = layer { expectEqual(layer.axis, .channels) }
    }
    // 0 2 4 −1 −3 −5, then 0 4 −3 −2 1 5.
    let doubled = [0, 0, 3, 2, 0, 0].enumerated().flatMap { (place, channel) -> [Float] in
      place == 2 || place == 3
        ? channels([channel]).map { 2 * $0 } : [Float](repeating: 0, count: 20)
    }
    try expectEqual(run(model, [numbers])[0], doubled)
  }

  private static let window = [ONNXFile.attribute("kernel_shape", [4, 5])]

  private static func scalar(_ name: String, _ integer: Int) -> [UInt8] {
    Message.integer(2, 7) + Message.text(8, name) + Message.integer(7, integer)
  }

  @Test func aShuffleThatChangesPlacesIsOneRearrangement() throws {
    let bytes = Self.model(
      [
        ONNXFile.node("Reshape", ["r", "pairs"], ["p"]),
        ONNXFile.node("Transpose", ["p"], ["t"], attributes: Self.perm([1, 0, 2])),
        ONNXFile.node("Reshape", ["t", "maps"], ["y"]),
      ], [ONNXFile.constant("pairs", [3, 2, 20]), ONNXFile.constant("maps", [1, 6, 4, 5])])
    let model = try ModelImporter.importONNX(bytes)
    expectEqual(model.description.layers.count, 2)
    try expectEqual(run(model, [numbers])[0], channels([0, 2, 4, 1, 3, 5]))
  }

  @Test func whatComesBackToItsPlaceIsLeftOut() throws {
    let bytes = Self.model(
      [
        ONNXFile.node("Reshape", ["r", "pairs"], ["p"]),
        ONNXFile.node("Transpose", ["p"], ["t"], attributes: Self.perm([1, 0, 2])),
        ONNXFile.node("Reshape", ["t", "flat"], ["f"]),
        ONNXFile.node("Reshape", ["f", "halves"], ["h"]),
        ONNXFile.node("Transpose", ["h"], ["b"], attributes: Self.perm([1, 0, 2])),
        ONNXFile.node("Reshape", ["b", "maps"], ["m"]),
        ONNXFile.node("Neg", ["m"], ["y"]),
      ],
      [
        ONNXFile.constant("pairs", [3, 2, 20]), ONNXFile.constant("flat", [1, 120]),
        ONNXFile.constant("halves", [2, 3, 20]), ONNXFile.constant("maps", [1, 6, 4, 5]),
      ])
    let model = try ModelImporter.importONNX(bytes)
    #expect(
      !model.description.layers.contains { (layer) in
        if case .rearrangement = layer { return true }
        return false
      })
    try expectEqual(run(model, [numbers])[0], numbers.map { -$0 })
  }

  @Test func orderThatNoLayerHasStays() throws {
    // Every other row, then another order: neither a slice nor a rearrangement alone.
    let bytes = Self.model(
      [
        ONNXFile.node("Slice", ["r", "from", "to", "axes", "steps"], ["s"]),
        ONNXFile.node("Reshape", ["s", "pairs"], ["p"]),
        ONNXFile.node("Transpose", ["p"], ["t"], attributes: Self.perm([1, 0, 2])),
        ONNXFile.node("Reshape", ["t", "maps"], ["y"]),
      ],
      [
        ONNXFile.constant("from", [0]), ONNXFile.constant("to", [4]),
        ONNXFile.constant("axes", [2]), ONNXFile.constant("steps", [2]),
        ONNXFile.constant("pairs", [3, 2, 10]), ONNXFile.constant("maps", [1, 6, 2, 5]),
      ])
    let model = try ModelImporter.importONNX(bytes)
    let right = [0, 2, 4, 1, 3, 5].flatMap { (channel: Int) -> [Float] in
      let start = 20 * channel
      return Array(numbers[start..<start + 5]) + Array(numbers[start + 10..<start + 15])
    }
    try expectEqual(run(model, [numbers])[0], right)
  }
}
