internal import DiceKernels

/// Resamples a frame of any format, line after line, into red, green and blue.
///
/// Frames of whole pixels are resampled channel by channel. Frames with separate planes are
/// resampled plane by plane, chroma as a picture of its own size, and converted afterwards.
struct FrameResampler: Hashable, Sendable {
  private var pixels: PlaneResampler
  private var firstChroma: PlaneResampler
  private var secondChroma: PlaneResampler

  /// The last line of a frame with planes: red, green, blue and an unspecified value, not clamped.
  private var line: [SIMD4<Float>] = []

  init(_ kernels: Kernels) {
    pixels = PlaneResampler(kernels)
    firstChroma = PlaneResampler(kernels)
    secondChroma = PlaneResampler(kernels)
  }

  mutating func prepare(
    for frame: borrowing RawFrame, columns: ResamplingAxis.Shape, rows: ResamplingAxis.Shape,
    firstLine: Int = 0
  ) {
    let channelCount =
      switch frame.format {
      case .packed(let format): format.channelCount
      case .luma, .yCbCr420, .yCbCr422, .yCbCr444: 1
      }
    pixels.prepare(
      channelCount: channelCount, columns: columns, rows: rows, firstLine: firstLine)
    if let subsampling = frame.format.chromaSubsampling {
      let siting = frame.chromaSiting
      let columns = columns.chroma(
        sharedBy: subsampling.columnsPerSample, isOnFirst: siting.isOnFirstColumn)
      let rows = rows.chroma(
        sharedBy: subsampling.rowsPerSample, isOnFirst: siting.isOnFirstRow)
      switch unsafe frame.chroma {
      case .none: break
      case .interleaved:
        firstChroma.prepare(
          channelCount: 2, columns: columns, rows: rows, firstLine: firstLine)
      case .separate:
        firstChroma.prepare(
          channelCount: 1, columns: columns, rows: rows, firstLine: firstLine)
        secondChroma.prepare(
          channelCount: 1, columns: columns, rows: rows, firstLine: firstLine)
      }
    }
    switch frame.format {
    case .packed: break
    case .luma, .yCbCr420, .yCbCr422, .yCbCr444:
      if line.count < columns.count {
        line = [SIMD4<Float>](repeating: .zero, count: columns.count)
      }
    }
  }

  /// Computes one line of the output.
  ///
  /// - Parameters:
  ///   - index: The line.
  ///   - frame: The frame that was prepared for.
  ///   - count: The number of outputs of the line.
  ///   - body: Gets the first output and whether it is blue, green, red rather than red, green, blue; in
  ///     both cases with an unspecified value behind, and not clamped.
  /// - Precondition: lines are asked for one after another from the first.
  @inline(__always)
  mutating func withLine(
    _ index: Int, of frame: borrowing RawFrame, count: Int,
    _ body: (UnsafePointer<SIMD4<Float>>, _ isReversed: Bool) -> Void
  ) {
    unsafe pixels.produceLine(index, of: frame.pixels)
    switch frame.format {
    case .packed(let format):
      unsafe pixels.line.withUnsafeBufferPointer { unsafe body($0.baseAddress!, format == .bgra) }
    case .luma, .yCbCr420, .yCbCr422, .yCbCr444:
      convert(index, of: frame, factors: frame.format.factors, count: count)
      unsafe line.withUnsafeBufferPointer { unsafe body($0.baseAddress!, false) }
    }
  }

  private mutating func convert(
    _ index: Int, of frame: borrowing RawFrame, factors: YCbCrFactors, count: Int
  ) {
    switch unsafe frame.chroma {
    case .none:
      for i in 0..<count { line[i] = factors.color(y: pixels.line[i].x, cb: 128, cr: 128) }
    case .interleaved(let plane, let order):
      unsafe firstChroma.produceLine(index, of: plane)
      let cbLane = order == .cbCr ? 0 : 1
      for i in 0..<count {
        let chroma = firstChroma.line[i]
        line[i] = factors.color(
          y: pixels.line[i].x, cb: chroma[cbLane], cr: chroma[1 - cbLane])
      }
    case .separate(let cb, let cr):
      unsafe firstChroma.produceLine(index, of: cb)
      unsafe secondChroma.produceLine(index, of: cr)
      for i in 0..<count {
        line[i] = factors.color(
          y: pixels.line[i].x, cb: firstChroma.line[i].x, cr: secondChroma.line[i].x)
      }
    }
  }
}
