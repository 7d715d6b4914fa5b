#if arch(x86_64) && os(Linux)
  internal import DiceKernelTemplates

  /// The rows `rows` of a convolution into floats.
  func convolve(_ task: MatrixConvolutionTask, rows: Range<Int>) {
    forEachPair(task, rows: rows) { (pair) in
      pair.sum(task)
      pair.store(task)
    }
  }

  /// The rows `rows` of a layer into bfloat16 numbers.
  ///
  /// - Parameter scratch: memory for four tiles of sums, 1024 floats.
  func convolve(_ task: MatrixLayerTask, rows: Range<Int>, scratch: Address) {
    forEachPair(task.convolution, rows: rows) { (pair) in
      pair.sum(task.convolution)
      pair.finish(task, scratch)
    }
  }

  /// One or two tiles of pixels by one or two blocks of output channels.
  private struct TilePair {
    var row: Int
    /// The first pixels of both tiles; equal where there is one.
    var first: Int
    var second: Int
    var isPairOfPixels: Bool
    var block: Int
    var isPairOfBlocks: Bool
    var tileRows: Int
  }

  /// Calls `body` for everything that the tiles are filled with at once.
  @inline(__always)
  private func forEachPair(
    _ task: MatrixConvolutionTask, rows: Range<Int>, _ body: (TilePair) -> Void
  ) {
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
          body(
            TilePair(
              row: row, first: first, second: hasSecond ? second : first, isPairOfPixels: hasSecond,
              block: block, isPairOfBlocks: block + 1 < task.outputBlockCount, tileRows: tileRows))
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

  extension TilePair {
    /// The first output of a tile of pixels.
    @inline(__always)
    private func output(_ task: MatrixConvolutionTask, _ column: Int) -> UnsafeMutableRawPointer {
      unsafe UnsafeMutableRawPointer(
        task.output.advanced(
          by: row * task.outputRowStep + column * task.outputColumnStep + block * channelBlock
        ).pointer)
    }

    /// Bytes from the first block of output channels to the second.
    @inline(__always)
    private var nextBlock: Int { isPairOfBlocks ? 64 : 0 }

    /// Fills the tiles of sums.
    @inline(__always)
    func sum(_ task: MatrixConvolutionTask) {
      let stepBytes = MatrixConvolutionTask.stepWeightCount * 2
      let blockBytes = task.windowCount * task.stepCount * stepBytes
      let input = task.input.advanced(by: row * task.inputRowStep)
      let firstInput = unsafe UnsafeRawPointer(
        input.advanced(by: first * task.inputColumnStep).pointer)
      let secondInput = unsafe UnsafeRawPointer(
        input.advanced(by: second * task.inputColumnStep).pointer)
      let inputStride = Int64(task.inputColumnStep * 2)
      if task.accumulates {
        let outputStride = Int64(task.outputColumnStep * 4)
        unsafe loadTile(0, output(task, first), outputStride)
        unsafe loadTile(1, output(task, first) + nextBlock, outputStride)
        unsafe loadTile(2, output(task, second), outputStride)
        unsafe loadTile(3, output(task, second) + nextBlock, outputStride)
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
    }

    /// Writes the sums to the output.
    @inline(__always)
    func store(_ task: MatrixConvolutionTask) {
      let stride = Int64(task.outputColumnStep * 4)
      unsafe storeTile(0, output(task, first), stride)
      if isPairOfBlocks { unsafe storeTile(1, output(task, first) + nextBlock, stride) }
      if isPairOfPixels {
        unsafe storeTile(2, output(task, second), stride)
        if isPairOfBlocks { unsafe storeTile(3, output(task, second) + nextBlock, stride) }
      }
    }

    /// Rectifies and rounds the sums and writes them to the layer's output.
    @inline(__always)
    func finish(_ task: MatrixLayerTask, _ scratch: Address) {
      let sums = unsafe UnsafeMutableRawPointer(scratch.pointer)
      unsafe storeTile(0, sums, 64)
      if isPairOfBlocks { unsafe storeTile(1, sums + 1024, 64) }
      if isPairOfPixels {
        unsafe storeTile(2, sums + 2048, 64)
        if isPairOfBlocks { unsafe storeTile(3, sums + 3072, 64) }
      }
      finish(task, scratch, column: first)
      if isPairOfPixels { finish(task, scratch.advanced(by: 512), column: second) }
    }

    @inline(__always)
    private func finish(_ task: MatrixLayerTask, _ sums: Address, column: Int) {
      let slope = SIMD16<Float>(repeating: task.slope)
      let step = task.convolution.outputColumnStep
      var target = task.output.advanced(
        by: row * task.convolution.outputRowStep + column * step + block * channelBlock)
      var pixel = 0
      while pixel < tileRows {
        let value = finite(
          leakyRectified(sums.vector(at: pixel * 16, as: SIMD16<Float>.self), slope: slope))
        target.store(SIMD16<UInt16>(truncatingIfNeeded: bfloat16Bits(value)), at: 0)
        if isPairOfBlocks {
          let next = finite(
            leakyRectified(sums.vector(at: 256 + pixel * 16, as: SIMD16<Float>.self), slope: slope))
          target.store(SIMD16<UInt16>(truncatingIfNeeded: bfloat16Bits(next)), at: 16)
        }
        target = target.advanced(by: step)
        pixel += 1
      }
    }
  }

  /// Numbers limited to what bfloat16 holds; a NaN becomes the least of them.
  @inline(__always)
  private func finite(_ values: SIMD16<Float>) -> SIMD16<Float> {
    let greatest = SIMD16<Float>(repeating: Float(bitPattern: 0x7F7F_0000))
    let low = values.replacing(with: -greatest, where: .!(values .>= -greatest))
    return low.replacing(with: greatest, where: low .> greatest)
  }
#endif
