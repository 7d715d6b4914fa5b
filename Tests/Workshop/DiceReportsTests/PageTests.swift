import DiceImaging
import DiceFiles
import DiceGeometry
import DiceCodecs

import DiceEvaluation
import Foundation
import TestSupport
import Testing

@testable import DiceDrawing
@testable import DiceReports

@Suite struct PageTests {
  @Test func textFromAnywhereStaysText() {
    let hostile = "</title><script>alert('1')</script>\"&\u{1B}"
    var page = Page(title: hostile)
    page.section(hostile, hostile)
    page.facts([(hostile, hostile)])
    page.table([hostile], [[hostile, "a\n\(hostile)"]])
    page.grid { page in
      page.card(hostile, hostile) { markup in
        markup.valueTag(hostile)
        Chart(
          x: Chart.Axis(title: hostile, range: 0...1), y: Chart.Axis(title: hostile, range: 0...1),
          lines: [
            Chart.Line(
              name: hostile, ink: .main, points: [Chart.Point(x: 0, y: .nan, hint: hostile)]),
            Chart.Line(
              name: hostile, ink: .soft, points: [Chart.Point(x: 0.5, y: 0.5, hint: hostile)]),
          ],
          bars: [Chart.Bar(from: 0, to: 1, share: 0.5, label: hostile, hint: hostile)],
          marks: [(0.5, hostile)]
        ).write(to: &markup, label: hostile)
      }
    }
    let text = String(decoding: page.finished(by: "a program"), as: UTF8.self)
    #expect(isInert(text))
    #expect(!text.contains("alert('1')") && !text.contains("\u{1B}"))
    #expect(text.contains("&lt;script&gt;"))
  }

  @Test func axesHaveRoundNumbers() {
    for (range, expected) in [
      (0.0...1.0, [0, 0.2, 0.4, 0.6, 0.8, 1]), (-5...5, [-4, -2, 0, 2, 4]),
      (0...100_000, [0, 20_000, 40_000, 60_000, 80_000, 100_000]),
      (3...3.001, [3, 3.0002, 3.0004, 3.0006, 3.0008, 3.001]),
    ] {
      let ticks = Chart.roundTicks(range)
      expectEqual(ticks.count, expected.count, "\(range): \(ticks)")
      for (tick, round) in zip(ticks, expected) { #expect(abs(tick - round) < 1e-9) }
    }
    for (low, high) in [(0.0, 1.0), (0, 7), (0, 100_000), (3, 3.001), (-5, 5), (0, 2e-3)] {
      let ticks = Chart.roundTicks(low...high)
      #expect((4...12).contains(ticks.count), "\(low)...\(high): \(ticks)")
      #expect(ticks.allSatisfy { $0 >= low - 1e-9 && $0 <= high + 1e-9 * high.magnitude })
    }
    expectEqual(Chart.roundTicks(2...2), [2])
    expectEqual(Chart.roundTicks(0...Double.infinity).count, 1)
    expectEqual(Chart.rangeFromZero([0.7, 3.2, .nan]), 0...4)
    expectEqual(Chart.rangeFromZero([]), 0...1)
    expectEqual(Chart.rangeFromZero([0.0021]), 0...0.003)
    for value in [1e-5, 0.3, 1, 2, 1000, 12345] {
      #expect(abs(Chart.log(value) - log2(value)) < 1e-8)
    }
    expectEqual(Chart.text(0.05, .percent), "5 %")
    expectEqual(Chart.text(125_000, .plain), "125k")
    expectEqual(Chart.text(0.0005, .scientific), "5e-4")
    expectEqual(Chart.text(0, .scientific), "0")
  }

  @Test func linesCanBeSeenOnTheirGround() {
    for ground in [PixelColor.white, PixelColor(rgb: 0x181C23)] {
      for color in PixelColor.valueColors {
        #expect(PageStyle.visible(color, on: ground).contrastRatio(with: ground) >= 3)
      }
    }
  }

  // MARK: - Curves

  private func report() -> EvaluationReport {
    var images: [EvaluatedImage] = []
    var state: UInt32 = 5
    func random() -> Double {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Double(state >> 8) / Double(1 << 24)
    }
    for index in 0..<40 {
      let truths = (0..<4).map { place in
        GroundTruthObject(
          boundingBox: BoundingBox(x: Double(place) * 30, y: 10, width: 20, height: 20),
          classIndex: (index + place) % 6)
      }
      let found = truths.map { truth in
        DetectedObject(
          boundingBox: truth.boundingBox.translated(x: random() * 6, y: random() * 6),
          classIndex: random() < 0.8 ? truth.classIndex : Int(random() * 5.99),
          confidence: random())
      }
      images.append(
        EvaluatedImage(
          name: "\(index)", detections: found, groundTruth: truths, width: 200, height: 100))
    }
    return EvaluationReport(
      evaluating: [EvaluationSet(name: "a", images: images)],
      classNames: ["1", "2", "3", "4", "5", "6"], confidenceThreshold: 0.3)
  }

  @Test func theMeanHeightOfACurveIsItsAveragePrecision() throws {
    let report = report()
    let precision = report.overall.averagePrecision
    func height(_ line: Chart.Line) -> Double {
      line.points.reduce(0) { $0 + $1.y } / Double(line.points.count)
    }
    let values = EvaluationPage.valueLines(report)
    expectEqual(values.count, 6)
    for (index, line) in values.enumerated() {
      #expect(abs(height(line) - (precision.classes[index]?.at50 ?? .nan)) < 1e-12)
      expectEqual(line.points.map { $0.x }, AveragePrecision.recallLevels)
    }
    let means = EvaluationPage.meanLines(report)
    for (line, expected) in zip(means, [precision.at50, precision.at75, precision.at50To95]) {
      #expect(abs(height(line) - (expected ?? .nan)) < 1e-12, "\(line.name)")
    }
    expectEqual(means.count, 3)
    let empty = EvaluationReport(evaluating: [], classNames: ["1"], confidenceThreshold: 0.5)
    #expect(EvaluationPage.meanLines(empty).isEmpty)
  }

  // MARK: - Gallery

  @Test func mistakesComeByConfidenceAndAreBounded() throws {
    let report = report()
    let set = EvaluationSet(
      name: "a",
      images: (0..<30).map { index in
        EvaluatedImage(
          name: "\(index).png",
          detections: [
            DetectedObject(
              boundingBox: BoundingBox(x: 60, y: 60, width: 10, height: 10), classIndex: 2,
              confidence: Double(index) / 40)
          ],
          groundTruth: [
            GroundTruthObject(
              boundingBox: BoundingBox(x: 5, y: 5, width: 10, height: 10), classIndex: 3)
          ])
      })
    expectEqual(report.sets.count, 1)
    let gallery = MistakeGallery(
      [set], paths: [[:]], labels: report.classNames, threshold: 0.25, limit: 25)
    expectEqual(gallery.totalCount, 30 + 20)
    expectEqual(gallery.mistakes.count, 25)
    let confidences = gallery.mistakes.map { $0.outcome.confidence }
    expectEqual(confidences, confidences.sorted(by: >))
    let none = MistakeGallery(
      [set], paths: [[:]], labels: report.classNames, threshold: 0.25, limit: 0)
    #expect(none.mistakes.isEmpty && none.totalCount == 50)
  }

  @Test func cropsStayInThePicture() throws {
    let image = PixelImage(
      width: 300, height: 90, format: .rgb,
      samples: (0..<300 * 90 * 3).map { UInt8(truncatingIfNeeded: $0 * 5) })
    let boxes: [BoundingBox] = [
      BoundingBox(x: 0, y: 0, width: 10, height: 10),
      BoundingBox(x: 290, y: 80, width: 30, height: 30),
      BoundingBox(x: -50, y: -50, width: 600, height: 600),
      BoundingBox(x: 1e300, y: 1e300, width: 1, height: 1),
      BoundingBox(x: 100, y: 40, width: 0, height: 0),
    ]
    for box in boxes {
      let outcome = ReadingOutcome(
        kind: .missed, truth: GroundTruthObject(boundingBox: box, classIndex: 0))
      let crop = try #require(MistakeGallery.crop(image, around: outcome))
      let region = crop.region
      #expect(region.minX >= 0 && region.minY >= 0 && region.maxX <= 300 && region.maxY <= 90)
      let decoded = try ImageDecoder.decode(crop.bytes)
      expectEqual(decoded.width, min(Int(region.width), MistakeGallery.cropSide))
    }
    let improper = ReadingOutcome(
      kind: .missed,
      truth: GroundTruthObject(
        boundingBox: BoundingBox(x: .nan, y: 0, width: 1, height: 1), classIndex: 0))
    #expect(MistakeGallery.crop(image, around: improper) == nil)
  }

  @Test func theTableOfARunReadsBackAndIsCondensed() throws {
    var text = "step,images,a,b,c,d,e,f,g\n1,2,3\nnonsense\n"
    for step in 1...2000 {
      text += "\(step),\(step * 16),0.001,\(2000 - step),1,2,3,0.5,40\n"
    }
    var table = TrainingTable()
    table.rows = TrainingTable.rows(of: Array(text.utf8))
    expectEqual(table.rows.count, 2000)
    let condensed = table.condensedRows
    #expect(condensed.count <= TrainingTable.pointLimit)
    expectEqual(condensed.last?.step, 2000)
    // Means of neighbours: the sum over all rows stays.
    #expect(abs(condensed[0].loss - (1999 + 1998 + 1997 + 1996) / 4) < 1e-9)
    #expect(TrainingTable.rows(of: Array("1e300,1,1,1,1,1,1,1,1\n".utf8)).isEmpty)
    let line = TrainingTable.Validation(
      step: 5, dieCount: 7, rightCount: 6, photoCount: 3, exactPhotoCount: 2, missedCount: 1,
      confusedCount: 0, falsePositiveCount: 4, at50: 0.5, at50To95: 0.25)
    expectEqual(TrainingTable.validations(of: Array(line.line.utf8)), [line])
    let running = TrainingPage(
      name: "x", summary: "y", stepCount: 4000, table: table, isRunning: true)
    let page = String(decoding: running.file(madeBy: "a program"), as: UTF8.self)
    #expect(page.contains("http-equiv=\"refresh\" content=\"20\"") && page.contains("50 %"))
  }
}
