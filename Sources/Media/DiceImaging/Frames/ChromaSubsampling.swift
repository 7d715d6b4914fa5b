extension RawFrame {
  /// How many pixels share a chroma sample.
  public enum ChromaSubsampling: UInt8, CaseIterable, Hashable, Sendable {
    /// Blocks of 2 x 2 pixels do (4:2:0).
    case s420
    /// Two pixels side by side do (4:2:2).
    case s422
    /// None do (4:4:4).
    case s444

    /// Columns of pixels for each chroma sample: 1 or 2.
    public var columnsPerSample: Int { self == .s444 ? 1 : 2 }
    /// Rows of pixels for each chroma sample: 1 or 2.
    public var rowsPerSample: Int { self == .s420 ? 2 : 1 }

    /// Chroma samples in a row of a picture: half as many as pixels, rounded up, or as many.
    public func columnCount(forWidth width: Int) -> Int {
      columnsPerSample == 1 ? width : FrameRules.half(width)
    }

    /// Rows of chroma samples of a picture: half as many as rows of pixels, rounded up, or as many.
    public func rowCount(forHeight height: Int) -> Int {
      rowsPerSample == 1 ? height : FrameRules.half(height)
    }
  }

  /// Where a chroma sample lies among the pixels that share it.
  ///
  /// Resampling takes account of it; `PixelImage(copying:)` gives all of them the same chroma. An
  /// axis along which no pixels share chroma has no displacement.
  ///
  /// Source: ITU-T H.273, figure 7 (ChromaLocType): `left` is 0, `center` 1, `topLeft` 2.
  public enum ChromaSiting: UInt8, CaseIterable, Hashable, Sendable {
    /// In their middle: JPEG, MPEG-1, and most cameras that write JPEG.
    case center
    /// Beside the left ones, and between the rows: MPEG-2, H.264, and 4:2:2 of ITU-R BT.601.
    case left
    /// On the upper left one: DV, and most films in BT.2020.
    case topLeft

    /// Whether chroma lies on the left pixel of two.
    var isOnFirstColumn: Bool { self != .center }
    /// Whether chroma lies on the upper pixel of two.
    var isOnFirstRow: Bool { self == .topLeft }
  }
}
