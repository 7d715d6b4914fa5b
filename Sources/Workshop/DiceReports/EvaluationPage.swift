package import DiceVisionKit
internal import DiceDrawing
internal import DiceFiles
package import DiceEvaluation

/// The page of an evaluation: tables, curves and mistakes.
package struct EvaluationPage {
  let report: EvaluationReport
  let network: ReportedNetwork
  /// The lowest confidence of the detections that were evaluated.
  let leastConfidence: Double
  /// Boxes that overlap by more compete.
  let intersectionOverUnion: Double
  /// How many pictures could not be read.
  let leftOutCount: Int
  let gallery: MistakeGallery

  /// A page of an evaluation.
  ///
  /// - Parameters:
  ///   - report: what was measured.
  ///   - network: what was evaluated.
  ///   - leastConfidence: the lowest confidence of the detections that were evaluated.
  ///   - intersectionOverUnion: boxes that overlap by more compete.
  ///   - leftOutCount: how many pictures could not be read.
  ///   - gallery: the mistakes.
  package init(
    report: EvaluationReport, network: ReportedNetwork, leastConfidence: Double,
    intersectionOverUnion: Double, leftOutCount: Int, gallery: MistakeGallery
  ) {
    self.report = report
    self.network = network
    self.leastConfidence = leastConfidence
    self.intersectionOverUnion = intersectionOverUnion
    self.leftOutCount = leftOutCount
    self.gallery = gallery
  }

  private var overall: EvaluationReport.SetResult { report.overall }
  private var readings: ReadingAccuracy { report.overall.readings }

  /// The whole file.
  ///
  /// - Parameter program: the name and the version of the program that makes it.
  package func file(madeBy program: String) -> [UInt8] {
    var page = Page(title: "\(network.name) on \(scope)")
    page.element("p", origin)
    page.facts([
      (percent(readings.diceReadRight.value), "of \(readings.dieCount) dice read right"),
      (
        percent(readings.photosReadExactlyRight.value),
        "of \(NumberText.count(readings.photos.count, "photo", "photos")) exactly right"
      ),
      (percent(overall.averagePrecision.at50), "average precision at overlap 0.5"),
      (
        "\(readings.missedCount + readings.confusedCount) / \(readings.falsePositiveCount)",
        "dice missed or misread / detections of no die"
      ),
    ])
    if leftOutCount > 0 {
      page.element(
        "p",
        "\(NumberText.count(leftOutCount, "picture", "pictures")) could not be read and "
          + "\(leftOutCount == 1 ? "is" : "are") left out.")
    }
    writeSets(to: &page)
    writeValues(to: &page)
    writeCurves(to: &page)
    writeConfidence(to: &page)
    gallery.write(to: &page, threshold: report.confidenceThreshold)
    return page.finished(by: program)
  }

  private var scope: String {
    report.sets.count == 1 ? report.sets[0].name : "\(report.sets.count) sets"
  }

  private var origin: String {
    "Weights \(NumberText.hexadecimal(network.checksum)), input \(network.inputWidth) x "
      + "\(network.inputHeight). Detections of confidence "
      + "\(NumberText.short(report.confidenceThreshold)) or more; boxes that overlap by more than "
      + "\(NumberText.short(intersectionOverUnion)) compete. A die is read right if a "
      + "detection of its value has its centre in the labelled box, one to one."
  }

  // MARK: - Tables

  private func writeSets(to page: inout Page) {
    page.section(
      "Sets", "Small print: where the true share lies with 95 % confidence (Wilson's interval).")
    let header = [
      "set", "photos", "dice", "dice right", "photos right", "missed", "confused",
      "false positives",
      "AP50", "AP75", "AP50-95",
    ]
    let rows = report.sets + (report.sets.count > 1 ? [overall] : [])
    page.table(
      header, rows.map { row(of: $0) }, hasSum: report.sets.count > 1)
  }

  private func row(of result: EvaluationReport.SetResult) -> [String] {
    let readings = result.readings
    let precision = result.averagePrecision
    return [
      result.name, "\(readings.photos.count)", "\(readings.dieCount)",
      withInterval(readings.diceReadRight), withInterval(readings.photosReadExactlyRight),
      "\(readings.missedCount)", "\(readings.confusedCount)", "\(readings.falsePositiveCount)",
      percent(precision.at50), percent(precision.at75), percent(precision.at50To95),
    ]
  }

  private func writeValues(to page: inout Page) {
    page.section("Values")
    page.grid { page in
      page.card("Each value, all sets") { markup in
        markup.table(
          ["value", "dice", "precision", "recall", "AP50", "AP50-95"],
          report.classNames.enumerated().map { index, name in
            let recall = readings.recall(ofClass: index)
            let precision = overall.averagePrecision.classes[index]
            return [
              name, "\(recall.total)", percent(readings.precision(ofClass: index).value),
              percent(recall.value), percent(precision?.at50), percent(precision?.at50To95),
            ]
          })
      }
      page.card(
        "What dice were read as", "Rows are dice, columns detections."
      ) { markup in writeConfusion(to: &markup) }
    }
  }

  /// The confusion matrix, each cell as dark as its share of its row.
  private func writeConfusion(to markup: inout MarkupWriter) {
    let confusion = readings.confusion
    markup.raw("<div class=\"scroll\"><table class=\"heat\">\n<thead><tr><th></th>")
    for name in report.classNames {
      markup.raw("<th>")
      markup.valueTag(name)
      markup.raw("</th>")
    }
    markup.raw("<th>missed</th></tr></thead>\n<tbody>\n")
    for (value, name) in report.classNames.enumerated() {
      markup.raw("<tr><th>")
      markup.valueTag(name)
      markup.raw("</th>")
      let cells = confusion.counts[value] + [confusion.missed[value]]
      let total = cells.reduce(0, +)
      for (column, count) in cells.enumerated() {
        heatCell(
          count, of: total, isGood: column == value,
          hint: column < report.classNames.count
            ? "\(name) read as \(report.classNames[column])" : "\(name) missed", to: &markup)
      }
      markup.raw("</tr>\n")
    }
    markup.raw("<tr><th>no die</th>")
    let falsePositives = confusion.falsePositives.reduce(0, +)
    for (index, count) in confusion.falsePositives.enumerated() {
      heatCell(
        count, of: falsePositives, isGood: false,
        hint: "no die read as \(report.classNames[index])",
        to: &markup)
    }
    markup.raw("<td></td></tr>\n</tbody></table></div>\n")
  }

  private func heatCell(
    _ count: Int, of total: Int, isGood: Bool, hint: String, to markup: inout MarkupWriter
  ) {
    markup.raw("<td")
    if count == 0 {
      markup.raw(" class=\"zero\"")
    } else {
      // A single mistake is seen, and many do not hide their number.
      let share = Double(count) / Double(max(1, total))
      let strength = isGood ? 12 + 40 * share : 16 + 60 * min(1, 2 * share)
      markup.raw(" style=\"background:color-mix(in srgb,var(--")
      markup.raw(isGood ? "good" : "poor")
      markup.raw(") ")
      markup.number(strength)
      markup.raw("%,transparent)\"")
    }
    markup.attribute("title", "\(hint): \(count) of \(total)")
    markup.raw(">")
    markup.text("\(count)")
    markup.raw("</td>")
  }

  // MARK: - Curves

  private func writeCurves(to page: inout Page) {
    page.section(
      "Precision and recall",
      "Every detection down to a confidence of \(NumberText.short(leastConfidence)), the surest "
        + "first: of the dice found so far (recall), how many detections were right (precision).")
    page.grid { page in
      page.card("Each value at overlap 0.5") { markup in
        precisionChart(Self.valueLines(report)).write(
          to: &markup, label: "Precision over recall for each value at overlap 0.5")
      }
      page.card(
        "All values",
        "Means over the values, at overlap 0.5, at 0.75, and over the overlaps 0.5 to 0.95."
      ) { markup in
        precisionChart(Self.meanLines(report)).write(
          to: &markup, label: "Mean precision over recall")
      }
    }
  }

  private func precisionChart(_ lines: [Chart.Line]) -> Chart {
    Chart(
      x: Chart.Axis(title: "recall", range: 0...1, format: .percent),
      y: Chart.Axis(title: "precision", range: 0...1, format: .percent), lines: lines)
  }

  /// A line for each value that there are dice of, at overlap 0.5.
  static func valueLines(_ report: EvaluationReport) -> [Chart.Line] {
    var lines: [Chart.Line] = []
    for (index, name) in report.classNames.enumerated() {
      guard let result = report.overall.averagePrecision.classes[index] else { continue }
      lines.append(
        Chart.Line(
          name: "\(name): \(percent(result.at50))", ink: .value(index + 1),
          points: points(result.precisions[0])))
    }
    return lines
  }

  /// Lines of means over the values: the mean of a line's heights is the average precision.
  static func meanLines(_ report: EvaluationReport) -> [Chart.Line] {
    let precision = report.overall.averagePrecision
    let classes = precision.classes.compactMap { $0 }
    guard !classes.isEmpty else { return [] }
    func mean(_ thresholds: Range<Int>) -> [Chart.Point] {
      var sums = [Double](repeating: 0, count: AveragePrecision.recallLevels.count)
      for result in classes {
        for threshold in thresholds {
          for (level, value) in result.precisions[threshold].enumerated() { sums[level] += value }
        }
      }
      let count = Double(classes.count * thresholds.count)
      return points(sums.map { $0 / count })
    }
    return [
      Chart.Line(name: "AP50: \(percent(precision.at50))", ink: .value(1), points: mean(0..<1)),
      Chart.Line(name: "AP75: \(percent(precision.at75))", ink: .value(2), points: mean(5..<6)),
      Chart.Line(
        name: "AP50-95: \(percent(precision.at50To95))", ink: .value(3), points: mean(0..<10)),
    ]
  }

  private static func points(_ precisions: [Double]) -> [Chart.Point] {
    zip(AveragePrecision.recallLevels, precisions).map { Chart.Point(x: $0, y: $1) }
  }

  // MARK: - Confidence and size

  private func writeConfidence(to page: inout Page) {
    page.section("Confidence and size")
    page.grid { page in
      page.card(
        "What raising the threshold does",
        "Photos read exactly right as a share of the photos; mistakes as a share of the dice."
      ) { markup in
        thresholdChart().write(to: &markup, label: "Mistakes over the confidence threshold")
      }
      page.card(
        "How often a confidence is right",
        "Bars: how many detections have it. On the dashed line, confidence says how often it is "
          + "right; the mean distance from it is "
          + "\(percent(readings.calibration.expectedError))."
      ) { markup in
        calibrationChart().write(to: &markup, label: "Share right over confidence")
      }
      page.card(
        "Small and large dice",
        "Size: the labelled box's longer side as a share of the photo's longer side. Bars: how "
          + "many dice have it."
      ) { markup in
        sizeChart().write(to: &markup, label: "Share of dice read right over their size")
      }
      page.card("The best thresholds", "By photos read exactly right, then by mistakes.") {
        markup in writeThresholds(to: &markup)
      }
    }
  }

  private func thresholdChart() -> Chart {
    let sweep = overall.thresholds
    let dice = Double(max(1, sweep.dieCount))
    let photos = Double(max(1, sweep.photoCount))
    func line(
      _ name: String, _ ink: Chart.Ink, _ value: (ThresholdSweep.Row) -> (Double, String)
    ) -> Chart.Line {
      Chart.Line(
        name: name, ink: ink,
        points: sweep.rows.map { row in
          let (height, text) = value(row)
          return Chart.Point(
            x: row.threshold, y: height,
            hint: "from \(NumberText.short(row.threshold)): \(text)")
        })
    }
    return Chart(
      x: Chart.Axis(
        title: "confidence threshold", range: 0...1, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1]),
      y: Chart.Axis(title: "share", range: 0...1, format: .percent),
      lines: [
        line("photos exactly right", .good) {
          (
            Double($0.exactPhotoCount) / photos,
            "\($0.exactPhotoCount) of \(sweep.photoCount) photos exactly right"
          )
        },
        line("dice missed or misread", .value(2)) {
          (
            Double($0.missedCount + $0.confusedCount) / dice,
            "\($0.missedCount) of \(sweep.dieCount) dice missed, \($0.confusedCount) misread"
          )
        },
        line("false positives and wrong values for each die", .poor) {
          (Double($0.wrongCount) / dice, "\($0.wrongCount) false positives and wrong values")
        },
      ], marks: [(report.confidenceThreshold, "here")])
  }

  private func calibrationChart() -> Chart {
    let bins = readings.calibration.bins
    let greatest = Double(max(1, bins.map { $0.count }.max() ?? 1))
    return Chart(
      x: Chart.Axis(title: "confidence", range: 0...1, format: .percent),
      y: Chart.Axis(title: "share right", range: 0...1, format: .percent),
      lines: [
        Chart.Line(
          name: "share right", ink: .value(1),
          points: bins.compactMap { bin in
            guard let mean = bin.meanConfidence, let right = bin.right.value else { return nil }
            return Chart.Point(
              x: mean, y: right,
              hint: "\(bin.rightCount) of \(bin.count) right at a mean confidence of "
                + percent(mean))
          }, hasDots: true)
      ],
      bars: bins.filter { $0.count > 0 }.map { bin in
        Chart.Bar(
          from: bin.lowerBound, to: bin.upperBound, share: 0.6 * Double(bin.count) / greatest,
          label: "\(bin.count)", hint: "\(bin.count) detections")
      }, hasDiagonal: true)
  }

  private func sizeChart() -> Chart {
    let bins = overall.sizes.bins
    let (smallest, largest) = (0.0067, 0.36)
    let greatest = Double(max(1, bins.map { $0.dieCount }.max() ?? 1))
    func bounds(_ bin: SizeAccuracy.Bin) -> (Double, Double) {
      (max(bin.lowerBound, smallest), min(bin.upperBound, largest))
    }
    return Chart(
      x: Chart.Axis(
        title: "size of the die", range: smallest...largest, format: .percent,
        isLogarithmic: true, ticks: [0.01, 0.02, 0.04, 0.08, 0.16]),
      y: Chart.Axis(title: "dice read right", range: 0...1, format: .percent),
      lines: [
        Chart.Line(
          name: "dice read right", ink: .value(1),
          points: bins.compactMap { bin in
            guard let right = bin.right.value else { return nil }
            let (low, high) = bounds(bin)
            return Chart.Point(
              x: (low * high).squareRoot(), y: right,
              hint: "\(bin.rightCount) of \(bin.dieCount) right, \(bin.confusedCount) misread, "
                + "\(bin.missedCount) missed")
          }, hasDots: true)
      ],
      bars: bins.filter { $0.dieCount > 0 }.map { bin in
        let (low, high) = bounds(bin)
        return Chart.Bar(
          from: low, to: high, share: 0.6 * Double(bin.dieCount) / greatest,
          label: "\(bin.dieCount)", hint: "\(bin.dieCount) dice")
      })
  }

  private func writeThresholds(to markup: inout MarkupWriter) {
    let sweep = overall.thresholds
    let best = sweep.rows.sorted { one, other in
      func key(_ row: ThresholdSweep.Row) -> (Int, Int, Double) {
        (
          -row.exactPhotoCount, row.missedCount + row.confusedCount + row.falsePositiveCount,
          row.threshold
        )
      }
      return key(one) < key(other)
    }.prefix(6)
    markup.table(
      ["threshold", "photos right", "missed", "confused", "false positives"],
      best.map { row in
        [
          NumberText.fixed(row.threshold, decimals: 2),
          "\(row.exactPhotoCount)\nof \(sweep.photoCount)", "\(row.missedCount)",
          "\(row.confusedCount)", "\(row.falsePositiveCount)",
        ]
      })
    markup.raw("<p class=\"note\">")
    markup.text(
      "Chosen on the photos it is measured on, a threshold looks better than it will be on others.")
    markup.raw("</p>\n")
  }

  // MARK: - Numbers

  private func percent(_ value: Double?) -> String { Self.percent(value) }

  static func percent(_ value: Double?) -> String { "\(shareText(value)) %" }

  private func withInterval(_ proportion: Proportion) -> String {
    guard let interval = proportion.interval else { return "–" }
    return percent(proportion.value)
      + "\n\(Self.shareText(interval.lowerBound)) to \(Self.shareText(interval.upperBound))"
  }

  /// A share in percent with one decimal, as the text of a report has it.
  private static func shareText(_ value: Double?) -> String { EvaluationReport.percent(value) }
}
