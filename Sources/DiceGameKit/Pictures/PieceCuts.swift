/// Where ink that is too wide for one digit may be cut.
enum PieceCuts {
  /// A line across a piece: its column at the middle row, and its columns for each row.
  private struct Cut {
    var column: Float
    var slope: Float
    var count: Int

    func place(_ row: Int, middle: Float) -> Float { column + slope * (Float(row) - middle) }
  }

  /// The parts of a piece, from left to right; one where it is not cut.
  ///
  /// - Parameter unit: the height of a digit.
  static func parts(of piece: InkPiece, unit: Float) -> [[InkPiece.Run]] {
    let cuts = cuts(of: piece, unit: unit)
    guard !cuts.isEmpty else { return [piece.runs] }
    let middle = Self.middle(piece)
    var parts = [[InkPiece.Run]](repeating: [], count: cuts.count + 1)
    for run in piece.runs {
      var start = run.columns.lowerBound
      for (index, cut) in cuts.enumerated() {
        let end = min(
          max(start, Int(cut.place(run.row, middle: middle).rounded())), run.columns.upperBound)
        if end > start {
          parts[index].append(InkPiece.Run(row: run.row, columns: start..<end))
          start = end
        }
      }
      if start < run.columns.upperBound {
        parts[cuts.count].append(
          InkPiece.Run(row: run.row, columns: start..<run.columns.upperBound))
      }
    }
    return parts.filter { !$0.isEmpty }
  }

  private static func middle(_ piece: InkPiece) -> Float {
    Float(piece.rows.lowerBound + piece.rows.upperBound) / 2
  }

  /// The cuts through the least ink, from left to right.
  private static func cuts(of piece: InkPiece, unit: Float) -> [Cut] {
    let edge = max(2, 0.15 * unit)
    guard Float(piece.width) >= max(8, 0.6 * unit) else { return [] }
    var lengths = piece.runs.map { $0.columns.count }.sorted()
    lengths = lengths.isEmpty ? [1] : lengths
    let lineWidth = Float(lengths[lengths.count / 2])
    let most = Int(max(3, min(2.6 * lineWidth, 0.45 * Float(piece.height))))
    let middle = Self.middle(piece)
    var found: [Cut] = []
    for slope: Float in [0, 0.2, -0.2, 0.4, -0.4, 0.65, -0.65] {
      let shift = Int((slope.magnitude * Float(piece.height) / 2).rounded(.up)) + 1
      var counts = [Int](repeating: 0, count: piece.width + 2 * shift + 2)
      for run in piece.runs {
        let offset =
          Float(shift) - slope * (Float(run.row) - middle) - Float(piece.columns.lowerBound)
        for column in run.columns {
          let place = Int(Float(column) + offset + 0.5)
          if counts.indices.contains(place) { counts[place] += 1 }
        }
      }
      for place in 1..<counts.count - 1 {
        let column = Float(place - shift)
        guard column >= edge, column <= Float(piece.width) - edge, counts[place] <= most,
          counts[place] <= counts[place - 1], counts[place] <= counts[place + 1]
        else { continue }
        found.append(
          Cut(
            column: column + Float(piece.columns.lowerBound), slope: slope, count: counts[place]))
      }
    }
    func cost(_ cut: Cut) -> Float {
      Float(cut.count) / max(lineWidth, 1) + 0.5 * cut.slope.magnitude
    }
    found.sort { (cost($0), $0.column, $0.slope) < (cost($1), $1.column, $1.slope) }
    let limit = min(12, 2 + Int(2.5 * Float(piece.width) / unit))
    var kept: [Cut] = []
    for cut in found where kept.count < limit {
      let stands = kept.allSatisfy { other in
        let apart = [piece.rows.lowerBound, piece.rows.upperBound].map {
          cut.place($0, middle: middle) - other.place($0, middle: middle)
        }
        return min(apart[0].magnitude, apart[1].magnitude) >= 0.1 * unit
          && apart[0] * apart[1] > 0
      }
      if stands { kept.append(cut) }
    }
    return kept.sorted { $0.column < $1.column }
  }
}
