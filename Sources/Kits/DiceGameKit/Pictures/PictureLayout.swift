internal import DiceGeometry

/// Makes numbers of a line's digits, by the space between them, and puts numbers in reading order.
struct PictureLayout {
  /// A digit with what may speak against it.
  private struct Candidate {
    var digit: PictureDigit
    var doubt: Double
    var isCut: Bool
  }

  let search: PieceSearch
  let factor: Double
  private var digits: [Candidate] = []
  /// The boxes of what is no digit.
  private var others: [BoundingBox] = []

  init(search: PieceSearch, factor: Double) {
    self.search = search
    self.factor = factor
  }

  /// A box of columns and rows in pixels of the picture.
  static func box(
    _ box: (columns: Range<Int>, rows: Range<Int>), factor: Double
  ) -> BoundingBox {
    BoundingBox(
      x: factor * Double(box.columns.lowerBound), y: factor * Double(box.rows.lowerBound),
      width: factor * Double(box.columns.count), height: factor * Double(box.rows.count))
  }

  /// Adds a digit.
  ///
  /// - Parameters:
  ///   - doubt: the logarithm of the odds that it is none.
  ///   - isCut: whether it was cut from other ink.
  mutating func add(_ digit: PictureDigit, doubt: Double, isCut: Bool) {
    digits.append(Candidate(digit: digit, doubt: doubt, isCut: isCut))
  }

  mutating func addOther(_ members: [Int]) {
    others.append(Self.box(search.box(members), factor: factor))
  }

  /// The numbers of the line, without those that are too doubtful in the mean of their digits.
  func numbers() -> [PictureNumber] {
    guard !digits.isEmpty else { return [] }
    let sorted = digits.sorted { $0.digit.box.midX < $1.digit.box.midX }
    let heights = sorted.map { $0.digit.box.height }.sorted()
    let height = heights[heights.count / 2]
    var runs: [[Candidate]] = []
    for next in sorted {
      if let last = runs.last?.last, isNext(next.digit, to: last.digit, height: height) {
        runs[runs.count - 1].append(next)
      } else {
        runs.append([next])
      }
    }
    return runs.indices.filter { !isDoubtful(runs[$0]) }.map { index in
      let run = runs[index].map { $0.digit }
      return PictureNumber(
        digits: run,
        minusBox: minus(before: run[0], after: index > 0 ? runs[index - 1].last?.digit : nil),
        confidence: run.reduce(1) { $0 * $1.confidence })
    }
  }

  private func isDoubtful(_ run: [Candidate]) -> Bool {
    let most = run.contains { $0.isCut } ? 0 : search.costs.doubt
    return run.reduce(0) { $0 + $1.doubt } > most * Double(run.count)
  }

  /// Whether a digit stands close behind another, with nothing in between.
  private func isNext(
    _ digit: PictureDigit, to last: PictureDigit, height: Double
  ) -> Bool {
    guard digit.box.x - last.box.maxX <= 0.9 * height else { return false }
    return !others.contains { box in
      max(box.width, box.height) >= 0.25 * height && box.midX > last.box.midX
        && box.midX < digit.box.midX && box.midY > last.box.y - 0.2 * height
        && box.midY < last.box.maxY + 0.2 * height
    }
  }

  /// A level line by itself in front of a digit, at its middle height.
  private func minus(
    before digit: PictureDigit, after last: PictureDigit?
  ) -> BoundingBox? {
    let height = digit.box.height
    return others.first { box in
      let middle = (box.midY - digit.box.y) / height
      guard box.height <= 0.45 * box.width, box.width >= 0.2 * height,
        box.width <= 1.2 * height, box.maxX <= digit.box.x + 0.2 * box.width,
        digit.box.x - box.maxX <= 1.2 * height, middle > 0.2, middle < 0.8
      else { return false }
      // Between two numbers it stands for their difference.
      guard let last else { return true }
      return last.box.maxX > box.midX || box.x - last.box.maxX > 1.2 * height
    }
  }

  // MARK: All lines

  /// Without numbers whose digits are far smaller than those of the others.
  static func withoutSpecks(_ numbers: [PictureNumber]) -> [PictureNumber] {
    let heights = numbers.flatMap { number in number.digits.map { $0.box.height } }.sorted()
    guard !heights.isEmpty else { return [] }
    let usual = heights[heights.count / 2]
    return numbers.filter { number in
      number.digits.contains { $0.box.height >= 0.3 * usual }
    }
  }

  /// Rows from top to bottom, each from left to right.
  static func ordered(_ numbers: [PictureNumber]) -> [PictureNumber] {
    var left = numbers.sorted {
      ($0.box.midY, $0.box.x) < ($1.box.midY, $1.box.x)
    }
    var result: [PictureNumber] = []
    while let first = left.first {
      var row: [PictureNumber] = []
      var rest: [PictureNumber] = []
      for number in left {
        let common =
          min(number.box.maxY, first.box.maxY) - max(number.box.y, first.box.y)
        if common >= 0.5 * min(number.box.height, first.box.height) {
          row.append(number)
        } else {
          rest.append(number)
        }
      }
      result += row.sorted { $0.box.x < $1.box.x }
      left = rest
    }
    return result
  }
}
