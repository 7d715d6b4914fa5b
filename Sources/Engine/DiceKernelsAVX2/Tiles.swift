#if arch(x86_64) && os(Linux)
  internal import DiceKernelTemplates

  /// Sixteen registers of eight lanes with a fused multiply-add.
  public typealias Vector = SIMD8<Float>
  typealias Arithmetic = Fused
  typealias Tiles = SixRowTiles<Vector, Arithmetic>
#endif
