import DiceDetection
import DiceNetwork
import DiceWeights
import TestSupport
import Testing

/// Boxes beside those that NumPy computes from ONNX Runtime's outputs (`Fixtures/golden/network`).
@Suite struct GoldenCellTests {
  /// A network with boxes on grids, at one size of its picture.
  struct Golden: CustomStringConvertible, Sendable {
    let name: String
    let width: Int
    let height: Int

    static let all = [
      Golden(name: "small", width: 64, height: 32), Golden(name: "small", width: 96, height: 64),
      Golden(name: "edges", width: 32, height: 64), Golden(name: "edges", width: 64, height: 64),
    ]

    var description: String { "\(name) \(width)x\(height)" }

    func network() throws -> GridBoxNetwork {
      try GridBoxNetwork(WeightFile(bytes: Fixtures.bytes("golden/network/\(name).weights")))
    }

    /// The picture's samples as parts of 1.
    func input() throws -> [Float] { try bytes("input").map { Float($0) / 255 } }

    /// Centre x, centre y, width, height, objectness and classes of every cell, one after the other.
    func cells() throws -> [Double] {
      let bytes = try bytes("cells")
      return stride(from: 0, to: bytes.count, by: 4).map { (start) in
        var word: UInt32 = 0
        for index in 0..<4 { word |= UInt32(bytes[start + index]) << (8 * index) }
        return Double(Float(bitPattern: word))
      }
    }

    private func bytes(_ suffix: String) throws -> [UInt8] {
      try Fixtures.bytes("golden/network/\(name)-\(width)x\(height).\(suffix)")
    }
  }

  private func runner(_ network: GridBoxNetwork, _ golden: Golden) throws -> NetworkRunner {
    let runner = try NetworkRunner(network.plan, width: golden.width, height: golden.height)
    runner.setInput(try golden.input())
    runner.run()
    return runner
  }

  @Test(arguments: Golden.all)
  func decodesTheCellsAsTheFormulasDo(_ golden: Golden) throws {
    let network = try golden.network()
    let cells = try golden.cells()
    let size = 5 + network.boxes.labels.count
    var list = CandidateList()
    network.decode(try runner(network, golden), into: &list, confidenceThreshold: 0)
    try #require(list.count > 0 && list.count * size == cells.count)
    for (index, candidate) in list.candidates.enumerated() {
      let cell = Array(cells[index * size..<(index + 1) * size])
      let box = candidate.boundingBox
      #expect(abs(box.midX - cell[0]) < 2e-3)
      #expect(abs(box.midY - cell[1]) < 2e-3)
      #expect(abs(box.width - cell[2]) < 2e-4 * cell[2])
      #expect(abs(box.height - cell[3]) < 2e-4 * cell[3])
      #expect(abs(Double(candidate.objectness) - cell[4]) < 1e-4)
      let probabilities = list.classProbabilities(of: candidate)
      expectEqual(probabilities.count, network.boxes.labels.count)
      for (found, expected) in zip(probabilities, cell[5...]) {
        #expect(abs(Double(found) - expected) < 1e-4)
      }
      let best = probabilities.max() ?? 0
      expectEqual(candidate.confidence, candidate.objectness * best)
      expectEqual(probabilities[probabilities.startIndex + candidate.classIndex], best)
    }
  }

  @Test(arguments: Golden.all)
  func aHigherThresholdKeepsExactlyTheCandidatesThatReachIt(_ golden: Golden) throws {
    let network = try golden.network()
    let runner = try runner(network, golden)
    var list = CandidateList()
    network.decode(runner, into: &list, confidenceThreshold: 0)
    var keptCounts: Set<Int> = []
    for threshold: Float in [0.05, 0.1, 0.2, 0.3, 0.5, 0.7] {
      var kept = CandidateList()
      network.decode(runner, into: &kept, confidenceThreshold: threshold)
      let expected = list.candidates.filter { (candidate) in candidate.confidence >= threshold }
      expectEqual(kept.candidates.map(\.confidence), expected.map(\.confidence))
      expectEqual(kept.candidates.map(\.boundingBox), expected.map(\.boundingBox))
      keptCounts.insert(kept.count)
    }
    #expect(keptCounts.count > 1, "the thresholds make a difference")
  }
}
