/// Where ink that is too wide for one digit may be cut.
enum PieceCuts {
  /// The narrowest piece that is cut, and the ink that is left beside a cut, as shares of a digit's
  /// height; the latter is as wide as a line.
  private static let (leastWidth, leastInk): (Float, Float) = (0.4, 0.12)
  /// The most cuts of a piece.
  private static let limit = 14
  /// Runs of ink that are at most as many times as wide as a line are of both digits.
  private static let together: Float = 2

  /// The parts of a piece, from left to right; one where it is not cut.
  ///
  /// - Parameter unit: the height of a digit.
  static func parts(of piece: InkPiece, unit: Float) -> [InkPiece.Part] {
    let whole = [InkPiece.Part(runs: piece.runs)]
    guard Float(piece.width) >= max(8, leastWidth * unit) else { return whole }
    let seams = InkSeams(piece)
    let cell = Float(seams.cell)
    let count = min(limit, Int(2 + 3 * min(Float(piece.width) / unit, Float(limit))))
    let found = seams.best(count, leastArea: leastInk * unit / cell * seams.lineWidth)
    guard !found.isEmpty else { return whole }
    let lineWidth = seams.lineWidth * cell
    var parts = [InkPiece.Part](repeating: InkPiece.Part(), count: found.count + 1)
    for run in piece.runs {
      let row = (run.row - piece.rows.lowerBound) / seams.cell
      var start = run.columns.lowerBound
      for (index, seam) in found.enumerated() {
        let cut = piece.columns.lowerBound + seam.columns[row] * seams.cell + seams.cell / 2
        let end = min(max(start, cut), run.columns.upperBound)
        add(start..<end, of: run, to: &parts[index], lineWidth: lineWidth)
        start = end
      }
      add(
        start..<run.columns.upperBound, of: run, to: &parts[found.count], lineWidth: lineWidth)
    }
    return parts.filter { !$0.runs.isEmpty }
  }

  /// Gives columns of a run to a part, and what both sides of a cut share where lines run together.
  private static func add(
    _ columns: Range<Int>, of run: InkPiece.Run, to part: inout InkPiece.Part, lineWidth: Float
  ) {
    guard !columns.isEmpty else { return }
    part.runs.append(InkPiece.Run(row: run.row, columns: columns))
    let (all, line) = (run.columns, Int(lineWidth.rounded()))
    guard columns != all, Float(all.count) <= together * lineWidth else { return }
    let before = max(all.lowerBound, all.upperBound - line)
    if before < columns.lowerBound {
      part.shared.append(InkPiece.Run(row: run.row, columns: before..<columns.lowerBound))
    }
    let after = min(all.upperBound, all.lowerBound + line)
    if after > columns.upperBound {
      part.shared.append(InkPiece.Run(row: run.row, columns: columns.upperBound..<after))
    }
  }
}
