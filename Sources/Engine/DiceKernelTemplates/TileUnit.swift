/// A unit that multiplies tiles of bfloat16 numbers, or of 8-bit integers: Intel's matrix extensions (AMX), or
/// a model of them.
///
/// A tile has up to 16 rows of 64 bytes. The kernels are written once, over this interface; hardware pays
/// nothing for it, because every call is inlined and every tile is a constant.
public protocol TileUnit {
  /// The bytes that the steps and offsets of a task's input count: a bfloat16 number, or four integers.
  static var stepByteCount: Int { get }

  /// How integers are written.
  associatedtype ByteStore: IntegerStore where ByteStore.Lanes == SIMD16<Float>

  /// Writes sixteen rectified sums, limited to finite numbers and rounded to bfloat16.
  static func storeRectified(
    _ sums: SIMD16<Float>, slope: SIMD16<Float>, _ target: BFloat16Address)

  /// Sets the number of rows of the sums and left factors, 1...16; all tiles become zero.
  init(rows: Int)

  /// Gives the tiles back.
  mutating func release()

  /// Sets the four tiles of sums to zero.
  mutating func clearSums()

  /// Loads a tile's rows, `stride` bytes apart.
  mutating func load(_ tile: MatrixTile, _ place: UnsafeRawPointer, stride: Int)

  /// Stores a tile's rows, `stride` bytes apart.
  mutating func store(_ tile: MatrixTile, _ place: UnsafeMutableRawPointer, stride: Int)

  /// Adds the product of the factors that a tile of sums is named after.
  mutating func addProduct(to sums: MatrixTile)
}

extension TileUnit {
  /// Writes sixteen rectified sums, limited to finite numbers and rounded to bfloat16.
  @_alwaysEmitIntoClient @inline(__always)
  public static func storeRectified(
    _ sums: SIMD16<Float>, slope: SIMD16<Float>, _ target: BFloat16Address
  ) {
    let values = finite(leakyRectified(sums, slope: slope))
    target.store(lowerHalves(bfloat16Bits(values)), at: 0)
  }
}

/// Integers of sixteen lanes, written by what every processor has.
public enum PlainByteStore: IntegerStore {
  /// Sixteen output channels.
  public typealias Lanes = SIMD16<Float>
}

/// The tiles in use: four of sums, two of left factors and two of right ones.
@frozen public enum MatrixTile: Int {
  /// Sums of the first left factor with the first right one.
  case firstFirst
  /// Sums of the first left factor with the second right one.
  case firstSecond
  /// Sums of the second left factor with the first right one.
  case secondFirst
  /// Sums of the second left factor with the second right one.
  case secondSecond
  /// A left factor: rows of 32 numbers.
  case firstLeft
  /// The other left factor.
  case secondLeft
  /// A right factor: 16 rows of 16 pairs.
  case firstRight
  /// The other right factor.
  case secondRight
}
