// Sums over the rows of a picture: the vertical half of resampling. No product is fused with a sum,
// so every instruction set gives the same bits.

/// How the two sums over some rows count in two outputs.
@frozen public struct SegmentWeights: Hashable, Sendable {
  /// The weight of `S` for the output before.
  public var fallingSum: Float
  /// The weight of `P` for the output before.
  public var fallingPlace: Float
  /// The weight of `S` for the output behind.
  public var risingSum: Float
  /// The weight of `P` for the output behind.
  public var risingPlace: Float

  /// The given weights.
  public init(fallingSum: Float, fallingPlace: Float, risingSum: Float, risingPlace: Float) {
    self.fallingSum = fallingSum
    self.fallingPlace = fallingPlace
    self.risingSum = risingSum
    self.risingPlace = risingPlace
  }
}

/// Rows that lie between the middles of two outputs, and what those have so far.
///
/// For each column `x`, with `s[k][x]` the sample in row `k` of `n` rows, and the integers
/// `S = Σ s[k][x]` and `P = Σ (n − k) s[k][x]`, which 16 bits hold:
///
///     before[x] = before[x] + (fallingSum * S + fallingPlace * P)
///     behind[x] = behind[x] + (risingSum * S + risingPlace * P)
///
/// or, for the first rows of a segment, `behind[x] = risingSum * S + risingPlace * P`.
///
/// | operand | layout |
/// |---|---|
/// | `rows` | `[n, columnCount]` bytes, `n` in `0...RowSegmentTask.rowLimit` |
/// | `before`, `behind` | `[columnCount]` floats, not overlapping |
@frozen @safe public struct RowSegmentTask {
  /// The most rows: `255 * (1 + 2 + ... + 22)` still fits into 16 bits.
  @_alwaysEmitIntoClient @inline(__always)
  public static var rowLimit: Int { 22 }

  /// The rows.
  public var rows: SampleRows
  /// How their sums count.
  public var weights: SegmentWeights
  /// The output before the segment.
  public var before: Address
  /// The output behind the segment.
  public var behind: Address
  /// Whether `behind` is set rather than added to.
  public var setsBehind: Bool

  /// A task of the given parts.
  public init(
    rows: SampleRows, weights: SegmentWeights, before: Address, behind: Address, setsBehind: Bool
  ) {
    self.rows = rows
    self.weights = weights
    self.before = before
    self.behind = behind
    self.setsBehind = setsBehind
  }
}

/// Adds rows to two outputs; the formula stands at `RowSegmentTask`.
@_alwaysEmitIntoClient @inline(__always)
public func addRowSegment<Lanes: SampleLanes>(_: Lanes.Type, _ task: RowSegmentTask) {
  // Two loops rather than a branch inside one.
  if task.setsBehind {
    addRowSegment(Lanes.self, task, behind: Setting.self)
  } else {
    addRowSegment(Lanes.self, task, behind: Adding.self)
  }
}

@_alwaysEmitIntoClient @inline(__always)
func addRowSegment<Lanes: SampleLanes, Behind: Accumulation>(
  _: Lanes.Type, _ task: RowSegmentTask, behind: Behind.Type
) {
  let columnCount = task.rows.columnCount
  var column = 0
  while column &+ 2 &* Lanes.Bytes.scalarCount <= columnCount {
    addColumns(Lanes.self, task, at: column, behind: behind)
    column &+= 2 &* Lanes.Bytes.scalarCount
  }
  if Lanes.Bytes.scalarCount > NarrowLanes.Bytes.scalarCount {
    while column &+ 2 &* NarrowLanes.Bytes.scalarCount <= columnCount {
      addColumns(NarrowLanes.self, task, at: column, behind: behind)
      column &+= 2 &* NarrowLanes.Bytes.scalarCount
    }
  }
  let weights = task.weights
  while column < columnCount {
    var sum: Int32 = 0
    var place: Int32 = 0
    var row = 0
    while row < task.rows.rowCount {
      sum &+= Int32(truncatingIfNeeded: task.rows.sample(row: row, column: column))
      place &+= sum
      row &+= 1
    }
    let (s, p) = (Float(sum), Float(place))
    task.before.store(
      task.before.scalar(at: column) + (s * weights.fallingSum + p * weights.fallingPlace),
      at: column)
    let share = s * weights.risingSum + p * weights.risingPlace
    task.behind.store(Behind.apply(task.behind.scalar(at: column), share), at: column)
    column &+= 1
  }
}

/// One vector of columns.
@_alwaysEmitIntoClient @inline(__always)
func addColumns<Lanes: SampleLanes, Behind: Accumulation>(
  _: Lanes.Type, _ task: RowSegmentTask, at column: Int, behind: Behind.Type
) {
  let width = Lanes.Floats.scalarCount
  var sum0 = Lanes.Counts(repeating: 0)
  var sum1 = Lanes.Counts(repeating: 0)
  var place0 = Lanes.Counts(repeating: 0)
  var place1 = Lanes.Counts(repeating: 0)
  var row = 0
  while row < task.rows.rowCount {
    let first = task.rows.samples(row: row, column: column, as: Lanes.Bytes.self)
    let second = task.rows.samples(
      row: row, column: column &+ Lanes.Bytes.scalarCount, as: Lanes.Bytes.self)
    sum0 = Lanes.sum(sum0, Lanes.widened(first))
    sum1 = Lanes.sum(sum1, Lanes.widened(second))
    place0 = Lanes.sum(place0, sum0)
    place1 = Lanes.sum(place1, sum1)
    row &+= 1
  }
  addShares(Lanes.self, Lanes.lower(sum0), Lanes.lower(place0), task, at: column, behind)
  addShares(Lanes.self, Lanes.upper(sum0), Lanes.upper(place0), task, at: column &+ width, behind)
  addShares(
    Lanes.self, Lanes.lower(sum1), Lanes.lower(place1), task, at: column &+ 2 &* width, behind)
  addShares(
    Lanes.self, Lanes.upper(sum1), Lanes.upper(place1), task, at: column &+ 3 &* width, behind)
}

@_alwaysEmitIntoClient @inline(__always)
func addShares<Lanes: SampleLanes, Behind: Accumulation>(
  _: Lanes.Type, _ sum: Lanes.Floats, _ place: Lanes.Floats, _ task: RowSegmentTask,
  at column: Int, _: Behind.Type
) {
  let weights = task.weights
  let falling = Lanes.sum(sum, times: weights.fallingSum, place, times: weights.fallingPlace)
  task.before.store(task.before.vector(at: column, as: Lanes.Floats.self) + falling, at: column)
  let rising = Lanes.sum(sum, times: weights.risingSum, place, times: weights.risingPlace)
  Behind.store(rising, to: task.behind, at: column)
}

/// Whether a value replaces what stands in memory, or is added to it.
@usableFromInline protocol Accumulation {
  /// The new value.
  static func apply(_ old: Float, _ value: Float) -> Float
  /// Writes a vector of new values.
  static func store<Floats: SIMD>(_ value: Floats, to address: Address, at offset: Int)
  where Floats.Scalar == Float
}

@usableFromInline enum Setting: Accumulation {
  @_alwaysEmitIntoClient @inline(__always)
  static func apply(_ old: Float, _ value: Float) -> Float { value }

  @_alwaysEmitIntoClient @inline(__always)
  static func store<Floats: SIMD>(_ value: Floats, to address: Address, at offset: Int)
  where Floats.Scalar == Float {
    address.store(value, at: offset)
  }
}

@usableFromInline enum Adding: Accumulation {
  @_alwaysEmitIntoClient @inline(__always)
  static func apply(_ old: Float, _ value: Float) -> Float { old + value }

  @_alwaysEmitIntoClient @inline(__always)
  static func store<Floats: SIMD>(_ value: Floats, to address: Address, at offset: Int)
  where Floats.Scalar == Float {
    address.store(address.vector(at: offset, as: Floats.self) + value, at: offset)
  }
}

/// Rows with a weight each.
///
/// For each column `x`, added up from `k = 0` on: `result[x] = 0 + Σ weights[k] * s[k][x]`.
///
/// | operand | layout |
/// |---|---|
/// | `rows` | `[rowCount, columnCount]` bytes |
/// | `weights` | `[rowCount]` floats |
/// | `result` | `[columnCount]` floats |
@frozen @safe public struct WeightedRowsTask {
  /// The rows.
  public var rows: SampleRows
  /// Their weights.
  public var weights: Address
  /// The sums.
  public var result: Address

  /// A task of the given parts.
  public init(rows: SampleRows, weights: Address, result: Address) {
    self.rows = rows
    self.weights = weights
    self.result = result
  }
}

/// Sets one output from rows; the formula stands at `WeightedRowsTask`.
@_alwaysEmitIntoClient @inline(__always)
public func setWeightedRows<Lanes: SampleLanes>(_: Lanes.Type, _ task: WeightedRowsTask) {
  let columnCount = task.rows.columnCount
  var column = 0
  while column &+ 2 &* Lanes.Bytes.scalarCount <= columnCount {
    setColumns(Lanes.self, task, at: column)
    column &+= 2 &* Lanes.Bytes.scalarCount
  }
  if Lanes.Bytes.scalarCount > NarrowLanes.Bytes.scalarCount {
    while column &+ 2 &* NarrowLanes.Bytes.scalarCount <= columnCount {
      setColumns(NarrowLanes.self, task, at: column)
      column &+= 2 &* NarrowLanes.Bytes.scalarCount
    }
  }
  while column < columnCount {
    var sum: Float = 0
    var row = 0
    while row < task.rows.rowCount {
      sum += Float(task.rows.sample(row: row, column: column)) * task.weights.scalar(at: row)
      row &+= 1
    }
    task.result.store(sum, at: column)
    column &+= 1
  }
}

/// One vector of columns.
@_alwaysEmitIntoClient @inline(__always)
func setColumns<Lanes: SampleLanes>(_: Lanes.Type, _ task: WeightedRowsTask, at column: Int) {
  let width = Lanes.Floats.scalarCount
  var sum0 = Lanes.Floats(repeating: 0)
  var sum1 = sum0
  var sum2 = sum0
  var sum3 = sum0
  var row = 0
  while row < task.rows.rowCount {
    let first = Lanes.widened(
      task.rows.samples(row: row, column: column, as: Lanes.Bytes.self))
    let second = Lanes.widened(
      task.rows.samples(
        row: row, column: column &+ Lanes.Bytes.scalarCount, as: Lanes.Bytes.self))
    let weight = Lanes.Floats(repeating: task.weights.scalar(at: row))
    sum0 += Lanes.lower(first) * weight
    sum1 += Lanes.upper(first) * weight
    sum2 += Lanes.lower(second) * weight
    sum3 += Lanes.upper(second) * weight
    row &+= 1
  }
  task.result.store(sum0, at: column)
  task.result.store(sum1, at: column &+ width)
  task.result.store(sum2, at: column &+ 2 &* width)
  task.result.store(sum3, at: column &+ 3 &* width)
}
