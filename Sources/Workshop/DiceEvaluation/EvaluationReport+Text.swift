extension EvaluationReport {
  /// The report as text in fixed-width columns, shares in percent.
  ///
  /// A table of the sets, then for all pictures together each value's precision and recall, values
  /// against detections, and calibration. Where classes tell kinds of dice, tables of kinds, frequent
  /// wrong numbers and sizes stand in place of values against detections. A dash stands where there is
  /// nothing to measure.
  public var text: String {
    """
    \(summaryTable.text)
    Detections: confidence \(TextTable.fixed(confidenceThreshold, decimals: 3)) or more. Right: same \
    value, centre in the labelled box, one to one.
    In brackets: 95 % interval. AP: average precision, at most \(detectionLimit) detections a class \
    and photo.

    Each value, \(scope)
    \(classTable.text)
    \(overall.kinds.map(kindTables) ?? confusionTables)
    Confidence and share right, \(scope)
    \(calibrationTable.text)\(calibrationLine)
    """
  }

  var scope: String {
    sets.count > 1 ? "all sets" : overall.name
  }

  private var summaryTable: TextTable {
    var table = TextTable(header: [
      "set", "photos", "dice", "dice right", "", "photos right", "", "missed", "confused",
      "false positives", "AP50", "AP75", "AP50-95",
    ])
    for result in sets + (sets.count == 1 ? [] : [overall]) {
      let readings = result.readings
      let precision = result.averagePrecision
      table.add([
        result.name, "\(readings.photos.count)", "\(readings.dieCount)",
        TextTable.percent(readings.diceReadRight.value), Self.interval(readings.diceReadRight),
        TextTable.percent(readings.photosReadExactlyRight.value),
        Self.interval(readings.photosReadExactlyRight),
        "\(readings.missedCount)", "\(readings.confusedCount)", "\(readings.falsePositiveCount)",
        TextTable.percent(precision.at50), TextTable.percent(precision.at75),
        TextTable.percent(precision.at50To95),
      ])
    }
    return table
  }

  private var classTable: TextTable {
    var table = TextTable(header: ["value", "dice", "precision", "recall", "AP50", "AP50-95"])
    for (index, name) in classNames.enumerated() {
      let recall = overall.readings.recall(ofClass: index)
      let precision = overall.averagePrecision.classes[index]
      table.add([
        name, "\(recall.total)",
        TextTable.percent(overall.readings.precision(ofClass: index).value),
        TextTable.percent(recall.value), TextTable.percent(precision?.at50),
        TextTable.percent(precision?.at50To95),
      ])
    }
    return table
  }

  private var confusionTables: String {
    "Dice (rows) and what they were read as (columns), \(scope)\n\(confusionTable.text)"
  }

  private var confusionTable: TextTable {
    let confusion = overall.readings.confusion
    var table = TextTable(header: [""] + classNames + ["missed"])
    for (index, name) in classNames.enumerated() {
      table.add([name] + (confusion.counts[index] + [confusion.missed[index]]).map { "\($0)" })
    }
    table.add(["false positives"] + confusion.falsePositives.map { "\($0)" })
    return table
  }

  private var calibrationTable: TextTable {
    var table = TextTable(header: ["confidence", "detections", "mean", "right"])
    for bin in overall.readings.calibration.bins {
      let bounds =
        TextTable.fixed(bin.lowerBound, decimals: 2) + "–"
        + TextTable.fixed(bin.upperBound, decimals: 2)
      table.add([
        bounds, "\(bin.count)", TextTable.percent(bin.meanConfidence),
        TextTable.percent(bin.right.value),
      ])
    }
    return table
  }

  private var calibrationLine: String {
    let error = overall.readings.calibration.expectedError
    var line = "Expected calibration error: \(TextTable.percent(error))\n"
    if let kinds = overall.kinds {
      line +=
        "Of kinds: \(TextTable.percent(kinds.kindCalibration.expectedError)); of numbers, where the "
        + "kind is right: \(TextTable.percent(kinds.numberCalibration.expectedError))\n"
    }
    return line
  }

  /// A share in percent with one decimal, as the tables have it.
  package static func percent(_ value: Double?) -> String { TextTable.percent(value) }

  private static func interval(_ proportion: Proportion) -> String {
    guard let interval = proportion.interval else { return "" }
    return "[\(TextTable.percent(interval.lowerBound)), \(TextTable.percent(interval.upperBound))]"
  }
}
