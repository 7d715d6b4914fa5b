import TestSupport
import Testing

@testable import DiceVisionKit

@Suite struct PipelineProfileTests {
  private typealias Value = PipelineProfile.NamedValue

  /// Weight files keep single precision, and a profile that was kept is the same profile.
  @Test func theBundledProfileSurvivesBeingWrittenDown() throws {
    let values = PipelineProfile.bundled.values
    #expect(values.count == PipelineProfile.fields.count && values.count > 30)
    expectEqual(Set(values.map(\.name)).count, values.count)
    try expectEqual(PipelineProfile(values: values), .bundled)
    try expectEqual(PipelineProfile(values: []), .bundled)
  }

  /// Each field is a place of its own, and its range holds the bundled number.
  @Test func everyFieldCanBeSetAlone() throws {
    for field in PipelineProfile.fields {
      let standard = field.value(of: .bundled)
      #expect(field.range.contains(standard), "\(field.name)")
      let names = PipelineProfile.fields.map(\.name)
      expectEqual(names.count { $0 == field.name }, 1)
      // One step or a little off, towards the middle of the range.
      let step = max(field.step, (field.range.upperBound - field.range.lowerBound) / 512)
      let isLow = standard < (field.range.lowerBound + field.range.upperBound) / 2
      let other = Float(isLow ? standard + step : standard - step)
      let profile = try PipelineProfile(values: [Value(name: field.name, value: other)])
      #expect(profile != .bundled, "\(field.name)")
      for (one, kept) in zip(profile.values, PipelineProfile.bundled.values) {
        expectEqual((one == kept), (one.name != field.name), "\(field.name) changes \(one.name)")
      }
    }
  }

  @Test func aDecimalNumberIsMeantExactly() throws {
    let profile = try PipelineProfile(values: [
      Value(name: "tiling.leastGain", value: 1.7), Value(name: "crops.certainOverlap", value: 0.7),
    ])
    #expect(profile.tiling.leastGain == 1.7 && profile.crops.certainOverlap == 0.7)
  }

  @Test func whatIsNoProfileIsRefused() {
    func refuse(_ values: [Value], _ expected: PipelineProfileError) {
      do throws(PipelineProfileError) {
        _ = try PipelineProfile(values: values)
        Issue.record("\(values) were taken")
      } catch {
        expectEqual(error, expected)
        #expect(error.description.hasSuffix("."))
      }
    }
    refuse([Value(name: "tiling.side", value: 1)], .unknownName("tiling.side"))
    refuse(
      [Value(name: "rescoring.reach", value: 5), Value(name: "rescoring.reach", value: 5)],
      .repeatedName("rescoring.reach"))
    refuse(
      [Value(name: "crops.proposalOverlap", value: 1.5)],
      .outOfRange(name: "crops.proposalOverlap", value: 1.5, allowed: 0...1))
    refuse(
      [Value(name: "tiling.tileSide", value: 100)],
      .notMultiple(name: "tiling.tileSide", value: 100, of: 32))
    refuse(
      [Value(name: "tiling.greatestTileCount", value: 2.5)],
      .notMultiple(name: "tiling.greatestTileCount", value: 2.5, of: 1))
    refuse(
      [Value(name: "tiling.tileSide", value: 128)],
      .contradiction(rule: "tiling.tileOverlap must be at most half of tiling.tileSide"))
    refuse(
      [Value(name: "tiling.wantedSide", value: 20)],
      .contradiction(rule: "tiling.readableSide must be at most tiling.wantedSide"))
    refuse(
      [Value(name: "tiling.greatestSide", value: 35)],
      .contradiction(rule: "tiling.wantedSide must be at most tiling.greatestSide"))
    refuse(
      [Value(name: "tiling.greatestPassCount", value: 1)],
      .contradiction(
        rule: "tiling.greatestLedPassCount must be at most tiling.greatestPassCount"))
  }

  @Test func whatIsNoNumberIsRefusedByEveryField() {
    for field in PipelineProfile.fields {
      for value in [Float.nan, .infinity, -.infinity, -1] {
        #expect(throws: PipelineProfileError.self, "\(field.name) \(value)") {
          try PipelineProfile(values: [Value(name: field.name, value: value)])
        }
      }
    }
  }
}
