import TestSupport
import Testing

@testable import DiceTrajectories

@Suite struct FlightNetworkTests {
  /// A network whose inputs lie in -2...3, but for the first, which may be 10 at most.
  private static func network() -> FlightNetwork {
    let count = FlightNetwork.inputCount
    var weights = [Double](repeating: 0, count: count)
    (weights[0], weights[7]) = (0.5, -2)
    var greatest = [Double](repeating: 3, count: count)
    greatest[0] = 10
    var inputs = [Double](repeating: 0, count: count)
    (inputs[0], inputs[49]) = (1, -1)
    return FlightNetwork(
      bias: -1, least: [Double](repeating: -2, count: count), greatest: greatest, weights: weights,
      units: [
        FlightNetwork.Unit(bias: 0.25, weight: 4, inputs: inputs),
        FlightNetwork.Unit(
          bias: 0, weight: -1, inputs: [Double](repeating: 0, count: count)),
      ])
  }

  private static func inputs(_ values: [Int: Double]) -> FlightNetwork.Inputs {
    var inputs = FlightNetwork.Inputs()
    for index in 0..<FlightNetwork.inputCount { inputs.append(values[index] ?? 0) }
    return inputs
  }

  @Test func aScoreIsASumOfInputsAndUnits() {
    let score = Self.network().score(Self.inputs([0: 2, 7: 1, 49: 1.5]))
    // -1 + 0.5 * 2 - 2 * 1 + 4 σ(0.25 + 2 - 1.5) - σ(0), where σ(0.75) = 0.679178699175393.
    let expected = -2 + 4 * 0.679178699175393 - 0.5
    #expect(abs(score - expected) < 1e-12)
  }

  @Test func inputsBeyondWhatWasLearntCountAsTheFarthestThatWas() {
    let network = Self.network()
    expectEqual(network.score(Self.inputs([0: 25])), network.score(Self.inputs([0: 10])))
    expectEqual(network.score(Self.inputs([7: -9])), network.score(Self.inputs([7: -2])))
    expectEqual(network.score(Self.inputs([7: .infinity])), network.score(Self.inputs([7: 3])))
    #expect(network.score(Self.inputs([0: 10])) != network.score(Self.inputs([0: 9])))
  }

  @Test func theLibrarysOwnNetworkHasAWeightForEachInput() {
    let network = FlightNetwork.bundled
    let count = FlightNetwork.inputCount
    expectEqual(network.weights.count, count)
    #expect(network.least.count == count && network.greatest.count == count)
    #expect(zip(network.least, network.greatest).allSatisfy { $0 < $1 })
    expectEqual(network.units.count, 16)
    #expect(network.units.allSatisfy { $0.inputs.count == count })
  }
}
