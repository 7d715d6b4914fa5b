#if arch(x86_64) && os(Linux)
  internal import DiceKernelTemplates
  internal import _Builtin_intrinsics.intel

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

  typealias IntegerTiles = SixRowTiles<Vector, PairedProducts>

  /// How integers are written.
  enum ByteStore: IntegerStore {
    typealias Lanes = Vector
  }

  /// Products of four bytes each as two pairs of 16-bit integers, which cannot overflow.
  enum PairedProducts: MultiplyAdd {
    /// `sum` and the products of unsigned integers `a` with signed ones `b`, four in each lane.
    @inline(__always)
    static func apply<Vector: FloatLanes>(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector {
      let factors = unsafe unsafeBitCast(a, to: __m256i.self)
      let weights = unsafe unsafeBitCast(b, to: __m256i.self)
      let even = _mm256_madd_epi16(
        _mm256_and_si256(factors, _mm256_set1_epi16(0xFF)),
        _mm256_srai_epi16(_mm256_slli_epi16(weights, 8), 8))
      let odd = _mm256_madd_epi16(_mm256_srli_epi16(factors, 8), _mm256_srai_epi16(weights, 8))
      let both = _mm256_add_epi32(even, odd)
      return unsafe unsafeBitCast(
        _mm256_add_epi32(unsafeBitCast(sum, to: __m256i.self), both), to: Vector.self)
    }
  }
#endif
