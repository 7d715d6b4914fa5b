internal import DiceKernels
internal import DiceParallel

/// One layer, or a part of one, at one input size: all addresses are known.
///
/// It stays as it is after its preparation.
final class PreparedStep: ParallelWork {
  /// A kind of loop.
  enum Kind {
    /// One convolution, or several that write different outputs.
    case convolutions([ConvolutionPart])
    case depthwise(DepthwiseTask)
    case winograd(WinogradTask, ScratchMemory)
    case matrixProduct(MatrixProductTask, ScratchMemory)
    case matrix(MatrixStep)
    case integers(IntegerStep)
    case maximum(MapTask, PoolingWindow)
    /// Sums over a divisor; over the number of pixels where it is 0.
    case average(MapTask, PoolingWindow, divisor: Float)
    /// Factor 1 is a copy.
    case nearest(MapTask, factor: Int)
    case interpolation(InterpolationTask)
    case combination(CombinationTask)
    /// A combination whose operands keep their channels in different slots.
    case combinationOfSlots(CombinationTask, SlotPairs)
    /// A number times another one plus a third one.
    case line(CombinationTask, CombinationTask)
    case activation(MapTask, ActivationFunction)
    /// Of pixels without gaps.
    case narrowActivation(NarrowActivation)
    case softmax(MapTask, count: Int)
    case softmaxOfColumns(MapTask, slots: [Int])
    case gathering(GatheringTask)
    case rearrangement(RearrangementTask)
    case reduction(ReductionTask)
    case ranking(RankingTask)
    case selection(SelectionTask)
    /// Only the border is cleared.
    case nothing
  }

  /// A convolution of some outputs of a layer.
  struct ConvolutionPart {
    var task: ConvolutionTask
    /// Output rows.
    var height: Int
    var finish: Finish?
  }

  let kind: Kind
  /// Output rows.
  let height: Int
  let border: Border?
  /// What follows each row; parts of convolutions have their own.
  private let finish: Finish?
  private let backend: Backend
  /// How many parts the rows, or the tiles, are cut into.
  private let rowPartCount: Int
  /// Blocks of 16 output channels, or convolutions, of one part, and how many parts that makes.
  private let blocksPerPart: Int
  private let blockPartCount: Int

  var partCount: Int { rowPartCount * blockPartCount }

  /// Cuts the work into parts for a number of threads.
  ///
  /// Several for each, so that all end at about the same time, but none too small to be worth
  /// handing over. What is computed stays the same.
  init(
    _ kind: Kind, height: Int, border: Border?, finish: Finish?, backend: Backend,
    threadCount: Int
  ) {
    self.kind = kind
    self.height = height
    self.border = border
    self.finish = finish
    self.backend = backend
    #if arch(wasm32)
      // There are no threads.
      let wanted = 1
    #else
      let wanted =
        threadCount == 1 ? 1 : max(1, min(12 * threadCount, kind.work(height) / 20_000))
    #endif
    switch kind {
    case .winograd(let task, _):
      // Parts that are worked on in chunks of a good size. Where that makes fewer than there are threads,
      // these share the output channels as well: the input is transformed by each, a weight read by one.
      rowPartCount = max(1, min(wanted, task.tileCount / (WinogradTask.chunk * 5 / 6)))
      #if arch(wasm32)
        (blocksPerPart, blockPartCount) = (1, 1)
      #else
        let shares = min(wanted, threadCount) / rowPartCount
        let blockParts = task.outputBlockCount > 2 ? max(1, shares) : 1
        blocksPerPart = (task.outputBlockCount + blockParts - 1) / blockParts
        blockPartCount = (task.outputBlockCount + blocksPerPart - 1) / blocksPerPart
      #endif
    case .matrixProduct(let task, _):
      // Blocks of a row that are packed at once are computed by one thread; the columns are shared out
      // where there are too few of them.
      rowPartCount = min(wanted, height * task.groupCount)
      blocksPerPart = task.blocksAtOnce
      blockPartCount = max(1, min(wanted / rowPartCount, task.width / 64))
    case .convolutions(let parts) where parts.count > 1:
      rowPartCount = max(1, min(height, wanted / parts.count))
      blocksPerPart = max(1, parts.count / wanted)
      blockPartCount = (parts.count + blocksPerPart - 1) / blocksPerPart
    default:
      rowPartCount = min(height, wanted)
      // Pairs of blocks stay together: kernels work on up to 32 channels at once.
      let pairCount = (kind.blockCount + 1) / 2
      let blockParts = max(1, min(pairCount, wanted / rowPartCount))
      blocksPerPart = 2 * ((pairCount + blockParts - 1) / blockParts)
      blockPartCount = (kind.blockCount + blocksPerPart - 1) / blocksPerPart
    }
  }

  /// Does one part of the work; `part` is in `0..<partCount`.
  func perform(part: Int) {
    let rowPart = part % rowPartCount
    let blockPart = part / rowPartCount
    let blocks = blockPart * blocksPerPart..<(blockPart + 1) * blocksPerPart
    if case .winograd(let task, let scratch) = kind {
      if part == 0, let border { border.clear(rows: 0..<height) }
      #if arch(wasm32)
        let slice = task
      #else
        let slice = blockPartCount == 1 ? task : task.slice(blocks)
      #endif
      scratch.withPiece { (piece) in
        backend.convolve(slice, tiles: share(rowPart, of: task.tileCount), scratch: piece)
      }
      return
    }
    if case .matrixProduct(let task, let scratch) = kind {
      if part == 0, let border { border.clear(rows: 0..<height) }
      multiply(task, rowPart, columnPart: blockPart, scratch)
      return
    }
    let rows = share(rowPart, of: height)
    if blockPart == 0, let border { border.clear(rows: rows) }
    if case .convolutions(let parts) = kind {
      convolve(parts, rowPart, blocks)
      return
    }
    guard let finish else { return perform(rows: rows, blocks) }
    // Row by row, while the results are still in the nearest cache.
    for row in rows {
      perform(rows: row..<row + 1, blocks)
      finish.perform(rows: row..<row + 1, blocks: blockPartCount == 1 ? nil : blocks, backend)
    }
  }

  /// What a part has of a number of rows or tiles: all parts nearly the same.
  private func share(_ part: Int, of count: Int) -> Range<Int> {
    part * count / rowPartCount..<(part + 1) * count / rowPartCount
  }

  private func convolve(_ parts: [ConvolutionPart], _ rowPart: Int, _ blocks: Range<Int>) {
    if parts.count == 1 {
      let task = parts[0].task
      return convolve(
        blockPartCount == 1 ? task : task.slice(blocks), parts[0].finish,
        rows: share(rowPart, of: height), blocks: blockPartCount == 1 ? nil : blocks)
    }
    for index in blocks.lowerBound..<min(blocks.upperBound, parts.count) {
      convolve(
        parts[index].task, parts[index].finish, rows: share(rowPart, of: parts[index].height),
        blocks: nil)
    }
  }

  private func convolve(
    _ task: ConvolutionTask, _ finish: Finish?, rows: Range<Int>, blocks: Range<Int>?
  ) {
    guard let finish else { return backend.convolve(task, rows: rows) }
    for row in rows {
      backend.convolve(task, rows: row..<row + 1)
      finish.perform(rows: row..<row + 1, blocks: blocks, backend)
    }
  }

  /// Does a part of all groups of blocks of all rows, and of the columns.
  private func multiply(
    _ task: MatrixProductTask, _ groupPart: Int, columnPart: Int, _ scratch: ScratchMemory
  ) {
    let columns =
      columnPart * task.width / blockPartCount..<(columnPart + 1) * task.width / blockPartCount
    var finish = finish
    finish?.map.limit(to: columns)
    for group in share(groupPart, of: height * task.groupCount) {
      let row = group / task.groupCount
      let firstBlock = group % task.groupCount * blocksPerPart
      let blocks = firstBlock..<min(firstBlock + blocksPerPart, task.blockCount)
      backend.multiply(task, row: row, columns: columns, blocks: blocks, scratch: scratch)
      finish?.perform(rows: row..<row + 1, blocks: blocks, backend)
    }
  }

  private func perform(rows: Range<Int>, _ blocks: Range<Int>) {
    switch kind {
    case .convolutions, .winograd, .matrixProduct, .nothing: break
    case .depthwise(let task): backend.convolveDepthwise(task, rows: rows)
    case .matrix(let step): step.perform(rows: rows)
    case .integers(let step): step.perform(rows: rows)
    case .maximum(let task, let window):
      backend.poolMaximum(
        blockPartCount == 1 ? task : task.slice(blocks), window: window, rows: rows)
    case .average(let task, let window, let divisor):
      backend.poolAverage(
        blockPartCount == 1 ? task : task.slice(blocks), window: window, divisor: divisor,
        rows: rows)
    case .nearest(let task, let factor):
      backend.repeatNearest(task, factor: factor, rows: rows)
    case .interpolation(let task): backend.interpolate(task, rows: rows)
    case .combination(let task): backend.combine(task, rows: rows)
    case .combinationOfSlots(let task, let channels):
      ReferenceKernels.combine(task, channels: channels, rows: rows)
    case .line(let product, let sum):
      for row in rows {
        backend.combine(product, rows: row..<row + 1)
        backend.combine(sum, rows: row..<row + 1)
      }
    case .activation(let task, let function):
      backend.activate(task, function, rows: rows)
    case .narrowActivation(let step): step.perform(rows: rows, backend)
    case .softmax(let task, let count): backend.softmax(task, count: count, rows: rows)
    case .softmaxOfColumns(let task, let slots):
      ReferenceKernels.softmaxOfColumns(task, slots: slots, rows: rows)
    case .gathering(let task): ReferenceKernels.gather(task, rows: rows)
    case .rearrangement(let task): ReferenceKernels.rearrange(task, rows: rows)
    case .reduction(let task): ReferenceKernels.reduce(task, rows: rows)
    case .ranking(let task): ReferenceKernels.rank(task, rows: rows)
    case .selection(let task): ReferenceKernels.select(task, rows: rows)
    }
  }
}

extension PreparedStep.Kind {
  /// Blocks of 16 output channels that may be computed apart from each other.
  fileprivate var blockCount: Int {
    switch self {
    case .convolutions(let parts): parts[0].task.outputBlockCount
    case .maximum(let task, _), .average(let task, _, _): task.channelCount / channelGranularity
    default: 1
    }
  }

  /// The time of a step, roughly, in multiply-adds.
  fileprivate func work(_ height: Int) -> Int {
    func numbers(_ task: MapTask) -> Int { height * task.width * task.channelCount }
    switch self {
    case .convolutions(let parts):
      var work = 0
      for part in parts {
        work +=
          part.height * part.task.width * part.task.tapCount * part.task.inputChannelCount
          * part.task.outputBlockCount * channelGranularity
      }
      return work
    case .depthwise(let task): return numbers(task.map) * task.tapCount
    case .winograd(let task, _):
      return height * task.width * 3 * task.inputChannelCount * task.outputBlockCount
        * channelGranularity
    case .matrixProduct(let task, _):
      return height * task.width * task.termCount * task.blockCount * channelGranularity
    case .matrix(let step): return height * step.rowWork
    case .integers(let step): return height * step.rowWork
    case .maximum(let task, let window), .average(let task, let window, _):
      return numbers(task) * window.rows.size * window.columns.size
    case .nearest(let task, _): return numbers(task) * 4
    case .interpolation(let task): return numbers(task.map) * 8
    case .combination(let task): return numbers(task.map) * 4
    case .line(let task, _): return numbers(task.map) * 8
    case .activation(let task, _), .softmax(let task, _), .softmaxOfColumns(let task, _):
      return numbers(task) * 20
    case .narrowActivation(let step): return height * step.width * 20
    case .combinationOfSlots(let task, let channels):
      return height * task.map.width * channels.count * 20
    case .gathering(let task): return numbers(task.map) * 10
    case .rearrangement(let task):
      return height * task.map.width * task.outputSlots.count * 40
    case .reduction(let task):
      return numbers(task.map) * task.rowCount * task.columnCount * 10
    case .ranking(let task): return height * task.inputWidth * task.inputSlots.count * 20
    case .selection(let task): return numbers(task.map) * 4
    case .nothing: return height
    }
  }
}

extension MatrixProductTask {
  /// Groups of blocks of 16 output channels that are packed at once.
  fileprivate var groupCount: Int { (blockCount + blocksAtOnce - 1) / blocksAtOnce }
}

extension MapTask {
  /// Leaves some columns of a map whose input and output are the same, or as wide.
  fileprivate mutating func limit(to columns: Range<Int>) {
    input = input.advanced(by: columns.lowerBound * inputColumnStep)
    output = output.advanced(by: columns.lowerBound * outputColumnStep)
    width = columns.count
  }

  /// The same for some blocks of 16 channels.
  func slice(_ blocks: Range<Int>) -> MapTask {
    let first = blocks.lowerBound * channelGranularity
    var slice = self
    slice.input = input.advanced(by: first)
    slice.output = output.advanced(by: first)
    slice.channelCount = min(blocks.count * channelGranularity, channelCount - first)
    return slice
  }
}

extension ConvolutionTask {
  /// The same for some blocks of 16 output channels.
  func slice(_ blocks: Range<Int>) -> ConvolutionTask {
    let first = blocks.lowerBound
    var slice = self
    slice.weights = weights.advanced(
      by: first * tapCount * inputChannelCount * channelGranularity)
    slice.bias = bias.advanced(by: first * channelGranularity)
    slice.output = output.advanced(by: first * channelGranularity)
    slice.outputBlockCount = min(blocks.count, outputBlockCount - first)
    return slice
  }
}
