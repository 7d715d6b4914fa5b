extension EvaluationReport {
  /// How many wrong numbers the text names.
  private static let wrongNumberLimit = 20

  /// The tables of kinds, wrong numbers and sizes, each with a heading and an empty line between them.
  func kindTables(_ kinds: KindAccuracy) -> String {
    """
    Each kind, \(scope)
    \(kindTable(kinds).text)
    Kinds of dice (rows) and what they were read as (columns), \(scope)
    \(kindConfusionTable(kinds).text)
    Most frequent wrong numbers of dice whose kind is right, \(scope)
    \(wrongNumberTable(kinds).text)
    Longer side of the labelled box in pixels, \(scope)
    \(pixelTable(kinds.sizes).text)
    """
  }

  private func kindTable(_ kinds: KindAccuracy) -> TextTable {
    var table = TextTable(header: [
      "kind", "dice", "kind right", "kind and number right", "missed", "false positives",
    ])
    for row in kinds.rows {
      table.add([
        row.kind.rawValue, "\(row.dieCount)", TextTable.percent(row.kindRight.value),
        TextTable.percent(row.right.value), "\(row.missedCount)", "\(row.falsePositiveCount)",
      ])
    }
    return table
  }

  private func kindConfusionTable(_ kinds: KindAccuracy) -> TextTable {
    var table = TextTable(header: [""] + kinds.rows.map(\.kind.rawValue) + ["missed"])
    for row in kinds.rows {
      table.add([row.kind.rawValue] + (row.readCounts + [row.missedCount]).map { "\($0)" })
    }
    table.add(["false positives"] + kinds.rows.map { "\($0.falsePositiveCount)" })
    return table
  }

  private func wrongNumberTable(_ kinds: KindAccuracy) -> TextTable {
    var table = TextTable(header: ["die", "read as", "count", "of dice"])
    for wrong in kinds.wrongNumbers.prefix(Self.wrongNumberLimit) {
      let dice = overall.readings.recall(ofClass: wrong.classIndex).total
      table.add([
        classNames[wrong.classIndex], classNames[wrong.readClassIndex], "\(wrong.count)",
        "\(dice)",
      ])
    }
    return table
  }

  private func pixelTable(_ sizes: SizeAccuracy) -> TextTable {
    var table = TextTable(header: ["pixels", "dice", "dice right", "confused", "missed"])
    for bin in sizes.bins {
      let lower = TextTable.fixed(bin.lowerBound, decimals: 0)
      let upper = bin.upperBound.isFinite ? TextTable.fixed(bin.upperBound, decimals: 0) : ""
      table.add([
        "\(lower)–\(upper)", "\(bin.dieCount)", TextTable.percent(bin.right.value),
        "\(bin.confusedCount)", "\(bin.missedCount)",
      ])
    }
    return table
  }
}
