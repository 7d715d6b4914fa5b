internal import DiceKernelTemplates

#if arch(arm64)
  /// Thirty-two registers of four lanes with a fused multiply-add.
  public typealias Vector = SIMD4<Float>
  typealias Arithmetic = Fused
  typealias Tiles = TwelveRowTiles<Vector, Arithmetic>
#else
  /// Sixteen registers of four lanes; no fused multiply-add can be assumed.
  public typealias Vector = SIMD4<Float>
  typealias Arithmetic = Separate
  typealias Tiles = FourRowTiles<Vector, Arithmetic>
#endif
