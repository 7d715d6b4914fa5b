internal import DiceParallel

/// Turns the components' rows into the picture's rows: expands subsampled ones, converts colours.
///
/// Expansion and conversion follow libjpeg to the bit; ratios of sampling factors other than 1 and 2
/// repeat samples, as libjpeg does, and so do ratios that are no whole number.
///
/// On two threads one takes blocks from the file while the other expands and converts the rows before them: each
/// has a window of rows of its own, and then they change places.
@safe struct JPEGRowAssembler {
  /// For each window its planes, one for each component.
  let windows: [[JPEGPlane]]
  /// Rows of units in a window.
  let windowRows: Int
  let colorModel: JPEGColorModel
  let outputWidth: Int
  let outputHeight: Int
  private let unitRows: Int
  private let pool: WorkerPool?
  private let groupCount: Int
  private let rowsPerGroup: Int
  private let columnsPerGroup: Int
  /// One expanded row for each component.
  private let expanded: [JPEGMemory<UInt8>]
  /// Vertical sums of one row, with one more on either side.
  private let sums: JPEGMemory<Int16>

  /// Rows of units that are worth a change of places.
  private static let sharedRows = 4

  /// - Parameter pool: threads of which two may work; nil for the caller's alone.
  init(_ frame: JPEGFrame, colorModel: JPEGColorModel, scale: JPEGScale, pool: WorkerPool?) {
    let isShared = pool?.threadCount ?? 1 > 1 && frame.unitsHigh > Self.sharedRows
    self.pool = isShared ? pool : nil
    let windowRows = isShared ? Self.sharedRows : 1
    self.windowRows = windowRows
    windows = (0..<(isShared ? 2 : 1)).map { (_) in
      frame.components.indices.map {
        JPEGPlane(frame, component: $0, scale: scale, unitRows: windowRows)
      }
    }
    self.colorModel = colorModel
    outputWidth = ceilingDivide(frame.width, scale.rawValue)
    outputHeight = ceilingDivide(frame.height, scale.rawValue)
    unitRows = frame.unitsHigh
    groupCount = scale.blockSize
    rowsPerGroup = frame.maximumVertical
    columnsPerGroup = frame.maximumHorizontal
    let widest = windows[0].reduce(outputWidth) { max($0, 2 * $1.stride) }
    expanded = windows[0].map { _ in JPEGMemory(count: widest + 64) }
    sums = JPEGMemory(count: widest + 64)
  }

  /// Writes the whole picture, for which `output` has room.
  ///
  /// - Parameter fill: puts the blocks of a row of units in place: the window, the row's place in it, and the row in
  ///   the picture; rows come in their order. False where it cannot: then the rest is left as it is.
  func assemble(
    to output: UnsafeMutablePointer<UInt8>,
    _ fill: (_ window: Int, _ place: Int, _ row: Int) -> Bool
  ) {
    defer { withExtendedLifetime(self) {} }
    let stepCount = ceilingDivide(unitRows, windowRows)
    func fillWindow(_ step: Int) -> Bool {
      let first = step * windowRows
      for row in first..<min(first + windowRows, unitRows)
      where !fill(step % windows.count, row - first, row) {
        return false
      }
      return true
    }
    guard let pool else {
      for step in 0..<stepCount {
        guard fillWindow(step) else { return }
        unsafe emit(step, to: output)
      }
      return
    }
    for step in 0...stepCount {
      var isFilled = true
      pool.run(count: 2) { (part) in
        if part == 0 {
          if step < stepCount { isFilled = fillWindow(step) }
        } else if step > 0 {
          unsafe emit(step - 1, to: output)
        }
      }
      guard isFilled else { return }
    }
  }

  /// Writes what a window's rows complete, once their blocks are in place.
  private func emit(_ step: Int, to output: UnsafeMutablePointer<UInt8>) {
    defer { withExtendedLifetime(self) {} }
    let unitRow = step * windowRows
    let planes = windows[step % windows.count]
    let isLast = unitRow + windowRows >= unitRows
    for plane in planes {
      if unitRow == 0 { plane.repeatFirstRow() }
      if isLast { plane.repeatLastRow(unitRow: unitRow) }
    }
    let first = unitRow == 0 ? 0 : -1
    let end = isLast ? (unitRows - unitRow) * groupCount : windowRows * groupCount - 1
    let rowByteCount = outputWidth * (colorModel == .gray ? 1 : 3)
    for group in first..<max(first, end) {
      for row in 0..<rowsPerGroup {
        let y = (unitRow * groupCount + group) * rowsPerGroup + row
        guard y < outputHeight else { break }
        unsafe emit(planes, group: group, row: row, to: output + y * rowByteCount)
      }
    }
    if isLast { return }
    for (plane, next) in zip(planes, windows[(step + 1) % windows.count]) {
      plane.advance(to: next)
    }
  }

  private func emit(
    _ planes: [JPEGPlane], group: Int, row: Int, to output: UnsafeMutablePointer<UInt8>
  ) {
    defer { withExtendedLifetime(self) {} }
    func expandedRow(_ index: Int, group: Int, row: Int) -> UnsafePointer<UInt8> {
      unsafe self.expandedRow(planes[index], index, group: group, row: row)
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
    _ plane: JPEGPlane, _ index: Int, group: Int, row: Int
  ) -> UnsafePointer<UInt8> {
    let start = unsafe UnsafePointer(plane.group(group))
    let output = unsafe expanded[index].base
    let stride = plane.stride
    let near = unsafe start + row / 2 * stride
    let far = unsafe row % 2 == 0 ? near - stride : near + stride
    switch plane.expansion {
    case .none: return unsafe start + row * stride
    case .triangleHorizontal:
      unsafe JPEGUpsampling.widen(
        start + row * stride, sums: sums.base + 1, to: output, count: plane.width)
    case .triangleVertical:
      unsafe JPEGUpsampling.blend(
        near, far, bias: row % 2 == 0 ? 1 : 2, to: output, count: plane.width)
    case .triangle:
      unsafe JPEGUpsampling.widen(near, far, sums: sums.base + 1, to: output, count: plane.width)
    case .nearest:
      let source = unsafe start + row * plane.groupRows / rowsPerGroup * stride
      if plane.groupColumns == columnsPerGroup { return unsafe source }
      unsafe JPEGUpsampling.repeatSamples(
        source, to: output, count: outputWidth, from: plane.groupColumns, to: columnsPerGroup)
    }
    return unsafe UnsafePointer(output)
  }
}
