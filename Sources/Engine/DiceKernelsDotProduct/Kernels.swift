#if arch(arm64) && (os(Linux) || hasFeature(Embedded))
  public import DiceKernelTemplates
  internal import _Builtin_intrinsics.arm.neon

  /// Kernels of integers for arm64 processors with dot products (Armv8.2 `FEAT_DotProd`).
  public enum DotProductKernels {
    /// The rows `rows` of a layer of integers that reads its inputs less 128.
    ///
    /// With tiles of twelve rows, as floats have, registers would go to memory and back.
    @inline(never)
    public static func convolveIntegers(
      _ task: IntegerLayerTask, rows: Range<Int>, scratch: Address
    ) {
      DiceKernelTemplates.convolve(
        SixRowTiles<SIMD4<Float>, ByteProducts>.self, ByteStore.self, task, rows: rows,
        scratch: scratch)
    }
  }

  /// How integers are written.
  enum ByteStore: IntegerStore {
    typealias Lanes = SIMD4<Float>
  }

  /// Products of four signed bytes each, by one instruction.
  enum ByteProducts: MultiplyAdd {
    /// `sum` and the products of unsigned integers `a`, less 128, with signed ones `b`, four in each lane.
    @inline(__always)
    static func apply<Vector: FloatLanes>(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector {
      let factors = unsafe unsafeBitCast(a, to: SIMD16<UInt8>.self) ^ SIMD16(repeating: 0x80)
      return unsafe unsafeBitCast(
        vdotq_s32(
          unsafeBitCast(sum, to: int32x4_t.self), unsafeBitCast(b, to: int8x16_t.self),
          unsafeBitCast(factors, to: int8x16_t.self)), to: Vector.self)
    }
  }
#endif
