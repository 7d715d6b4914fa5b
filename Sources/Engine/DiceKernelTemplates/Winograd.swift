// Convolutions of 3 by 3 taps by Winograd's method.

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
