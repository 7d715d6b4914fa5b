internal import DiceKernelTemplates

/// Thirty-two registers of sixteen lanes with a fused multiply-add.
public typealias Vector = SIMD16<Float>
typealias Tiles = TwelveRowTiles<Vector, Fused>
