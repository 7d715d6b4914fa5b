// Convolutions of every channel by itself.

/// One depthwise convolution over a rectangle of output pixels.
///
/// `output[y, x, c] = leaky(bias[c] + Σ over taps t of
/// input[y * inputRowStep + x * inputColumnStep + tapOffsets[t] + c] * weights[t, c])`
///
/// | letter | meaning |
/// |---|---|
/// | y, x | output row and column |
/// | c | channel, `0..<channelCount`, a multiple of 16 |
/// | t | tap: a position of the kernel, `0..<tapCount` |
///
/// Steps and offsets count floats; the input has a border of zeros wherever a tap reaches over its
/// edge. Each sum adds its terms in the order bias, then taps, in every implementation. In place of being
/// rectified sums of whole value may be requantized.
@frozen @safe public struct DepthwiseTask {
  /// Input and output; the input's steps are those between the inputs of neighbouring outputs.
  public var map: MapTask
  /// For each tap, the distance of its input from the output pixel's.
  public var tapOffsets: UnsafePointer<Int>
  /// The number of taps.
  public var tapCount: Int
  /// The weights, `[tap][channelCount]`.
  public var weights: Address
  /// One value for each channel.
  public var bias: Address
  /// Floats from a tap's weights to the next one's: the channels of the whole layer.
  public var weightStep: Int
  /// The slope of the leaky rectifier below zero; 1 is the identity.
  public var slope: Float
  /// What sums of whole value are requantized with, in place of being rectified, where ``requantizes``.
  public var requantization: Requantization?

  /// A task of the given parts.
  public init(
    map: MapTask, tapOffsets: UnsafePointer<Int>, tapCount: Int, weights: Address, bias: Address,
    weightStep: Int, slope: Float, requantization: Requantization? = nil
  ) {
    self.map = map
    unsafe self.tapOffsets = tapOffsets
    self.tapCount = tapCount
    self.weights = weights
    self.bias = bias
    self.weightStep = weightStep
    self.slope = slope
    self.requantization = requantization
  }

  /// Whether kernels requantize, which no network of a browser needs; known to the compiler.
  @_alwaysEmitIntoClient @inline(__always)
  public static var requantizes: Bool {
    #if arch(wasm32)
      false
    #else
      true
    #endif
  }

  @_alwaysEmitIntoClient @inline(__always)
  func tapOffset(_ tap: Int) -> Int { unsafe tapOffsets[tap] }
}

/// The rows `rows` of a depthwise convolution.
///
/// Pixels are taken by eight or four, so that as many sums are under way; the last group of a row may
/// do pixels of the one before once more.
@_alwaysEmitIntoClient @inline(__always)
public func convolveDepthwise<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
  _: Vector.Type, _: Arithmetic.Type, _ task: DepthwiseTask, rows: Range<Int>
) {
  let width = task.map.width
  var row = rows.lowerBound
  while row < rows.upperBound {
    var column = 0
    while column < width {
      if width >= 8 {
        convolvePixels(
          Doubled<Doubled<Doubled<OnePixel<Vector>>>>.self, Arithmetic.self, task, row: row,
          column: column &+ 8 <= width ? column : width &- 8)
        column &+= 8
      } else if width >= 4 {
        convolvePixels(
          Doubled<Doubled<OnePixel<Vector>>>.self, Arithmetic.self, task, row: row,
          column: column &+ 4 <= width ? column : width &- 4)
        column &+= 4
      } else {
        convolvePixels(
          OnePixel<Vector>.self, Arithmetic.self, task, row: row, column: column)
        column &+= 1
      }
    }
    row &+= 1
  }
}

@_alwaysEmitIntoClient @inline(__always)
func convolvePixels<Sums: LaneSums, Arithmetic: MultiplyAdd>(
  _: Sums.Type, _: Arithmetic.Type, _ task: DepthwiseTask, row: Int, column: Int
) {
  let map = task.map
  let step = map.inputColumnStep
  let input = map.input.advanced(by: row * map.inputRowStep + column * step)
  let output = map.output.advanced(by: row * map.outputRowStep + column * map.outputColumnStep)
  var channel = 0
  while channel < map.channelCount {
    var sums = Sums(task.bias.vector(at: channel, as: Sums.Vector.self))
    let source = input.advanced(by: channel)
    var weights = task.weights.advanced(by: channel)
    var tap = 0
    while tap < task.tapCount {
      sums.add(
        source.advanced(by: task.tapOffset(tap)), step: step,
        weights.vector(at: 0, as: Sums.Vector.self), Arithmetic.self)
      weights = weights.advanced(by: task.weightStep)
      tap &+= 1
    }
    if DepthwiseTask.requantizes, let requantization = task.requantization {
      sums.store(
        output.advanced(by: channel), step: map.outputColumnStep,
        RequantizedLanes(requantization, channel: channel))
    } else {
      sums.store(
        output.advanced(by: channel), step: map.outputColumnStep,
        slope: Sums.Vector(repeating: task.slope), isRectified: task.slope != 1)
    }
    channel &+= Sums.Vector.scalarCount
  }
}

/// Sums of neighbouring pixels, a vector of channels each.
@usableFromInline protocol LaneSums {
  associatedtype Vector: FloatLanes
  /// How many pixels.
  static var pixelCount: Int { get }
  /// All sums start with the same values.
  init(_ start: Vector)
  /// Adds products of inputs that lie `step` floats apart.
  mutating func add<Arithmetic: MultiplyAdd>(
    _ input: Address, step: Int, _ weights: Vector, _: Arithmetic.Type)
  /// Writes the sums `step` floats apart.
  func store(_ output: Address, step: Int, slope: Vector, isRectified: Bool)
  /// Writes the sums `step` floats apart, requantized.
  func store(_ output: Address, step: Int, _ lanes: RequantizedLanes<Vector>)
}

@frozen @usableFromInline struct OnePixel<Vector: FloatLanes>: LaneSums {
  @usableFromInline var sum: Vector

  @_alwaysEmitIntoClient @inline(__always)
  static var pixelCount: Int { 1 }

  @_alwaysEmitIntoClient @inline(__always)
  init(_ start: Vector) { sum = start }

  @_alwaysEmitIntoClient @inline(__always)
  mutating func add<Arithmetic: MultiplyAdd>(
    _ input: Address, step: Int, _ weights: Vector, _: Arithmetic.Type
  ) {
    sum = Arithmetic.apply(sum, input.vector(at: 0, as: Vector.self), weights)
  }

  @_alwaysEmitIntoClient @inline(__always)
  func store(_ output: Address, step: Int, slope: Vector, isRectified: Bool) {
    output.store(isRectified ? leakyRectified(sum, slope: slope) : sum, at: 0)
  }

  @_alwaysEmitIntoClient @inline(__always)
  func store(_ output: Address, step: Int, _ lanes: RequantizedLanes<Vector>) {
    output.store(lanes(words(sum)), at: 0)
  }
}

/// Twice as many pixels.
@frozen @usableFromInline struct Doubled<Half: LaneSums>: LaneSums {
  @usableFromInline typealias Vector = Half.Vector

  @usableFromInline var first: Half
  @usableFromInline var second: Half

  @_alwaysEmitIntoClient @inline(__always)
  static var pixelCount: Int { 2 &* Half.pixelCount }

  @_alwaysEmitIntoClient @inline(__always)
  init(_ start: Vector) {
    first = Half(start)
    second = Half(start)
  }

  @_alwaysEmitIntoClient @inline(__always)
  mutating func add<Arithmetic: MultiplyAdd>(
    _ input: Address, step: Int, _ weights: Vector, _: Arithmetic.Type
  ) {
    first.add(input, step: step, weights, Arithmetic.self)
    second.add(
      input.advanced(by: step &* Half.pixelCount), step: step, weights, Arithmetic.self)
  }

  @_alwaysEmitIntoClient @inline(__always)
  func store(_ output: Address, step: Int, slope: Vector, isRectified: Bool) {
    first.store(output, step: step, slope: slope, isRectified: isRectified)
    second.store(
      output.advanced(by: step &* Half.pixelCount), step: step, slope: slope,
      isRectified: isRectified)
  }

  @_alwaysEmitIntoClient @inline(__always)
  func store(_ output: Address, step: Int, _ lanes: RequantizedLanes<Vector>) {
    first.store(output, step: step, lanes)
    second.store(output.advanced(by: step &* Half.pixelCount), step: step, lanes)
  }
}
