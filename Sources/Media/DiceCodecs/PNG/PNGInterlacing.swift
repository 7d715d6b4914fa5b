/// One of the reduced pictures in which a PNG file stores its rows.
///
/// Pixel `(x, y)` of the pass is pixel `(firstColumn + x * columnStep, firstRow + y * rowStep)` of
/// the picture.
///
/// Source: PNG specification, section 8.
struct PNGPass {
  let firstColumn: Int
  let firstRow: Int
  let columnStep: Int
  let rowStep: Int
  /// Columns of the pass, at least 1.
  let width: Int
  /// Rows of the pass, at least 1.
  let height: Int

  /// The passes of a picture in the order of the file, without those that have no pixels.
  static func passes(width: Int, height: Int, isInterlaced: Bool) -> [PNGPass] {
    let steps =
      isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
    var passes: [PNGPass] = []
    for (column, row, columnStep, rowStep) in steps where column < width && row < height {
      passes.append(
        PNGPass(
          firstColumn: column, firstRow: row, columnStep: columnStep, rowStep: rowStep,
          width: (width - column - 1) / columnStep + 1, height: (height - row - 1) / rowStep + 1))
    }
    return passes
  }
}
