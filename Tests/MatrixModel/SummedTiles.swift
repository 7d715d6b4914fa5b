import DiceKernelTemplates
import DiceKernels

/// Tiles that only show what is read: a product adds all words of its factors to a tile's sums.
///
/// Some thirty times as fast as the model of the units, for tests that compare what two memories give.
public struct SummedTiles: TileUnit {
  private let rows: Int
  private let memory: UnsafeMutablePointer<UInt32>

  /// How integers are written.
  public typealias ByteStore = PlainByteStore

  /// Steps and offsets count bfloat16 numbers.
  public static var stepByteCount: Int { 2 }

  /// Tiles of zeros.
  public init(rows: Int) {
    self.rows = rows
    memory = .allocate(capacity: 8 * 256)
    memory.initialize(repeating: 0, count: 8 * 256)
  }

  /// Frees the tiles.
  public func release() { memory.deallocate() }

  /// Sets the sums to zero.
  public func clearSums() { memory.update(repeating: 0, count: 4 * 256) }

  private func rowCount(_ tile: MatrixTile) -> Int { tile.rawValue < 6 ? rows : 16 }

  /// Copies the rows of a tile from memory.
  public func load(_ tile: MatrixTile, _ place: UnsafeRawPointer, stride: Int) {
    let target = UnsafeMutableRawPointer(memory + tile.rawValue * 256)
    for row in 0..<rowCount(tile) {
      (target + row * 64).copyMemory(from: place + row * stride, byteCount: 64)
    }
  }

  /// Copies the rows of a tile to memory.
  public func store(_ tile: MatrixTile, _ place: UnsafeMutableRawPointer, stride: Int) {
    let source = UnsafeRawPointer(memory + tile.rawValue * 256)
    for row in 0..<rowCount(tile) {
      (place + row * stride).copyMemory(from: source + row * 64, byteCount: 64)
    }
  }

  /// Adds the words of both factors.
  public func addProduct(to sums: MatrixTile) {
    let left = memory + (4 + sums.rawValue / 2) * 256
    let right = memory + (6 + sums.rawValue % 2) * 256
    let target = memory + sums.rawValue * 256
    for word in 0..<256 { target[word] &+= left[word] &* 31 &+ right[word] }
  }
}

extension MatrixModel {
  /// The weight gradient's kernel on tiles that only show what is read; the others on modelled tiles.
  package static var summedTiles: MatrixModel {
    let model = modelledTiles
    return MatrixModel(
      narrow: model.narrow, convolve: model.convolve, convolveLayer: model.convolveLayer,
      convolveIntegers: model.convolveIntegers,
      gatherWeightGradient: {
        DiceKernelTemplates.gatherWeightGradient(SummedTiles.self, $0, scratch: $1)
      })
  }
}
