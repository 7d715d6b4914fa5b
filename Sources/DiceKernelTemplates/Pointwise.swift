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

/// The windows of a maximum pooling.
@frozen public struct PoolingWindow: Hashable, Sendable {
  /// Rows and columns of the window.
  public var size: Int
  /// Input pixels between two windows.
  public var stride: Int
  /// How far the first window reaches over the upper and left edge.
  public var padding: Int
  /// Rows of the input.
  public var inputHeight: Int
  /// Columns of the input.
  public var inputWidth: Int

  /// A window of the given parts.
  public init(size: Int, stride: Int, padding: Int, inputHeight: Int, inputWidth: Int) {
    self.size = size
    self.stride = stride
    self.padding = padding
    self.inputHeight = inputHeight
    self.inputWidth = inputWidth
  }

  /// The part of the window number `index` that lies inside `0..<extent`.
  @_alwaysEmitIntoClient @inline(__always)
  public func range(_ index: Int, extent: Int) -> Range<Int> {
    let start = index * stride - padding
    let lower = max(start, 0)
    return lower..<max(lower, min(start + size, extent))
  }
}

/// `output[y, x, c] = max of input[v, u, c] over the part of the window that lies inside the input`,
/// over the output rows `rows`.
@_alwaysEmitIntoClient @inline(__always)
public func poolMaximum<Vector: SIMD>(
  _: Vector.Type, _ task: MapTask, window: PoolingWindow, rows: Range<Int>
) where Vector.Scalar == Float {
  var row = rows.lowerBound
  while row < rows.upperBound {
    let sourceRows = window.range(row, extent: window.inputHeight)
    let outputRow = task.output.advanced(by: row * task.outputRowStep)
    var column = 0
    while column < task.width {
      let sourceColumns = window.range(column, extent: window.inputWidth)
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

/// `output[y, x, c] = input[y / factor, x / factor, c]` over the output rows `rows`; factor 1 copies.
///
/// `task.width` is a multiple of `factor`.
@_alwaysEmitIntoClient @inline(__always)
public func repeatNearest<Vector: SIMD>(
  _: Vector.Type, _ task: MapTask, factor: Int, rows: Range<Int>
) where Vector.Scalar == Float {
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

/// `output[y, x, c] = input[y, x, c] + other[y, x, c]` over the rows `rows`.
@_alwaysEmitIntoClient @inline(__always)
public func addMaps<Vector: SIMD>(
  _: Vector.Type, _ task: MapTask, other: Address, otherColumnStep: Int, otherRowStep: Int,
  rows: Range<Int>
) where Vector.Scalar == Float {
  var row = rows.lowerBound
  while row < rows.upperBound {
    var first = task.input.advanced(by: row * task.inputRowStep)
    var second = other.advanced(by: row * otherRowStep)
    var output = task.output.advanced(by: row * task.outputRowStep)
    var column = 0
    while column < task.width {
      var channel = 0
      while channel < task.channelCount {
        output.store(
          first.vector(at: channel, as: Vector.self) + second.vector(at: channel, as: Vector.self),
          at: channel)
        channel &+= Vector.scalarCount
      }
      first = first.advanced(by: task.inputColumnStep)
      second = second.advanced(by: otherColumnStep)
      output = output.advanced(by: task.outputColumnStep)
      column &+= 1
    }
    row &+= 1
  }
}

/// `output[y, x, c] = s(input[y, x, c])`, `s(v) = v * sigmoid(v)`, over the rows `rows`; in place
/// where output and input are the same.
@_alwaysEmitIntoClient @inline(__always)
public func weightBySigmoid<Vector: SIMD>(
  _: Vector.Type, _ task: MapTask, rows: Range<Int>
) where Vector.Scalar == Float {
  var row = rows.lowerBound
  while row < rows.upperBound {
    var input = task.input.advanced(by: row * task.inputRowStep)
    var output = task.output.advanced(by: row * task.outputRowStep)
    var column = 0
    while column < task.width {
      var channel = 0
      while channel < task.channelCount {
        let value = input.vector(at: channel, as: Vector.self)
        output.store(
          value / (Vector(repeating: 1) + exponential(Vector(repeating: 0) - value)), at: channel)
        channel &+= Vector.scalarCount
      }
      input = input.advanced(by: task.inputColumnStep)
      output = output.advanced(by: task.outputColumnStep)
      column &+= 1
    }
    row &+= 1
  }
}
