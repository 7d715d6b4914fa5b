/// The rows `rows` of a convolution into floats.
@_alwaysEmitIntoClient @inline(__always)
public func convolve<Unit: TileUnit>(
  _: Unit.Type, _ task: MatrixConvolutionTask, rows: Range<Int>
) {
  forEachPair(Unit.self, task, rows: rows) { (pair, unit) in
    pair.sum(task, &unit)
    pair.store(task, &unit)
  }
}

/// The rows `rows` of a layer into bfloat16 numbers.
///
/// - Parameter scratch: memory for four tiles of sums, 1024 floats.
@_alwaysEmitIntoClient @inline(__always)
public func convolve<Unit: TileUnit>(
  _: Unit.Type, _ task: MatrixLayerTask, rows: Range<Int>, scratch: Address
) {
  forEachPair(Unit.self, task.convolution, rows: rows) { (pair, unit) in
    pair.sum(task.convolution, &unit)
    pair.finish(task, scratch, &unit)
  }
}

/// One or two tiles of pixels by one or two blocks of output channels.
@frozen @usableFromInline struct TilePair {
  @usableFromInline var row: Int
  /// The first pixels of both tiles; equal where there is one.
  @usableFromInline var first: Int
  @usableFromInline var second: Int
  @usableFromInline var isPairOfPixels: Bool
  @usableFromInline var block: Int
  @usableFromInline var isPairOfBlocks: Bool
  @usableFromInline var tileRows: Int

  @_alwaysEmitIntoClient @inline(__always)
  init(
    row: Int, first: Int, second: Int, isPairOfPixels: Bool, block: Int, isPairOfBlocks: Bool,
    tileRows: Int
  ) {
    self.row = row
    self.first = first
    self.second = second
    self.isPairOfPixels = isPairOfPixels
    self.block = block
    self.isPairOfBlocks = isPairOfBlocks
    self.tileRows = tileRows
  }
}

/// Calls `body` for everything that the tiles are filled with at once.
@_alwaysEmitIntoClient @inline(__always)
func forEachPair<Unit: TileUnit>(
  _: Unit.Type, _ task: MatrixConvolutionTask, rows: Range<Int>,
  _ body: (TilePair, inout Unit) -> Void
) {
  guard !rows.isEmpty, task.width > 0 else { return }
  let tileRows = tileRowCount(task)
  var unit = Unit(rows: tileRows)
  var row = rows.lowerBound
  while row < rows.upperBound {
    var column = 0
    while column < task.width {
      // The last tile may cover pixels of the one before once more.
      let first = min(column, task.width - tileRows)
      let hasSecond = column + tileRows < task.width
      let second = min(column + tileRows, task.width - tileRows)
      var block = 0
      while block < task.outputBlockCount {
        body(
          TilePair(
            row: row, first: first, second: hasSecond ? second : first, isPairOfPixels: hasSecond,
            block: block, isPairOfBlocks: block + 1 < task.outputBlockCount, tileRows: tileRows),
          &unit)
        block += 2
      }
      column += 2 * tileRows
    }
    row += 1
  }
  unit.release()
}

/// The pixels of a tile: at most 16, as even as possible over the width.
///
/// Where sums are added to what is there no pixel may be covered twice.
@_alwaysEmitIntoClient @inline(__always)
func tileRowCount(_ task: MatrixConvolutionTask) -> Int {
  let count = (task.width + 15) / 16
  var rows = (task.width + count - 1) / count
  if task.accumulates { while !task.width.isMultiple(of: rows) { rows -= 1 } }
  return rows
}

extension TilePair {
  /// The first output of a tile of pixels.
  @_alwaysEmitIntoClient @inline(__always)
  func output(_ task: MatrixConvolutionTask, _ column: Int) -> UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(
      task.output.advanced(
        by: row * task.outputRowStep + column * task.outputColumnStep + block * channelBlock
      ).pointer)
  }

  /// Bytes from the first block of output channels to the second.
  @_alwaysEmitIntoClient @inline(__always)
  var nextBlock: Int { isPairOfBlocks ? 64 : 0 }

  /// Fills the tiles of sums.
  @_alwaysEmitIntoClient @inline(__always)
  func sum<Unit: TileUnit>(_ task: MatrixConvolutionTask, _ unit: inout Unit) {
    let stepBytes = MatrixConvolutionTask.stepWeightCount * 2
    let blockBytes = task.windowCount * task.stepCount * stepBytes
    let inputStride = task.inputColumnStep * Unit.stepByteCount
    let input = unsafe UnsafeRawPointer(
      task.input.pointer + row * task.inputRowStep * Unit.stepByteCount)
    let firstInput = unsafe input + first * inputStride
    let secondInput = unsafe input + second * inputStride
    if task.accumulates {
      let outputStride = task.outputColumnStep * 4
      unsafe unit.load(.firstFirst, output(task, first), stride: outputStride)
      unsafe unit.load(.firstSecond, output(task, first) + nextBlock, stride: outputStride)
      unsafe unit.load(.secondFirst, output(task, second), stride: outputStride)
      unsafe unit.load(.secondSecond, output(task, second) + nextBlock, stride: outputStride)
    } else {
      // All rows begin with the same bias.
      let bias = unsafe UnsafeRawPointer(task.bias.advanced(by: block * channelBlock).pointer)
      unsafe unit.load(.firstFirst, bias, stride: 0)
      unsafe unit.load(.firstSecond, bias + nextBlock, stride: 0)
      unsafe unit.load(.secondFirst, bias, stride: 0)
      unsafe unit.load(.secondSecond, bias + nextBlock, stride: 0)
    }
    var weights = unsafe UnsafeRawPointer(task.weights.pointer) + block * blockBytes
    var window = 0
    while window < task.windowCount {
      let offset = task.windowOffset(window) * Unit.stepByteCount
      var step = 0
      while step < task.stepCount {
        let place = offset + step * (MatrixConvolutionTask.stepLength * 2)
        unsafe unit.load(.firstRight, weights, stride: 64)
        unsafe unit.load(.firstLeft, firstInput + place, stride: inputStride)
        unit.addProduct(to: .firstFirst)
        if isPairOfPixels {
          unsafe unit.load(.secondLeft, secondInput + place, stride: inputStride)
          unit.addProduct(to: .secondFirst)
        }
        if isPairOfBlocks {
          unsafe unit.load(.secondRight, weights + blockBytes, stride: 64)
          unit.addProduct(to: .firstSecond)
          if isPairOfPixels { unit.addProduct(to: .secondSecond) }
        }
        unsafe weights += stepBytes
        step += 1
      }
      window += 1
    }
  }

  /// Writes the sums to the output.
  @_alwaysEmitIntoClient @inline(__always)
  func store<Unit: TileUnit>(_ task: MatrixConvolutionTask, _ unit: inout Unit) {
    let stride = task.outputColumnStep * 4
    unsafe unit.store(.firstFirst, output(task, first), stride: stride)
    if isPairOfBlocks {
      unsafe unit.store(.firstSecond, output(task, first) + nextBlock, stride: stride)
    }
    if isPairOfPixels {
      unsafe unit.store(.secondFirst, output(task, second), stride: stride)
      if isPairOfBlocks {
        unsafe unit.store(.secondSecond, output(task, second) + nextBlock, stride: stride)
      }
    }
  }

  /// Rectifies and rounds the sums and writes them to the layer's output.
  @_alwaysEmitIntoClient @inline(__always)
  func finish<Unit: TileUnit>(_ task: MatrixLayerTask, _ scratch: Address, _ unit: inout Unit) {
    storeSums(scratch, &unit)
    finish(task, scratch, column: first, &unit)
    if isPairOfPixels { finish(task, scratch.advanced(by: 512), column: second, &unit) }
  }

  /// Writes the tiles of sums behind each other, those of both blocks of the first pixels first.
  @_alwaysEmitIntoClient @inline(__always)
  func storeSums<Unit: TileUnit>(_ scratch: Address, _ unit: inout Unit) {
    let sums = unsafe UnsafeMutableRawPointer(scratch.pointer)
    unsafe unit.store(.firstFirst, sums, stride: 64)
    if isPairOfBlocks { unsafe unit.store(.firstSecond, sums + 1024, stride: 64) }
    if isPairOfPixels {
      unsafe unit.store(.secondFirst, sums + 2048, stride: 64)
      if isPairOfBlocks { unsafe unit.store(.secondSecond, sums + 3072, stride: 64) }
    }
  }

  // Generic in the unit, so that no code for one instruction set is shared with another.
  @_alwaysEmitIntoClient @inline(__always)
  func finish<Unit: TileUnit>(
    _ task: MatrixLayerTask, _ sums: Address, column: Int, _ unit: inout Unit
  ) {
    let slope = SIMD16<Float>(repeating: task.slope)
    let step = task.convolution.outputColumnStep
    var target = task.output.advanced(
      by: row * task.convolution.outputRowStep + column * step + block * channelBlock)
    var pixel = 0
    while pixel < tileRows {
      Unit.storeRectified(
        sums.vector(at: pixel * 16, as: SIMD16<Float>.self), slope: slope, target)
      if isPairOfBlocks {
        Unit.storeRectified(
          sums.vector(at: 256 + pixel * 16, as: SIMD16<Float>.self), slope: slope,
          target.advanced(by: 16))
      }
      target = target.advanced(by: step)
      pixel += 1
    }
  }
}

/// Numbers limited to what bfloat16 holds; a NaN stays one.
@_alwaysEmitIntoClient @inline(__always)
func finite(_ values: SIMD16<Float>) -> SIMD16<Float> {
  let greatest = SIMD16<Float>(repeating: Float(bitPattern: 0x7F7F_0000))
  return less(greater(values, -greatest), greatest)
}
