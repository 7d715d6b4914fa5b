internal import DiceKernelTemplates

/// Kernels for every processor of an architecture.
public enum BaselineKernels {}

typealias EntryPoints = BaselineKernels
typealias Lanes = NarrowLanes
typealias Fetching = NotFetchingAhead

/// Registers of four lanes.
public typealias Vector = SIMD4<Float>

/// How integers are written.
enum ByteStore: IntegerStore {
  typealias Lanes = Vector
}

#if arch(arm64)
  /// Thirty-two registers with a fused multiply-add.
  typealias Arithmetic = Fused
  typealias Tiles = TwelveRowTiles<Vector, Arithmetic>
  typealias IntegerTiles = TwelveRowTiles<Vector, PlainIntegerProducts>
#else
  /// Sixteen registers; no fused multiply-add can be assumed.
  typealias Arithmetic = Separate
  typealias Tiles = FourRowTiles<Vector, Arithmetic>
  typealias IntegerTiles = FourRowTiles<Vector, PlainIntegerProducts>
#endif

@inline(__always)
func sumColumns(_ task: WeightedColumnsTask) { setWeightedColumns(task) }
