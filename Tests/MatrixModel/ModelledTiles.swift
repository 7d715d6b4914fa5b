import DiceKernelTemplates
import DiceKernels

/// A model of the tiles of Intel's matrix extensions, bit by bit but for the payload of a NaN.
///
/// `TDPBF16PS` adds the products of a row's even and odd numbers up apart, from the first pair on, each with
/// one rounding, then both sums to each other and to the tile. It rounds to the nearest number and to even
/// last bits, and takes numbers below the normal ones for zeros, in what it reads as in what it writes.
///
/// Source: Intel, Architecture Instruction Set Extensions Programming Reference, TDPBF16PS.
public struct ModelledTiles: TileUnit {
  /// The rows of the sums and left factors.
  let rows: Int
  /// Eight tiles of 1024 bytes.
  let memory: UnsafeMutablePointer<UInt32>

  /// How integers are written.
  public typealias ByteStore = PlainByteStore

  /// Steps and offsets count bfloat16 numbers.
  public static var stepByteCount: Int { 2 }

  /// Tiles of zeros.
  public init(rows: Int) {
    precondition((1...16).contains(rows), "a tile has 1 to 16 rows")
    self.rows = rows
    memory = .allocate(capacity: 8 * 256)
    memory.initialize(repeating: 0, count: 8 * 256)
  }

  /// Frees the tiles.
  public func release() { memory.deallocate() }

  /// Sets the sums to zero.
  public func clearSums() { memory.update(repeating: 0, count: 4 * 256) }

  private func rowCount(_ tile: MatrixTile) -> Int { tile.rawValue < 6 ? rows : 16 }

  private func tile(_ tile: MatrixTile) -> UnsafeMutablePointer<UInt32> {
    memory + tile.rawValue * 256
  }

  /// Copies the rows of a tile from memory.
  public func load(_ tile: MatrixTile, _ place: UnsafeRawPointer, stride: Int) {
    let target = UnsafeMutableRawPointer(self.tile(tile))
    for row in 0..<rowCount(tile) {
      (target + row * 64).copyMemory(from: place + row * stride, byteCount: 64)
    }
  }

  /// Copies the rows of a tile to memory.
  public func store(_ tile: MatrixTile, _ place: UnsafeMutableRawPointer, stride: Int) {
    let source = UnsafeRawPointer(self.tile(tile))
    for row in 0..<rowCount(tile) {
      (place + row * stride).copyMemory(from: source + row * 64, byteCount: 64)
    }
  }

  /// Adds the product of two factors as the instruction does.
  public func addProduct(to sums: MatrixTile) {
    precondition(sums.rawValue < 4, "products are added to sums")
    let left = memory + (4 + sums.rawValue / 2) * 256
    let right = memory + (6 + sums.rawValue % 2) * 256
    let target = tile(sums)
    if isPlain(left, count: rows * 16, right, sums: target) {
      addPlainProduct(left, right, to: target)
    } else {
      addAnyProduct(left, right, to: target)
    }
  }

  /// Whether no product and no sum can become infinite or subnormal: every number is 0 or well inside.
  ///
  /// Products are then exact in single precision, and all sums are multiples of 2⁻¹²⁴.
  private func isPlain(
    _ left: UnsafePointer<UInt32>, count: Int, _ right: UnsafePointer<UInt32>,
    sums: UnsafePointer<UInt32>
  ) -> Bool {
    // Exponents of 2⁻⁵⁰…2⁴⁰ for factors, of 2⁻¹⁰⁰…2¹⁰⁰ for sums; zeros have none.
    func isInside(_ bits: UInt32, _ range: ClosedRange<UInt32>) -> Bool {
      bits & 0x7FFF_FFFF == 0 || range.contains(bits >> 23 & 0xFF)
    }
    for index in 0..<256 {
      let isRight =
        isInside(right[index] << 16, 77...167) && isInside(right[index] & 0xFFFF_0000, 77...167)
      guard isRight else { return false }
    }
    for index in 0..<count {
      let isRight =
        isInside(left[index] << 16, 77...167) && isInside(left[index] & 0xFFFF_0000, 77...167)
        && isInside(sums[index], 27...227)
      guard isRight else { return false }
    }
    return true
  }

  /// The product of numbers whose products are exact: a multiplication and an addition round as one.
  private func addPlainProduct(
    _ left: UnsafePointer<UInt32>, _ right: UnsafePointer<UInt32>,
    to target: UnsafeMutablePointer<UInt32>
  ) {
    let columns = UnsafeRawPointer(right)
    for row in 0..<rows {
      var (even, odd) = (SIMD16<Float>(), SIMD16<Float>())
      for pair in 0..<16 {
        let factors = left[row * 16 + pair]
        let others = columns.loadUnaligned(fromByteOffset: pair * 64, as: SIMD16<UInt32>.self)
        let (low, high) = (others &<< 16, others & 0xFFFF_0000)
        even += unsafeBitCast(low, to: SIMD16<Float>.self) * Float(bitPattern: factors << 16)
        odd +=
          unsafeBitCast(high, to: SIMD16<Float>.self) * Float(bitPattern: factors & 0xFFFF_0000)
      }
      let place = UnsafeMutableRawPointer(target + row * 16)
      let before = place.loadUnaligned(as: SIMD16<Float>.self)
      place.storeBytes(of: before + (even + odd), as: SIMD16<Float>.self)
    }
  }

  /// The product of any numbers.
  private func addAnyProduct(
    _ left: UnsafePointer<UInt32>, _ right: UnsafePointer<UInt32>,
    to target: UnsafeMutablePointer<UInt32>
  ) {
    for row in 0..<rows {
      var (even, odd) = (SIMD16<Float>(), SIMD16<Float>())
      for pair in 0..<16 {
        let factors = left[row * 16 + pair]
        let (low, high) = (Self.lowHalf(factors), Self.highHalf(factors))
        for column in 0..<16 {
          let others = right[pair * 16 + column]
          even[column] = Self.sum(Double(even[column]), Double(low) * Double(Self.lowHalf(others)))
          odd[column] = Self.sum(Double(odd[column]), Double(high) * Double(Self.highHalf(others)))
        }
      }
      for column in 0..<16 {
        let both = Self.sum(Double(even[column]), Double(odd[column]))
        let before = Self.withoutSubnormal(Float(bitPattern: target[row * 16 + column]))
        target[row * 16 + column] = Self.sum(Double(before), Double(both)).bitPattern
      }
    }
  }

  /// The first number of a pair.
  private static func lowHalf(_ pair: UInt32) -> Float {
    withoutSubnormal(Float(bitPattern: pair << 16))
  }

  /// The second number of a pair.
  private static func highHalf(_ pair: UInt32) -> Float {
    withoutSubnormal(Float(bitPattern: pair & 0xFFFF_0000))
  }

  private static func withoutSubnormal(_ value: Float) -> Float {
    value.bitPattern & 0x7F80_0000 == 0
      ? Float(bitPattern: value.bitPattern & 0x8000_0000) : value
  }

  /// A sum rounded once to single precision: a number of 24 bits and the exact product of two of 8 bits, or
  /// two numbers of 24 bits, which a double holds closely enough that its own rounding changes nothing.
  ///
  /// What is below the normal numbers even after rounding becomes zero.
  static func sum(_ a: Double, _ b: Double) -> Float {
    let sum = a + b
    if sum.magnitude < 0x1p-126 - 0x1p-151 { return sum < 0 || sum.sign == .minus ? -0.0 : 0 }
    return Float(sum)
  }
}

extension MatrixModel {
  /// The matrix kernels on modelled tiles.
  package static var modelledTiles: MatrixModel {
    MatrixModel(
      narrow: { DiceKernelTemplates.narrow($0, to: $1, count: $2) },
      convolve: { DiceKernelTemplates.convolve(ModelledTiles.self, $0, rows: $1) },
      convolveLayer: {
        DiceKernelTemplates.convolve(ModelledTiles.self, $0, rows: $1, scratch: $2)
      },
      convolveIntegers: {
        DiceKernelTemplates.convolve(ModelledIntegerTiles.self, $0, rows: $1, scratch: $2)
      },
      gatherWeightGradient: {
        DiceKernelTemplates.gatherWeightGradient(ModelledTiles.self, $0, scratch: $1)
      })
  }
}
