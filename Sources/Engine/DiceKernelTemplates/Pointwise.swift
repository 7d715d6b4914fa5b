// Layers without weights, for inference. Channel counts are multiples of 16; steps count floats, so
// that a map may be a slice of the channels of a wider one.

/// From the pixels of one map to those of another.
///
/// | letter | meaning |
/// |---|---|
/// | y, x | output row and column, `x` in `0..<width` |
/// | c | channel, `0..<channelCount`, a multiple of 16 |
@frozen @safe public struct MapTask {
  /// The first input pixel.
  public var input: Address
  /// Floats between neighbouring input columns.
  public var inputColumnStep: Int
  /// Floats between neighbouring input rows.
  public var inputRowStep: Int
  /// The first output pixel.
  public var output: Address
  /// Floats between neighbouring output columns.
  public var outputColumnStep: Int
  /// Floats between neighbouring output rows.
  public var outputRowStep: Int
  /// Output columns.
  public var width: Int
  /// Channels, a multiple of 16.
  public var channelCount: Int

  /// A task of the given parts.
  public init(
    input: Address, inputColumnStep: Int, inputRowStep: Int, output: Address,
    outputColumnStep: Int, outputRowStep: Int, width: Int, channelCount: Int
  ) {
    self.input = input
    self.inputColumnStep = inputColumnStep
    self.inputRowStep = inputRowStep
    self.output = output
    self.outputColumnStep = outputColumnStep
    self.outputRowStep = outputRowStep
    self.width = width
    self.channelCount = channelCount
  }
}

/// The windows of a pooling along one axis.
@frozen public struct WindowAxis: Hashable, Sendable {
  /// Pixels of a window.
  public var size: Int
  /// Input pixels between two windows.
  public var stride: Int
  /// How far the first window reaches over the edge.
  public var padding: Int
  /// Pixels of the input.
  public var extent: Int

  /// Windows of the given parts.
  public init(size: Int, stride: Int, padding: Int, extent: Int) {
    self.size = size
    self.stride = stride
    self.padding = padding
    self.extent = extent
  }

  /// The part of the window number `index` that lies inside `0..<extent`.
  @_alwaysEmitIntoClient @inline(__always)
  public func range(_ index: Int) -> Range<Int> {
    let start = index * stride - padding
    let lower = max(start, 0)
    return lower..<max(lower, min(start + size, extent))
  }
}

/// The windows of a pooling.
@frozen public struct PoolingWindow: Hashable, Sendable {
  /// Up and down.
  public var rows: WindowAxis
  /// Left and right.
  public var columns: WindowAxis

  /// Windows of the given axes.
  public init(rows: WindowAxis, columns: WindowAxis) {
    self.rows = rows
    self.columns = columns
  }

  /// Square windows.
  public init(size: Int, stride: Int, padding: Int, inputHeight: Int, inputWidth: Int) {
    rows = WindowAxis(size: size, stride: stride, padding: padding, extent: inputHeight)
    columns = WindowAxis(size: size, stride: stride, padding: padding, extent: inputWidth)
  }
}

/// `output[y, x, c] = max of input[v, u, c] over the part of the window that lies inside the input`,
/// over the output rows `rows`.
@_alwaysEmitIntoClient @inline(__always)
public func poolMaximum<Vector: FloatLanes>(
  _: Vector.Type, _ task: MapTask, window: PoolingWindow, rows: Range<Int>
) {
  var row = rows.lowerBound
  while row < rows.upperBound {
    let sourceRows = window.rows.range(row)
    let outputRow = task.output.advanced(by: row * task.outputRowStep)
    var column = 0
    while column < task.width {
      let sourceColumns = window.columns.range(column)
      let output = outputRow.advanced(by: column * task.outputColumnStep)
      var channel = 0
      while channel < task.channelCount {
        var greatest = Vector(repeating: -Float.infinity)
        var sourceRow = sourceRows.lowerBound
        while sourceRow < sourceRows.upperBound {
          var source = task.input.advanced(
            by: sourceRow * task.inputRowStep + sourceColumns.lowerBound * task.inputColumnStep
              + channel)
          var sourceColumn = sourceColumns.lowerBound
          while sourceColumn < sourceColumns.upperBound {
            greatest = greater(greatest, source.vector(at: 0, as: Vector.self))
            source = source.advanced(by: task.inputColumnStep)
            sourceColumn &+= 1
          }
          sourceRow &+= 1
        }
        output.store(greatest, at: channel)
        channel &+= Vector.scalarCount
      }
      column &+= 1
    }
    row &+= 1
  }
}

/// `output[y, x, c]` is the sum of `input[v, u, c]` over the part of the window that lies inside the
/// input, divided by `divisor`, or by the number of its pixels where `divisor` is 0.
///
/// The sums of the window's rows are added up.
@_alwaysEmitIntoClient @inline(__always)
public func poolAverage<Vector: FloatLanes>(
  _: Vector.Type, _ task: MapTask, window: PoolingWindow, divisor: Float, rows: Range<Int>
) {
  var row = rows.lowerBound
  while row < rows.upperBound {
    let sourceRows = window.rows.range(row)
    let outputRow = task.output.advanced(by: row * task.outputRowStep)
    var column = 0
    while column < task.width {
      let sourceColumns = window.columns.range(column)
      let output = outputRow.advanced(by: column * task.outputColumnStep)
      let count = divisor == 0 ? Float(sourceRows.count * sourceColumns.count) : divisor
      let corner = task.input.advanced(
        by: sourceRows.lowerBound * task.inputRowStep
          + sourceColumns.lowerBound * task.inputColumnStep)
      var channel = 0
      while channel < task.channelCount {
        var total = Vector(repeating: 0)
        var sourceRow = 0
        while sourceRow < sourceRows.count {
          var source = corner.advanced(by: sourceRow * task.inputRowStep + channel)
          var sum = Vector(repeating: 0)
          var sourceColumn = 0
          while sourceColumn < sourceColumns.count {
            sum += source.vector(at: 0, as: Vector.self)
            source = source.advanced(by: task.inputColumnStep)
            sourceColumn &+= 1
          }
          total += sum
          sourceRow &+= 1
        }
        output.store(total / Vector(repeating: count), at: channel)
        channel &+= Vector.scalarCount
      }
      column &+= 1
    }
    row &+= 1
  }
}

/// `output[y, x, c] = input[y / factor, x / factor, c]` over the output rows `rows`; factor 1 copies.
///
/// `task.width` is a multiple of `factor`.
@_alwaysEmitIntoClient @inline(__always)
public func repeatNearest<Vector: FloatLanes>(
  _: Vector.Type, _ task: MapTask, factor: Int, rows: Range<Int>
) {
  var row = rows.lowerBound
  while row < rows.upperBound {
    var source = task.input.advanced(by: row / factor * task.inputRowStep)
    var target = task.output.advanced(by: row * task.outputRowStep)
    var column = 0
    while column < task.width {
      var channel = 0
      while channel < task.channelCount {
        let value = source.vector(at: channel, as: Vector.self)
        var offset = channel
        var copy = 0
        while copy < factor {
          target.store(value, at: offset)
          offset &+= task.outputColumnStep
          copy &+= 1
        }
        channel &+= Vector.scalarCount
      }
      source = source.advanced(by: task.inputColumnStep)
      target = target.advanced(by: factor &* task.outputColumnStep)
      column &+= factor
    }
    row &+= 1
  }
}
