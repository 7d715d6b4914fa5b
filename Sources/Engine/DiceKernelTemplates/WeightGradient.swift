/// The gradient of a convolution's weights over some output rows.
///
/// `gradient[o, t, i] += Σ over rows y, columns x of
/// input[y * inputRowStep + x * inputColumnStep + tapOffsets[t] + i]
/// * outputGradient[y * gradientRowStep + x * gradientColumnStep + o]`
///
/// The letters are those of `ConvolutionTask`; `gradient` is packed like the weights.
@frozen @safe public struct WeightGradientTask {
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
  /// The gradient of the first output pixel.
  public var outputGradient: Address
  /// Floats between the gradients of neighbouring output columns.
  public var gradientColumnStep: Int
  /// Floats between the gradients of neighbouring output rows.
  public var gradientRowStep: Int
  /// Output channels in blocks of 16.
  public var outputBlockCount: Int
  /// Output columns.
  public var width: Int
  /// Where sums are added, `[output block][tap][input channel][16]`.
  public var weightGradient: Address

  /// A task of the given parts, as those of the convolution.
  public init(
    input: PixelGrid<Address>, taps: OffsetList, inputChannelCount: Int,
    outputGradient: PixelGrid<Address>, outputBlockCount: Int, width: Int, weightGradient: Address
  ) {
    self.input = input.start
    inputColumnStep = input.columnStep
    inputRowStep = input.rowStep
    unsafe tapOffsets = taps.first
    tapCount = taps.count
    self.inputChannelCount = inputChannelCount
    self.outputGradient = outputGradient.start
    gradientColumnStep = outputGradient.columnStep
    gradientRowStep = outputGradient.rowStep
    self.outputBlockCount = outputBlockCount
    self.width = width
    self.weightGradient = weightGradient
  }

  @_alwaysEmitIntoClient @inline(__always)
  func tapOffset(_ tap: Int) -> Int { unsafe tapOffsets[tap] }
}

/// One tile of input channels: all pixels of the rows.
@_alwaysEmitIntoClient @inline(__always)
func gatherTile<T: Tile>(
  _: T.Type, _ task: WeightGradientTask, rows: Range<Int>, tap: Int, inputChannel: Int, channel: Int
) {
  let lanes = T.Vector.scalarCount
  let blockStep = task.tapCount * task.inputChannelCount * channelBlock
  let secondChannel = T.vectorCount == 2 ? channel + lanes : channel
  let inner = (tap * task.inputChannelCount + inputChannel) * channelBlock
  let first = task.weightGradient.advanced(
    by: blockOffset(channel: channel, blockStep: blockStep) + inner)
  let second = task.weightGradient.advanced(
    by: blockOffset(channel: secondChannel, blockStep: blockStep) + inner)
  var tile = T(T.Vector(repeating: 0), T.Vector(repeating: 0))
  tile.load(first, second, step: channelBlock)
  var row = rows.lowerBound
  while row < rows.upperBound {
    var source = task.input.advanced(
      by: row * task.inputRowStep + task.tapOffset(tap) + inputChannel)
    var gradient = task.outputGradient.advanced(by: row * task.gradientRowStep)
    var column = 0
    while column < task.width {
      tile.multiplyAdd(
        source, step: 1,
        gradient.vector(at: channel, as: T.Vector.self),
        gradient.vector(at: secondChannel, as: T.Vector.self))
      source = source.advanced(by: task.inputColumnStep)
      gradient = gradient.advanced(by: task.gradientColumnStep)
      column &+= 1
    }
    row &+= 1
  }
  tile.store(first, second, step: channelBlock)
}

/// The input channels of one tap, for as many output channels as a tile is wide.
@frozen @usableFromInline struct WeightGradientColumn: TileBody {
  @usableFromInline let task: WeightGradientTask
  @usableFromInline let rows: Range<Int>
  @usableFromInline let tap: Int
  @usableFromInline let channel: Int

  @_alwaysEmitIntoClient @inline(__always)
  init(_ task: WeightGradientTask, rows: Range<Int>, tap: Int, channel: Int) {
    self.task = task
    self.rows = rows
    self.tap = tap
    self.channel = channel
  }

  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline func callAsFunction<T: Tile>(_ type: T.Type, start: Int) {
    gatherTile(type, task, rows: rows, tap: tap, inputChannel: start, channel: channel)
  }
}

/// Adds the weight gradient over the rows `rows`.
///
/// Rows are taken in groups that keep their input and gradient in the nearest cache while all taps
/// and channels pass over them.
@_alwaysEmitIntoClient @inline(__always)
public func gatherWeightGradient<Tiles: TileSet>(
  _: Tiles.Type, _ task: WeightGradientTask, rows: Range<Int>
) {
  let lanes = Tiles.Vector.scalarCount
  let channelCount = task.outputBlockCount * channelBlock
  let groupSize = max(1, 128 / max(1, task.width))
  var start = rows.lowerBound
  while start < rows.upperBound {
    let group = start..<min(rows.upperBound, start + groupSize)
    var channel = 0
    while channel < channelCount {
      let isWide = channel &+ 2 &* lanes <= channelCount
      var tap = 0
      while tap < task.tapCount {
        let body = WeightGradientColumn(task, rows: group, tap: tap, channel: channel)
        if isWide {
          forEachTile(
            large: Tiles.WideLarge.self, single: Tiles.WideSingle.self,
            fillingLimit: Tiles.fillingLimit, leastRows: Tiles.leastRows,
            count: task.inputChannelCount, body: body)
        } else {
          forEachTile(
            large: Tiles.NarrowLarge.self, single: Tiles.NarrowSingle.self,
            fillingLimit: Tiles.fillingLimit, leastRows: Tiles.leastRows,
            count: task.inputChannelCount, body: body)
        }
        tap &+= 1
      }
      channel &+= isWide ? 2 &* lanes : lanes
    }
    start = group.upperBound
  }
}
