extension RawFrame {
  /// Of the rows of a box, how many are averaged.
  private static var rowsPerBox: Int { 4 }

  /// Writes a small plane of the frame's luminance, rows as stored: the means of boxes of pixels.
  ///
  /// Box `c` covers the columns from `c · width / columns` (rounded down) up to the next box's first,
  /// and likewise downwards; of its rows at most four count, evenly spread. Luminance is luma where
  /// the frame has it, in the range that it has, gray as it is, and `(R + 2G + B) / 4` otherwise:
  /// good for telling frames apart, not for looking at. Means are rounded down.
  ///
  /// - Parameters:
  ///   - plane: Takes `[rows, columns]` samples; it must have at least as many.
  ///   - columns: Columns of the plane, 1 to the frame's width.
  ///   - rows: Rows of the plane, 1 to the frame's height.
  /// - Complexity: O(`width` · min(`height`, 4 `rows`)).
  package func reduceLuminance(into plane: inout [UInt8], columns: Int, rows: Int) {
    precondition(columns >= 1 && columns <= width, "a box has at least one column")
    precondition(rows >= 1 && rows <= height, "a box has at least one row")
    precondition(plane.count >= columns * rows, "the plane has room for all samples")
    for row in 0..<rows {
      let first = row * height / rows
      let count = (row + 1) * height / rows - first
      let taken = min(count, Self.rowsPerBox)
      for column in 0..<columns {
        let start = column * width / columns
        let end = (column + 1) * width / columns
        var sum = 0
        for index in 0..<taken {
          sum += luminanceSum(row: first + (2 * index + 1) * count / (2 * taken), start..<end)
        }
        plane[row * columns + column] = UInt8(sum / (taken * (end - start)))
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
}
