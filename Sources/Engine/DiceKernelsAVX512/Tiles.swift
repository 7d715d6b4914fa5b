#if arch(x86_64) && os(Linux)
  internal import DiceKernelTemplates

  /// Thirty-two registers of sixteen lanes with a fused multiply-add.
  public typealias Vector = SIMD16<Float>
  typealias Arithmetic = Fused
  typealias Tiles = TwelveRowTiles<Vector, Arithmetic>
#endif
