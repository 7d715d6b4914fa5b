import DiceDetection
import DiceVisionTraining
import DiceWeights
import TestSupport
import Testing

@Suite struct RelabelledWeightsTests {
  /// Weights whose numbers tell where they stand.
  private func weights(_ network: NetworkDescription) throws -> WeightFile {
    let shapes = try network.validated()
    let tensors = shapes.tensors.enumerated().map { (index: Int, shape: [Int]) -> [Float] in
      (0..<shape.reduce(1, *)).map { (place: Int) -> Float in
        Float(index) + Float(place % 997) / 1000
      }
    }
    return try WeightFile(
      bytes: WeightFile.encode(description: network, tensors: tensors, storage: .float32))
  }

  @Test func boxesAndObjectnessStayAndClassesBeginAnew() throws {
    let own = try weights(.fast(inputSide: 64))
    let words = ["pawn", "coin"]
    let network = NetworkDescription.fast(labels: words, inputSide: 96)
    let other = try #require(try own.relabelled(for: network))
    expectEqual(other.description, network)
    let heads = try GridBoxes(own.description, shapes: own.shapes).outputs
      .map { own.description.outputs[$0].layer }
    var changed: Set<Int> = []
    for layer in heads {
      guard case .convolution(let head) = own.description.layers[layer] else { continue }
      for tensor in [head.weights, head.bias] {
        let (before, after) = (own.floats(of: tensor), other.floats(of: tensor))
        expectEqual(after.count, before.count / 11 * 7)
        for place in after.indices {
          let (row, channel) = (place / 7, place % 7)
          expectEqual(after[place], (channel < 5 ? before[row * 11 + channel] : 0))
        }
        changed.insert(tensor)
      }
    }
    expectEqual(changed.count, 4)
    for tensor in own.shapes.tensors.indices where !changed.contains(tensor) {
      expectEqual(other.floats(of: tensor), own.floats(of: tensor))
    }
  }

  @Test func classesThatBothHaveAndBaseSizesStay() throws {
    var network = NetworkDescription.secondStage(labels: ["d20-1", "d20-2", "d4-1"])
    network.setBaseSizes([60])
    let own = try weights(network)
    let other = try #require(try own.relabelled(for: .secondStage(labels: ["d20-2", "pawn"])))
    let boxes = try GridBoxes(other.description, shapes: other.shapes)
    expectEqual(boxes.heads.map(\.baseSize), [60])
    let head = try #require(boxes.outputs.first.map { other.description.outputs[$0].layer })
    guard case .convolution(let layer) = other.description.layers[head] else {
      Issue.record("a head is a convolution")
      return
    }
    for tensor in [layer.weights, layer.bias] {
      let (before, after) = (own.floats(of: tensor), other.floats(of: tensor))
      for row in 0..<after.count / 7 {
        expectEqual(after[row * 7 + 5], before[row * 8 + 6])
        expectEqual(after[row * 7 + 6], 0)
      }
    }
  }

  @Test func otherNetworksAreNoBeginning() throws {
    let own = try weights(.fast(inputSide: 64))
    try expectEqual(own.relabelled(for: .fast(inputSide: 64)), nil)
    try expectEqual(own.relabelled(for: .standard(labels: ["a"], inputSide: 64)), nil)
    try expectEqual(own.relabelled(for: .secondStage(labels: ["a"], inputSide: 64)), nil)
  }
}
