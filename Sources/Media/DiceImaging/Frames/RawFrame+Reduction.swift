// Small planes that tell frames of one camera apart; they are not for looking at.
//
// Box `c` of a plane covers the columns from `c · width / columns` (rounded down) up to the next box's
// first, and likewise downwards; of its rows only some count, evenly spread. Means are rounded down.

extension RawFrame {
  /// Writes a small plane of the frame's luminance, rows as stored: the means of boxes of pixels, of at most
  /// four rows each.
  ///
  /// Luminance is luma where the frame has it, in the range that it has, gray as it is, and
  /// `(R + 2G + B) / 4` otherwise.
  ///
  /// - Parameters:
  ///   - plane: Takes `[rows, columns]` samples; it must have at least as many.
  ///   - columns: Columns of the plane, 1 to the frame's width.
  ///   - rows: Rows of the plane, 1 to the frame's height.
  /// - Complexity: O(`width` · min(`height`, 4 `rows`)).
  package func reduceLuminance(into plane: inout [UInt8], columns: Int, rows: Int) {
    forEachBox(columns: columns, rows: rows, rowsPerBox: 4, of: &plane) { (row, columns) in
      luminanceSum(row: row, columns)
    }
  }

  /// Writes a small plane of how red or blue the frame is, rows as stored: the means of boxes of pixels, of at
  /// most two rows each.
  ///
  /// A sample is `(Cr − Cb) / 2 + 128` where the frame has chroma, `(R − B) / 2 + 128` where it has
  /// colours, and 128 otherwise: more for what is red, less for what is blue.
  ///
  /// - Parameters: As for ``reduceLuminance(into:columns:rows:)``.
  /// - Complexity: O(`width` · min(`height`, 2 `rows`)).
  package func reduceColors(into plane: inout [UInt8], columns: Int, rows: Int) {
    forEachBox(columns: columns, rows: rows, rowsPerBox: 2, of: &plane) { (row, columns) in
      colorSum(row: row, columns)
    }
  }

  /// Writes the mean of each box, from the sums of some pixels of a row.
  @inline(__always)
  private func forEachBox(
    columns: Int, rows: Int, rowsPerBox: Int, of plane: inout [UInt8],
    sum: (Int, Range<Int>) -> Int
  ) {
    precondition(columns >= 1 && columns <= width, "a box has at least one column")
    precondition(rows >= 1 && rows <= height, "a box has at least one row")
    precondition(plane.count >= columns * rows, "the plane has room for all samples")
    for row in 0..<rows {
      let first = row * height / rows
      let count = (row + 1) * height / rows - first
      let taken = min(count, rowsPerBox)
      for column in 0..<columns {
        let start = column * width / columns
        let end = (column + 1) * width / columns
        var total = 0
        for index in 0..<taken {
          total += sum(first + (2 * index + 1) * count / (2 * taken), start..<end)
        }
        plane[row * columns + column] = UInt8(total / (taken * (end - start)))
      }
    }
  }

  /// The sum of the luminance of some pixels of a row, each 0...255.
  @inline(__always)
  private func luminanceSum(row: Int, _ columns: Range<Int>) -> Int {
    let source = unsafe pixels.base + row * pixels.bytesPerRow
    var sum = 0
    switch format {
    case .packed(.gray), .luma, .yCbCr420, .yCbCr422, .yCbCr444:
      for column in columns {
        sum &+= Int(unsafe source.load(fromByteOffset: column, as: UInt8.self))
      }
    case .packed(let format):
      let step = format.channelCount
      for column in columns {
        let pixel = unsafe source + column &* step
        let outer =
          Int(unsafe pixel.load(as: UInt8.self))
          &+ Int(unsafe pixel.load(fromByteOffset: 2, as: UInt8.self))
        let inner = Int(unsafe pixel.load(fromByteOffset: 1, as: UInt8.self))
        sum &+= (outer &+ 2 &* inner) >> 2
      }
    }
    return sum
  }

  /// The sum of how red or blue some pixels of a row are, each 0...255.
  @inline(__always)
  private func colorSum(row: Int, _ columns: Range<Int>) -> Int {
    var sum = 0
    switch format {
    case .packed(.gray), .luma: sum = 128 &* columns.count
    case .yCbCr420, .yCbCr422, .yCbCr444:
      let chroma = unsafe ChromaRow(of: self, row: row)
      for column in columns { sum &+= unsafe chroma.redness(column: column) }
    case .packed(let format):
      let source = unsafe pixels.base + row * pixels.bytesPerRow
      let step = format.channelCount
      let (red, blue) = format == .bgra ? (2, 0) : (0, 2)
      for column in columns {
        let pixel = unsafe source + column &* step
        let difference =
          Int(unsafe pixel.load(fromByteOffset: red, as: UInt8.self))
          &- Int(unsafe pixel.load(fromByteOffset: blue, as: UInt8.self))
        sum &+= (difference &+ 256) >> 1
      }
    }
    return sum
  }
}
