extension StoredFrame {
  /// Copies a frame that lies in memory of someone else, such as a camera's, to keep it.
  ///
  /// Samples, format and orientation stay; bytes between the rows are left out. What is kept can be
  /// sent to another thread.
  ///
  /// - Complexity: O(samples).
  public init(copying frame: borrowing RawFrame) {
    let (width, height) = (frame.width, frame.height)
    switch unsafe frame.chroma {
    case .none:
      let rowByteCount =
        if case .packed(let format) = frame.format { width * format.channelCount } else { width }
      self.init(
        width: width, height: height, format: frame.format, chromaSiting: frame.chromaSiting,
        orientation: frame.orientation,
        pixels: unsafe frame.pixels.rows(height, of: rowByteCount), bytesPerRow: rowByteCount,
        chroma: .none)
    case .interleaved(let pairs, let order):
      let (rows, pairCount) = frame.chromaSize
      self.init(
        width: width, height: height, format: frame.format, chromaSiting: frame.chromaSiting,
        orientation: frame.orientation, pixels: unsafe frame.pixels.rows(height, of: width),
        bytesPerRow: width,
        chroma: .interleaved(
          unsafe pairs.rows(rows, of: 2 * pairCount), bytesPerRow: 2 * pairCount, order))
    case .separate(let cb, let cr):
      let (rows, columns) = frame.chromaSize
      var planes = unsafe frame.pixels.rows(height, of: width)
      unsafe planes += cb.rows(rows, of: columns)
      unsafe planes += cr.rows(rows, of: columns)
      self.init(
        width: width, height: height, format: frame.format, chromaSiting: frame.chromaSiting,
        orientation: frame.orientation, pixels: planes, bytesPerRow: width,
        chroma: .behindLuma(
          cbOffset: width * height, crOffset: width * height + rows * columns,
          bytesPerRow: columns))
    }
  }
}

extension RawFrame {
  /// Rows and columns of chroma; none where there is no chroma plane.
  fileprivate var chromaSize: (rows: Int, columns: Int) {
    guard let subsampling = format.chromaSubsampling else { return (0, 0) }
    return (
      subsampling.rowCount(forHeight: height), subsampling.columnCount(forWidth: width)
    )
  }
}

extension RawFrame.Plane {
  /// The rows one after another, without what lies between them.
  @unsafe
  fileprivate func rows(_ count: Int, of byteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * byteCount)
    for row in 0..<count {
      unsafe bytes.append(
        contentsOf: UnsafeRawBufferPointer(start: base + row * bytesPerRow, count: byteCount))
    }
    return bytes
  }
}
