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
    reduce(into: &plane, columns: columns, rows: rows, rowsPerBox: 4) { (row, sums) in
      addLuminance(row: row, to: &sums)
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
    switch format {
    case .packed(.gray), .luma:
      for index in 0..<columns * rows { plane[index] = 128 }
      return
    default: break
    }
    reduce(into: &plane, columns: columns, rows: rows, rowsPerBox: 2) { (row, sums) in
      addColors(row: row, to: &sums)
    }
  }

  /// Writes the mean of each box, from what `add` adds to the sums of a row of boxes for a row of pixels.
  @inline(never)
  private func reduce(
    into plane: inout [UInt8], columns: Int, rows: Int, rowsPerBox: Int,
    add: (Int, inout BoxSums) -> Void
  ) {
    precondition(columns >= 1 && columns <= width, "a box has at least one column")
    precondition(rows >= 1 && rows <= height, "a box has at least one row")
    precondition(plane.count >= columns * rows, "the plane has room for all samples")
    // On the stack for up to 256 columns.
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: columns) { (memory) in
      var sums = unsafe BoxSums(memory, width: width)
      for row in 0..<rows {
        let first = row &* height / rows
        let count = (row &+ 1) &* height / rows &- first
        let taken = min(count, rowsPerBox)
        sums.clear()
        for index in 0..<taken { add(first &+ (2 &* index &+ 1) &* count / (2 &* taken), &sums) }
        let start = row &* columns
        sums.forEachBox { (column, columns, sum) in
          plane[start &+ column] = UInt8(truncatingIfNeeded: sum / UInt32(taken &* columns.count))
          return sum
        }
      }
    }
  }

  /// Adds the luminance of the pixels of a row, each 0...255.
  private func addLuminance(row: Int, to sums: inout BoxSums) {
    let source = unsafe pixels.base + row &* pixels.bytesPerRow
    switch format {
    case .packed(.gray), .luma, .yCbCr420, .yCbCr422, .yCbCr444:
      sums.add { (column) in
        UInt32(truncatingIfNeeded: unsafe source.load(fromByteOffset: column, as: UInt8.self))
      }
    case .packed(let format):
      let step = format.channelCount
      sums.add { (column) in
        let pixel = unsafe source + column &* step
        let outer =
          UInt32(unsafe pixel.load(as: UInt8.self))
          &+ UInt32(unsafe pixel.load(fromByteOffset: 2, as: UInt8.self))
        return (outer &+ 2 &* UInt32(unsafe pixel.load(fromByteOffset: 1, as: UInt8.self))) >> 2
      }
    }
  }

  /// Adds how red or blue the pixels of a row are, each 0...255.
  private func addColors(row: Int, to sums: inout BoxSums) {
    let source = unsafe pixels.base + row &* pixels.bytesPerRow
    switch format {
    case .packed(.gray), .luma: break
    case .yCbCr420, .yCbCr422, .yCbCr444:
      let chroma = unsafe ChromaRow(of: self, row: row)
      sums.add { (column) in
        UInt32(truncatingIfNeeded: unsafe chroma.redness(column: column))
      }
    case .packed(let format):
      let step = format.channelCount
      let (red, blue) = format == .bgra ? (2, 0) : (0, 2)
      sums.add { (column) in
        let pixel = unsafe source + column &* step
        let reds = UInt32(unsafe pixel.load(fromByteOffset: red, as: UInt8.self))
        return (reds &+ 256 &- UInt32(unsafe pixel.load(fromByteOffset: blue, as: UInt8.self))) >> 1
      }
    }
  }
}

/// The sums of a row of boxes, in memory that outlives them.
@safe private struct BoxSums {
  private let sums: UnsafeMutableBufferPointer<UInt32>
  private let width: Int

  /// The sums in memory for one of each box of a row of `width` pixels.
  init(_ sums: UnsafeMutableBufferPointer<UInt32>, width: Int) {
    unsafe self.sums = unsafe sums
    self.width = width
  }

  mutating func clear() { unsafe sums.initialize(repeating: 0) }

  /// Replaces the sum of each box, in order, whose columns are handed over.
  @inline(__always)
  mutating func forEachBox(_ body: (Int, Range<Int>, UInt32) -> UInt32) {
    let least = unsafe width / sums.count
    let rest = unsafe width &- least &* sums.count
    var start = 0
    var share = 0
    for column in unsafe 0..<sums.count {
      var end = start &+ least
      share &+= rest
      if unsafe share >= sums.count {
        unsafe share &-= sums.count
        end &+= 1
      }
      unsafe sums[column] = body(column, start..<end, sums[column])
      start = end
    }
  }

  /// Adds a number for each pixel.
  @inline(__always)
  mutating func add(_ value: (Int) -> UInt32) {
    forEachBox { (_, columns, sum) in
      var sum = sum
      for column in columns { sum &+= value(column) }
      return sum
    }
  }
}
