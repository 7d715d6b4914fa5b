/// Resamples one plane of interleaved bytes, line after line, with buffers that are used again.
///
/// Rows are summed up first, then columns. The source is read once from top to bottom where it is
/// shrunk. Nothing is allocated once the buffers have grown to the sizes in use.
struct PlaneResampler: Hashable, Sendable {
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
    let behind = 4
    rowCapacity = self.columns.sourceRange.count * channelCount + behind
    // Values behind the row meet other lanes only, but must be finite.
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
    let channelCount = channelCount
    let range = columns.sourceRange
    let columnCount = range.count * channelCount
    let source = unsafe plane.base + range.lowerBound * channelCount
    let bytesPerRow = unsafe plane.bytesPerRow
    let current = currentRow * rowCapacity
    let next = (1 - currentRow) * rowCapacity

    if usesSegments {
      let segments = segments
      let firstLine = firstLine
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        let before = unsafe sums.baseAddress! + current
        let behind = unsafe sums.baseAddress! + next
        if index == firstLine {
          unsafe before.update(repeating: 0, count: columnCount)
          unsafe Self.add(
            segments.bounds[index]..<segments.bounds[index + 1], to: before,
            segments.rising[index], and: behind, .zero, source: source, bytesPerRow: bytesPerRow,
            columnCount: columnCount)
        }
        unsafe Self.add(
          segments.bounds[index + 1]..<segments.bounds[index + 2], to: before,
          segments.falling[index + 1], and: behind, segments.rising[index + 1], source: source,
          bytesPerRow: bytesPerRow, columnCount: columnCount)
      }
      currentRow = 1 - currentRow
    } else {
      let first = rows.firstSamples[index]
      let count = rows.sampleCounts[index]
      let offset = rows.weightOffsets[index]
      let weights = rows.weights
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        unsafe weights.withUnsafeBufferPointer { weights in
          unsafe ResamplingKernels.setWeightedSum(
            rows: source + first * bytesPerRow, bytesPerRow: bytesPerRow, rowCount: count,
            columnCount: columnCount, weights: weights.baseAddress! + offset,
            result: sums.baseAddress! + current)
        }
      }
    }
    sumColumns(at: current)
  }

  /// Adds the rows of a segment, a limited number at a time; the first ones set `behind`.
  private static func add(
    _ range: Range<Int>, to before: UnsafeMutablePointer<Float>,
    _ falling: ResamplingSegments.LinearWeight, and behind: UnsafeMutablePointer<Float>,
    _ rising: ResamplingSegments.LinearWeight, source: UnsafeRawPointer, bytesPerRow: Int,
    columnCount: Int
  ) {
    var row = range.lowerBound
    repeat {
      let count = min(range.upperBound - row, ResamplingKernels.segmentRowLimit)
      let place = row - range.lowerBound
      let fall = ResamplingKernels.SegmentWeight(falling.advanced(by: place), rowCount: count)
      let rise = ResamplingKernels.SegmentWeight(rising.advanced(by: place), rowCount: count)
      let start = unsafe source + row * bytesPerRow
      if place == 0 {
        unsafe ResamplingKernels.setSegment(
          rows: start, bytesPerRow: bytesPerRow, rowCount: count, columnCount: columnCount,
          falling: fall, rising: rise, before: before, behind: behind)
      } else {
        unsafe ResamplingKernels.addSegment(
          rows: start, bytesPerRow: bytesPerRow, rowCount: count, columnCount: columnCount,
          falling: fall, rising: rise, before: before, behind: behind)
      }
      row += count
    } while row < range.upperBound
  }

  private mutating func sumColumns(at offset: Int) {
    let columns = columns
    let sums = sums
    let channelCount = channelCount
    unsafe line.withUnsafeMutableBufferPointer { line in
      unsafe sums.withUnsafeBufferPointer { sums in
        unsafe columns.firstSamples.withUnsafeBufferPointer { firsts in
          unsafe columns.sampleCounts.withUnsafeBufferPointer { counts in
            unsafe columns.weightOffsets.withUnsafeBufferPointer { offsets in
              unsafe columns.weights.withUnsafeBufferPointer { weights in
                unsafe ResamplingKernels.setPixels(
                  row: sums.baseAddress! + offset, channelCount: channelCount,
                  start: columns.sourceRange.lowerBound, firsts: firsts.baseAddress!,
                  counts: counts.baseAddress!, offsets: offsets.baseAddress!,
                  weights: weights.baseAddress!, outputCount: columns.shape.count,
                  result: line.baseAddress!)
              }
            }
          }
        }
      }
    }
  }
}
