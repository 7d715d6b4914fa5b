internal import DiceKernels
internal import DiceParallel

/// One layer at one input size: all addresses are known.
///
/// It owns no memory and stays as it is after its preparation.
final class PreparedStep: ParallelWork {
  enum Kind {
    case convolution(ConvolutionTask, appliesSigmoid: Bool)
    case winograd(WinogradTask, ScratchMemory)
    case matrix(MatrixStep)
    case maximum(MapTask, PoolingWindow)
    /// Factor 1 is a copy.
    case nearest(MapTask, factor: Int)
    case addition(MapTask, other: Address, otherColumnStep: Int, otherRowStep: Int)
    /// An addition whose operands keep their channels in different slots.
    case additionOfSlots(MapTask, other: Address, otherColumnStep: Int, otherRowStep: Int, SlotSum)
  }

  /// For each channel the slots of both operands; the sum has its channels side by side.
  struct SlotSum {
    var first: [Int]
    var second: [Int]
  }

  /// The border of a buffer, to be zeroed before the first layer writes into it.
  @safe struct Border {
    /// The first number of the buffer, in the corner of the border.
    var start: UnsafeMutableRawPointer
    var rowByteCount: Int
    var pixelByteCount: Int
    var halo: Int
    var height: Int
    var width: Int
    /// What kernels may read behind the last pixel.
    var endByteCount = 0

    /// Zeroes what is left and right of the given rows, and what is above the first and below the
    /// last row where these are among them.
    func clear(rows: Range<Int>) {
      if rows.lowerBound == 0 { clear(0..<halo * rowByteCount) }
      for row in rows where halo > 0 {
        let left = (row + halo) * rowByteCount
        let right = left + (halo + width) * pixelByteCount
        clear(left..<left + halo * pixelByteCount)
        clear(right..<right + halo * pixelByteCount)
      }
      if rows.upperBound == height {
        clear((height + halo) * rowByteCount..<(height + 2 * halo) * rowByteCount + endByteCount)
      }
    }

    private func clear(_ bytes: Range<Int>) {
      unsafe (start + bytes.lowerBound).initializeMemory(
        as: UInt8.self, repeating: 0, count: bytes.count)
    }
  }

  let kind: Kind
  /// Output rows.
  let height: Int
  let border: Border?
  private let backend: Backend
  /// How many parts the rows, or the tiles, are cut into.
  private let rowPartCount: Int
  /// Blocks of 16 output channels of one part, and how many parts that makes.
  private let blocksPerPart: Int
  private let blockPartCount: Int

  var partCount: Int { rowPartCount * blockPartCount }

  /// Cuts the work into parts for a number of threads.
  ///
  /// Several for each, so that all end at about the same time, but none too small to be worth
  /// handing over. What is computed stays the same.
  init(kind: Kind, height: Int, border: Border?, backend: Backend, threadCount: Int) {
    self.kind = kind
    self.height = height
    self.border = border
    self.backend = backend
    var blockCount = 1
    // The time of a step, roughly, in multiply-adds.
    var work = height
    switch kind {
    case .convolution(let task, _):
      blockCount = task.outputBlockCount
      work *= task.width * task.tapCount * task.inputChannelCount * blockCount * 16
    case .winograd(let task, _):
      work *= task.width * 3 * task.inputChannelCount * task.outputBlockCount * 16
    case .matrix(let step): work *= step.rowWork
    case .maximum(let task, let window):
      work *= task.width * task.channelCount * window.size * window.size
    case .nearest(let task, _), .addition(let task, _, _, _),
      .additionOfSlots(let task, _, _, _, _):
      work *= task.width * task.channelCount * 4
    }
    let wanted = threadCount == 1 ? 1 : max(1, min(12 * threadCount, work / 20_000))
    if case .winograd(let task, _) = kind {
      // Parts that are worked on in chunks of a good size.
      rowPartCount = max(1, min(wanted, task.tileCount / (WinogradTask.chunk * 5 / 6)))
      blocksPerPart = blockCount
      blockPartCount = 1
      return
    }
    rowPartCount = min(height, wanted)
    // Pairs of blocks stay together: kernels work on up to 32 channels at once.
    let pairCount = (blockCount + 1) / 2
    let blockParts = max(1, min(pairCount, wanted / rowPartCount))
    blocksPerPart = 2 * ((pairCount + blockParts - 1) / blockParts)
    blockPartCount = (blockCount + blocksPerPart - 1) / blocksPerPart
  }

  /// Does one part of the work; `part` is in `0..<partCount`.
  func perform(part: Int) {
    let rowPart = part % rowPartCount
    let blockPart = part / rowPartCount
    if case .winograd(let task, let scratch) = kind {
      if part == 0, let border { border.clear(rows: 0..<height) }
      scratch.withPiece { (piece) in
        backend.convolve(task, tiles: share(rowPart, of: task.tileCount), scratch: piece)
      }
      return
    }
    let rows = share(rowPart, of: height)
    if blockPart == 0, let border { border.clear(rows: rows) }
    switch kind {
    case .convolution(let task, let appliesSigmoid):
      convolve(
        blockPartCount == 1 ? task : slice(task, blockPart), appliesSigmoid: appliesSigmoid,
        rows: rows)
    case .winograd: break
    case .matrix(let step): step.perform(rows: rows)
    case .maximum(let task, let window):
      backend.poolMaximum(task, window: window, rows: rows)
    case .nearest(let task, let factor):
      backend.repeatNearest(task, factor: factor, rows: rows)
    case .addition(let task, let other, let otherColumnStep, let otherRowStep):
      backend.addMaps(
        task, other: other, otherColumnStep: otherColumnStep, otherRowStep: otherRowStep,
        rows: rows)
    case .additionOfSlots(let task, let other, let otherColumnStep, let otherRowStep, let slots):
      for y in rows {
        for x in 0..<task.width {
          let first = task.input.advanced(by: y * task.inputRowStep + x * task.inputColumnStep)
          let second = other.advanced(by: y * otherRowStep + x * otherColumnStep)
          let output = task.output.advanced(by: y * task.outputRowStep + x * task.outputColumnStep)
          for c in 0..<task.channelCount {
            output.store(
              c < slots.first.count
                ? first.scalar(at: slots.first[c]) + second.scalar(at: slots.second[c]) : 0,
              at: c)
          }
        }
      }
    }
  }

  /// What a part has of a number of rows or tiles: all parts nearly the same.
  private func share(_ part: Int, of count: Int) -> Range<Int> {
    part * count / rowPartCount..<(part + 1) * count / rowPartCount
  }

  /// The blocks of 16 output channels that belong to a part.
  private func slice(_ task: ConvolutionTask, _ blockPart: Int) -> ConvolutionTask {
    let first = blockPart * blocksPerPart
    let lanes = channelGranularity
    var slice = task
    slice.weights = task.weights.advanced(
      by: first * task.tapCount * task.inputChannelCount * lanes)
    slice.bias = task.bias.advanced(by: first * lanes)
    slice.output = task.output.advanced(by: first * lanes)
    slice.outputBlockCount = min(blocksPerPart, task.outputBlockCount - first)
    return slice
  }

  private func convolve(
    _ task: ConvolutionTask, appliesSigmoid: Bool, rows: Range<Int>
  ) {
    guard appliesSigmoid else { return backend.convolve(task, rows: rows) }
    let map = MapTask(
      input: task.output, inputColumnStep: task.outputColumnStep,
      inputRowStep: task.outputRowStep, output: task.output,
      outputColumnStep: task.outputColumnStep, outputRowStep: task.outputRowStep,
      width: task.width, channelCount: task.outputBlockCount * channelGranularity)
    // Row by row, while the sums are still in the nearest cache.
    for row in rows {
      backend.convolve(task, rows: row..<row + 1)
      backend.weightBySigmoid(map, rows: row..<row + 1)
    }
  }
}
