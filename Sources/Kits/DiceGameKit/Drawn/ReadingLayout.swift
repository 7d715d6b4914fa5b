/// Puts digits in the order of reading.
enum ReadingLayout {
  private struct Item {
    var choice: GroupSearch.Choice
    var low: SIMD2<Float>
    var high: SIMD2<Float>
  }

  /// Rows from top to bottom, each from left to right; a column of single digits is one line.
  static func reading(
    _ choices: [GroupSearch.Choice], paths: [InkPath]
  ) -> NumberReading {
    let items = choices.map { choice in
      let group = InkGroup(choice.strokes.map { paths[$0] })
      return Item(choice: choice, low: group.low, high: group.high)
    }
    let digits = items.filter { $0.choice.digit != nil }
    var others = items.filter { $0.choice.digit == nil }
    var lines: [NumberReading.Line] = []
    for row in rows(of: digits) {
      if isAmongOthers(row, others) {
        others += row
        continue
      }
      var minus: Int?
      if let index = others.firstIndex(where: { isMinus($0, of: row[0]) }) {
        minus = others[index].choice.strokes[0]
        others.remove(at: index)
      }
      lines.append(line(row, minus: minus))
    }
    let isColumn = lines.count > 1 && isColumn(digits, lines)
    if isColumn {
      lines = [
        NumberReading.Line(
          digits: lines.flatMap { $0.digits }, minusStroke: lines[0].minusStroke)
      ]
    }
    return NumberReading(
      lines: lines, rejected: others.map { $0.choice.strokes }.sorted { $0[0] < $1[0] })
  }

  /// Whether a row has more of other things as high as its digits than digits: a word of which some
  /// letters look like digits.
  private static func isAmongOthers(_ row: [Item], _ others: [Item]) -> Bool {
    let heights = row.map { $0.high.y - $0.low.y }.sorted()
    let height = heights[heights.count / 2]
    let (low, high) = (row.map { $0.low.y }.min() ?? 0, row.map { $0.high.y }.max() ?? 0)
    let (left, right) = (row.map { $0.low.x }.min() ?? 0, row.map { $0.high.x }.max() ?? 0)
    let count = others.count { other in
      other.high.y - other.low.y >= 0.45 * height && other.high.y > low && other.low.y < high
        && other.high.x > left - height && other.low.x < right + height
    }
    return count >= 2 && count > row.count
  }

  private static func line(_ row: [Item], minus: Int?) -> NumberReading.Line {
    NumberReading.Line(
      digits: row.map { item in
        let value = item.choice.digit ?? 0
        let probabilities = Calibration.drawings.probabilities(
          item.choice.probabilities, value: value, certainty: item.choice.certainty)
        return DrawnDigit(
          value: value, confidence: probabilities[value], probabilities: probabilities,
          strokes: item.choice.strokes, replacedStrokes: item.choice.replaced)
      }, minusStroke: minus)
  }

  /// Digits whose heights overlap by two fifths of the smaller one share a row.
  private static func rows(of items: [Item]) -> [[Item]] {
    var rows: [(low: Float, high: Float, items: [Item])] = []
    for item in items.sorted(by: { $0.low.x < $1.low.x }) {
      let fitting = rows.indices.max { overlap(rows[$0], item) < overlap(rows[$1], item) }
      if let fitting, overlap(rows[fitting], item) >= 0.4 {
        // A row follows its last digit: lines are seldom level.
        rows[fitting].low = item.low.y
        rows[fitting].high = item.high.y
        rows[fitting].items.append(item)
      } else {
        rows.append((item.low.y, item.high.y, [item]))
      }
    }
    func middle(_ row: (low: Float, high: Float, items: [Item])) -> Float {
      row.items.reduce(0) { $0 + $1.low.y + $1.high.y } / Float(row.items.count)
    }
    return rows.sorted { middle($0) < middle($1) }.map { $0.items }
  }

  private static func overlap(
    _ row: (low: Float, high: Float, items: [Item]), _ item: Item
  ) -> Float {
    let common = min(row.high, item.high.y) - max(row.low, item.low.y)
    let smaller = min(row.high - row.low, item.high.y - item.low.y)
    return smaller > 0 ? common / smaller : 0
  }

  /// Single digits that stand close below each other.
  private static func isColumn(_ items: [Item], _ lines: [NumberReading.Line]) -> Bool {
    guard lines.allSatisfy({ $0.digits.count == 1 }),
      lines.dropFirst().allSatisfy({ $0.minusStroke == nil })
    else { return false }
    let sorted = items.sorted { $0.low.y < $1.low.y }
    return zip(sorted, sorted.dropFirst()).allSatisfy { upper, lower in
      let size = max(upper.high.y - upper.low.y, lower.high.y - lower.low.y)
      return lower.low.y - upper.high.y < size
        && (upper.low.x + upper.high.x - lower.low.x - lower.high.x).magnitude < 2 * size
    }
  }

  /// A level stroke by itself, left of a digit's middle height.
  private static func isMinus(_ item: Item, of digit: Item) -> Bool {
    guard item.choice.strokes.count == 1 else { return false }
    let size = item.high - item.low
    let height = digit.high.y - digit.low.y
    let middle = ((item.low.y + item.high.y) / 2 - digit.low.y) / max(height, 1e-30)
    return size.y <= 0.4 * size.x && size.x >= 0.2 * height && size.x <= 1.5 * height
      && item.high.x <= digit.low.x + 0.3 * size.x && digit.low.x - item.high.x <= 1.5 * height
      && middle > 0.2 && middle < 0.8
  }
}
