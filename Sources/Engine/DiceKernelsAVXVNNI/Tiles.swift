#if arch(x86_64) && os(Linux)
  internal import DiceKernelTemplates
  internal import _Builtin_intrinsics.intel

  /// Kernels of integers for processors with AVX-VNNI.
  public enum AVXVNNIKernels {}

  typealias EntryPoints = AVXVNNIKernels
  typealias IntegerTiles = SixRowTiles<SIMD8<Float>, ByteProducts>

  /// How integers are written.
  enum ByteStore: IntegerStore {
    typealias Lanes = SIMD8<Float>
  }

  /// Products of four bytes each, by one instruction.
  enum ByteProducts: MultiplyAdd {
    /// `sum` and the products of unsigned integers `a` with signed ones `b`, four in each lane.
    @inline(__always)
    static func apply<Vector: FloatLanes>(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector {
      unsafe unsafeBitCast(
        _mm256_dpbusd_avx_epi32(
          unsafeBitCast(sum, to: __m256i.self), unsafeBitCast(a, to: __m256i.self),
          unsafeBitCast(b, to: __m256i.self)), to: Vector.self)
    }
  }
#endif
