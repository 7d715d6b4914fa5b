/// A part of a picture's ink that hangs together, or that a cut made.
struct InkPiece {
  /// Pixels side by side in a row.
  struct Run {
    var row: Int
    var columns: Range<Int>
  }

  /// What cuts leave to it.
  struct Part {
    var runs: [Run] = []
    /// Ink beyond the cuts that it shares with its neighbours, for their lines run together.
    var shared: [Run] = []
  }

  var runs: [Run]
  /// Ink of neighbours that is its own as well.
  var shared: [Run] = []
  /// The first and last column and row, the latter not included.
  private(set) var columns: Range<Int>
  private(set) var rows: Range<Int>
  private(set) var area: Int
  /// How far its ink differs from the ground.
  var contrast: Float
  /// The number that its pixels have among the labels.
  var label: Int32
  /// What it was cut from; its own label where it was not.
  var origin: Int32

  var width: Int { columns.count }
  var height: Int { rows.count }

  /// - Precondition: there is a run.
  init(runs: [Run], contrast: Float, label: Int32, origin: Int32) {
    self.runs = runs
    self.contrast = contrast
    self.label = label
    self.origin = origin
    columns = runs[0].columns
    rows = runs[0].row..<runs[0].row + 1
    area = 0
    for run in runs {
      columns =
        min(
          columns.lowerBound, run.columns.lowerBound)..<max(
          columns.upperBound, run.columns.upperBound)
      rows = min(rows.lowerBound, run.row)..<max(rows.upperBound, run.row + 1)
      area += run.columns.count
    }
  }
}

/// The ink of a picture in pieces.
struct InkPieces {
  let width: Int
  let height: Int
  /// For each pixel the label of its piece; 0 for ground.
  private(set) var labels: [Int32]
  private(set) var pieces: [InkPiece] = []
  private let differences: [Float]

  /// The most pieces that are looked at; the largest.
  static let pieceLimit = 1000

  /// Finds the pieces of ink in what differs from the ground.
  init(_ ground: PictureGround) {
    (width, height) = (ground.width, ground.height)
    differences = ground.differences
    labels = [Int32](repeating: 0, count: width * height)
    guard ground.contrast > 0 else { return }
    let threshold = ground.lowThreshold
    var mask = differences.map { $0 >= threshold }
    RuledLines.remove(from: &mask, differences: differences, width: width, height: height)
    // Each part has a threshold of its own: two fifths of its contrast.
    for part in Self.parts(of: mask, width, height) {
      var values: [Float] = []
      for run in part {
        for column in run.columns { values.append(differences[run.row * width + column]) }
      }
      values.sort()
      let contrast = values[values.count * 17 / 20]
      let isInk = values[values.count - 1] >= ground.highThreshold
      for run in part {
        for column in run.columns {
          let place = run.row * width + column
          mask[place] = isInk && differences[place] >= 0.4 * contrast
        }
      }
    }
    var found = Self.parts(of: mask, width, height)
    if found.count > Self.pieceLimit {
      let areas = found.map { $0.reduce(0) { $0 + $1.columns.count } }
      let least = areas.sorted()[areas.count - Self.pieceLimit]
      found = found.indices.filter { areas[$0] >= least }.prefix(Self.pieceLimit).map { found[$0] }
    }
    for runs in found {
      var values: [Float] = []
      for run in runs {
        for column in run.columns { values.append(differences[run.row * width + column]) }
      }
      values.sort()
      add(runs, contrast: values[values.count * 17 / 20], origin: nil)
    }
  }

  /// Puts pieces in the place of one.
  mutating func replace(_ index: Int, with parts: [InkPiece.Part]) {
    let old = pieces[index]
    guard let first = parts.first else { return }
    pieces[index] = InkPiece(
      runs: first.runs, contrast: old.contrast, label: old.label, origin: old.origin)
    pieces[index].shared = first.shared
    for part in parts.dropFirst() {
      add(part.runs, contrast: old.contrast, origin: old.origin)
      pieces[pieces.count - 1].shared = part.shared
    }
  }

  private mutating func add(_ runs: [InkPiece.Run], contrast: Float, origin: Int32?) {
    let label = Int32(pieces.count + 1)
    pieces.append(
      InkPiece(runs: runs, contrast: contrast, label: label, origin: origin ?? label))
    for run in runs {
      for column in run.columns { labels[run.row * width + column] = label }
    }
  }

  /// The box of some pieces.
  func box(
    of members: some RandomAccessCollection<Int>
  ) -> (columns: Range<Int>, rows: Range<Int>) {
    let first = pieces[members[members.startIndex]]
    var (columns, rows) = (first.columns, first.rows)
    for member in members {
      let piece = pieces[member]
      columns =
        min(
          columns.lowerBound, piece.columns.lowerBound)..<max(
          columns.upperBound, piece.columns.upperBound)
      rows =
        min(
          rows.lowerBound, piece.rows.lowerBound)..<max(
          rows.upperBound, piece.rows.upperBound)
    }
    return (columns, rows)
  }

  /// The ink of some pieces, with its soft edges.
  func raster(of members: [Int]) -> InkRaster {
    let (columns, rows) = box(of: members)
    // An edge on each side, and what is shared.
    var reach = columns
    for member in members {
      for run in pieces[member].shared {
        reach =
          min(
            reach.lowerBound, run.columns.lowerBound)..<max(
            reach.upperBound, run.columns.upperBound)
      }
    }
    let (left, top) = (reach.lowerBound - 1, rows.lowerBound - 1)
    var raster = InkRaster(width: reach.count + 2, height: rows.count + 2)
    for member in members {
      let piece = pieces[member]
      let factor = 1 / max(piece.contrast, 1)
      for run in piece.runs {
        for row in max(0, run.row - 1)...min(height - 1, run.row + 1) {
          let range =
            max(0, run.columns.lowerBound - 1)..<min(width, run.columns.upperBound + 1)
          for column in range {
            let place = row * width + column
            guard labels[place] == 0 || labels[place] == piece.label else { continue }
            let value = min(max(0, differences[place] * factor), 1)
            if value > raster[row - top, column - left] {
              raster[row - top, column - left] = value
            }
          }
        }
      }
      for run in piece.shared {
        for column in run.columns {
          let value = min(max(0, differences[run.row * width + column] * factor), 1)
          raster[run.row - top, column - left] = max(value, raster[run.row - top, column - left])
        }
      }
    }
    return raster
  }

  /// The parts of a mask that hang together, across corners too, each as its runs from the top.
  static func parts(of mask: [Bool], _ width: Int, _ height: Int) -> [[InkPiece.Run]] {
    var runs: [InkPiece.Run] = []
    var parents: [Int] = []
    func root(_ index: Int) -> Int {
      var index = index
      while parents[index] != index {
        parents[index] = parents[parents[index]]
        index = parents[index]
      }
      return index
    }
    var above = 0..<0
    for row in 0..<height {
      let first = runs.count
      var column = 0
      while column < width {
        guard mask[row * width + column] else {
          column += 1
          continue
        }
        let start = column
        while column < width, mask[row * width + column] { column += 1 }
        parents.append(runs.count)
        runs.append(InkPiece.Run(row: row, columns: start..<column))
      }
      var upper = above.lowerBound
      for index in first..<runs.count {
        let columns = runs[index].columns
        while upper < above.upperBound, runs[upper].columns.upperBound < columns.lowerBound {
          upper += 1
        }
        var touching = upper
        while touching < above.upperBound,
          runs[touching].columns.lowerBound <= columns.upperBound
        {
          let (one, other) = (root(touching), root(index))
          parents[max(one, other)] = min(one, other)
          touching += 1
        }
      }
      above = first..<runs.count
    }
    var parts: [[InkPiece.Run]] = []
    var numbers = [Int](repeating: -1, count: runs.count)
    for index in runs.indices {
      let first = root(index)
      if numbers[first] < 0 {
        numbers[first] = parts.count
        parts.append([])
      }
      parts[numbers[first]].append(runs[index])
    }
    return parts
  }
}
