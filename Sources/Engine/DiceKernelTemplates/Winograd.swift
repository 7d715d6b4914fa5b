// Convolutions of 3 by 3 taps by Winograd's method.

/// The tiles of Winograd's method for convolutions of a stride: 4 by 4 outputs each.
///
/// With stride 1 it is F(4x4, 3x3): a tile follows from 6 by 6 inputs and takes 36 multiply-adds for each
/// pair of channels, not 144.
///
/// With stride 2, the even rows of a tile's 9 by 9 inputs meet the first and the last row of taps, the odd ones
/// the middle row alone; so do columns. Even ones make F(4, 2), five places for four outputs. Odd ones stay as they
/// are: four places with the same weights. A tile takes 81 multiply-adds, not 144.
@frozen public struct WinogradForm: Hashable, Sendable {
  #if arch(wasm32)
    // Code for one stride: pages are to be small.
    /// Input rows and columns between two outputs.
    @_alwaysEmitIntoClient public var stride: Int { 1 }

    /// The form for a stride of 1.
    @_alwaysEmitIntoClient public init(stride: Int) {}
  #else
    /// Input rows and columns between two outputs: 1 or 2.
    public var stride: Int

    /// The form for a stride of 1 or 2.
    @_alwaysEmitIntoClient @inline(__always) public init(stride: Int) { self.stride = stride }
  #endif

  /// Rows and columns of an output tile.
  @_alwaysEmitIntoClient @inline(__always) public static var outputSide: Int { 4 }
  /// Rows and columns of places with weights of their own; those behind have the same as the last ones.
  @_alwaysEmitIntoClient @inline(__always) public static var weightSide: Int { 6 }
  /// The places of transformed weights.
  @_alwaysEmitIntoClient public static var weightPlaceCount: Int { 36 }

  /// Rows and columns of an input tile, and of the places that it is transformed to.
  @_alwaysEmitIntoClient @inline(__always) public var placeSide: Int { stride == 1 ? 6 : 9 }

  /// The number of tiles of a map.
  @_alwaysEmitIntoClient @inline(__always)
  public static func tileCount(height: Int, width: Int) -> Int {
    ((height &+ 3) / 4) &* ((width &+ 3) / 4)
  }
}

/// A convolution of 3 by 3 taps with stride 1 or 2.
///
/// The output is cut into tiles (`WinogradForm`). Tiles and weights are transformed:
/// `output = Aᵀ ((G w Gᵀ) · (Bᵀ input B)) A`, where `·` multiplies place by place. The place of row i
/// and column j has the number `placeSide * i + j`.
///
/// Sums are rounded in another order than by the direct method, and some of the transforms' factors
/// are larger than 1: an output differs from the direct one by at most 4e-6 of the sum of its terms'
/// magnitudes.
///
/// Source: Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR 2016.
@frozen @safe public struct WinogradTask {
  /// The pixel that the first tap of the first output reads; all that taps reach can be read.
  public var input: Address
  /// Floats between neighbouring input columns.
  public var inputColumnStep: Int
  /// Floats between neighbouring input rows.
  public var inputRowStep: Int
  /// The number of input channels, a multiple of 16.
  public var inputChannelCount: Int
  /// The packed transformed weights, `[place of weights][output block][input channel][16]`.
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
  /// Output rows.
  public var height: Int
  /// Output columns.
  public var width: Int
  /// How the output is cut into tiles.
  public var form: WinogradForm
  /// The slope of the leaky rectifier below zero; 1 is the identity.
  public var slope: Float

  /// A task of the given parts.
  ///
  /// - Parameters:
  ///   - form: the tiles of the convolution's stride.
  ///   - input: what the first tap reads, with the steps between neighbouring input pixels.
  ///   - size: rows and columns of the output.
  public init(
    _ form: WinogradForm, input: PixelGrid<Address>, inputChannelCount: Int, weights: Address,
    bias: Address, output: PixelGrid<Address>, outputBlockCount: Int,
    size: (height: Int, width: Int), slope: Float = 1
  ) {
    self.form = form
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

  /// About as many tiles are worked on at once: two of the largest register tiles.
  @_alwaysEmitIntoClient public static var chunk: Int { 24 }
  /// The most tiles that are worked on at once.
  @_alwaysEmitIntoClient public static var greatestChunk: Int { 36 }

  /// The floats of memory that one thread works with.
  public static func scratchCount(
    _ form: WinogradForm, inputChannelCount: Int, outputBlockCount: Int
  ) -> Int {
    let outputs = outputBlockCount * channelBlock
    let side = form.placeSide
    return greatestChunk * side
      * ((side + 1) * inputChannelCount + (WinogradForm.outputSide + 1) * outputs) + outputs
  }

  /// The number of tiles in a row.
  @_alwaysEmitIntoClient @inline(__always)
  public var tilesInRow: Int { (width &+ 3) / 4 }

  /// The number of tiles.
  @_alwaysEmitIntoClient @inline(__always)
  public var tileCount: Int { WinogradForm.tileCount(height: height, width: width) }
}

/// One line of an input tile: nine vectors, or six and three of no use.
@usableFromInline typealias Line<Vector> = (
  Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector, Vector
)

/// The transforms of a form.
@usableFromInline protocol WinogradTransform {
  static var form: WinogradForm { get }

  /// A line of the input through `Bᵀ`.
  static func input<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
    _ d: Line<Vector>, _: Arithmetic.Type
  ) -> Line<Vector>

  /// A line of products through `Aᵀ`.
  static func output<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
    _ m: Line<Vector>, _: Arithmetic.Type
  ) -> (Vector, Vector, Vector, Vector)
}

/// F(4, 3) with the points 0, 1, -1, 2, -2 and infinity.
@usableFromInline enum UnitStrideTransform: WinogradTransform {
  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline static var form: WinogradForm { WinogradForm(stride: 1) }

  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline static func input<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
    _ d: Line<Vector>, _: Arithmetic.Type
  ) -> Line<Vector> {
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
      Arithmetic.apply(Arithmetic.apply(d.5, minusFive, d.3), four, d.1), d.6, d.7, d.8
    )
  }

  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline static func output<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
    _ m: Line<Vector>, _: Arithmetic.Type
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
}

/// F(4, 2) of even lines with the points 0, 1, -1, 2 and infinity; odd lines as they are.
@usableFromInline enum StrideTwoTransform: WinogradTransform {
  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline static var form: WinogradForm { WinogradForm(stride: 2) }

  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline static func input<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
    _ d: Line<Vector>, _: Arithmetic.Type
  ) -> Line<Vector> {
    let difference = d.6 - d.2
    return (
      Arithmetic.apply(difference, Vector(repeating: 2), d.0 - d.4), difference - (d.2 + d.4),
      Arithmetic.apply(difference, Vector(repeating: 3), d.2 - d.4), difference,
      Arithmetic.apply(d.8 - d.4, Vector(repeating: -2), difference), d.1, d.3, d.5, d.7
    )
  }

  @_alwaysEmitIntoClient @inline(__always)
  @usableFromInline static func output<Vector: FloatLanes, Arithmetic: MultiplyAdd>(
    _ m: Line<Vector>, _: Arithmetic.Type
  ) -> (Vector, Vector, Vector, Vector) {
    let sum = m.1 + m.2
    let difference = m.1 - m.2
    return (
      m.0 + sum + m.3 + m.5, Arithmetic.apply(difference, Vector(repeating: 2), m.3) + m.6,
      Arithmetic.apply(sum, Vector(repeating: 4), m.3) + m.7,
      Arithmetic.apply(difference, Vector(repeating: 8), m.3) + m.4 + m.8
    )
  }
}

/// The tiles `tiles` of a convolution, numbered row by row.
///
/// - Parameter scratch: memory for `WinogradTask.scratchCount` floats that nobody else uses.
@_alwaysEmitIntoClient @inline(__always)
public func convolveWinograd<Tiles: TileSet, Arithmetic: MultiplyAdd>(
  _: Tiles.Type, _: Arithmetic.Type, _ task: WinogradTask, tiles: Range<Int>, scratch: Address
) {
  #if !arch(wasm32)
    if task.form.stride == 2 {
      return convolveWinograd(
        Tiles.self, Arithmetic.self, StrideTwoTransform.self, task, tiles: tiles, scratch: scratch)
    }
  #endif
  convolveWinograd(
    Tiles.self, Arithmetic.self, UnitStrideTransform.self, task, tiles: tiles, scratch: scratch)
}

/// The same with the transforms of a form.
@_alwaysEmitIntoClient @inline(__always)
func convolveWinograd<Tiles: TileSet, Arithmetic: MultiplyAdd, Transform: WinogradTransform>(
  _: Tiles.Type, _: Arithmetic.Type, _: Transform.Type, _ task: WinogradTask, tiles: Range<Int>,
  scratch: Address
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
      Tiles.self, Arithmetic.self, Transform.self, task, tiles: first..<first + size,
      scratch: scratch)
    first += size
    left -= 1
  }
}

/// As many tiles as scratch memory has room for.
///
/// Inputs are transformed along their columns, and then row of places by row of places: along the row, multiplied,
/// and transformed back along the row, while what is computed stays in the nearest cache.
@_alwaysEmitIntoClient @inline(__always)
func convolveWinogradChunk<Tiles: TileSet, Arithmetic: MultiplyAdd, Transform: WinogradTransform>(
  _: Tiles.Type, _: Arithmetic.Type, _: Transform.Type, _ task: WinogradTask, tiles: Range<Int>,
  scratch: Address
) {
  let side = Transform.form.placeSide
  let count = tiles.count
  let inputPlane = count * task.inputChannelCount
  let outputPlane = count * task.outputBlockCount * channelBlock
  let inputs = scratch.advanced(by: side * side * inputPlane)
  let products = inputs.advanced(by: side * inputPlane)
  let outputs = products.advanced(by: side * outputPlane)
  let outputRow = WinogradForm.outputSide * outputPlane
  let zeros = outputs.advanced(by: side * outputRow)
  var channel = 0
  while channel < task.outputBlockCount &* channelBlock {
    zeros.store(Tiles.Vector(repeating: 0), at: channel)
    channel &+= Tiles.Vector.scalarCount
  }
  transformColumns(Tiles.Vector.self, Arithmetic.self, Transform.self, task, tiles, to: scratch)
  var row = 0
  while row < side {
    transformRow(
      Tiles.Vector.self, Arithmetic.self, Transform.self,
      scratch.advanced(by: row * side * inputPlane), tileCount: count,
      channelCount: task.inputChannelCount, to: inputs)
    multiplyRow(Tiles.self, Transform.self, task, row, count, inputs, zeros: zeros, to: products)
    transformProducts(
      Tiles.Vector.self, Arithmetic.self, Transform.self, products, planeStep: outputPlane,
      to: outputs.advanced(by: row * outputRow))
    row &+= 1
  }
  transformOutputs(Tiles.Vector.self, Arithmetic.self, Transform.self, task, tiles, outputs)
}

/// `Bᵀ d` of tiles, for all channels.
///
/// - Parameter target: memory for `[row of places][tile][column][channel]`.
@_alwaysEmitIntoClient @inline(__always)
func transformColumns<Vector: FloatLanes, Arithmetic: MultiplyAdd, Transform: WinogradTransform>(
  _: Vector.Type, _: Arithmetic.Type, _: Transform.Type, _ task: WinogradTask,
  _ tiles: Range<Int>, to target: Address
) {
  let form = Transform.form
  let side = form.placeSide
  let step = task.inputRowStep
  let targetStep = tiles.count &* side &* task.inputChannelCount
  let zero = Vector(repeating: 0)
  var place = target
  var tile = tiles.lowerBound
  while tile < tiles.upperBound {
    let top = tile / task.tilesInRow &* 4 &* form.stride
    let left = tile % task.tilesInRow &* 4 &* form.stride
    let corner = task.input.advanced(by: top * step + left * task.inputColumnStep)
    // What taps reach may be read; what lies beyond it counts as zero.
    let rowCount = min(side, form.stride &* (task.height &- 1) &+ 3 &- top)
    let columnCount = min(side, form.stride &* (task.width &- 1) &+ 3 &- left)
    var column = 0
    while column < side {
      let source = corner.advanced(by: column &* task.inputColumnStep)
      var channel = 0
      while channel < task.inputChannelCount {
        var d: Line<Vector> = (zero, zero, zero, zero, zero, zero, zero, zero, zero)
        if column < columnCount {
          if rowCount == side {
            d = line(source.advanced(by: channel), side, step: step, as: Vector.self)
          } else {
            d.0 = source.vector(at: channel, as: Vector.self)
            d.1 = source.vector(at: channel &+ step, as: Vector.self)
            d.2 = source.vector(at: channel &+ 2 &* step, as: Vector.self)
            if rowCount > 3 { d.3 = source.vector(at: channel &+ 3 &* step, as: Vector.self) }
            if rowCount > 4 { d.4 = source.vector(at: channel &+ 4 &* step, as: Vector.self) }
            if side == 9, rowCount > 5 {
              d.5 = source.vector(at: channel &+ 5 &* step, as: Vector.self)
              d.6 = source.vector(at: channel &+ 6 &* step, as: Vector.self)
            }
          }
          d = Transform.input(d, Arithmetic.self)
        }
        storeLine(d, side, to: place.advanced(by: channel), step: targetStep)
        channel &+= Vector.scalarCount
      }
      place = place.advanced(by: task.inputChannelCount)
      column &+= 1
    }
    tile &+= 1
  }
}

/// A row of places of all tiles through `Bᵀ`.
///
/// - Parameters:
///   - source: `[tile][column][channel]`.
///   - target: memory for `[column of places][tile][channel]`.
@_alwaysEmitIntoClient @inline(__always)
func transformRow<Vector: FloatLanes, Arithmetic: MultiplyAdd, Transform: WinogradTransform>(
  _: Vector.Type, _: Arithmetic.Type, _: Transform.Type, _ source: Address, tileCount: Int,
  channelCount: Int, to target: Address
) {
  let side = Transform.form.placeSide
  var tile = 0
  while tile < tileCount {
    let tileSource = source.advanced(by: tile &* side &* channelCount)
    let tileTarget = target.advanced(by: tile &* channelCount)
    var channel = 0
    while channel < channelCount {
      storeLine(
        Transform.input(
          line(tileSource.advanced(by: channel), side, step: channelCount, as: Vector.self),
          Arithmetic.self),
        side, to: tileTarget.advanced(by: channel), step: tileCount &* channelCount)
      channel &+= Vector.scalarCount
    }
    tile &+= 1
  }
}

/// The products of a row of places of all tiles.
///
/// - Parameter target: memory for `[column of places][tile][channel]`.
@_alwaysEmitIntoClient @inline(__always)
func multiplyRow<Tiles: TileSet, Transform: WinogradTransform>(
  _: Tiles.Type, _: Transform.Type, _ task: WinogradTask, _ row: Int, _ tileCount: Int,
  _ source: Address, zeros: Address, to target: Address
) {
  let side = WinogradForm.weightSide
  let weights = task.weights.advanced(by: min(row, side &- 1) * side * task.weightPlaceStep)
  let outputCount = task.outputBlockCount * channelBlock
  unsafe withUnsafePointer(to: 0) { (noOffset) in
    var column = 0
    while column < side {
      // The last places have the same weights, and lie side by side.
      let count = column &+ 1 == side ? Transform.form.placeSide &- column : 1
      convolve(
        Tiles.self,
        unsafe ConvolutionTask(
          input: PixelGrid(
            source.advanced(by: column * tileCount * task.inputChannelCount),
            columnStep: task.inputChannelCount, rowStep: 0),
          taps: OffsetList(noOffset, count: 1), inputChannelCount: task.inputChannelCount,
          weights: weights.advanced(by: column * task.weightPlaceStep), bias: zeros,
          output: PixelGrid(
            target.advanced(by: column * tileCount * outputCount), columnStep: outputCount,
            rowStep: 0),
          outputBlockCount: task.outputBlockCount, width: count &* tileCount,
          lookahead: task.weightPlaceStep), rows: 0..<1)
      column &+= 1
    }
  }
}

/// The products of a row of places through `Aᵀ`.
///
/// - Parameters:
///   - source: `[column of places][tile][channel]`.
///   - planeStep: floats of a column of places.
///   - target: memory for `[output column][tile][channel]`.
@_alwaysEmitIntoClient @inline(__always)
func transformProducts<Vector: FloatLanes, Arithmetic: MultiplyAdd, Transform: WinogradTransform>(
  _: Vector.Type, _: Arithmetic.Type, _: Transform.Type, _ source: Address, planeStep: Int,
  to target: Address
) {
  var place = 0
  while place < planeStep {
    let y = Transform.output(
      line(
        source.advanced(by: place), Transform.form.placeSide, step: planeStep, as: Vector.self),
      Arithmetic.self)
    target.store(y.0, at: place)
    target.store(y.1, at: place &+ planeStep)
    target.store(y.2, at: place &+ 2 &* planeStep)
    target.store(y.3, at: place &+ 3 &* planeStep)
    place &+= Vector.scalarCount
  }
}

/// What is left of `Aᵀ m A`, with bias and activation, for all channels of tiles.
///
/// - Parameter source: `[row of places][output column][tile][channel]`.
@_alwaysEmitIntoClient @inline(__always)
func transformOutputs<Vector: FloatLanes, Arithmetic: MultiplyAdd, Transform: WinogradTransform>(
  _: Vector.Type, _: Arithmetic.Type, _: Transform.Type, _ task: WinogradTask,
  _ tiles: Range<Int>, _ source: Address
) {
  let slope = Vector(repeating: task.slope)
  let isRectified = task.slope != 1
  let outputCount = task.outputBlockCount * channelBlock
  let planeStep = tiles.count &* outputCount
  var place = source
  var tile = tiles.lowerBound
  while tile < tiles.upperBound {
    let top = tile / task.tilesInRow &* 4
    let left = tile % task.tilesInRow &* 4
    let corner = task.output.advanced(by: top * task.outputRowStep + left * task.outputColumnStep)
    let rowCount = task.height &- top
    let columnCount = min(4, task.width &- left)
    var column = 0
    while column < columnCount {
      var channel = 0
      while channel < outputCount {
        let bias = task.bias.vector(at: channel, as: Vector.self)
        var y = Transform.output(
          line(
            place.advanced(by: column &* planeStep &+ channel), Transform.form.placeSide,
            step: 4 &* planeStep, as: Vector.self), Arithmetic.self)
        y = (y.0 + bias, y.1 + bias, y.2 + bias, y.3 + bias)
        if isRectified {
          y = (
            leakyRectified(y.0, slope: slope), leakyRectified(y.1, slope: slope),
            leakyRectified(y.2, slope: slope), leakyRectified(y.3, slope: slope)
          )
        }
        let target = corner.advanced(by: column &* task.outputColumnStep &+ channel)
        target.store(y.0, at: 0)
        if rowCount > 1 { target.store(y.1, at: task.outputRowStep) }
        if rowCount > 2 { target.store(y.2, at: 2 &* task.outputRowStep) }
        if rowCount > 3 { target.store(y.3, at: 3 &* task.outputRowStep) }
        channel &+= Vector.scalarCount
      }
      column &+= 1
    }
    place = place.advanced(by: outputCount)
    tile &+= 1
  }
}

/// Vectors that lie one step from each other.
@_alwaysEmitIntoClient @inline(__always)
func line<Vector: FloatLanes>(
  _ source: Address, _ side: Int, step: Int, as _: Vector.Type
) -> Line<Vector> {
  let last = source.vector(at: 5 &* step, as: Vector.self)
  var line = (
    source.vector(at: 0, as: Vector.self), source.vector(at: step, as: Vector.self),
    source.vector(at: 2 &* step, as: Vector.self), source.vector(at: 3 &* step, as: Vector.self),
    source.vector(at: 4 &* step, as: Vector.self), last, last, last, last
  )
  if side == 9 {
    line.6 = source.vector(at: 6 &* step, as: Vector.self)
    line.7 = source.vector(at: 7 &* step, as: Vector.self)
    line.8 = source.vector(at: 8 &* step, as: Vector.self)
  }
  return line
}

/// Stores the vectors of a line one step from each other.
@_alwaysEmitIntoClient @inline(__always)
func storeLine<Vector: FloatLanes>(
  _ line: Line<Vector>, _ side: Int, to target: Address, step: Int
) {
  target.store(line.0, at: 0)
  target.store(line.1, at: step)
  target.store(line.2, at: 2 &* step)
  target.store(line.3, at: 3 &* step)
  target.store(line.4, at: 4 &* step)
  target.store(line.5, at: 5 &* step)
  if side == 9 {
    target.store(line.6, at: 6 &* step)
    target.store(line.7, at: 7 &* step)
    target.store(line.8, at: 8 &* step)
  }
}
