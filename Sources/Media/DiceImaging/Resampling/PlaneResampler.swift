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
  private var firstLine = 0
  /// The sums over the rows of a line.
  private var sums = AlignedFloats()
  /// What the rows so far give to the next line, where segments are used.
  private var nextSums = AlignedFloats()

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
    self.firstLine = firstLine
    self.columns.prepare(columns)
    usesSegments = ResamplingSegments.suits(rows)
    if usesSegments { segments.prepare(rows) } else { self.rows.prepare(rows) }
    let columnCount = self.columns.sourceRange.count * channelCount
    // Whole groups of pixels are read, and whole vectors. What stands behind the sums meets weights of
    // zero, or lanes of no channel, and is finite.
    sums.reserve(columnCount + 4 * self.columns.groupCount * channelCount + 4)
    if usesSegments { nextSums.reserve(columnCount) }
    if line.count < columns.count {
      line = [SIMD4<Float>](repeating: .zero, count: columns.count)
    }
  }

  /// Computes one line of the output into `line`.
  ///
  /// - Precondition: lines are asked for one after another from the first, and the plane is the one
  ///   that was prepared for.
  mutating func produceLine(_ index: Int, of plane: RawFrame.Plane) {
    if usesSegments {
      // The rows before the first line were not summed up for a line before.
      if index == firstLine { unsafe addSegment(index, of: plane) }
      unsafe addSegment(index + 1, of: plane)
      sumColumns(scale: segments.scales[index])
    } else {
      unsafe sumRows(index, of: plane)
      sumColumns(scale: 1)
    }
  }

  /// Adds the rows of a segment to the output before it, and starts the next one with them.
  private mutating func addSegment(_ index: Int, of plane: RawFrame.Plane) {
    let (kernels, segment) = (kernels, segments[index])
    let (step, rowCount) = (segments.greatestCount, segments.sourceCount)
    let (range, channelCount) = (columns.sourceRange, channelCount)
    sums.withAddress { sums in
      nextSums.withAddress { nextSums in
        var row = segment.samples.lowerBound
        repeat {
          let count = min(segment.samples.upperBound - row, RowSegmentTask.rowLimit)
          let weights = segment.weights(from: row, count: count)
          kernels.addRowSegment(
            RowSegmentTask(
              rows: unsafe plane.rows(
                row, count: count, columns: range, channelCount: channelCount),
              sumWeight: weights.sum, placeWeight: weights.place, before: sums, behind: nextSums,
              isFirst: row == segment.samples.lowerBound,
              lookahead: min(step, rowCount - row - count)))
          row += count
        } while row < segment.samples.upperBound
      }
    }
  }

  /// Sums up the rows of an output with a weight each.
  private mutating func sumRows(_ index: Int, of plane: RawFrame.Plane) {
    let (first, count) = (rows.firstSamples[index], rows.sampleCounts[index])
    let offset = index * 4 * rows.groupCount
    let (kernels, range, channelCount) = (kernels, columns.sourceRange, channelCount)
    unsafe rows.weights.withUnsafeBufferPointer { weights in
      sums.withAddress { sums in
        kernels.setWeightedRows(
          WeightedRowsTask(
            rows: unsafe plane.rows(
              first, count: count, columns: range, channelCount: channelCount),
            weights: unsafe Address(weights.baseAddress! + offset), result: sums))
      }
    }
  }

  /// Sums up the columns of the sums over rows.
  private mutating func sumColumns(scale: Float) {
    let (kernels, columns, channelCount) = (kernels, columns, channelCount)
    unsafe line.withUnsafeMutableBufferPointer { line in
      unsafe columns.firstSamples.withUnsafeBufferPointer { firsts in
        unsafe columns.weights.withUnsafeBufferPointer { weights in
          sums.withAddress { sums in
            kernels.setWeightedColumns(
              unsafe WeightedColumnsTask(
                row: sums, channelCount: channelCount, start: columns.sourceRange.lowerBound,
                firsts: firsts.baseAddress!, groupCount: columns.groupCount,
                weights: Address(weights.baseAddress!), scale: scale,
                outputCount: columns.shape.count, result: Address(lanesOf: line.baseAddress!)))
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
