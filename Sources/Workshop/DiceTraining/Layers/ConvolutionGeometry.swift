internal import DiceKernelTemplates

/// The taps of a convolution, forwards and backwards.
///
/// Output row `y` reads input rows `y * strideY + ky * dilationY - top`; columns alike.
struct ConvolutionGeometry: Hashable {
  var kernelHeight: Int
  var kernelWidth: Int
  var strideY = 1
  var strideX = 1
  var dilationY = 1
  var dilationX = 1
  /// Rows of zeros above the input.
  var top = 0
  /// Columns of zeros left of the input.
  var left = 0

  var tapCount: Int { kernelHeight * kernelWidth }

  /// Whether rows and columns are treated alike, without dilation: what matrix units can do.
  var isSquare: Bool {
    kernelHeight == kernelWidth && strideY == strideX && dilationY == 1 && dilationX == 1
      && top == left
  }

  /// The offsets of the taps `[KH, KW]` in an input map.
  func offsets(rowStep: Int, pixelStep: Int) -> [Int] {
    (0..<tapCount).map { tap in
      (tap / kernelWidth * dilationY - top) * rowStep
        + (tap % kernelWidth * dilationX - left) * pixelStep
    }
  }

  // MARK: Backwards

  /// Input pixels of one remainder modulo the strides, which the same taps reach.
  struct Phase {
    /// The first input row and column of the phase.
    var row: Int
    var column: Int
    /// The input rows and columns of the phase.
    var height: Int
    var width: Int
    /// The taps, and for each the row and column of the output that it reads, less those of the
    /// phase's own pixel.
    var taps: [(tap: Int, row: Int, column: Int)]
  }

  /// All phases of an input.
  func phases(of input: ValueShape) -> [Phase] {
    var phases: [Phase] = []
    for row in 0..<min(strideY, input.height) {
      for column in 0..<min(strideX, input.width) {
        phases.append(
          Phase(
            row: row, column: column, height: (input.height - row + strideY - 1) / strideY,
            width: (input.width - column + strideX - 1) / strideX,
            taps: backwardTaps(phaseRow: row, phaseColumn: column)))
      }
    }
    return phases
  }

  /// From `y * stride + ky * dilation - top = m * stride + phase`: `y - m = (phase + top - ky *
  /// dilation) / stride` where that is whole.
  private func backwardTaps(
    phaseRow: Int, phaseColumn: Int
  ) -> [(tap: Int, row: Int, column: Int)] {
    var taps: [(tap: Int, row: Int, column: Int)] = []
    for ky in 0..<kernelHeight {
      let y = phaseRow + top - ky * dilationY
      guard y.isMultiple(of: strideY) else { continue }
      for kx in 0..<kernelWidth {
        let x = phaseColumn + left - kx * dilationX
        guard x.isMultiple(of: strideX) else { continue }
        taps.append((ky * kernelWidth + kx, y / strideY, x / strideX))
      }
    }
    return taps
  }

  // MARK: Borders

  /// How far taps reach over the edge of the input.
  func inputBorder(input: ValueShape, output: ValueShape) -> Border {
    let lastRow = (output.height - 1) * strideY + (kernelHeight - 1) * dilationY - top
    let lastColumn = (output.width - 1) * strideX + (kernelWidth - 1) * dilationX - left
    return Border(
      rows: max(0, top, lastRow - (input.height - 1)),
      columns: max(0, left, lastColumn - (input.width - 1)))
  }

  /// How far taps reach over the edge of the output's gradient on their way back.
  func gradientBorder(input: ValueShape, output: ValueShape) -> Border {
    var border = Border()
    for phase in phases(of: input) {
      for tap in phase.taps {
        border.widen(
          to: Border(
            rows: max(-tap.row, phase.height - 1 + tap.row - (output.height - 1)),
            columns: max(-tap.column, phase.width - 1 + tap.column - (output.width - 1))))
      }
    }
    return border
  }

  /// The border that matrix units read around maps of any size, on all sides.
  var squareBorder: Border {
    let reach = max(top, kernelHeight - 1 - top, kernelHeight / 2)
    return Border(rows: reach, columns: reach)
  }
}

/// A list of tap offsets at a fixed address.
@safe final class TapOffsets {
  private let count: Int
  private let pointer: UnsafeMutablePointer<Int>

  init(_ offsets: [Int]) {
    count = offsets.count
    unsafe pointer = .allocate(capacity: max(1, offsets.count))
    for (index, offset) in offsets.enumerated() { unsafe pointer[index] = offset }
  }

  deinit { unsafe pointer.deallocate() }

  /// The offsets for a kernel, as long as this lives.
  var list: OffsetList { unsafe OffsetList(UnsafePointer(pointer), count: count) }
}
