internal import DiceDrawing
internal import DiceFiles
internal import DiceStatistics

/// The report as a page with plots.
struct TallyPage {
  let report: TallyReport

  private static let plot = (left: 56.0, top: 16.0, right: 544.0, bottom: 264.0)

  /// The whole file.
  func file(madeBy program: String) -> [UInt8] {
    var page = Page(title: "Tally")
    page.element("p", report.countSentences.joined(separator: " "))
    let all = report.parts[0]
    page.facts([
      (NumberText.grouped(report.rollCount), report.rollCount == 1 ? "roll" : "rolls"),
      (
        all.results.map { TallyReport.text(ofPValue: $0.pValue) } ?? "–",
        "p-value: how often an expected die gives counts like these"
      ),
      (
        all.results?.leastBias.map { TallyReport.points($0) } ?? "–",
        "the least bias that so many rolls show with \(NumberText.percent(report.question.power)) "
          + "probability"
      ),
    ])
    for part in report.parts { write(part, to: &page) }
    page.section(
      "How many rolls",
      "Rolls of a die that show a bias with \(NumberText.percent(report.question.power)) "
        + "probability, at a level of \(TallyReport.percent(report.level)). A bias of 5 points: one face "
        + "comes up in 5 of 100 rolls more than expected.")
    page.grid { page in
      page.card("The least bias that so many rolls show") { markup in writeCurve(to: &markup) }
      page.card("Rolls for a bias") { markup in
        markup.table(
          ["bias", "rolls"],
          report.needed.map {
            [TallyReport.points($0.bias), $0.rollCount.map { NumberText.grouped($0) } ?? "never"]
          })
      }
    }
    return page.finished(by: program)
  }

  private func write(_ part: TallyReport.Part, to page: inout Page) {
    let name = report.name(of: part)
    page.section(
      name.prefix(1).uppercased() + name.dropFirst(),
      report.sentences(on: part).joined(separator: " "))
    guard let results = part.results else { return }
    page.grid { page in
      page.card(
        "Shares",
        "Bars: shares without the reader's errors. Lines: 95 % intervals, each by itself. Dashes: what is "
          + "expected."
      ) { markup in writePlot(results, name, to: &markup) }
      page.card("Tests") { markup in
        markup.table(["test", "", "p"], rows(results))
        markup.table(
          ["face", "count", "share", "expected"],
          zip(results.estimates, report.question.expected.shares).map { estimate, share in
            [
              report.question.name(ofFace: estimate.value), NumberText.grouped(estimate.count),
              TallyReport.percent(estimate.share) + "\n" + TallyReport.interval(estimate),
              TallyReport.percent(share),
            ]
          })
      }
    }
  }

  private func rows(_ results: TallyReport.Results) -> [[String]] {
    let chi = results.chiSquare
    var rows = [
      [
        "chi-square",
        "\(NumberText.fixed(chi.statistic, decimals: 2))\n\(chi.degreesOfFreedom) degrees of freedom",
        TallyReport.text(ofPValue: chi.pValue),
      ],
      [
        "exact",
        TallyReport.text(of: results.exact.method).split(separator: ", ", maxSplits: 1)
          .joined(separator: "\n"),
        TallyReport.text(ofPValue: results.exact.pValue),
      ],
    ]
    if let runs = results.runs {
      rows.append([
        "runs",
        "\(NumberText.grouped(runs.runCount))\n"
          + "\(NumberText.fixed(runs.expectedRunCount, decimals: 1)) expected",
        TallyReport.text(ofPValue: runs.pValue),
      ])
    }
    return rows
  }

  // MARK: - Plots

  private func begin(_ label: String, _ markup: inout MarkupWriter) {
    markup.raw("<svg class=\"chart\" role=\"img\" viewBox=\"0 0 560 300\"")
    markup.attribute("aria-label", label)
    markup.raw(">\n")
  }

  /// Marks shares from 0 to a whole number of steps.
  ///
  /// - Returns: the highest share.
  private func writeShares(upTo greatest: Double, to markup: inout MarkupWriter) -> Double {
    // Steps of 5, 10 or 25 points.
    let step = greatest <= 0.3 ? 0.05 : greatest <= 0.6 ? 0.1 : 0.25
    let end = min(1, (greatest / step).rounded(.up) * step)
    var tick = 0.0
    while tick <= end + 1e-9 {
      let row = row(tick, end)
      line("grid-line", Self.plot.left, row, Self.plot.right, row, to: &markup)
      text(
        "\(NumberText.fixed(tick * 100, decimals: 0)) %", x: Self.plot.left - 8, y: row + 4,
        anchor: "end", to: &markup)
      tick += step
    }
    line(
      "axis", Self.plot.left, Self.plot.bottom, Self.plot.right, Self.plot.bottom, to: &markup)
    return end
  }

  private func row(_ share: Double, _ end: Double) -> Double {
    Self.plot.bottom - (Self.plot.bottom - Self.plot.top) * min(share / end, 1)
  }

  /// The least bias over the number of rolls, each point a factor from the one before.
  private func writeCurve(to markup: inout MarkupWriter) {
    begin("The least bias that can be seen, over the number of rolls", &markup)
    let end = writeShares(upTo: 0.3, to: &markup)
    let curve = [10, 100, 1000, 10_000, 100_000].flatMap { decade in
      [(1, 1), (8, 5), (5, 2), (4, 1), (63, 10)].map { factor, part in
        let count = decade * factor / part
        return (
          rollCount: count,
          // Every rule was checked by the report.
          bias: try? report.detection.leastBias(rollCount: count, power: report.question.power)
        )
      }
    }
    let step = (Self.plot.right - Self.plot.left) / Double(max(1, curve.count - 1))
    func place(_ index: Double) -> Double { Self.plot.left + step * index }
    for index in stride(from: 0, to: curve.count, by: 5) {
      text(
        NumberText.grouped(curve[index].rollCount), x: place(Double(index)),
        y: Self.plot.bottom + 18, anchor: "middle", to: &markup)
    }
    markup.raw("<path fill=\"none\" style=\"stroke:var(--v1);stroke-width:2\" d=\"")
    var isDrawing = false
    for (index, point) in curve.enumerated() {
      guard let bias = point.bias, bias <= end else { continue }
      if isDrawing { markup.raw("L") } else { markup.raw("M") }
      isDrawing = true
      markup.numbers(place(Double(index)), row(bias, end))
    }
    markup.raw("\"/>\n")
    let count = report.parts[0].tally.rollCount
    if let above = curve.firstIndex(where: { $0.rollCount >= count }), above > 0 {
      let (low, high) = (Double(curve[above - 1].rollCount), Double(curve[above].rollCount))
      let x = place(Double(above - 1) + (Double(count) - low) / (high - low))
      line("mark", x, Self.plot.top, x, Self.plot.bottom, to: &markup)
      text(
        "these", x: x + 5, y: Self.plot.top + 10, anchor: "start", to: &markup)
    }
    markup.raw("</svg>\n")
  }

  private func writePlot(
    _ results: TallyReport.Results, _ name: String, to markup: inout MarkupWriter
  ) {
    let expected = report.question.expected.shares
    let tops = results.estimates.map(\.interval.upperBound) + expected
    let greatest = tops.max() ?? 1
    begin("Shares of the faces of \(name)", &markup)
    let end = writeShares(upTo: greatest, to: &markup)
    func row(_ share: Double) -> Double { self.row(share, end) }
    let width = (Self.plot.right - Self.plot.left) / Double(expected.count)
    for (index, estimate) in results.estimates.enumerated() {
      let left = Self.plot.left + width * Double(index)
      let middle = left + width / 2
      markup.raw("<g><title>")
      markup.text(
        "\(report.question.name(ofFace: estimate.value)): \(NumberText.grouped(estimate.count)) of all, "
          + "\(TallyReport.percent(estimate.share)), \(TallyReport.interval(estimate))")
      markup.raw("</title><rect style=\"fill:var(--v")
      markup.number(Double((estimate.value - 1) % 6 + 1))
      markup.raw(")\" fill-opacity=\"0.55\"")
      markup.attribute("x", left + width * 0.14)
      markup.attribute("y", row(estimate.share))
      markup.attribute("width", width * 0.72)
      markup.attribute("height", Self.plot.bottom - row(estimate.share))
      markup.raw("/>")
      let (low, high) = (row(estimate.interval.lowerBound), row(estimate.interval.upperBound))
      let foot = min(10, width * 0.2)
      for (x1, y1, x2, y2) in [
        (middle, low, middle, high), (middle - foot, low, middle + foot, low),
        (middle - foot, high, middle + foot, high),
      ] {
        markup.raw("<path style=\"stroke:var(--ink);stroke-width:1.5\" d=\"M")
        markup.numbers(x1, y1)
        markup.raw("L")
        markup.numbers(x2, y2)
        markup.raw("\"/>")
      }
      let share = row(expected[index])
      line("ideal", left + width * 0.04, share, left + width * 0.96, share, to: &markup)
      // Of many faces only some have room for their number.
      if index.isMultiple(of: max(1, expected.count / 20)) {
        text(
          report.question.name(ofFace: estimate.value), x: middle, y: Self.plot.bottom + 18,
          anchor: "middle", to: &markup)
      }
      markup.raw("</g>\n")
    }
    markup.raw("</svg>\n")
  }

  private func line(
    _ name: String, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double,
    to markup: inout MarkupWriter
  ) {
    markup.raw("<path")
    markup.attribute("class", name)
    markup.raw(" d=\"M")
    markup.numbers(x1, y1)
    markup.raw("L")
    markup.numbers(x2, y2)
    markup.raw("\"/>\n")
  }

  private func text(
    _ text: String, x: Double, y: Double, anchor: String, to markup: inout MarkupWriter
  ) {
    markup.raw("<text")
    markup.attribute("x", x)
    markup.attribute("y", y)
    markup.attribute("text-anchor", anchor)
    markup.raw(">")
    markup.text(text)
    markup.raw("</text>\n")
  }
}
