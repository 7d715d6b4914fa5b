import DiceKernelTemplates

/// A model of the tiles of Intel's matrix extensions for 8-bit integers, bit by bit.
///
/// `TDPBUSD` multiplies unsigned integers of the left factor by signed ones of the right factor, four for each sum
/// of 32 bits, which wraps around.
///
/// Source: Intel, Architecture Instruction Set Extensions Programming Reference, TDPBUSD.
public struct ModelledIntegerTiles: TileUnit {
  private let tiles: ModelledTiles

  /// How integers are written.
  public typealias ByteStore = PlainByteStore

  /// Steps and offsets count groups of four integers.
  public static var stepByteCount: Int { 4 }

  /// Tiles of zeros.
  public init(rows: Int) { tiles = ModelledTiles(rows: rows) }

  /// Frees the tiles.
  public func release() { tiles.release() }

  /// Sets the sums to zero.
  public func clearSums() { tiles.clearSums() }

  /// Copies the rows of a tile from memory.
  public func load(_ tile: MatrixTile, _ place: UnsafeRawPointer, stride: Int) {
    tiles.load(tile, place, stride: stride)
  }

  /// Copies the rows of a tile to memory.
  public func store(_ tile: MatrixTile, _ place: UnsafeMutableRawPointer, stride: Int) {
    tiles.store(tile, place, stride: stride)
  }

  /// Adds the product of two factors as the instruction does.
  public func addProduct(to sums: MatrixTile) {
    precondition(sums.rawValue < 4, "products are added to sums")
    let left = tiles.memory + (4 + sums.rawValue / 2) * 256
    let right = tiles.memory + (6 + sums.rawValue % 2) * 256
    let target = tiles.memory + sums.rawValue * 256
    for row in 0..<tiles.rows {
      for column in 0..<16 {
        var sum = Int32(bitPattern: target[row * 16 + column])
        for group in 0..<16 {
          let (factors, others) = (left[row * 16 + group], right[group * 16 + column])
          for place in 0..<4 {
            let factor = Int32(factors >> UInt32(8 * place) & 0xFF)
            sum &+= factor * Int32(Int8(truncatingIfNeeded: others >> UInt32(8 * place)))
          }
        }
        target[row * 16 + column] = UInt32(bitPattern: sum)
      }
    }
  }
}
