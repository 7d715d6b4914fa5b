public import DiceGeometry

/// A pixel on a contour, by its column and row.
public struct ContourPoint: Hashable, Sendable {
  /// The column in the lower 16 bits, the row in the upper ones.
  let bits: UInt32

  @inline(__always)
  init(bits: UInt32) { self.bits = bits }

  /// The pixel in a column and row.
  ///
  /// - Precondition: Both are in 0...65535.
  public init(column: Int, row: Int) {
    precondition(
      (0...0xFFFF).contains(column) && (0...0xFFFF).contains(row), "columns and rows have 16 bits")
    bits = UInt32(row) << 16 | UInt32(column)
  }

  /// The column, from 0 at the left.
  @inline(__always)
  public var column: Int { Int(bits & 0xFFFF) }

  /// The row, from 0 at the top.
  @inline(__always)
  public var row: Int { Int(bits >> 16) }

  /// The middle of the pixel, `(column + 0.5, row + 0.5)`.
  public var center: PixelPoint { PixelPoint(centerOfPixelInColumn: column, row: row) }
}
