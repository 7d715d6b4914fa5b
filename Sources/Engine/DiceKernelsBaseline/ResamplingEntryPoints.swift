#if !ONLY_X86_64_LINUX || (arch(x86_64) && os(Linux))
  public import DiceKernelTemplates

  // Concrete instances of the templates for resampling; see `EntryPoints.swift`.

  extension EntryPoints {
    /// Rows of a segment, added to the outputs before and behind it.
    @inline(never)
    public static func addRowSegment(_ task: RowSegmentTask) {
      DiceKernelTemplates.addRowSegment(Lanes.self, Fetching.self, task)
    }

    /// One output from rows with a weight each.
    @inline(never)
    public static func setWeightedRows(_ task: WeightedRowsTask) {
      DiceKernelTemplates.setWeightedRows(Lanes.self, task)
    }

    /// Outputs from pixels with a weight each.
    @inline(never)
    public static func setWeightedColumns(_ task: WeightedColumnsTask) {
      sumColumns(task)
    }

    /// Pixels as numbers of a network's input.
    @inline(never)
    public static func writePixels(_ task: PixelWritingTask) {
      DiceKernelTemplates.writePixels(task)
    }
  }
#endif
