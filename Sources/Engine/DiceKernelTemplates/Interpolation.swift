// Bilinear resizing of maps and the softmax of their channels. No product is fused with a sum, so every
// instruction set gives the bits of the reference.

/// Where each output position along one axis lies between two input positions.
@frozen @safe public struct InterpolationAxis {
  /// For each output position the distances of both input positions in floats, one after the other.
  public var offsets: UnsafePointer<Int>
  /// For each output position the weight of the second one, 0...1.
  public var weights: Address

  /// An axis of the given parts.
  @unsafe
  public init(offsets: UnsafePointer<Int>, weights: Address) {
    unsafe self.offsets = offsets
    self.weights = weights
  }

  /// The distance of the first (0) or the second (1) input position.
  @_alwaysEmitIntoClient @inline(__always)
  public func offset(_ position: Int, _ side: Int) -> Int {
    unsafe offsets[position &* 2 &+ side]
  }
}

/// `output[y, x, c] = (1 - wy) * a + wy * b`, where `a` and `b` are `(1 - wx) * left + wx * right` of the
/// upper and of the lower input row; the input's steps are not used.
@frozen @safe public struct InterpolationTask {
  /// Input and output.
  public var map: MapTask
  /// Up and down.
  public var rows: InterpolationAxis
  /// Left and right.
  public var columns: InterpolationAxis

  /// A task of the given parts.
  public init(map: MapTask, rows: InterpolationAxis, columns: InterpolationAxis) {
    self.map = map
    self.rows = rows
    self.columns = columns
  }
}

/// The rows `rows` of a bilinear resizing.
@_alwaysEmitIntoClient @inline(__always)
public func interpolate<Vector: FloatLanes>(
  _: Vector.Type, _ task: InterpolationTask, rows: Range<Int>
) {
  let map = task.map
  var row = rows.lowerBound
  while row < rows.upperBound {
    let upper = map.input.advanced(by: task.rows.offset(row, 0))
    let lower = map.input.advanced(by: task.rows.offset(row, 1))
    let lowerWeight = Vector(repeating: task.rows.weights.scalar(at: row))
    let upperWeight = Vector(repeating: 1) - lowerWeight
    var output = map.output.advanced(by: row * map.outputRowStep)
    var column = 0
    while column < map.width {
      let left = task.columns.offset(column, 0)
      let right = task.columns.offset(column, 1)
      let rightWeight = Vector(repeating: task.columns.weights.scalar(at: column))
      let leftWeight = Vector(repeating: 1) - rightWeight
      var channel = 0
      while channel < map.channelCount {
        let a =
          leftWeight * upper.vector(at: left &+ channel, as: Vector.self)
          + rightWeight * upper.vector(at: right &+ channel, as: Vector.self)
        let b =
          leftWeight * lower.vector(at: left &+ channel, as: Vector.self)
          + rightWeight * lower.vector(at: right &+ channel, as: Vector.self)
        output.store(upperWeight * a + lowerWeight * b, at: channel)
        channel &+= Vector.scalarCount
      }
      output = output.advanced(by: map.outputColumnStep)
      column &+= 1
    }
    row &+= 1
  }
}

/// `output[y, x, c] = exp(input[y, x, c] - m) / Σ exp(input[y, x, k] - m)` with the greatest `m` of the
/// first `count` channels, over the rows `rows`; channels behind them become 0.
///
/// There are sixteen sums, each of every sixteenth channel from the first on; then those are added that
/// are eight apart, four, two and one. One NaN or plus infinity makes all of a pixel NaN.
@_alwaysEmitIntoClient @inline(__always)
public func softmax<Vector: FloatLanes>(
  _: Vector.Type, _ task: MapTask, count: Int, rows: Range<Int>
) {
  typealias Block = SIMD16<Float>
  var row = rows.lowerBound
  while row < rows.upperBound {
    var input = task.input.advanced(by: row * task.inputRowStep)
    var output = task.output.advanced(by: row * task.outputRowStep)
    var column = 0
    while column < task.width {
      var highest = Block(repeating: -Float.infinity)
      var channel = 0
      while channel < count {
        let values = input.vector(at: channel, as: Block.self)
        highest = greater(
          highest, firstLanes(of: values, count &- channel, others: -Float.infinity))
        channel &+= Block.scalarCount
      }
      let greatest = Block(repeating: folded(highest) { (a, b) in a > b ? a : b })
      var sums = Block(repeating: 0)
      channel = 0
      while channel < count {
        let powers = firstLanes(
          of: exponential(input.vector(at: channel, as: Block.self) - greatest), count &- channel,
          others: 0)
        output.store(powers, at: channel)
        sums += powers
        channel &+= Block.scalarCount
      }
      let sum = Block(repeating: folded(sums) { (a, b) in a + b })
      channel = 0
      while channel < count {
        let powers = output.vector(at: channel, as: Block.self)
        output.store(firstLanes(of: powers / sum, count &- channel, others: 0), at: channel)
        channel &+= Block.scalarCount
      }
      while channel < task.channelCount {
        output.store(Block(repeating: 0), at: channel)
        channel &+= Block.scalarCount
      }
      input = input.advanced(by: task.inputColumnStep)
      output = output.advanced(by: task.outputColumnStep)
      column &+= 1
    }
    row &+= 1
  }
}

/// The first `count` lanes of a vector, and another number in the lanes behind them.
@_alwaysEmitIntoClient @inline(__always)
func firstLanes(of values: SIMD16<Float>, _ count: Int, others: Float) -> SIMD16<Float> {
  if count >= 16 { return values }
  var result = values
  for lane in 0..<16 { result[lane] = lane < count ? values[lane] : others }
  return result
}

/// One number of sixteen lanes: those that are eight apart are combined, then four, two and one.
@_alwaysEmitIntoClient @inline(__always)
func folded(_ values: SIMD16<Float>, _ combine: (Float, Float) -> Float) -> Float {
  var lanes = values
  var step = 8
  while step > 0 {
    for lane in 0..<8 where lane < step { lanes[lane] = combine(lanes[lane], lanes[lane &+ step]) }
    step /= 2
  }
  return lanes[0]
}
