/// Turns the components' rows into the picture's rows: expands subsampled ones, converts colours.
///
/// Expansion and conversion follow libjpeg to the bit; ratios of sampling factors other than 1 and 2
/// repeat samples, as libjpeg does, and so do ratios that are no whole number.
@safe struct JPEGRowAssembler {
  let planes: [JPEGPlane]
  let colorModel: JPEGColorModel
  let outputWidth: Int
  let outputHeight: Int
  private let unitRows: Int
  private let groupCount: Int
  private let rowsPerGroup: Int
  private let columnsPerGroup: Int
  /// One expanded row for each component.
  private let expanded: [JPEGMemory<UInt8>]
  /// Vertical sums of one row, with one more on either side.
  private let sums: JPEGMemory<Int16>

  init(_ frame: JPEGFrame, colorModel: JPEGColorModel, scale: JPEGScale) {
    planes = frame.components.indices.map { JPEGPlane(frame, component: $0, scale: scale) }
    self.colorModel = colorModel
    outputWidth = ceilingDivide(frame.width, scale.rawValue)
    outputHeight = ceilingDivide(frame.height, scale.rawValue)
    unitRows = frame.unitsHigh
    groupCount = scale.blockSize
    rowsPerGroup = frame.maximumVertical
    columnsPerGroup = frame.maximumHorizontal
    let widest = planes.reduce(outputWidth) { max($0, 2 * $1.stride) }
    expanded = planes.map { _ in JPEGMemory(count: widest + 64) }
    sums = JPEGMemory(count: widest + 64)
  }

  /// Writes what the planes' current rows complete, once their blocks are in place.
  ///
  /// `output` has room for the whole picture; rows are `rowByteCount` bytes apart.
  func emit(unitRow: Int, to output: UnsafeMutablePointer<UInt8>) {
    defer { withExtendedLifetime(self) {} }
    let isLast = unitRow == unitRows - 1
    for plane in planes {
      if unitRow == 0 { plane.repeatFirstRow() }
      if isLast { plane.repeatLastRow(unitRow: unitRow) }
    }
    let first = unitRow == 0 ? 0 : -1
    let end = isLast ? groupCount : groupCount - 1
    let rowByteCount = outputWidth * (colorModel == .gray ? 1 : 3)
    for group in first..<max(first, end) {
      for row in 0..<rowsPerGroup {
        let y = (unitRow * groupCount + group) * rowsPerGroup + row
        guard y < outputHeight else { break }
        unsafe emit(group: group, row: row, to: output + y * rowByteCount)
      }
    }
    if !isLast { for plane in planes { plane.advance() } }
  }

  private func emit(group: Int, row: Int, to output: UnsafeMutablePointer<UInt8>) {
    defer { withExtendedLifetime(self) {} }
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
  private func expandedRow(_ index: Int, group: Int, row: Int) -> UnsafePointer<UInt8> {
    let plane = planes[index]
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
