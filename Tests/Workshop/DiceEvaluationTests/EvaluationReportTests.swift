import DiceFiles
import DiceGeometry
import TestSupport
import Testing

@testable import DiceEvaluation

struct EvaluationReportTests {
  let names = ["1", "2", "3", "4", "5", "6"]

  func report(_ setCount: Int) throws -> EvaluationReport {
    let images = try #require(try GoldenMetrics.read("readings").first).images
    let sets = (0..<setCount).map { index in
      EvaluationSet(
        name: "set \(index)",
        images: images.enumerated().filter { $0.offset % max(setCount, 1) == index }
          .map { $0.element })
    }
    return EvaluationReport(evaluating: sets, classNames: names, confidenceThreshold: 0.5)
  }

  @Test func pullsSetsTogether() throws {
    let one = try report(1)
    let three = try report(3)
    expectEqual(one.overall, one.sets[0])
    expectEqual(three.sets.count, 3)
    expectEqual(three.overall.name, "all")
    expectEqual(three.overall.readings.dieCount, one.overall.readings.dieCount)
    expectEqual(three.overall.readings.rightCount, one.overall.readings.rightCount)
    expectEqual(
      three.sets.reduce(0) { $0 + $1.readings.rightCount }, one.overall.readings.rightCount)
  }

  @Test func rendersAlignedTables() throws {
    for setCount in [0, 1, 3] {
      let text = try report(setCount).text
      #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.last != " " && $0.count <= 140 })
      #expect(lines.filter { $0.hasPrefix("set ") && !$0.hasPrefix("set  ") }.count >= setCount)
      #expect(lines.contains { $0.hasPrefix("false positives") })
    }
    let lines = try report(3).text.split(separator: "\n").map { Array($0.unicodeScalars) }
    let header = try #require(lines.first)
    let row = lines[2]
    // Numbers end where their column's title ends.
    let title = String(String.UnicodeScalarView(header))
    #expect(title.hasPrefix("set"))
    expectEqual(header.count, row.count)
  }

  @Test func rendersWithoutAnything() throws {
    let empty = EvaluationReport(evaluating: [], classNames: names, confidenceThreshold: 0.5)
    #expect(empty.text.contains("–"))
    expectEqual(empty.json["overall"]?["averagePrecision"]?["at50"], .null)
    expectEqual(empty.json["sets"], [])
    let nothing = EvaluationReport(evaluating: [], classNames: [], confidenceThreshold: .nan)
    #expect(!nothing.text.isEmpty)
    let text = JSONWriter.write(nothing.json)
    try expectEqual(JSONReader.parse(text)["confidenceThreshold"], .null)
  }

  @Test func rendersJSONThatReadsBack() throws {
    let report = try report(3)
    let json = report.json
    try expectEqual(JSONReader.parse(JSONWriter.write(json, layout: .pretty)), json)
    let overall = try #require(json["overall"])
    expectEqual(overall["dieCount"]?.integer, report.overall.readings.dieCount)
    expectEqual(
      overall["averagePrecision"]?["at50"]?.number, report.overall.averagePrecision.at50)
    expectEqual(
      overall["detections"]?["photosReadExactlyRight"]?["count"]?.integer,
      report.overall.readings.photosReadExactlyRight.count)
    let wrong = try #require(overall["photosNotExactlyRight"]?.array)
    let right = report.overall.readings.photosReadExactlyRight
    expectEqual(wrong.count, right.total - right.count)
    expectEqual(overall["classes"]?.array?.count, 6)
    expectEqual(json["sets"]?.array?.count, 3)
  }

  /// Any threshold's numbers follow from the photos' readings.
  @Test func photosHoldWhatEveryThresholdWouldGive() throws {
    let report = try report(1)
    let photos = try #require(report.json["sets"]?.array?.first?["photos"]?.array)
    expectEqual(photos.count, report.overall.readings.photos.count)
    var compared = 0
    for row in report.overall.thresholds.rows {
      var (right, wrong, exact) = (0, 0, 0)
      for photo in photos {
        let shown = try #require(photo["detections"]?.array).filter {
          ($0["confidence"]?.number ?? 0) >= row.threshold
        }
        let rightCount = shown.count { $0["isRight"] == .bool(true) }
        right += rightCount
        wrong += shown.count - rightCount
        let isExact = rightCount == photo["dieCount"]?.integer && shown.count == rightCount
        exact += isExact ? 1 : 0
      }
      #expect(right == row.rightCount && wrong == row.wrongCount)
      expectEqual(exact, row.exactPhotoCount)
      compared += 1
    }
    expectEqual(compared, 49)
  }

  @Test(
    arguments: [
      (0.0, 1, "0.0"), (0.05, 1, "0.1"), (-0.04, 1, "0.0"), (12.345, 2, "12.35"),
      (99.96, 1, "100.0"),
      (-1.5, 0, "-2"), (1e300, 1, "1e+300"), (.nan, 1, "–"), (.infinity, 1, "–"), (7, 3, "7.000"),
    ] as [(Double, Int, String)])
  func writesFixedDecimals(_ value: Double, _ decimals: Int, _ expected: String) {
    expectEqual(TextTable.fixed(value, decimals: decimals), expected)
  }

  @Test func neverRoundsToAllOrNothing() {
    expectEqual(TextTable.percent(1), "100.0")
    expectEqual(TextTable.percent(0.99999), "99.9")
    expectEqual(TextTable.percent(1 / (1 + Double.ulpOfOne)), "100.0")
    expectEqual(TextTable.percent(0), "0.0")
    expectEqual(TextTable.percent(0.00001), "0.1")
    expectEqual(TextTable.percent(nil), "–")
  }

  @Test func alignsColumns() {
    var table = TextTable(header: ["a", "bb", "c"])
    table.add(["long", "1", ""])
    table.add(["é", "100"])
    #expect(
      table.text == """
        a      bb  c
        ------------
        long    1
        é     100

        """)
  }
}
