#if arch(x86_64) && os(Linux)
  internal import DiceKernelTemplates

  /// Kernels for processors with AVX-512.
  public enum AVX512Kernels {}

  typealias EntryPoints = AVX512Kernels
  typealias Lanes = WideLanes
  typealias Fetching = FetchingIntoSecondCache

  /// Thirty-two registers of sixteen lanes with a fused multiply-add.
  public typealias Vector = SIMD16<Float>
  typealias Arithmetic = Fused
  typealias Tiles = TwelveRowTiles<Vector, Arithmetic>

  @inline(__always)
  func sumColumns(_ task: WeightedColumnsTask) { setWeightedColumnsWide(task) }
#endif
