// Convolutions of 3 by 3 taps by Winograd's method.

/// A convolution of 3 by 3 taps with stride 1 and one pixel of zeros around the input.
///
/// The output is cut into tiles of 4 by 4 pixels, each of which follows from 6 by 6 input pixels. Both
/// are transformed, so that a tile takes 36 multiply-adds for each pair of channels, not 144:
/// `output = Aᵀ ((G w Gᵀ) · (Bᵀ input B)) A`, where `·` multiplies place by place. The place of row i
/// and column j has the number `6 i + j`.
///
/// Sums are rounded in another order than by the direct method, and some of the transforms' factors
/// are larger than 1: an output differs from the direct one by at most 4e-6 of the sum of its terms'
/// magnitudes.
///
/// Source: Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR 2016.
@frozen @safe public struct WinogradTask {
  /// The first input pixel; the border lies before it.
  public var input: Address
  /// Floats between neighbouring input columns.
  public var inputColumnStep: Int
  /// Floats between neighbouring input rows.
  public var inputRowStep: Int
  /// The number of input channels, a multiple of 16.
  public var inputChannelCount: Int
  /// The packed transformed weights, `[place][output block][input channel][16]`.
  public var weights: Address
  /// Floats between the weights of neighbouring places.
  public var weightPlaceStep: Int
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
  /// Rows of input and output.
  public var height: Int
  /// Columns of input and output.
  public var width: Int
  /// The slope of the leaky rectifier below zero; 1 is the identity.
  public var slope: Float

  /// A task of the given parts.
  ///
  /// - Parameter size: rows and columns of input and output.
  public init(
    input: PixelGrid<Address>, inputChannelCount: Int, weights: Address, bias: Address,
    output: PixelGrid<Address>, outputBlockCount: Int, size: (height: Int, width: Int),
    slope: Float = 1
  ) {
    self.input = input.start
    inputColumnStep = input.columnStep
    inputRowStep = input.rowStep
    self.inputChannelCount = inputChannelCount
    self.weights = weights
    weightPlaceStep = inputChannelCount * outputBlockCount * channelBlock
    self.bias = bias
    self.output = output.start
    outputColumnStep = output.columnStep
    outputRowStep = output.rowStep
    self.outputBlockCount = outputBlockCount
    (height, width) = size
    self.slope = slope
  }

  /// The same for some blocks of 16 output channels; those behind the last one are left out.
  public func slice(_ blocks: Range<Int>) -> WinogradTask {
    let first = blocks.lowerBound
    var slice = self
    slice.weights = weights.advanced(by: first * inputChannelCount * channelBlock)
    slice.bias = bias.advanced(by: first * channelBlock)
    slice.output = output.advanced(by: first * channelBlock)
    slice.outputBlockCount = min(blocks.count, outputBlockCount - first)
    return slice
  }

  /// Rows and columns of an output tile: 4.
  @_alwaysEmitIntoClient public static var tileSide: Int { 4 }
  /// The places of a transformed tile: 36.
  @_alwaysEmitIntoClient public static var placeCount: Int { 36 }
  /// About as many tiles are worked on at once: two of the largest register tiles.
  @_alwaysEmitIntoClient public static var chunk: Int { 24 }
  /// The most tiles that are worked on at once.
  @_alwaysEmitIntoClient public static var greatestChunk: Int { 36 }

  /// The floats of memory that one thread works with.
  public static func scratchCount(inputChannelCount: Int, outputBlockCount: Int) -> Int {
    let outputs = outputBlockCount * channelBlock
    return placeCount * greatestChunk * (inputChannelCount + outputs) + outputs
      + placeCount * channelBlock
  }

  /// The number of tiles in a row.
  @_alwaysEmitIntoClient @inline(__always)
  public var tilesInRow: Int { (width &+ 3) / 4 }

  /// The number of tiles.
  @_alwaysEmitIntoClient @inline(__always)
  public var tileCount: Int { tilesInRow &* ((height &+ 3) / 4) }
}

/// Six vectors: one line of an input tile.
@usableFromInline typealias Six<Vector> = (Vector, Vector, Vector, Vector, Vector, Vector)

/// A line of the input through `Bᵀ`.
@_alwaysEmitIntoClient @inline(__always)
func winogradInput<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
  _ d: Six<Vector>, _: Arithmetic.Type
) -> Six<Vector> {
  let four = Vector(repeating: 4)
  let minusFour = Vector(repeating: -4)
  let minusFive = Vector(repeating: -5)
  let two = Vector(repeating: 2)
  let even = Arithmetic.apply(d.4, minusFour, d.2)
  let odd = Arithmetic.apply(d.3, minusFour, d.1)
  let difference = d.4 - d.2
  let twice = d.3 - d.1
  return (
    Arithmetic.apply(Arithmetic.apply(d.4, minusFive, d.2), four, d.0), even + odd, even - odd,
    Arithmetic.apply(difference, two, twice),
    Arithmetic.apply(difference, Vector(repeating: -2), twice),
    Arithmetic.apply(Arithmetic.apply(d.5, minusFive, d.3), four, d.1)
  )
}

/// A line of products through `Aᵀ`.
@_alwaysEmitIntoClient @inline(__always)
func winogradOutput<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
  _ m: Six<Vector>, _: Arithmetic.Type
) -> (Vector, Vector, Vector, Vector) {
  let near = m.1 + m.2
  let nearDifference = m.1 - m.2
  let far = m.3 + m.4
  let farDifference = m.3 - m.4
  return (
    m.0 + near + far, Arithmetic.apply(nearDifference, Vector(repeating: 2), farDifference),
    Arithmetic.apply(near, Vector(repeating: 4), far),
    Arithmetic.apply(nearDifference, Vector(repeating: 8), farDifference) + m.5
  )
}

/// The tiles `tiles` of a convolution, numbered row by row.
///
/// - Parameter scratch: memory for `WinogradTask.scratchCount` floats that nobody else uses.
@_alwaysEmitIntoClient @inline(__always)
public func convolveWinograd<Tiles: TileSet, Arithmetic: MultiplyAdd>(
  _: Tiles.Type, _: Arithmetic.Type, _ task: WinogradTask, tiles: Range<Int>, scratch: Address
) {
  let end = tiles.upperBound
  var first = tiles.lowerBound
  let count = end - first
  // Chunks of nearly one size: a rest of one or two tiles would keep few registers busy.
  let chunkCount = max(
    count > 0 ? 1 : 0, (count + WinogradTask.greatestChunk - 1) / WinogradTask.greatestChunk,
    (count + WinogradTask.chunk / 2) / WinogradTask.chunk)
  var left = chunkCount
  while left > 0 {
    let size = (end - first + left - 1) / left
    convolveWinogradChunk(
      Tiles.self, Arithmetic.self, task, tiles: first..<first + size, scratch: scratch)
    first += size
    left -= 1
  }
}

/// As many tiles as scratch memory has room for.
@_alwaysEmitIntoClient @inline(__always)
func convolveWinogradChunk<Tiles: TileSet, Arithmetic: MultiplyAdd>(
  _: Tiles.Type, _: Arithmetic.Type, _ task: WinogradTask, tiles: Range<Int>, scratch: Address
) {
  let inputCount = task.inputChannelCount
  let outputCount = task.outputBlockCount * channelBlock
  let chunk = WinogradTask.greatestChunk
  let products = scratch.advanced(by: WinogradTask.placeCount * chunk * inputCount)
  let zeros = products.advanced(by: WinogradTask.placeCount * chunk * outputCount)
  let lines = zeros.advanced(by: outputCount)
  let inputPlane = tiles.count * inputCount
  let outputPlane = tiles.count * outputCount

  var tile = tiles.lowerBound
  while tile < tiles.upperBound {
    transformInput(
      Tiles.Vector.self, Arithmetic.self, task, tile: tile,
      to: scratch.advanced(by: (tile - tiles.lowerBound) * inputCount), planeStep: inputPlane,
      lines: lines)
    tile &+= 1
  }

  var channel = 0
  while channel < outputCount {
    zeros.store(Tiles.Vector(repeating: 0), at: channel)
    channel &+= Tiles.Vector.scalarCount
  }
  unsafe withUnsafePointer(to: 0) { (noOffset) in
    var place = 0
    while place < WinogradTask.placeCount {
      convolve(
        Tiles.self,
        unsafe ConvolutionTask(
          input: PixelGrid(
            scratch.advanced(by: place * inputPlane), columnStep: inputCount, rowStep: 0),
          taps: OffsetList(noOffset, count: 1), inputChannelCount: inputCount,
          weights: task.weights.advanced(by: place * task.weightPlaceStep), bias: zeros,
          output: PixelGrid(
            products.advanced(by: place * outputPlane), columnStep: outputCount, rowStep: 0),
          outputBlockCount: task.outputBlockCount, width: tiles.count,
          lookahead: task.weightPlaceStep), rows: 0..<1)
      place &+= 1
    }
  }

  tile = tiles.lowerBound
  while tile < tiles.upperBound {
    transformOutput(
      Tiles.Vector.self, Arithmetic.self, task, tile: tile,
      from: products.advanced(by: (tile - tiles.lowerBound) * outputCount),
      planeStep: outputPlane, lines: lines)
    tile &+= 1
  }
}

/// `Bᵀ d B` of one tile, for all channels.
///
/// - Parameters:
///   - target: the tile's place in the plane of place 0.
///   - lines: memory for 36 vectors.
@_alwaysEmitIntoClient @inline(__always)
func transformInput<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
  _: Vector.Type, _: Arithmetic.Type, _ task: WinogradTask, tile: Int, to target: Address,
  planeStep: Int, lines: Address
) {
  let lanes = Vector.scalarCount
  let top = tile / task.tilesInRow &* 4 &- 1
  let left = tile % task.tilesInRow &* 4 &- 1
  let corner = task.input.advanced(by: top * task.inputRowStep + left * task.inputColumnStep)
  // The border itself may be read; what lies beyond it counts as zero.
  let rowCount = min(6, task.height &+ 1 &- top)
  let columnCount = min(6, task.width &+ 1 &- left)
  let step = task.inputRowStep
  var channel = 0
  while channel < task.inputChannelCount {
    var column = 0
    while column < 6 {
      var d: Six<Vector>
      let zero = Vector(repeating: 0)
      if column < columnCount {
        let source = corner.advanced(by: column &* task.inputColumnStep &+ channel)
        d = (
          source.vector(at: 0, as: Vector.self), source.vector(at: step, as: Vector.self),
          source.vector(at: 2 &* step, as: Vector.self), zero, zero, zero
        )
        if rowCount == 6 {
          d.3 = source.vector(at: 3 &* step, as: Vector.self)
          d.4 = source.vector(at: 4 &* step, as: Vector.self)
          d.5 = source.vector(at: 5 &* step, as: Vector.self)
        } else {
          if rowCount > 3 { d.3 = source.vector(at: 3 &* step, as: Vector.self) }
          if rowCount > 4 { d.4 = source.vector(at: 4 &* step, as: Vector.self) }
        }
        d = winogradInput(d, Arithmetic.self)
      } else {
        d = (zero, zero, zero, zero, zero, zero)
      }
      let line = lines.advanced(by: column &* lanes)
      line.store(d.0, at: 0)
      line.store(d.1, at: 6 &* lanes)
      line.store(d.2, at: 12 &* lanes)
      line.store(d.3, at: 18 &* lanes)
      line.store(d.4, at: 24 &* lanes)
      line.store(d.5, at: 30 &* lanes)
      column &+= 1
    }
    var row = 0
    while row < 6 {
      let line = lines.advanced(by: row &* 6 &* lanes)
      let v = winogradInput(
        (
          line.vector(at: 0, as: Vector.self), line.vector(at: lanes, as: Vector.self),
          line.vector(at: 2 &* lanes, as: Vector.self),
          line.vector(at: 3 &* lanes, as: Vector.self),
          line.vector(at: 4 &* lanes, as: Vector.self),
          line.vector(at: 5 &* lanes, as: Vector.self)
        ), Arithmetic.self)
      let place = target.advanced(by: row &* 6 &* planeStep &+ channel)
      place.store(v.0, at: 0)
      place.store(v.1, at: planeStep)
      place.store(v.2, at: 2 &* planeStep)
      place.store(v.3, at: 3 &* planeStep)
      place.store(v.4, at: 4 &* planeStep)
      place.store(v.5, at: 5 &* planeStep)
      row &+= 1
    }
    channel &+= lanes
  }
}

/// `Aᵀ m A` of one tile with bias and activation, for all channels.
///
/// - Parameters:
///   - source: the tile's place in the plane of place 0.
///   - lines: memory for 24 vectors.
@_alwaysEmitIntoClient @inline(__always)
func transformOutput<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
  _: Vector.Type, _: Arithmetic.Type, _ task: WinogradTask, tile: Int, from source: Address,
  planeStep: Int, lines: Address
) {
  let lanes = Vector.scalarCount
  let top = tile / task.tilesInRow &* 4
  let left = tile % task.tilesInRow &* 4
  let corner = task.output.advanced(by: top * task.outputRowStep + left * task.outputColumnStep)
  let rowCount = min(4, task.height &- top)
  let columnCount = min(4, task.width &- left)
  let slope = Vector(repeating: task.slope)
  let isRectified = task.slope != 1
  let outputCount = task.outputBlockCount * channelBlock
  var channel = 0
  while channel < outputCount {
    var column = 0
    while column < 6 {
      let place = source.advanced(by: column &* planeStep &+ channel)
      let y = winogradOutput(
        (
          place.vector(at: 0, as: Vector.self),
          place.vector(at: 6 &* planeStep, as: Vector.self),
          place.vector(at: 12 &* planeStep, as: Vector.self),
          place.vector(at: 18 &* planeStep, as: Vector.self),
          place.vector(at: 24 &* planeStep, as: Vector.self),
          place.vector(at: 30 &* planeStep, as: Vector.self)
        ), Arithmetic.self)
      let line = lines.advanced(by: column &* lanes)
      line.store(y.0, at: 0)
      line.store(y.1, at: 6 &* lanes)
      line.store(y.2, at: 12 &* lanes)
      line.store(y.3, at: 18 &* lanes)
      column &+= 1
    }
    let bias = task.bias.vector(at: channel, as: Vector.self)
    var row = 0
    while row < rowCount {
      let line = lines.advanced(by: row &* 6 &* lanes)
      var y = winogradOutput(
        (
          line.vector(at: 0, as: Vector.self), line.vector(at: lanes, as: Vector.self),
          line.vector(at: 2 &* lanes, as: Vector.self),
          line.vector(at: 3 &* lanes, as: Vector.self),
          line.vector(at: 4 &* lanes, as: Vector.self),
          line.vector(at: 5 &* lanes, as: Vector.self)
        ), Arithmetic.self)
      y = (y.0 + bias, y.1 + bias, y.2 + bias, y.3 + bias)
      if isRectified {
        y = (
          leakyRectified(y.0, slope: slope), leakyRectified(y.1, slope: slope),
          leakyRectified(y.2, slope: slope), leakyRectified(y.3, slope: slope)
        )
      }
      let target = corner.advanced(by: row &* task.outputRowStep &+ channel)
      target.store(y.0, at: 0)
      if columnCount > 1 { target.store(y.1, at: task.outputColumnStep) }
      if columnCount > 2 { target.store(y.2, at: 2 &* task.outputColumnStep) }
      if columnCount > 3 { target.store(y.3, at: 3 &* task.outputColumnStep) }
      row &+= 1
    }
    channel &+= lanes
  }
}
