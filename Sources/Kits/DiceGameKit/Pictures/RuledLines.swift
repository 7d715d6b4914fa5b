/// Takes ruled lines of paper out of a picture's ink.
///
/// A ruled line is thin, nearly level or upright, covers half of the picture's width or height, and is
/// one of three, reaches from edge to edge or far beyond all other ink. Where something crosses it, the crossing stays.
enum RuledLines {
  /// Which part of a side a line covers.
  private static let coverage: Float = 0.5
  /// The most lines of one direction.
  private static let lineLimit = 80
  /// The most short runs of ink in a column, on the average.
  private static let crossingLimit = 60
  /// The steepest line: rows for each column, in steps.
  private static let (steepest, steps): (Float, Int) = (0.1, 20)

  static func remove(
    from mask: inout [Bool], differences: [Float], width: Int, height: Int
  ) {
    guard width >= 60, height >= 60 else { return }
    let level = lines(mask, width, height)
    let isRuled =
      level.count >= 3 || (!level.isEmpty && reachBeyondInk(level, mask, width, height))
    if isRuled { erase(level, from: &mask, differences, width, height) }
    var turned = transposed(mask, width, height)
    let upright = lines(turned, height, width)
    guard upright.count >= 3 || (level.count >= 2 && isRuled && !upright.isEmpty) else { return }
    erase(upright, from: &turned, transposed(differences, width, height), height, width)
    mask = transposed(turned, height, width)
  }

  private struct Line {
    var slope: Float
    var offset: Float
    var thickness: Int

    func row(_ column: Int) -> Float { offset + slope * Float(column) }
  }

  private static func transposed<Value>(_ values: [Value], _ width: Int, _ height: Int) -> [Value] {
    var result: [Value] = []
    result.reserveCapacity(values.count)
    for column in 0..<width {
      for row in 0..<height { result.append(values[row * width + column]) }
    }
    return result
  }

  /// Short runs of ink within columns: where a level line passes.
  private struct Crossing {
    var column: Int
    var middle: Float
    var length: Int
  }

  private static func crossings(
    _ mask: [Bool], _ width: Int, _ height: Int
  ) -> [Crossing] {
    let longest = max(3, min(width, height) / 60)
    var crossings: [Crossing] = []
    for column in 0..<width {
      var row = 0
      while row < height {
        guard mask[row * width + column] else {
          row += 1
          continue
        }
        let start = row
        while row < height, mask[row * width + column] { row += 1 }
        if row - start <= longest {
          crossings.append(
            Crossing(column: column, middle: Float(start + row - 1) / 2, length: row - start))
        }
      }
    }
    return crossings
  }

  private static func lines(_ mask: [Bool], _ width: Int, _ height: Int) -> [Line] {
    var left = crossings(mask, width, height)
    var lines: [Line] = []
    // Of so much ink none is a line.
    guard left.count <= crossingLimit * width else { return [] }
    let needed = coverage * Float(width)
    while lines.count < lineLimit, Float(left.count) >= needed {
      var best: (count: Int, slope: Float, row: Int) = (0, 0, 0)
      for step in -steps...steps {
        let slope = steepest * Float(step) / Float(steps)
        let shift = slope.magnitude * Float(width)
        var votes = [Int](repeating: 0, count: height + 2 * Int(shift) + 8)
        for crossing in left {
          let row = crossing.middle - slope * Float(crossing.column) + shift + 2.5
          votes[min(max(0, Int(row)), votes.count - 1)] += 1
        }
        for row in 1..<votes.count - 1 {
          let count = votes[row - 1] + votes[row] + votes[row + 1]
          if count > best.count { best = (count, slope, row - Int(shift) - 2) }
        }
      }
      guard Float(best.count) >= needed else { break }
      let line = Line(slope: best.slope, offset: Float(best.row), thickness: 0)
      var lengths: [Int] = []
      var rest: [Crossing] = []
      for crossing in left {
        if (crossing.middle - line.row(crossing.column)).magnitude <= 3 {
          lengths.append(crossing.length)
        } else {
          rest.append(crossing)
        }
      }
      guard !lengths.isEmpty else { break }
      lengths.sort()
      lines.append(
        Line(slope: line.slope, offset: line.offset, thickness: lengths[lengths.count / 2]))
      left = rest
    }
    return lines
  }

  /// Whether lines reach far beyond all other ink, to the left or to the right.
  private static func reachBeyondInk(
    _ lines: [Line], _ mask: [Bool], _ width: Int, _ height: Int
  ) -> Bool {
    var (covered, others) = ([Int](repeating: 0, count: width), [Int](repeating: 0, count: width))
    for column in 0..<width {
      for row in 0..<height where mask[row * width + column] {
        let isOnLine = lines.contains {
          (Float(row) - $0.row(column)).magnitude <= Float($0.thickness) / 2 + 2.5
        }
        if isOnLine { covered[column] = 1 } else { others[column] += 1 }
      }
    }
    let total = others.reduce(0, +)
    guard total > 0, let first = covered.firstIndex(of: 1), let last = covered.lastIndex(of: 1)
    else { return false }
    // Specks do not count: a hundredth of the ink on either side.
    var (sum, low, high) = (0, 0, width - 1)
    while low < width, sum + others[low] <= total / 100 {
      sum += others[low]
      low += 1
    }
    sum = 0
    while high > low, sum + others[high] <= total / 100 {
      sum += others[high]
      high -= 1
    }
    // From edge to edge, or far beyond the ink.
    let edge = width / 40
    if first <= edge, last >= width - 1 - edge, width > height || lines.count > 1 { return true }
    let far = Int(0.15 * Float(width))
    return low - first >= far || last - high >= far
  }

  /// Erases lines where nothing crosses them.
  private static func erase(
    _ lines: [Line], from mask: inout [Bool], _ differences: [Float], _ width: Int, _ height: Int
  ) {
    for line in lines {
      var values: [Float] = []
      for column in 0..<width {
        let row = Int(line.row(column).rounded())
        guard (0..<height).contains(row), mask[row * width + column] else { continue }
        values.append(differences[row * width + column])
      }
      guard !values.isEmpty else { continue }
      values.sort()
      let dark = 1.6 * values[values.count / 2]
      let reach = line.thickness / 2 + 2
      for column in 0..<width {
        let middle = Int(line.row(column).rounded())
        // A slanted line may leave the picture.
        let low = min(max(0, middle - reach), height)
        let range = low..<max(low, min(height, middle + reach + 1))
        var row = range.lowerBound
        while row < range.upperBound {
          guard mask[row * width + column] else {
            row += 1
            continue
          }
          var (start, end) = (row, row + 1)
          while start > 0, mask[(start - 1) * width + column] { start -= 1 }
          while end < height, mask[end * width + column] { end += 1 }
          if 10 * (end - start) <= 16 * line.thickness + 10 {
            for place in start..<end where differences[place * width + column] < dark {
              mask[place * width + column] = false
            }
          }
          row = end
        }
      }
    }
  }
}
