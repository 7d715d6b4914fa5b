#if arch(x86_64) && os(Linux)
  internal import DiceKernelTemplates
  internal import _Builtin_intrinsics.intel

  /// Kernels of integers for processors with AVX-512 VNNI.
  public enum VNNIKernels {}

  typealias EntryPoints = VNNIKernels
  typealias IntegerTiles = TwelveRowTiles<SIMD16<Float>, ByteProducts>

  /// Products of four bytes each, by one instruction.
  enum ByteProducts: MultiplyAdd {
    /// `sum` and the products of unsigned integers `a` with signed ones `b`, four in each lane.
    @inline(__always)
    static func apply<Vector: SIMD>(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector
    where Vector.Scalar == Float {
      unsafe unsafeBitCast(
        _mm512_dpbusd_epi32(
          unsafeBitCast(sum, to: __m512i.self), unsafeBitCast(a, to: __m512i.self),
          unsafeBitCast(b, to: __m512i.self)), to: Vector.self)
    }
  }
#endif
