public import DiceKernelTemplates

// Both values of a matrix product are computed, so the second one is packed while the network runs: a
// part of its terms for two blocks of output channels at a time, or all terms for more blocks where there
// are few, in memory that a thread has anyway. The sums are those of a convolution whose weights these are.
extension Kernels {
  /// Some columns of a row of a matrix product; the formula stands at `MatrixProductTask`.
  ///
  /// - Parameters:
  ///   - blocks: Up to `MatrixProductTask.blocksAtOnce` blocks of 16 output channels.
  ///   - scratch: Memory for `MatrixProductTask.scratchCount` floats that nobody else uses.
  public func multiply(
    _ task: MatrixProductTask, row: Int, columns: Range<Int>, blocks: Range<Int>, scratch: Address
  ) {
    let lanes = blocks.count * channelGranularity
    let packed = scratch.advanced(by: lanes)
    for lane in 0..<lanes { scratch.store(0, at: lane) }
    let firstLane = blocks.lowerBound * channelGranularity
    let first = task.first.start.advanced(by: row * task.first.rowStep)
    let output = PixelGrid(
      task.output.start.advanced(
        by: row * task.output.rowStep + columns.lowerBound * task.output.columnStep + firstLane),
      columnStep: task.output.columnStep, rowStep: 0)
    // Channels of a first value that has gaps are multiplied with zeros there.
    let count = task.packedTermCount
    var terms = 0..<0
    var start = 0
    while start < count {
      let length = min(MatrixProductTask.termsAtOnce, count - start)
      if count == task.termCount {
        terms = start..<start + length
      } else {
        terms = terms.upperBound..<terms.upperBound
        while terms.upperBound < task.termCount,
          task.first.slots[terms.upperBound] < start + length
        {
          terms = terms.lowerBound..<terms.upperBound + 1
        }
        for index in 0..<length * lanes { packed.store(0, at: index) }
      }
      for block in blocks {
        pack(
          task, row: row, block: block, terms: terms, from: start,
          to: packed.advanced(by: (block - blocks.lowerBound) * length * channelGranularity))
      }
      // More than two blocks are written some columns at a time, side by side.
      let step = blocks.count > 2 ? Self.columnsAtOnce : columns.count
      var column = columns.lowerBound
      while column < columns.upperBound {
        let part = column..<min(column + step, columns.upperBound)
        var place = output
        place.start = output.start.advanced(
          by: (column - columns.lowerBound) * output.columnStep)
        convolve(
          task, first, part, place, terms: start..<start + length, packed: packed, bias: scratch,
          blockCount: blocks.count)
        column = part.upperBound
      }
      start += length
    }
  }

  /// Columns whose inputs stay in the nearest cache while several blocks pass.
  private static let columnsAtOnce = 48

  /// Adds the sums of some terms.
  private func convolve(
    _ task: MatrixProductTask, _ first: Address, _ columns: Range<Int>,
    _ output: PixelGrid<Address>, terms: Range<Int>, packed: Address, bias: Address, blockCount: Int
  ) {
    guard task.first.isTransposed else {
      let input = first.advanced(
        by: columns.lowerBound * task.first.columnStep + terms.lowerBound)
      convolve(
        ConvolutionTask(
          input: PixelGrid(input, columnStep: task.first.columnStep, rowStep: 0),
          taps: task.termOffsets, inputChannelCount: terms.count, weights: packed, bias: bias,
          output: output, outputBlockCount: blockCount, width: columns.count,
          accumulates: terms.lowerBound > 0), rows: 0..<1)
      return
    }
    var offsets = task.termOffsets
    offsets.count = terms.count
    // Output columns are channels of the first value: those that lie side by side at once.
    var column = columns.lowerBound
    while column < columns.upperBound {
      var end = column + 1
      if task.first.isPlain {
        end = columns.upperBound
      } else {
        while end < columns.upperBound, task.first.slots[end] == task.first.slots[end - 1] + 1 {
          end += 1
        }
      }
      let input = first.advanced(
        by: terms.lowerBound * task.first.columnStep + task.first.slots[column])
      let place = output.start.advanced(by: (column - columns.lowerBound) * output.columnStep)
      convolve(
        ConvolutionTask(
          input: PixelGrid(input, columnStep: 1, rowStep: 0), taps: offsets, inputChannelCount: 1,
          weights: packed, bias: bias,
          output: PixelGrid(place, columnStep: output.columnStep, rowStep: 0),
          outputBlockCount: blockCount, width: end - column, accumulates: terms.lowerBound > 0),
        rows: 0..<1)
      column = end
    }
  }

  /// Packs some terms of a block of output channels: `[term][16]`.
  ///
  /// - Parameter start: The term, or the slot of the first value, that comes first in `target`.
  private func pack(
    _ task: MatrixProductTask, row: Int, block: Int, terms: Range<Int>, from start: Int,
    to target: Address
  ) {
    let operand = task.second
    let isInOrder = task.first.isTransposed || task.first.isPlain
    let source = operand.start.advanced(by: row * operand.rowStep)
    let firstLane = block * channelGranularity
    let laneCount = min(channelGranularity, task.channelCount - firstLane)
    for term in terms {
      let slot = isInOrder ? term : task.first.slots[term]
      let line = target.advanced(by: (slot - start) * channelGranularity)
      if operand.isTransposed {
        let place = source.advanced(by: firstLane * operand.columnStep + operand.slots[term])
        for lane in 0..<laneCount {
          line.store(place.scalar(at: lane * operand.columnStep), at: lane)
        }
        for lane in laneCount..<channelGranularity { line.store(0, at: lane) }
      } else if operand.isPlain {
        let place = source.advanced(by: term * operand.columnStep + firstLane)
        line.store(place.vector(at: 0, as: SIMD16<Float>.self), at: 0)
      } else {
        let place = source.advanced(by: term * operand.columnStep)
        for lane in 0..<laneCount {
          line.store(place.scalar(at: operand.slots[firstLane + lane]), at: lane)
        }
        for lane in laneCount..<channelGranularity { line.store(0, at: lane) }
      }
    }
  }
}
