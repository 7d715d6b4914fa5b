// Sums over the rows of a picture: the vertical half of resampling. No product is fused with a sum,
// so every instruction set gives the same bits.

/// Rows that lie between the middles of two outputs, and what those have so far.
///
/// The weights of a triangular filter fall between the middles of two outputs for the one before, and
/// rise for the one behind, so that both together are 1. For each column `x`, with `s[k][x]` the sample
/// in row `k` of `n` rows, and the integers `S = Σ s[k][x]` and `P = Σ (n − k) s[k][x]`, which 16 bits
/// hold:
///
///     F = sumWeight * S − placeWeight * P
///     before[x] = behind[x] + F
///     behind[x] = S − F
///
/// for the first rows of a segment, whose output before is the one behind the last segment; and for
/// further rows of it
///
///     before[x] = before[x] + F
///     behind[x] = behind[x] + (S − F)
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
  /// How `S` counts in the output before.
  public var sumWeight: Float
  /// How much less the output before has for `P`.
  public var placeWeight: Float
  /// The output before the segment.
  public var before: Address
  /// The output behind the segment.
  public var behind: Address
  /// Whether these are the first rows of the segment.
  public var isFirst: Bool
  /// How many rows further on bytes are fetched ahead.
  ///
  /// Rows so far behind these are part of the plane; 0 fetches nothing new.
  public var lookahead: Int

  /// A task of the given parts.
  public init(
    rows: SampleRows, sumWeight: Float, placeWeight: Float, before: Address, behind: Address,
    isFirst: Bool, lookahead: Int = 0
  ) {
    self.rows = rows
    self.sumWeight = sumWeight
    self.placeWeight = placeWeight
    self.before = before
    self.behind = behind
    self.isFirst = isFirst
    self.lookahead = lookahead
  }
}

/// Adds rows to two outputs; the formula stands at `RowSegmentTask`.
@_alwaysEmitIntoClient @inline(__always)
public func addRowSegment<Lanes: SampleLanes, Fetch: FetchingAhead>(
  _: Lanes.Type, _: Fetch.Type, _ task: RowSegmentTask
) {
  // Two loops rather than a branch inside one.
  if task.isFirst {
    addRowSegment(Lanes.self, Fetch.self, task, FirstRows.self)
  } else {
    addRowSegment(Lanes.self, Fetch.self, task, FurtherRows.self)
  }
}

/// How bytes are fetched into a cache before they are needed.
public protocol FetchingAhead {
  /// Fetches the line of a byte.
  static func fetch(_ byte: UnsafeRawPointer)
}

/// Bytes come when they are read.
public enum NotFetchingAhead: FetchingAhead {
  /// Does nothing.
  @_alwaysEmitIntoClient @inline(__always)
  public static func fetch(_ byte: UnsafeRawPointer) {}
}

@_alwaysEmitIntoClient @inline(__always)
func addRowSegment<Lanes: SampleLanes, Fetch: FetchingAhead, Place: PlaceInSegment>(
  _: Lanes.Type, _: Fetch.Type, _ task: RowSegmentTask, _: Place.Type
) {
  let columnCount = task.rows.columnCount
  var column = 0
  while column &+ 2 &* Lanes.Bytes.scalarCount <= columnCount {
    addColumns(Lanes.self, Fetch.self, task, at: column, Place.self)
    column &+= 2 &* Lanes.Bytes.scalarCount
  }
  if Lanes.Bytes.scalarCount > NarrowLanes.Bytes.scalarCount {
    while column &+ 2 &* NarrowLanes.Bytes.scalarCount <= columnCount {
      addColumns(NarrowLanes.self, NotFetchingAhead.self, task, at: column, Place.self)
      column &+= 2 &* NarrowLanes.Bytes.scalarCount
    }
  }
  while column < columnCount {
    var sum: Int32 = 0
    var place: Int32 = 0
    var row = 0
    while row < task.rows.rowCount {
      sum &+= Int32(truncatingIfNeeded: task.rows.sample(row: row, column: column))
      place &+= sum
      row &+= 1
    }
    let falling = Float(sum) * task.sumWeight - Float(place) * task.placeWeight
    let rising = Float(sum) - falling
    let behind = task.behind.scalar(at: column)
    if Place.isFirst {
      task.before.store(behind + falling, at: column)
      task.behind.store(rising, at: column)
    } else {
      task.before.store(task.before.scalar(at: column) + falling, at: column)
      task.behind.store(behind + rising, at: column)
    }
    column &+= 1
  }
}

/// Two vectors of columns.
@_alwaysEmitIntoClient @inline(__always)
func addColumns<Lanes: SampleLanes, Fetch: FetchingAhead, Place: PlaceInSegment>(
  _: Lanes.Type, _: Fetch.Type, _ task: RowSegmentTask, at column: Int, _: Place.Type
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
    unsafe Fetch.fetch(task.rows.place(row: row &+ task.lookahead, column: column))
    row &+= 1
  }
  addShares(Lanes.self, Lanes.lower(sum0), Lanes.lower(place0), task, at: column, Place.self)
  addShares(
    Lanes.self, Lanes.upper(sum0), Lanes.upper(place0), task, at: column &+ width, Place.self)
  addShares(
    Lanes.self, Lanes.lower(sum1), Lanes.lower(place1), task, at: column &+ 2 &* width, Place.self)
  addShares(
    Lanes.self, Lanes.upper(sum1), Lanes.upper(place1), task, at: column &+ 3 &* width, Place.self)
}

@_alwaysEmitIntoClient @inline(__always)
func addShares<Lanes: SampleLanes, Place: PlaceInSegment>(
  _: Lanes.Type, _ sum: Lanes.Floats, _ place: Lanes.Floats, _ task: RowSegmentTask,
  at column: Int, _: Place.Type
) {
  let falling =
    sum * Lanes.Floats(repeating: task.sumWeight)
    - place * Lanes.Floats(repeating: task.placeWeight)
  let rising = sum - falling
  let behind = task.behind.vector(at: column, as: Lanes.Floats.self)
  if Place.isFirst {
    task.before.store(behind + falling, at: column)
    task.behind.store(rising, at: column)
  } else {
    let before = task.before.vector(at: column, as: Lanes.Floats.self)
    task.before.store(before + falling, at: column)
    task.behind.store(behind + rising, at: column)
  }
}

/// Whether rows are the first of their segment: known when the code is compiled.
@usableFromInline protocol PlaceInSegment {
  /// Whether they are.
  static var isFirst: Bool { get }
}

@usableFromInline enum FirstRows: PlaceInSegment {
  @_alwaysEmitIntoClient @inline(__always)
  static var isFirst: Bool { true }
}

@usableFromInline enum FurtherRows: PlaceInSegment {
  @_alwaysEmitIntoClient @inline(__always)
  static var isFirst: Bool { false }
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
