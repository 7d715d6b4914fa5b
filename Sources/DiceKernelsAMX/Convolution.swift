internal import DiceKernelTemplates

/// The rows `rows` of a convolution.
func convolve(_ task: MatrixConvolutionTask, rows: Range<Int>) {
  guard !rows.isEmpty, task.width > 0 else { return }
  let tileRows = tileRowCount(task)
  Tiles.configure(rows: tileRows)
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
        convolveTiles(
          task, row: row, first: first, second: hasSecond ? second : first,
          isPairOfPixels: hasSecond, block: block,
          isPairOfBlocks: block + 1 < task.outputBlockCount)
        block += 2
      }
      column += 2 * tileRows
    }
    row += 1
  }
  Tiles.release()
}

/// The pixels of a tile: at most 16, as even as possible over the width.
///
/// Where sums are added to what is there no pixel may be covered twice.
private func tileRowCount(_ task: MatrixConvolutionTask) -> Int {
  let count = (task.width + 15) / 16
  var rows = (task.width + count - 1) / count
  if task.accumulates { while !task.width.isMultiple(of: rows) { rows -= 1 } }
  return rows
}

/// One or two tiles of pixels by one or two blocks of output channels.
@inline(__always)
private func convolveTiles(
  _ task: MatrixConvolutionTask, row: Int, first: Int, second: Int, isPairOfPixels: Bool,
  block: Int,
  isPairOfBlocks: Bool
) {
  let stepBytes = MatrixConvolutionTask.stepWeightCount * 2
  let blockBytes = task.windowCount * task.stepCount * stepBytes
  let input = task.input.advanced(by: row * task.inputRowStep)
  let firstInput = unsafe UnsafeRawPointer(
    input.advanced(by: first * task.inputColumnStep).pointer)
  let secondInput = unsafe UnsafeRawPointer(
    input.advanced(by: second * task.inputColumnStep).pointer)
  let inputStride = Int64(task.inputColumnStep * 2)
  let output = task.output.advanced(by: row * task.outputRowStep + block * channelBlock)
  let firstOutput = unsafe UnsafeMutableRawPointer(
    output.advanced(by: first * task.outputColumnStep).pointer)
  let secondOutput = unsafe UnsafeMutableRawPointer(
    output.advanced(by: second * task.outputColumnStep).pointer)
  let outputStride = Int64(task.outputColumnStep * 4)
  let nextBlock = isPairOfBlocks ? 64 : 0
  if task.accumulates {
    unsafe loadTile(0, firstOutput, outputStride)
    unsafe loadTile(1, firstOutput + nextBlock, outputStride)
    unsafe loadTile(2, secondOutput, outputStride)
    unsafe loadTile(3, secondOutput + nextBlock, outputStride)
  } else {
    // All rows begin with the same bias.
    let bias = unsafe UnsafeRawPointer(task.bias.advanced(by: block * channelBlock).pointer)
    unsafe loadTile(0, bias, 0)
    unsafe loadTile(1, bias + nextBlock, 0)
    unsafe loadTile(2, bias, 0)
    unsafe loadTile(3, bias + nextBlock, 0)
  }
  var weights = unsafe UnsafeRawPointer(task.weights.pointer) + block * blockBytes
  var window = 0
  while window < task.windowCount {
    let offset = task.windowOffset(window) * 2
    var step = 0
    while step < task.stepCount {
      let place = offset + step * (MatrixConvolutionTask.stepLength * 2)
      unsafe loadTile(6, weights, 64)
      unsafe loadTile(4, firstInput + place, inputStride)
      Tiles.addFirstFirst()
      if isPairOfPixels {
        unsafe loadTile(5, secondInput + place, inputStride)
        Tiles.addSecondFirst()
      }
      if isPairOfBlocks {
        unsafe loadTile(7, weights + blockBytes, 64)
        Tiles.addFirstSecond()
        if isPairOfPixels { Tiles.addSecondSecond() }
      }
      unsafe weights += stepBytes
      step += 1
    }
    window += 1
  }
  unsafe storeTile(0, firstOutput, outputStride)
  if isPairOfBlocks { unsafe storeTile(1, firstOutput + nextBlock, outputStride) }
  if isPairOfPixels {
    unsafe storeTile(2, secondOutput, outputStride)
    if isPairOfBlocks { unsafe storeTile(3, secondOutput + nextBlock, outputStride) }
  }
}
