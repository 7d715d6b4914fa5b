#if arch(x86_64) && os(Linux)
  internal import DiceKernelTemplates

  /// Kernels for processors with AVX2.
  public enum AVX2Kernels {}

  typealias EntryPoints = AVX2Kernels
  typealias Lanes = MediumLanes
  typealias Fetching = FetchingIntoSecondCache

  /// Sixteen registers of eight lanes with a fused multiply-add.
  public typealias Vector = SIMD8<Float>
  typealias Arithmetic = Fused
  typealias Tiles = SixRowTiles<Vector, Arithmetic>

  @inline(__always)
  func sumColumns(_ task: WeightedColumnsTask) { setWeightedColumnsWide(task) }
#endif
