import Foundation
import TestSupport
import Testing
import ThrowVisionKit

@Suite struct ActionPredictionTests {
  @Test func isOneLine() {
    let prediction = ActionPrediction(labels: ["overhand", "none"], probabilities: [0.25, 0.75])
    expectEqual(prediction.description, "none, 75.0 %")
    #expect(prediction["overhand"] == 0.25 && prediction["underhand"] == nil)
    expectEqual(ActionPrediction(labels: ["a"], probabilities: [.nan]).description, "a, nan %")
    let huge = ActionPrediction(labels: ["a"], probabilities: [1e30]).description
    #expect(huge.hasPrefix("a, 1") && huge.hasSuffix(" %"))
  }

  @Test func excludesALabel() throws {
    let prediction = ActionPrediction(
      labels: ["overhand", "none", "underhand"], probabilities: [0.125, 0.5, 0.375])
    let thrown = try #require(prediction.excluding("none"))
    #expect(thrown.labels == ["overhand", "underhand"] && thrown.probabilities == [0.25, 0.75])
    expectEqual(thrown.label, "underhand")
    expectEqual(prediction.excluding("kick"), prediction)
    let only = ActionPrediction(labels: ["none"], probabilities: [1])
    expectEqual(only.excluding("none"), nil)
    let impossible = ActionPrediction(labels: ["a", "none"], probabilities: [0, 1])
    expectEqual(impossible.excluding("none"), nil)
  }

  @Test func readsOnlyProbabilities() throws {
    func read(_ probabilities: String) throws -> ActionPrediction {
      let json = #"{"labels": ["a", "b"], "probabilities": \#(probabilities)}"#
      return try JSONDecoder().decode(ActionPrediction.self, from: Data(json.utf8))
    }
    let prediction = try read("[0.125, 0.875]")
    expectEqual(prediction, ActionPrediction(labels: ["a", "b"], probabilities: [0.125, 0.875]))
    let written = try JSONEncoder().encode(prediction)
    try expectEqual(JSONDecoder().decode(ActionPrediction.self, from: written), prediction)
    for broken in ["[0.5]", "[]", "[0.5, 1e30]", "[-1, 0.5]"] {
      #expect(throws: DecodingError.self, "\(broken)") { try read(broken) }
    }
  }
}
