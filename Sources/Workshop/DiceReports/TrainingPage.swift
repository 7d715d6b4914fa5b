internal import DiceDrawing
internal import DiceFiles

/// The page of a training run: its curves so far.
package struct TrainingPage {
  /// What is trained, for the title.
  var name: String
  /// How it is trained, in a sentence.
  var summary: String
  var stepCount: Int
  var table: TrainingTable
  /// Whether the run goes on: the page then asks for a newer one.
  var isRunning: Bool
  /// The sets that are measured on; empty for none.
  var validationNames: [String]

  /// A page of a training run.
  ///
  /// - Parameters:
  ///   - name: what is trained, for the title.
  ///   - summary: how it is trained, in a sentence.
  ///   - stepCount: how many steps it has in all.
  ///   - table: what was measured so far.
  ///   - isRunning: whether it goes on.
  ///   - validationNames: the sets that are measured on; empty for none.
  package init(
    name: String, summary: String, stepCount: Int, table: TrainingTable, isRunning: Bool,
    validationNames: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.stepCount = stepCount
    self.table = table
    self.isRunning = isRunning
    self.validationNames = validationNames
  }

  /// After how many seconds a browser looks for a newer page.
  static let refreshSeconds = 20

  /// The whole file.
  ///
  /// - Parameter program: the name and the version of the program that makes it.
  package func file(madeBy program: String) -> [UInt8] {
    var page = Page(
      title: "Training \(name)", refreshSeconds: isRunning ? Self.refreshSeconds : nil)
    page.element("p", summary)
    writeFacts(to: &page)
    let rows = table.condensedRows
    if rows.isEmpty {
      page.element("p", "No line of the table has been written yet.")
    } else {
      page.section("Learning", "Means over the steps of a line of the table.")
      page.grid { page in
        page.card("Loss") { markup in
          lossChart(rows).write(to: &markup, label: "Losses over the steps")
        }
        page.card("Overlap", "Of predicted boxes with the dice they were given.") { markup in
          overlapChart(rows).write(to: &markup, label: "Overlap over the steps")
        }
        page.card("Learning rate") { markup in
          rateChart(rows).write(to: &markup, label: "Learning rate over the steps")
        }
        page.card("Speed") { markup in
          speedChart(rows).write(to: &markup, label: "Images a second over the steps")
        }
      }
    }
    if !validationNames.isEmpty { writeValidations(to: &page) }
    return page.finished(by: program)
  }

  private func writeFacts(to page: inout Page) {
    let last = table.rows.last
    let done = last.map { Double($0.step) / Double(max(1, stepCount)) } ?? 0
    var facts = [
      (
        "\(NumberText.fixed((done * 100).rounded(.down), decimals: 0)) %",
        "\(NumberText.grouped(last?.step ?? 0)) of \(NumberText.grouped(stepCount)) steps"
          + (isRunning ? "" : done >= 1 ? ", finished" : ", stopped")
      )
    ]
    if let last {
      facts.append((NumberText.fixed(last.loss, decimals: 3), "loss"))
      facts.append((NumberText.fixed(last.overlap, decimals: 3), "overlap"))
      facts.append((NumberText.fixed(last.imagesPerSecond, decimals: 1), "images a second"))
    }
    if let latest = table.validations.last {
      facts.append(
        (
          EvaluationPage.percent(share(latest.rightCount, latest.dieCount)),
          "of \(latest.dieCount) validation dice read right"
        ))
    }
    page.facts(facts)
  }

  private func share(_ part: Int, _ whole: Int) -> Double {
    whole > 0 ? Double(part) / Double(whole) : .nan
  }

  // MARK: - Charts

  private var steps: Chart.Axis {
    Chart.Axis(title: "step", range: 0...Double(max(1, stepCount)))
  }

  private func line(
    _ name: String, _ ink: Chart.Ink, _ rows: [TrainingTable.Row], hints: Bool = false,
    _ value: (TrainingTable.Row) -> Double
  ) -> Chart.Line {
    Chart.Line(
      name: name, ink: ink,
      points: rows.map { row in
        Chart.Point(x: Double(row.step), y: value(row))
      })
  }

  /// The losses and their parts, on an axis that ends where nearly all values lie.
  func lossChart(_ rows: [TrainingTable.Row]) -> Chart {
    // The first steps' losses would flatten all others.
    let sorted = rows.map { $0.loss }.filter { $0.isFinite }.sorted()
    let high = sorted.isEmpty ? 1 : sorted[min(sorted.count - 1, sorted.count * 97 / 100)]
    return Chart(
      x: steps, y: Chart.Axis(title: "loss", range: Chart.rangeFromZero([high])),
      lines: [
        line("all", .main, rows) { $0.loss }, line("box", .value(1), rows) { $0.boxLoss },
        line("objectness", .value(2), rows) { $0.objectnessLoss },
        line("value", .value(3), rows) { $0.classificationLoss },
      ])
  }

  private func overlapChart(_ rows: [TrainingTable.Row]) -> Chart {
    Chart(
      x: steps,
      y: Chart.Axis(title: "intersection over union", range: 0...1, format: .percent),
      lines: [line("overlap", .value(1), rows) { $0.overlap }])
  }

  private func rateChart(_ rows: [TrainingTable.Row]) -> Chart {
    Chart(
      x: steps,
      y: Chart.Axis(
        title: "learning rate", range: Chart.rangeFromZero(rows.map { $0.learningRate }),
        format: .scientific),
      lines: [line("learning rate", .value(6), rows) { $0.learningRate }])
  }

  private func speedChart(_ rows: [TrainingTable.Row]) -> Chart {
    Chart(
      x: steps,
      y: Chart.Axis(
        title: "images a second", range: Chart.rangeFromZero(rows.map { $0.imagesPerSecond })),
      lines: [line("speed", .value(3), rows) { $0.imagesPerSecond }])
  }

  // MARK: - Validation

  private func writeValidations(to page: inout Page) {
    page.section(
      "Validation",
      "The weights as they would be exported, on pictures that are not learned from: "
        + validationNames.joined(separator: ", ") + ".")
    guard !table.validations.isEmpty else {
      page.element("p", "Not measured yet.")
      return
    }
    let rows = table.validations
    func line(
      _ name: String, _ ink: Chart.Ink, _ value: (TrainingTable.Validation) -> Double
    ) -> Chart.Line {
      Chart.Line(
        name: name, ink: ink,
        points: rows.map { row in
          let height = value(row)
          return Chart.Point(
            x: Double(row.step), y: height,
            hint: "step \(row.step): \(EvaluationPage.percent(height))")
        }, hasDots: true)
    }
    page.grid { page in
      page.card("Right") { markup in
        Chart(
          x: steps, y: Chart.Axis(title: "share", range: 0...1, format: .percent),
          lines: [
            line("dice right", .good) { share($0.rightCount, $0.dieCount) },
            line("photos exactly right", .value(1)) { share($0.exactPhotoCount, $0.photoCount) },
            line("AP50", .value(2)) { $0.at50 },
            line("AP50-95", .value(3)) { $0.at50To95 },
          ]
        ).write(to: &markup, label: "Shares right over the steps")
      }
      page.card("The last measurements", "Dice and photos: the shares read right.") { markup in
        markup.table(
          ["step", "dice", "photos", "missed", "confused", "false positives", "AP50"],
          rows.suffix(8).map { row in
            [
              NumberText.grouped(row.step),
              EvaluationPage.percent(share(row.rightCount, row.dieCount)),
              EvaluationPage.percent(share(row.exactPhotoCount, row.photoCount)),
              "\(row.missedCount)", "\(row.confusedCount)", "\(row.falsePositiveCount)",
              EvaluationPage.percent(row.at50),
            ]
          })
      }
    }
  }
}
