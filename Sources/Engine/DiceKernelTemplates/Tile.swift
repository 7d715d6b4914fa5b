/// A register tile: sums for some rows, each one or two vectors of output channels wide.
///
/// Tiles are built by joining: `Joined<Joined<Row, Row>, Row>` has three rows. The number of rows is
/// thus known to the compiler, which keeps every sum in a register.
public protocol Tile {
  /// The vector of output channels.
  associatedtype Vector: FloatLanes

  /// The number of rows.
  static var rowCount: Int { get }

  /// How many vectors a row is wide: 1 or 2.
  static var vectorCount: Int { get }

  /// Fetches what stands at a place into a cache, where that is worth an instruction.
  static func fetch(_ place: Address)

  /// A tile whose rows all start with the same vectors.
  init(_ first: Vector, _ second: Vector)

  /// Starts the sums with what stands in memory, rows `step` floats apart.
  mutating func load(_ first: Address, _ second: Address, step: Int)

  /// `row += input[row] * weights`, the inputs of neighbouring rows `step` floats apart.
  mutating func multiplyAdd(_ input: Address, step: Int, _ first: Vector, _ second: Vector)

  /// Applies `max(x, 0) + slope * min(x, 0)` to every sum.
  mutating func activate(slope: Vector)

  /// Writes the sums, rows `step` floats apart.
  func store(_ first: Address, _ second: Address, step: Int)
}

/// One row, one vector wide.
@frozen public struct NarrowRow<Vector: FloatLanes, Arithmetic: MultiplyAdd>: Tile {
  @usableFromInline var sum: Vector

  /// The number of rows.
  @_alwaysEmitIntoClient @inline(__always)
  public static var rowCount: Int { 1 }

  /// How many vectors a row is wide.
  @_alwaysEmitIntoClient @inline(__always)
  public static var vectorCount: Int { 1 }

  /// Fetches what stands at a place into a cache.
  @_alwaysEmitIntoClient @inline(__always)
  public static func fetch(_ place: Address) { Arithmetic.fetch(place) }

  /// A tile whose rows all start with the same vectors.
  @_alwaysEmitIntoClient @inline(__always)
  public init(_ first: Vector, _ second: Vector) { sum = first }

  /// Starts the sums with what stands in memory.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func load(_ first: Address, _ second: Address, step: Int) {
    sum = first.vector(at: 0, as: Vector.self)
  }

  /// Adds the product of each row's input and the weights to its sums.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func multiplyAdd(
    _ input: Address, step: Int, _ first: Vector, _ second: Vector
  ) {
    sum = Arithmetic.apply(sum, Vector(repeating: input.scalar(at: 0)), first)
  }

  /// Applies the leaky rectifier to every sum.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func activate(slope: Vector) { sum = leakyRectified(sum, slope: slope) }

  /// Writes the sums.
  @_alwaysEmitIntoClient @inline(__always)
  public func store(_ first: Address, _ second: Address, step: Int) { first.store(sum, at: 0) }
}

/// One row, two vectors wide.
@frozen public struct WideRow<Vector: FloatLanes, Arithmetic: MultiplyAdd>: Tile {
  @usableFromInline var firstSum: Vector
  @usableFromInline var secondSum: Vector

  /// The number of rows.
  @_alwaysEmitIntoClient @inline(__always)
  public static var rowCount: Int { 1 }

  /// How many vectors a row is wide.
  @_alwaysEmitIntoClient @inline(__always)
  public static var vectorCount: Int { 2 }

  /// Fetches what stands at a place into a cache.
  @_alwaysEmitIntoClient @inline(__always)
  public static func fetch(_ place: Address) { Arithmetic.fetch(place) }

  /// A tile whose rows all start with the same vectors.
  @_alwaysEmitIntoClient @inline(__always)
  public init(_ first: Vector, _ second: Vector) {
    firstSum = first
    secondSum = second
  }

  /// Starts the sums with what stands in memory.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func load(_ first: Address, _ second: Address, step: Int) {
    firstSum = first.vector(at: 0, as: Vector.self)
    secondSum = second.vector(at: 0, as: Vector.self)
  }

  /// Adds the product of each row's input and the weights to its sums.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func multiplyAdd(
    _ input: Address, step: Int, _ first: Vector, _ second: Vector
  ) {
    let value = Vector(repeating: input.scalar(at: 0))
    firstSum = Arithmetic.apply(firstSum, value, first)
    secondSum = Arithmetic.apply(secondSum, value, second)
  }

  /// Applies the leaky rectifier to every sum.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func activate(slope: Vector) {
    firstSum = leakyRectified(firstSum, slope: slope)
    secondSum = leakyRectified(secondSum, slope: slope)
  }

  /// Writes the sums.
  @_alwaysEmitIntoClient @inline(__always)
  public func store(_ first: Address, _ second: Address, step: Int) {
    first.store(firstSum, at: 0)
    second.store(secondSum, at: 0)
  }
}

/// Two tiles of equal width, one below the other.
@frozen public struct Joined<Upper: Tile, Lower: Tile>: Tile where Upper.Vector == Lower.Vector {
  /// The vector of output channels.
  public typealias Vector = Upper.Vector

  @usableFromInline var upper: Upper
  @usableFromInline var lower: Lower

  /// The number of rows.
  @_alwaysEmitIntoClient @inline(__always)
  public static var rowCount: Int { Upper.rowCount + Lower.rowCount }

  /// How many vectors a row is wide.
  @_alwaysEmitIntoClient @inline(__always)
  public static var vectorCount: Int { Upper.vectorCount }

  /// Fetches what stands at a place into a cache.
  @_alwaysEmitIntoClient @inline(__always)
  public static func fetch(_ place: Address) { Upper.fetch(place) }

  /// A tile whose rows all start with the same vectors.
  @_alwaysEmitIntoClient @inline(__always)
  public init(_ first: Vector, _ second: Vector) {
    upper = Upper(first, second)
    lower = Lower(first, second)
  }

  /// Starts the sums with what stands in memory.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func load(_ first: Address, _ second: Address, step: Int) {
    let offset = Upper.rowCount &* step
    upper.load(first, second, step: step)
    lower.load(first.advanced(by: offset), second.advanced(by: offset), step: step)
  }

  /// Adds the product of each row's input and the weights to its sums.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func multiplyAdd(
    _ input: Address, step: Int, _ first: Vector, _ second: Vector
  ) {
    upper.multiplyAdd(input, step: step, first, second)
    lower.multiplyAdd(input.advanced(by: Upper.rowCount &* step), step: step, first, second)
  }

  /// Applies the leaky rectifier to every sum.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func activate(slope: Vector) {
    upper.activate(slope: slope)
    lower.activate(slope: slope)
  }

  /// Writes the sums.
  @_alwaysEmitIntoClient @inline(__always)
  public func store(_ first: Address, _ second: Address, step: Int) {
    let offset = Upper.rowCount &* step
    upper.store(first, second, step: step)
    lower.store(first.advanced(by: offset), second.advanced(by: offset), step: step)
  }
}

/// The tiles that an instruction set works with, largest first, of two widths.
///
/// `Wide…` tiles are two vectors wide, `Narrow…` one. The counts suit the number of registers.
public protocol TileSet {
  /// The vector of output channels.
  associatedtype Vector
  /// Two vectors wide, as many rows as registers allow.
  associatedtype WideLarge: Tile where WideLarge.Vector == Vector
  /// Two vectors wide, one row.
  associatedtype WideSingle: Tile where WideSingle.Vector == Vector
  /// One vector wide, as many rows as pay.
  associatedtype NarrowLarge: Tile where NarrowLarge.Vector == Vector
  /// One vector wide, one row.
  associatedtype NarrowSingle: Tile where NarrowSingle.Vector == Vector
  /// Tiles of up to this many rows, at most 8, fill what large tiles leave over.
  static var fillingLimit: Int { get }
  /// Tiles of fewer rows wait for their own sums: they are avoided.
  static var leastRows: Int { get }
  /// Whether two large tiles of one vector make one: where registers allow it, and a vector is a whole block, so that
  /// such tiles are in use at all.
  static var doublesNarrow: Bool { get }
}

extension TileSet {
  /// Whether two large tiles of one vector make one.
  @_alwaysEmitIntoClient @inline(__always)
  public static var doublesNarrow: Bool { false }
}

/// Tiles of 12 rows, filled up by smaller ones: for 32 vector registers.
public enum TwelveRowTiles<Lanes: FloatLanes, Arithmetic: MultiplyAdd>: TileSet {
  /// The vector of output channels.
  public typealias Vector = Lanes
  /// Two vectors wide, one row.
  public typealias WideSingle = WideRow<Lanes, Arithmetic>
  /// Two vectors wide, two rows.
  public typealias WideTwo = Joined<WideSingle, WideSingle>
  /// Two vectors wide, fewer rows.
  public typealias WideSmall = Joined<WideTwo, WideTwo>
  /// Two vectors wide, as many rows as registers allow.
  public typealias WideLarge = Joined<Joined<WideSmall, WideSmall>, WideSmall>
  /// One vector wide, one row.
  public typealias NarrowSingle = NarrowRow<Lanes, Arithmetic>
  /// One vector wide, two rows.
  public typealias NarrowTwo = Joined<NarrowSingle, NarrowSingle>
  /// One vector wide, fewer rows.
  public typealias NarrowSmall = Joined<NarrowTwo, NarrowTwo>
  /// One vector wide, as many rows as pay.
  public typealias NarrowLarge = Joined<Joined<NarrowSmall, NarrowSmall>, NarrowSmall>

  /// Tiles of up to this many rows fill what large tiles leave over.
  @_alwaysEmitIntoClient @inline(__always)
  public static var fillingLimit: Int { 8 }

  /// Whether two large tiles of one vector make one.
  @_alwaysEmitIntoClient @inline(__always)
  public static var doublesNarrow: Bool { Lanes.scalarCount == channelBlock }

  /// Tiles of fewer rows are avoided.
  @_alwaysEmitIntoClient @inline(__always)
  public static var leastRows: Int { 4 }
}

/// Tiles of 6 rows, filled up by smaller ones: for 16 vector registers.
public enum SixRowTiles<Lanes: FloatLanes, Arithmetic: MultiplyAdd>: TileSet {
  /// The vector of output channels.
  public typealias Vector = Lanes
  /// Two vectors wide, one row.
  public typealias WideSingle = WideRow<Lanes, Arithmetic>
  /// Two vectors wide, fewer rows.
  public typealias WideSmall = Joined<WideSingle, WideSingle>
  /// Two vectors wide, as many rows as registers allow.
  public typealias WideLarge = Joined<Joined<WideSmall, WideSmall>, WideSmall>
  /// One vector wide, one row.
  public typealias NarrowSingle = NarrowRow<Lanes, Arithmetic>
  /// One vector wide, fewer rows.
  public typealias NarrowSmall = Joined<NarrowSingle, NarrowSingle>
  /// One vector wide, as many rows as pay.
  public typealias NarrowLarge = Joined<Joined<NarrowSmall, NarrowSmall>, NarrowSmall>

  /// Tiles of up to this many rows fill what large tiles leave over.
  @_alwaysEmitIntoClient @inline(__always)
  public static var fillingLimit: Int { 5 }

  /// Tiles of fewer rows are avoided.
  @_alwaysEmitIntoClient @inline(__always)
  public static var leastRows: Int { 4 }
}

/// Tiles of 4 rows, filled up by smaller ones: for 16 vector registers without a fused multiply-add.
public enum FourRowTiles<Lanes: FloatLanes, Arithmetic: MultiplyAdd>: TileSet {
  /// The vector of output channels.
  public typealias Vector = Lanes
  /// Two vectors wide, one row.
  public typealias WideSingle = WideRow<Lanes, Arithmetic>
  /// Two vectors wide, fewer rows.
  public typealias WideSmall = Joined<WideSingle, WideSingle>
  /// Two vectors wide, as many rows as registers allow.
  public typealias WideLarge = Joined<WideSmall, WideSmall>
  /// One vector wide, one row.
  public typealias NarrowSingle = NarrowRow<Lanes, Arithmetic>
  /// One vector wide, fewer rows.
  public typealias NarrowSmall = Joined<NarrowSingle, NarrowSingle>
  /// One vector wide, as many rows as pay.
  public typealias NarrowLarge = Joined<NarrowSmall, NarrowSmall>

  /// Tiles of up to this many rows fill what large tiles leave over.
  @_alwaysEmitIntoClient @inline(__always)
  public static var fillingLimit: Int { 3 }

  /// Tiles of fewer rows are avoided.
  @_alwaysEmitIntoClient @inline(__always)
  public static var leastRows: Int { 2 }
}
