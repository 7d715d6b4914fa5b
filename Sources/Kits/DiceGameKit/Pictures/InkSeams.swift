/// Ways from top to bottom through a piece of ink that cross little of it.
///
/// The piece is looked at in cells, so that time hardly depends on its size in pixels. Of all ways through
/// each cell of the middle row, the cheapest is found. Each line that is crossed costs, more than the
/// way along it within the ink: where two round sides touch, that way is long. Steps to the side
/// cost, too.
struct InkSeams {
  /// A way: for each row of cells the column that the right part begins with.
  struct Seam {
    var columns: [Int]
  }

  /// Pixels on a side of a cell.
  let cell: Int
  /// Cells.
  let (width, height): (Int, Int)
  /// The width of a line, in cells.
  let lineWidth: Float
  /// The share of each cell that is ink.
  private let ink: [Float]
  /// The ink of a row's cells before each.
  private let sums: [Float]
  private let costs: [Float]

  /// About how many rows of cells a piece has.
  static let usualHeight = 48
  /// The most cells of a picture's pieces that are looked at.
  static let cellLimit = 4_000_000
  /// What a cell of ink costs, a step to the side in each row, and an edge of ink, by the line's width.
  private static let (along, drift, edge): (Float, Float, Float) = (0.25, 0.6, 0.5)
  /// The most that a way costs, by the height.
  private static let most: Float = 0.6

  /// How many cells a piece has.
  static func cellCount(of piece: InkPiece) -> Int {
    let cell = cell(of: piece)
    return ((piece.width + cell - 1) / cell) * ((piece.height + cell - 1) / cell)
  }

  private static func cell(of piece: InkPiece) -> Int { max(1, piece.height / usualHeight) }

  init(_ piece: InkPiece) {
    cell = Self.cell(of: piece)
    width = (piece.width + cell - 1) / cell
    height = (piece.height + cell - 1) / cell
    var raster = InkRaster(width: width + 2, height: height + 2)
    let share = 1 / Float(cell * cell)
    for run in piece.runs {
      let row = (run.row - piece.rows.lowerBound) / cell + 1
      for column in run.columns {
        raster[row, (column - piece.columns.lowerBound) / cell + 1] += share
      }
    }
    let depths = raster.depths(threshold: 0.4)
    lineWidth = max(1, InkRaster.lineWidth(depths))
    let core = raster.part(columns: 1..<width + 1, rows: 1..<height + 1)
    ink = core.ink
    var sums = [Float](repeating: 0, count: (width + 1) * height)
    for row in 0..<height {
      for column in 0..<width {
        let place = row * width + column
        sums[row * (width + 1) + column + 1] = sums[row * (width + 1) + column] + ink[place]
      }
    }
    self.sums = sums
    costs = ink.map { $0 * Self.along }
  }

  /// The best ways, from left to right; none crosses another.
  ///
  /// - Parameters:
  ///   - count: the most ways.
  ///   - leastArea: how much ink is left between two ways, and beside each, in squares of cells.
  func best(_ count: Int, leastArea: Float) -> [Seam] {
    guard width >= 3, count > 0 else { return [] }
    let middle = height / 2
    let above = sweep(Array(0...middle))
    let below = sweep(Array((middle..<height).reversed()))
    var totals = [Float](repeating: 0, count: width)
    for column in 0..<width {
      totals[column] =
        above.sums[column] + below.sums[column] - costs[middle * width + column]
    }
    let most = Self.most * Float(height)
    var places: [Int] = []
    for place in 1..<width where totals[place] <= most {
      let near = totals[max(0, place - 2)...min(width - 1, place + 2)]
      if near.allSatisfy({ $0 >= totals[place] }) { places.append(place) }
    }
    places.sort { (one: Int, other: Int) -> Bool in
      (totals[one], one) < (totals[other], other)
    }
    let all = ink.reduce(0, +)
    var kept: [Seam] = []
    for place in places where kept.count < count {
      var columns = [Int](repeating: place, count: height)
      var column = place
      for row in (0..<middle).reversed() {
        column += above.steps[(row + 1) * width + column]
        columns[row] = column
      }
      column = place
      for row in middle + 1..<max(middle + 1, height) {
        column += below.steps[(height - row) * width + column]
        columns[row] = column
      }
      let seam = Seam(columns: columns)
      let before = left(of: seam)
      guard before >= leastArea, all - before >= leastArea,
        kept.allSatisfy({ between($0, seam) >= leastArea })
      else { continue }
      kept.append(seam)
    }
    kept.sort { $0.columns[middle] < $1.columns[middle] }
    for index in kept.indices.dropFirst() {
      for row in 0..<height {
        kept[index].columns[row] = max(kept[index].columns[row], kept[index - 1].columns[row])
      }
    }
    return kept
  }

  /// The least costs of ways that end in each column of the last of some rows, and the steps back.
  private func sweep(_ rows: [Int]) -> (sums: [Float], steps: [Int]) {
    var sums = [Float](repeating: 0, count: width)
    var steps = [Int](repeating: 0, count: rows.count * width)
    let edge = Self.edge * lineWidth
    for (index, row) in rows.enumerated() {
      let before = sums
      let last = index > 0 ? rows[index - 1] * width : 0
      for column in 0..<width {
        let share = ink[row * width + column]
        var (least, step) = (before[column] + edge * share, 0)
        if index > 0 {
          least = before[column] + edge * (share - ink[last + column]).magnitude
          for side in [-1, 1] where column + side >= 0 && column + side < width {
            let sum =
              before[column + side] + Self.drift + edge
              * (share - ink[last + column + side]).magnitude
            if sum < least { (least, step) = (sum, side) }
          }
        }
        sums[column] = least + costs[row * width + column]
        steps[index * width + column] = step
      }
    }
    return (sums, steps)
  }

  private func left(of seam: Seam) -> Float {
    var sum: Float = 0
    for row in 0..<height { sum += sums[row * (width + 1) + seam.columns[row]] }
    return sum
  }

  /// The ink between two ways, on whichever side.
  private func between(_ one: Seam, _ other: Seam) -> Float {
    var sum: Float = 0
    for row in 0..<height {
      let first = row * (width + 1)
      sum += (sums[first + one.columns[row]] - sums[first + other.columns[row]]).magnitude
    }
    return sum
  }
}
