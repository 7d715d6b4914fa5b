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
      case .avx512: AVX512Kernels.addRowSegment(task)
      case .avx2: AVX2Kernels.addRowSegment(task)
    #endif
    default: BaselineKernels.addRowSegment(task)
    }
  }

  /// Sets one output from rows with a weight each; the formula stands at `WeightedRowsTask`.
  public func setWeightedRows(_ task: WeightedRowsTask) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: AVX512Kernels.setWeightedRows(task)
      case .avx2: AVX2Kernels.setWeightedRows(task)
    #endif
    default: BaselineKernels.setWeightedRows(task)
    }
  }

  /// Sets outputs from pixels with a weight each; the formula stands at `WeightedColumnsTask`.
  public func setWeightedColumns(_ task: WeightedColumnsTask) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: AVX512Kernels.setWeightedColumns(task)
      case .avx2: AVX2Kernels.setWeightedColumns(task)
    #endif
    default: BaselineKernels.setWeightedColumns(task)
    }
  }

  /// Writes pixels into a network's input; the formula stands at `PixelWritingTask`.
  public func writePixels(_ task: PixelWritingTask) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: AVX512Kernels.writePixels(task)
      case .avx2: AVX2Kernels.writePixels(task)
    #endif
    default: BaselineKernels.writePixels(task)
    }
  }
}
