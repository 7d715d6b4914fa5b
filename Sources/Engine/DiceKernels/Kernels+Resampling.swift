public import DiceKernelTemplates
internal import DiceKernelsBaseline

#if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
  internal import DiceKernelsAVX2
  internal import DiceKernelsAVX512
#endif

/// Resampling of pictures. All of these give the same bits in every implementation.
extension Kernels {
  /// Adds rows of a segment to two outputs; the formula stands at `RowSegmentTask`.
  ///
  /// - Precondition: there are at most `RowSegmentTask.rowLimit` rows.
  public func addRowSegment(_ task: RowSegmentTask) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: addRowSegmentAVX512(task)
      case .avx2: addRowSegmentAVX2(task)
    #endif
    default: addRowSegmentBaseline(task)
    }
  }

  /// Sets one output from rows with a weight each; the formula stands at `WeightedRowsTask`.
  public func setWeightedRows(_ task: WeightedRowsTask) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: setWeightedRowsAVX512(task)
      case .avx2: setWeightedRowsAVX2(task)
    #endif
    default: setWeightedRowsBaseline(task)
    }
  }

  /// Sets outputs from pixels with a weight each; the formula stands at `WeightedColumnsTask`.
  public func setWeightedColumns(_ task: WeightedColumnsTask) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: setWeightedColumnsAVX512(task)
      case .avx2: setWeightedColumnsAVX2(task)
    #endif
    default: setWeightedColumnsBaseline(task)
    }
  }

  /// Writes pixels into a network's input; the formula stands at `PixelWritingTask`.
  public func writePixels(_ task: PixelWritingTask) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: writePixelsAVX512(task)
      case .avx2: writePixelsAVX2(task)
    #endif
    default: writePixelsBaseline(task)
    }
  }
}
