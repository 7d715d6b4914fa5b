internal import DiceKernelTemplates

/// Sixteen registers of eight lanes with a fused multiply-add.
public typealias Vector = SIMD8<Float>
typealias Tiles = SixRowTiles<Vector, Fused>
