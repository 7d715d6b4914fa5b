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
    reduce(into: &plane, columns: columns, rows: rows, rowsPerBox: 2) { (row, sums) in
      addColors(row: row, to: &sums)
    }
  }

  /// Writes the mean of each box, from what `add` adds to the sums of a row of boxes for a row of pixels.
  @inline(__always)
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
        let first = row * height / rows
        let count = (row + 1) * height / rows - first
        let taken = min(count, rowsPerBox)
        sums.clear()
        for index in 0..<taken { add(first + (2 * index + 1) * count / (2 * taken), &sums) }
        let start = row * columns
        sums.forEachBox { (column, columns, sum) in
          plane[start + column] = UInt8(truncatingIfNeeded: sum / UInt32(taken &* columns.count))
          return sum
        }
      }
    }
  }

  /// Adds the luminance of the pixels of a row, each 0...255.
  private func addLuminance(row: Int, to sums: inout BoxSums) {
    let source = unsafe pixels.base + row * pixels.bytesPerRow
    switch format {
    case .packed(.gray), .luma, .yCbCr420, .yCbCr422, .yCbCr444:
      sums.add { (column) in
        UInt32(truncatingIfNeeded: unsafe source.load(fromByteOffset: column, as: UInt8.self))
      }
    case .packed(.rgb):
      sums.add { (column) in
        let pixel = unsafe source + 3 &* column
        let outer =
          UInt32(truncatingIfNeeded: unsafe pixel.load(as: UInt8.self))
          &+ UInt32(truncatingIfNeeded: unsafe pixel.load(fromByteOffset: 2, as: UInt8.self))
        let inner = UInt32(
          truncatingIfNeeded: unsafe pixel.load(fromByteOffset: 1, as: UInt8.self))
        return (outer &+ 2 &* inner) >> 2
      }
    case .packed(.rgba), .packed(.bgra):
      unsafe sums.addPairs(source) { (pixels) in
        let outer = (pixels & PixelPair.mask) &+ (pixels >> 16 & PixelPair.mask)
        return (outer &+ 2 &* (pixels >> 8 & PixelPair.mask)) >> 2
      }
    }
  }

  /// Adds how red or blue the pixels of a row are, each 0...255.
  private func addColors(row: Int, to sums: inout BoxSums) {
    let source = unsafe pixels.base + row * pixels.bytesPerRow
    switch format {
    case .packed(.gray), .luma: sums.add { (_) in 128 }
    case .yCbCr420, .yCbCr422, .yCbCr444:
      let chroma = unsafe ChromaRow(of: self, row: row)
      sums.add { (column) in
        UInt32(truncatingIfNeeded: unsafe chroma.redness(column: column))
      }
    case .packed(.rgb):
      sums.add { (column) in
        let pixel = unsafe source + 3 &* column
        let red = UInt32(truncatingIfNeeded: unsafe pixel.load(as: UInt8.self))
        let blue = UInt32(
          truncatingIfNeeded: unsafe pixel.load(fromByteOffset: 2, as: UInt8.self))
        return (red &+ 256 &- blue) >> 1
      }
    case .packed(.rgba):
      unsafe sums.addPairs(source) { (pixels) in PixelPair.halfDifference(pixels, pixels >> 16) }
    case .packed(.bgra):
      unsafe sums.addPairs(source) { (pixels) in PixelPair.halfDifference(pixels >> 16, pixels) }
    }
  }
}

/// Two pixels of four bytes: numbers of 32 bits side by side.
private enum PixelPair {
  /// The lowest byte of each.
  static let mask: UInt64 = 0xFF_0000_00FF

  /// `(first − second + 256) / 2` of the lowest bytes.
  @inline(__always)
  static func halfDifference(_ first: UInt64, _ second: UInt64) -> UInt64 {
    ((first & mask) &+ 0x100_0000_0100 &- (second & mask)) >> 1
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
    let (least, rest) = unsafe width.quotientAndRemainder(dividingBy: sums.count)
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

  /// Adds a number for each pixel of four bytes, where `values` gives those of two, of at most 9 bits; what lies
  /// beside these does not count.
  @inline(__always)
  mutating func addPairs(_ source: UnsafeRawPointer, _ values: (UInt64) -> UInt64) {
    forEachBox { (_, columns, sum) in
      var pair: UInt64 = 0
      var column = columns.lowerBound
      while column &+ 1 < columns.upperBound {
        let pixels = unsafe source.loadUnaligned(fromByteOffset: 4 &* column, as: UInt64.self)
        pair &+= values(UInt64(littleEndian: pixels)) & 0x1FF_0000_01FF
        column &+= 2
      }
      if column < columns.upperBound {
        let pixel = unsafe source.loadUnaligned(fromByteOffset: 4 &* column, as: UInt32.self)
        pair &+= values(UInt64(UInt32(littleEndian: pixel))) & 0x1FF
      }
      return sum &+ UInt32(truncatingIfNeeded: pair) &+ UInt32(truncatingIfNeeded: pair >> 32)
    }
  }
}
