internal import DiceParallel

/// Turns the components' rows into the picture's rows: expands subsampled ones, converts colours.
///
/// Expansion and conversion follow libjpeg to the bit; ratios of sampling factors other than 1 and 2
/// repeat samples, as libjpeg does, and so do ratios that are no whole number.
///
/// A window of rows of units is at hand. Threads share the rows of the picture that it completes.
@safe struct JPEGRowAssembler {
  /// One for each component.
  let planes: [JPEGPlane]
  /// Rows of units in the window.
  let windowRows: Int
  let colorModel: JPEGColorModel
  let outputWidth: Int
  let outputHeight: Int
  /// Threads that share the work; nil for the caller's alone.
  let pool: WorkerPool?
  private let unitRows: Int
  private let groupCount: Int
  private let rowsPerGroup: Int
  private let columnsPerGroup: Int
  /// One for each part that is written at once.
  private let scratch: [Scratch]

  private struct Scratch {
    /// One expanded row for each component.
    let expanded: [JPEGMemory<UInt8>]
    /// Vertical sums of one row, with one more on either side.
    let sums: JPEGMemory<Int16>
  }

  init(
    _ frame: JPEGFrame, colorModel: JPEGColorModel, scale: JPEGScale, pool: WorkerPool?,
    partCount: Int, windowRows: Int
  ) {
    self.pool = pool
    self.windowRows = windowRows
    let planes = frame.components.indices.map {
      JPEGPlane(frame, component: $0, scale: scale, unitRows: windowRows)
    }
    self.planes = planes
    self.colorModel = colorModel
    outputWidth = ceilingDivide(frame.width, scale.rawValue)
    outputHeight = ceilingDivide(frame.height, scale.rawValue)
    unitRows = frame.unitsHigh
    groupCount = scale.blockSize
    rowsPerGroup = frame.maximumVertical
    columnsPerGroup = frame.maximumHorizontal
    let widest = planes.reduce(outputWidth) { max($0, 2 * $1.stride) }
    scratch = (0..<partCount).map { (_) in
      Scratch(
        expanded: planes.map { _ in JPEGMemory(count: widest + 64) },
        sums: JPEGMemory(count: widest + 64))
    }
  }

  /// Parts in which rows are written.
  var partCount: Int { scratch.count }

  /// Calls `body` for each part, on the threads that share the work.
  func run(count: Int, _ body: (Int) -> Void) {
    if let pool {
      pool.run(count: count, body)
    } else {
      for part in 0..<count { body(part) }
    }
  }

  /// Writes the whole picture, for which `output` has room.
  ///
  /// - Parameter fill: puts the blocks of a row of units in place: the row's place in the window, and the row in the
  ///   picture. Rows come in their order where there is one thread. False where it cannot: then the rest is left as
  ///   it is.
  func assemble(
    to output: UnsafeMutablePointer<UInt8>, _ fill: (_ place: Int, _ row: Int) -> Bool
  ) {
    for first in stride(from: 0, to: unitRows, by: windowRows) {
      let count = min(windowRows, unitRows - first)
      var isFilled = true
      run(count: count) { (place) in
        if !fill(place, first + place) { isFilled = false }
      }
      guard isFilled else { return }
      complete(first..<first + count)
      run(count: partCount) { unsafe emit($0, first..<first + count, to: output) }
      advance(by: count)
    }
  }

  /// Makes rows of units ready to be written, the first of the window; their blocks are in place.
  func complete(_ rows: Range<Int>) {
    for plane in planes {
      if rows.lowerBound == 0 { plane.repeatFirstRow() }
      if rows.upperBound == unitRows { plane.repeatLastRow(unitRow: rows.lowerBound) }
    }
  }

  /// Makes the row of units behind the first `count` the window's first.
  func advance(by count: Int) {
    for plane in planes { plane.advance(by: count) }
  }

  /// Writes a part of what rows of units complete, the first of the window.
  func emit(_ part: Int, _ rows: Range<Int>, to output: UnsafeMutablePointer<UInt8>) {
    let first = rows.lowerBound == 0 ? 0 : -1
    let end = rows.count * groupCount - (rows.upperBound == unitRows ? 0 : 1)
    let count = max(0, end - first)
    let rowByteCount = outputWidth * (colorModel == .gray ? 1 : 3)
    for group in first + count * part / partCount..<first + count * (part + 1) / partCount {
      for row in 0..<rowsPerGroup {
        let y = (rows.lowerBound * groupCount + group) * rowsPerGroup + row
        guard y < outputHeight else { break }
        unsafe emit(scratch[part], group: group, row: row, to: output + y * rowByteCount)
      }
    }
  }

  private func emit(
    _ scratch: Scratch, group: Int, row: Int, to output: UnsafeMutablePointer<UInt8>
  ) {
    defer { withExtendedLifetime(self) {} }
    func expandedRow(_ index: Int, group: Int, row: Int) -> UnsafePointer<UInt8> {
      unsafe self.expandedRow(scratch, index, group: group, row: row)
    }
    let first = unsafe expandedRow(0, group: group, row: row)
    switch colorModel {
    case .gray: unsafe output.update(from: first, count: outputWidth)
    case .yCbCr, .ycck:
      let second = unsafe expandedRow(1, group: group, row: row)
      let third = unsafe expandedRow(2, group: group, row: row)
      unsafe JPEGColor.convertYCbCr(first, second, third, to: output, count: outputWidth)
    case .rgb, .cmyk:
      let second = unsafe expandedRow(1, group: group, row: row)
      let third = unsafe expandedRow(2, group: group, row: row)
      unsafe JPEGColor.interleave(first, second, third, to: output, count: outputWidth)
    }
    if colorModel == .cmyk || colorModel == .ycck {
      let black = unsafe expandedRow(3, group: group, row: row)
      unsafe JPEGColor.applyBlack(
        black, to: output, count: outputWidth, isInverted: colorModel == .cmyk)
    }
  }

  /// One row of the picture's width for a component.
  private func expandedRow(
    _ scratch: Scratch, _ index: Int, group: Int, row: Int
  ) -> UnsafePointer<UInt8> {
    let plane = planes[index]
    let start = unsafe UnsafePointer(plane.group(group))
    let output = unsafe scratch.expanded[index].base
    let stride = plane.stride
    let near = unsafe start + row / 2 * stride
    let far = unsafe row % 2 == 0 ? near - stride : near + stride
    switch plane.expansion {
    case .none: return unsafe start + row * stride
    case .triangleHorizontal:
      unsafe JPEGUpsampling.widen(
        start + row * stride, sums: scratch.sums.base + 1, to: output, count: plane.width)
    case .triangleVertical:
      unsafe JPEGUpsampling.blend(
        near, far, bias: row % 2 == 0 ? 1 : 2, to: output, count: plane.width)
    case .triangle:
      unsafe JPEGUpsampling.widen(
        near, far, sums: scratch.sums.base + 1, to: output, count: plane.width)
    case .nearest:
      let source = unsafe start + row * plane.groupRows / rowsPerGroup * stride
      if plane.groupColumns == columnsPerGroup { return unsafe source }
      unsafe JPEGUpsampling.repeatSamples(
        source, to: output, count: outputWidth, from: plane.groupColumns, to: columnsPerGroup)
    }
    return unsafe UnsafePointer(output)
  }
}
