#if arch(x86_64) && os(Linux)
  internal import DiceKernelTemplates

  /// Kernels for processors with AVX-512.
  public enum AVX512Kernels {}

  typealias EntryPoints = AVX512Kernels
  typealias Lanes = WideLanes
  typealias Fetching = FetchingIntoSecondCache

  /// Thirty-two registers of sixteen lanes with a fused multiply-add.
  public typealias Vector = SIMD16<Float>
  typealias Arithmetic = FetchingFused
  typealias Tiles = TwelveRowTiles<Vector, Arithmetic>

  /// A fused multiply-add; weights are fetched ahead.
  enum FetchingFused: MultiplyAdd {
    /// `sum + a * b`, rounded once.
    @inline(__always)
    static func apply<Lanes: FloatLanes>(_ sum: Lanes, _ a: Lanes, _ b: Lanes) -> Lanes {
      Fused.apply(sum, a, b)
    }

    /// Fetches the line of a place.
    @inline(__always)
    static func fetch(_ place: Address) { unsafe Fetching.fetch(UnsafeRawPointer(place.pointer)) }
  }

  @inline(__always)
  func sumColumns(_ task: WeightedColumnsTask) { setWeightedColumnsWide(task) }
#endif
