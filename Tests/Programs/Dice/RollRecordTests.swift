import DiceFiles
import DiceGeometry
import DiceVisionKit
import TestSupport
import Testing

@testable import DiceFinders

/// What programs are told of a die.
@Suite struct RollRecordTests {
  private func die(_ values: [ValueProbability], value: Int? = 14) -> JSONValue {
    RollRecord().json(
      TrackedDie(
        identifier: 3, boundingBox: BoundingBox(x: 1, y: 2, width: 30, height: 40), value: value,
        values: values))
  }

  @Test func whatElseADoubtfulDieMayShowIsNamed() {
    let values = [
      ValueProbability(kind: .d20, value: 14, confidence: 0.55),
      ValueProbability(kind: .percentile, value: 0, confidence: 0.304),
      ValueProbability(kind: .d20, value: 4, confidence: 0.1),
      ValueProbability(kind: .d20, value: 20, confidence: 0.04),
    ]
    expectEqual(
      die(values)["alternatives"],
      [
        ["kind": "d%", "face": "00", "value": 0, "probability": 0.3],
        ["kind": "d20", "face": "4", "value": 4, "probability": 0.1],
      ])
    // Nothing is an alternative to nothing.
    expectEqual(die(values, value: nil)["alternatives"], nil)
  }

  @Test func aDieThatIsSureHasNoAlternatives() {
    let values = [
      ValueProbability(kind: .d20, value: 14, confidence: 0.91),
      ValueProbability(kind: .d20, value: 4, confidence: 0.09),
    ]
    #expect(die(values)["alternatives"] == nil && die(values)["kind"] == "d20")
  }
}
