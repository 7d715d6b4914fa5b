internal import DiceKernelTemplates

#if arch(arm64)
  /// Thirty-two registers of four lanes with a fused multiply-add.
  public typealias Vector = SIMD4<Float>
  typealias Tiles = TwelveRowTiles<Vector, Fused>
#else
  /// Sixteen registers of four lanes; no fused multiply-add can be assumed.
  public typealias Vector = SIMD4<Float>
  typealias Tiles = FourRowTiles<Vector, Separate>
#endif
