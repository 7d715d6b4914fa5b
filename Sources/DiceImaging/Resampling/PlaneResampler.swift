internal import DiceKernels

/// Resamples one plane of interleaved bytes, line after line, with buffers that are used again.
///
/// Rows are summed up first, then columns. The source is read once from top to bottom where it is
/// shrunk. Nothing is allocated once the buffers have grown to the sizes in use.
struct PlaneResampler: Hashable, Sendable {
  private let kernels: Kernels
  private var columns = ResamplingAxis()
  private var rows = ResamplingAxis()
  private var segments = ResamplingSegments()
  private var usesSegments = false
  private var channelCount = 1
  /// Two rows of sums and the space behind them.
  private var sums: [Float] = []
  private var rowCapacity = 0
  private var currentRow = 0
  private var firstLine = 0

  /// The last line produced, one output pixel for each element: channels in the order of the
  /// source.
  ///
  /// Where there is one channel, all lanes hold it.
  private(set) var line: [SIMD4<Float>] = []

  init(_ kernels: Kernels) { self.kernels = kernels }

  /// Prepares for a plane.
  ///
  /// - Parameters:
  ///   - channelCount: Interleaved samples of a pixel, in 1...4.
  ///   - columns: The horizontal axis.
  ///   - rows: The vertical axis.
  ///   - firstLine: The line that is asked for first.
  mutating func prepare(
    channelCount: Int, columns: ResamplingAxis.Shape, rows: ResamplingAxis.Shape,
    firstLine: Int = 0
  ) {
    precondition((1...4).contains(channelCount))
    self.channelCount = channelCount
    self.columns.prepare(columns)
    usesSegments = ResamplingSegments.suits(rows)
    if usesSegments { segments.prepare(rows) } else { self.rows.prepare(rows) }
    // Values behind the row meet weights of zero, or lanes of no channel, but must be finite.
    rowCapacity =
      (self.columns.sourceRange.count + 4 * self.columns.groupCount) * channelCount + 4
    if sums.count < 2 * rowCapacity {
      sums = [Float](repeating: 0, count: 2 * rowCapacity)
    }
    if line.count < columns.count {
      line = [SIMD4<Float>](repeating: .zero, count: columns.count)
    }
    currentRow = 0
    self.firstLine = firstLine
  }

  /// Computes one line of the output into `line`.
  ///
  /// - Precondition: lines are asked for one after another from the first, and the plane is the one
  ///   that was prepared for.
  mutating func produceLine(_ index: Int, of plane: RawFrame.Plane) {
    if usesSegments {
      // The segment before the first line only starts its sums: the other row is set anew below.
      if index == firstLine { unsafe addSegment(index, of: plane) }
      unsafe addSegment(index + 1, of: plane)
    } else {
      unsafe setWeightedRows(index, of: plane)
    }
    sumColumns()
  }

  /// Adds the rows of a segment to the output before it, which becomes the current row, and starts
  /// the output behind it with them.
  private mutating func addSegment(_ segment: Int, of plane: RawFrame.Plane) {
    currentRow = 1 - currentRow
    let (current, next) = (currentRow * rowCapacity, (1 - currentRow) * rowCapacity)
    let (kernels, segments) = (kernels, segments)
    let (start, end) = (segments.bounds[segment], segments.bounds[segment + 1])
    let (range, channelCount) = (columns.sourceRange, channelCount)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      var row = start
      repeat {
        let count = min(end - row, RowSegmentTask.rowLimit)
        kernels.addRowSegment(
          RowSegmentTask(
            rows: unsafe plane.rows(
              row, count: count, columns: range, channelCount: channelCount),
            weights: segments.weights(of: segment, from: row - start, count: count),
            before: unsafe Address(sums.baseAddress! + current),
            behind: unsafe Address(sums.baseAddress! + next), setsBehind: row == start))
        row += count
      } while row < end
    }
  }

  private mutating func setWeightedRows(_ index: Int, of plane: RawFrame.Plane) {
    let offset = currentRow * rowCapacity
    let (kernels, rows) = (kernels, rows)
    let (range, channelCount) = (columns.sourceRange, channelCount)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      unsafe rows.weights.withUnsafeBufferPointer { weights in
        kernels.setWeightedRows(
          WeightedRowsTask(
            rows: unsafe plane.rows(
              rows.firstSamples[index], count: rows.sampleCounts[index], columns: range,
              channelCount: channelCount),
            weights: unsafe Address(weights.baseAddress! + 4 * rows.groupCount * index),
            result: unsafe Address(sums.baseAddress! + offset)))
      }
    }
  }

  private mutating func sumColumns() {
    let offset = currentRow * rowCapacity
    let (kernels, columns, sums, channelCount) = (kernels, columns, sums, channelCount)
    unsafe line.withUnsafeMutableBufferPointer { line in
      unsafe sums.withUnsafeBufferPointer { sums in
        unsafe columns.firstSamples.withUnsafeBufferPointer { firsts in
          unsafe columns.weights.withUnsafeBufferPointer { weights in
            kernels.setWeightedColumns(
              unsafe WeightedColumnsTask(
                row: Address(sums.baseAddress! + offset), channelCount: channelCount,
                start: columns.sourceRange.lowerBound, firsts: firsts.baseAddress!,
                groupCount: columns.groupCount, weights: Address(weights.baseAddress!),
                outputCount: columns.shape.count,
                result: Address(
                  UnsafeMutableRawPointer(line.baseAddress!).assumingMemoryBound(
                    to: Float.self))))
          }
        }
      }
    }
  }
}

extension RawFrame.Plane {
  /// Some rows, from the first to the last byte of a range of pixels.
  fileprivate func rows(
    _ first: Int, count: Int, columns: Range<Int>, channelCount: Int
  ) -> SampleRows {
    unsafe SampleRows(
      base + (first * bytesPerRow + columns.lowerBound * channelCount), bytesPerRow: bytesPerRow,
      rowCount: count, columnCount: columns.count * channelCount)
  }
}
