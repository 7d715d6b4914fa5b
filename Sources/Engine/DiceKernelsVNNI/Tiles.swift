#if arch(x86_64) && os(Linux)
  internal import DiceKernelTemplates
  internal import _Builtin_intrinsics.intel

  /// Kernels of integers for processors with AVX-512 VNNI.
  public enum VNNIKernels {}

  typealias EntryPoints = VNNIKernels
  typealias IntegerTiles = TwelveRowTiles<SIMD16<Float>, ByteProducts>

  /// How integers are written.
  enum ByteStore: IntegerStore {
    typealias Lanes = SIMD16<Float>

    @inline(__always)
    static func store(_ values: SIMD16<Float>, _ target: UnsafeMutableRawPointer) {
      // Of two operands, one of which is a NaN, the second one is taken.
      let least = _mm512_max_ps(values, _mm512_setzero_ps())
      let integers = _mm512_cvtps_epi32(_mm512_min_ps(least, _mm512_set1_ps(255)))
      unsafe _mm_storeu_si128(
        target.assumingMemoryBound(to: __m128i.self), _mm512_cvtepi32_epi8(integers))
    }
  }

  /// Products of four bytes each, by one instruction.
  enum ByteProducts: MultiplyAdd {
    /// `sum` and the products of unsigned integers `a` with signed ones `b`, four in each lane.
    @inline(__always)
    static func apply<Vector: FloatLanes>(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector {
      unsafe unsafeBitCast(
        _mm512_dpbusd_epi32(
          unsafeBitCast(sum, to: __m512i.self), unsafeBitCast(a, to: __m512i.self),
          unsafeBitCast(b, to: __m512i.self)), to: Vector.self)
    }
  }
#endif
