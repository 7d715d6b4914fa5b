#if arch(x86_64) && os(Linux)
  public import DiceKernelTemplates

  // Concrete instances of the templates for resampling; see `EntryPoints.swift`.

  /// Rows of a segment, added to the outputs before and behind it.
  @inline(never)
  public func addRowSegmentAVX512(_ task: RowSegmentTask) {
    addRowSegment(WideLanes.self, FetchingIntoSecondCache.self, task)
  }

  /// One output from rows with a weight each.
  @inline(never)
  public func setWeightedRowsAVX512(_ task: WeightedRowsTask) {
    setWeightedRows(WideLanes.self, task)
  }

  /// Outputs from pixels with a weight each.
  @inline(never)
  public func setWeightedColumnsAVX512(_ task: WeightedColumnsTask) {
    setWeightedColumnsWide(task)
  }

  /// Pixels as numbers of a network's input.
  @inline(never)
  public func writePixelsAVX512(_ task: PixelWritingTask) {
    writePixels(task)
  }
#endif
