/// Output channels are packed in blocks of this many lanes, whatever the instruction set.
///
/// Weights and their gradients: `[output block][tap][input channel][16]`.
@_alwaysEmitIntoClient
public var channelBlock: Int { 16 }

/// One convolution over a rectangle of output pixels.
///
/// `output[y, x, o] = activation(bias[o] + Σ over taps t, channels i of
/// input[y * inputRowStep + x * inputColumnStep + tapOffsets[t] + i] * weights[o, t, i])`
///
/// | letter | meaning |
/// |---|---|
/// | y, x | output row and column, `0..<height`, `0..<width` |
/// | o | output channel, `0..<outputBlockCount * 16` |
/// | t | tap: a position of the kernel, `0..<tapCount` |
/// | i | input channel, `0..<inputChannelCount` |
///
/// Steps and offsets count floats. Offsets may be negative: the input has a border of zeros around
/// it wherever a tap reaches over its edge. Each sum adds its terms in the order bias, then taps,
/// then channels, in every implementation.
@frozen @safe public struct ConvolutionTask {
  /// What tap 0 with offset 0 reads for the first output pixel.
  public var input: Address
  /// Floats between the inputs of neighbouring output columns.
  public var inputColumnStep: Int
  /// Floats between the inputs of neighbouring output rows.
  public var inputRowStep: Int
  /// For each tap, the distance of its input from the output pixel's.
  public var tapOffsets: UnsafePointer<Int>
  /// The number of taps.
  public var tapCount: Int
  /// The number of input channels.
  public var inputChannelCount: Int
  /// The packed weights, `[output block][tap][input channel][16]`.
  public var weights: Address
  /// One value for each output channel.
  public var bias: Address
  /// The first output pixel.
  public var output: Address
  /// Floats between neighbouring output columns.
  public var outputColumnStep: Int
  /// Floats between neighbouring output rows.
  public var outputRowStep: Int
  /// Output channels in blocks of 16.
  public var outputBlockCount: Int
  /// Output columns.
  public var width: Int
  /// The slope of the leaky rectifier below zero; 1 is the identity.
  public var slope: Float
  /// Whether sums start with what stands in the output in place of the bias.
  public var accumulates: Bool
  /// How many floats further on weights are fetched into a cache; 0 fetches nothing new.
  public var lookahead: Int

  /// A task of the given parts.
  ///
  /// - Parameters:
  ///   - input: what tap 0 with offset 0 reads, with the steps between the inputs of neighbouring
  ///     output pixels.
  ///   - taps: for each tap, the distance of its input.
  public init(
    input: PixelGrid<Address>, taps: OffsetList, inputChannelCount: Int, weights: Address,
    bias: Address, output: PixelGrid<Address>, outputBlockCount: Int, width: Int,
    slope: Float = 1, accumulates: Bool = false, lookahead: Int = 0
  ) {
    self.input = input.start
    inputColumnStep = input.columnStep
    inputRowStep = input.rowStep
    unsafe tapOffsets = taps.first
    tapCount = taps.count
    self.inputChannelCount = inputChannelCount
    self.weights = weights
    self.bias = bias
    self.output = output.start
    outputColumnStep = output.columnStep
    outputRowStep = output.rowStep
    self.outputBlockCount = outputBlockCount
    self.width = width
    self.slope = slope
    self.accumulates = accumulates
    self.lookahead = lookahead
  }

  @_alwaysEmitIntoClient @inline(__always)
  func tapOffset(_ tap: Int) -> Int { unsafe tapOffsets[tap] }
}

/// The place of a vector of output channels in memory packed by blocks of 16.
@_alwaysEmitIntoClient @inline(__always)
func blockOffset(channel: Int, blockStep: Int) -> Int {
  (channel / channelBlock) * blockStep + channel % channelBlock
}

/// One tile of output pixels: all taps, all input channels.
///
/// A function for each size: inlined into one, they take the compiler twice the time.
@_alwaysEmitIntoClient @inline(never)
func convolveTile<T: Tile>(
  _: T.Type, _ task: ConvolutionTask, input: Address, output: Address, channel: Int
) {
  let lanes = T.Vector.scalarCount
  let blockStep = task.tapCount * task.inputChannelCount * channelBlock
  let secondChannel = T.vectorCount == 2 ? channel + lanes : channel
  var first = task.weights.advanced(by: blockOffset(channel: channel, blockStep: blockStep))
  var second = task.weights.advanced(by: blockOffset(channel: secondChannel, blockStep: blockStep))
  let firstOutput = output.advanced(by: channel)
  let secondOutput = output.advanced(by: secondChannel)
  var tile = T(
    task.bias.vector(at: channel, as: T.Vector.self),
    task.bias.vector(at: secondChannel, as: T.Vector.self))
  if task.accumulates { tile.load(firstOutput, secondOutput, step: task.outputColumnStep) }
  var tap = 0
  while tap < task.tapCount {
    let source = input.advanced(by: task.tapOffset(tap))
    var index = 0
    while index < task.inputChannelCount {
      tile.multiplyAdd(
        source.advanced(by: index), step: task.inputColumnStep,
        first.vector(at: index &* channelBlock, as: T.Vector.self),
        second.vector(at: index &* channelBlock, as: T.Vector.self))
      T.fetch(first.advanced(by: index &* channelBlock &+ task.lookahead))
      if T.vectorCount == 2 {
        T.fetch(second.advanced(by: index &* channelBlock &+ task.lookahead))
      }
      index &+= 1
    }
    first = first.advanced(by: task.inputChannelCount * channelBlock)
    second = second.advanced(by: task.inputChannelCount * channelBlock)
    tap &+= 1
  }
  if task.slope != 1 { tile.activate(slope: T.Vector(repeating: task.slope)) }
  tile.store(firstOutput, secondOutput, step: task.outputColumnStep)
}

/// The pixels of one row, for as many channels as a tile is wide.
@frozen @usableFromInline struct ConvolutionRow: TileBody {
  @usableFromInline let task: ConvolutionTask
  @usableFromInline let row: Int
  @usableFromInline let channel: Int

  @_alwaysEmitIntoClient @inline(__always)
  init(_ task: ConvolutionTask, row: Int, channel: Int) {
    self.task = task
    self.row = row
    self.channel = channel
  }

  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline func callAsFunction<T: Tile>(_ type: T.Type, start: Int) {
    convolveTile(
      type, task,
      input: task.input.advanced(by: row * task.inputRowStep + start * task.inputColumnStep),
      output: task.output.advanced(by: row * task.outputRowStep + start * task.outputColumnStep),
      channel: channel)
  }
}

/// The rows `rows` of a convolution.
@_alwaysEmitIntoClient @inline(__always)
public func convolve<Tiles: TileSet>(_: Tiles.Type, _ task: ConvolutionTask, rows: Range<Int>) {
  let lanes = Tiles.Vector.scalarCount
  let channelCount = task.outputBlockCount * channelBlock
  var row = rows.lowerBound
  while row < rows.upperBound {
    var channel = 0
    while channel &+ 2 &* lanes <= channelCount {
      forEachTile(
        large: Tiles.WideLarge.self, single: Tiles.WideSingle.self,
        fillingLimit: Tiles.fillingLimit, leastRows: Tiles.leastRows, count: task.width,
        body: ConvolutionRow(task, row: row, channel: channel))
      channel &+= 2 &* lanes
    }
    if channel < channelCount {
      let body = ConvolutionRow(task, row: row, channel: channel)
      var start = 0
      if Tiles.doublesNarrow {
        let size = 2 &* Tiles.NarrowLarge.rowCount
        let end = rowsOfLargeTiles(task.width, size: size, leastRows: Tiles.leastRows)
        while start < end {
          body(Joined<Tiles.NarrowLarge, Tiles.NarrowLarge>.self, start: start)
          start &+= size
        }
      }
      forEachTile(
        large: Tiles.NarrowLarge.self, single: Tiles.NarrowSingle.self,
        fillingLimit: Tiles.fillingLimit, leastRows: Tiles.leastRows, start: start,
        count: task.width, body: body)
    }
    row &+= 1
  }
}
