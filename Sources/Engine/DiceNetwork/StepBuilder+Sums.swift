internal import DiceKernels
internal import DiceWeights

// Convolutions, transposed convolutions and dense layers.
extension StepBuilder {
  /// Adds the steps of a layer of sums.
  mutating func appendSums(
    _ sums: PackedSums, _ operation: Operation, _ target: Int, _ functions: [ActivationFunction]
  ) {
    let source = value(operation.layer.sources[0])
    // The kernels rectify by themselves.
    var functions = functions
    if case .leakyReLU = operation.activation { functions.removeFirst() }
    let output = region(target)
    switch sums.method {
    case .depthwise:
      var task = depthwise(sums, source, target)
      var keepsGaps = true
      if DepthwiseTask.requantizes, case .requantization(let requantization)? = functions.first {
        task.requantization = requantization
        keepsGaps = functions.removeFirst().keepsZero
      }
      append(
        .depthwise(task), height: output.height,
        finish: finish(target, functions, keepsGaps: keepsGaps))
    case .winograd(let form, let offset)
    where Self.usesWinograd(form, height: output.height, width: output.width):
      append(
        .winograd(winograd(sums, form, at: offset, source, target), scratch),
        height: output.height)
    case .direct, .winograd:
      var parts: [PreparedStep.ConvolutionPart] = []
      for part in sums.parts {
        guard let part = convolution(part, of: sums, source, target, functions) else { continue }
        parts += part.alongTiles(threadCount: threadCount)
      }
      guard let first = parts.first else { return }
      let hasRows = parts.contains { (part) in part.height > 1 }
      append(
        .convolutions(parts),
        height: parts.count == 1 || !hasRows ? first.height : output.height)
    case .integers(let windows):
      guard IntegerKernels.areBuilt, case .convolution(let layer) = operation.layer,
        case .requantization(let requantization)? = functions.first
      else { break }
      appendExactSums(layer, sums, windows, target, requantization)
    case .matrix: break
    }
  }

  /// Whether a map is large enough for Winograd's method.
  ///
  /// On maps of a few tiles, the tiles reach far over the edge and fill few registers. With stride 2, where less is saved, three quarters of the tiles have to
  /// lie inside.
  static func usesWinograd(_ form: WinogradForm, height: Int, width: Int) -> Bool {
    let tileCount = WinogradForm.tileCount(height: height, width: width)
    return tileCount >= 9 && (form.stride == 1 || height * width >= 12 * tileCount)
  }

  /// A part of a layer as a convolution; nil where the output has no pixel of it.
  private mutating func convolution(
    _ part: PackedSums.Part, of sums: PackedSums, _ source: Int, _ target: Int,
    _ functions: [ActivationFunction]
  ) -> PreparedStep.ConvolutionPart? {
    let (input, output) = (region(source), region(target))
    guard part.firstRow < output.height, part.firstColumn < output.width else { return nil }
    let height = (output.height - part.firstRow - 1) / sums.outputStepY + 1
    let width = (output.width - part.firstColumn - 1) / sums.outputStepX + 1
    var offsets: [Int] = []
    if sums.coversInput {
      for index in 0..<part.tapCount {
        offsets.append(
          index / input.width * input.rowStep + index % input.width * input.channelStep)
      }
    } else {
      for tap in part.taps {
        offsets.append(tap.row * input.rowStep + tap.column * input.channelStep)
      }
    }
    // Where all floats of a pixel are read, those of a kernel row lie side by side, in the input as
    // among the weights: one tap for each row does the same sums in the same order.
    let run = part.slots.count == input.channelStep ? Self.runLength(offsets, input.channelStep) : 1
    if run > 1 {
      offsets = stride(from: 0, to: offsets.count, by: run).map { (index) in offsets[index] }
    }
    let firstBlock = part.blocks.lowerBound * channelGranularity
    let task = unsafe ConvolutionTask(
      input: PixelGrid(
        origin(source).advanced(by: part.slots.lowerBound),
        columnStep: sums.strideX * input.channelStep,
        rowStep: sums.strideY * input.rowStep),
      taps: OffsetList(table(offsets), count: offsets.count),
      inputChannelCount: run * part.slots.count,
      weights: plan.weights.address(part.weightOffset),
      bias: plan.weights.address(sums.biasOffset + firstBlock),
      output: PixelGrid(
        origin(target).advanced(
          by: part.firstRow * output.rowStep + part.firstColumn * output.channelStep + firstBlock),
        columnStep: sums.outputStepX * output.channelStep,
        rowStep: sums.outputStepY * output.rowStep),
      outputBlockCount: part.blocks.count, width: width, slope: sums.slope)
    var finish: PreparedStep.Finish?
    if !functions.isEmpty {
      let count = part.blocks.count * channelGranularity
      let gaps = functions.keepZero ? [] : graph.values[target].gaps
      finish = PreparedStep.Finish(
        map: MapTask(
          input: task.output, inputColumnStep: task.outputColumnStep,
          inputRowStep: task.outputRowStep, output: task.output,
          outputColumnStep: task.outputColumnStep, outputRowStep: task.outputRowStep,
          width: width, channelCount: count),
        functions: functions.map { (function) in function.advanced(by: firstBlock) },
        gaps: gaps.filter { (gap) in gap >= firstBlock && gap < firstBlock + count }
          .map { (gap) in gap - firstBlock })
    }
    return PreparedStep.ConvolutionPart(task: task, height: height, finish: finish)
  }

  /// The length of the runs that taps fall into which read neighbouring pixels, all equal; 1 where they
  /// are not.
  private static func runLength(_ offsets: [Int], _ step: Int) -> Int {
    var length = 1
    while length < offsets.count && offsets[length] == offsets[length - 1] + step { length += 1 }
    guard length > 1, offsets.count % length == 0 else { return 1 }
    for index in 1..<offsets.count where index % length != 0 {
      if offsets[index] != offsets[index - 1] + step { return 1 }
    }
    return length
  }

  private func winograd(
    _ sums: PackedSums, _ form: WinogradForm, at offset: Int, _ source: Int, _ target: Int
  ) -> WinogradTask {
    let (input, output) = (region(source), region(target))
    let tap = sums.parts[0].taps[0]
    return WinogradTask(
      form,
      input: PixelGrid(
        origin(source).advanced(by: tap.row * input.rowStep + tap.column * input.channelStep),
        columnStep: input.channelStep, rowStep: input.rowStep),
      inputChannelCount: sums.parts[0].slots.count, weights: plan.weights.address(offset),
      bias: plan.weights.address(sums.biasOffset),
      output: PixelGrid(origin(target), columnStep: output.channelStep, rowStep: output.rowStep),
      outputBlockCount: sums.parts[0].blocks.count, size: (output.height, output.width),
      slope: sums.slope)
  }

  private mutating func depthwise(
    _ sums: PackedSums, _ source: Int, _ target: Int
  ) -> DepthwiseTask {
    let input = region(source)
    let part = sums.parts[0]
    var map = map(source, target)
    map.inputColumnStep = sums.strideX * input.channelStep
    map.inputRowStep = sums.strideY * input.rowStep
    let offsets = part.taps.map { (tap) in
      tap.row * input.rowStep + tap.column * input.channelStep
    }
    return unsafe DepthwiseTask(
      map: map, tapOffsets: table(offsets), tapCount: offsets.count,
      weights: plan.weights.address(part.weightOffset),
      bias: plan.weights.address(sums.biasOffset), weightStep: part.slots.count,
      slope: sums.slope)
  }
}

extension PreparedStep.ConvolutionPart {
  /// The most columns that a map of one column becomes: their inputs and outputs stay in the caches while
  /// all weights pass.
  private static let columnLimit = 48
  /// What the tiles of all instruction sets divide.
  private static let columnGroup = 12

  /// The same sums as parts whose tiles are full.
  ///
  /// Tiles run along a row. A sequence has one column: its rows are taken as the columns of a single row,
  /// some at a time.
  ///
  /// - Parameter threadCount: The threads that share the parts.
  fileprivate func alongTiles(threadCount: Int) -> [PreparedStep.ConvolutionPart] {
    guard task.width == 1, height > 1 else { return [self] }
    let share = (height + 3 * threadCount - 1) / (3 * threadCount)
    let groups = (share + Self.columnGroup - 1) / Self.columnGroup
    let count =
      threadCount == 1 ? Self.columnLimit : min(Self.columnLimit, groups * Self.columnGroup)
    return stride(from: 0, to: height, by: count).map { (row) in
      columns(row..<min(row + count, height))
    }
  }

  /// Some rows of a part that has one column, as columns.
  private func columns(_ rows: Range<Int>) -> PreparedStep.ConvolutionPart {
    var part = self
    part.height = 1
    part.task.input = task.input.advanced(by: rows.lowerBound * task.inputRowStep)
    part.task.inputColumnStep = task.inputRowStep
    part.task.output = task.output.advanced(by: rows.lowerBound * task.outputRowStep)
    part.task.outputColumnStep = task.outputRowStep
    part.task.width = rows.count
    guard let map = finish?.map else { return part }
    part.finish?.map.input = map.input.advanced(by: rows.lowerBound * map.inputRowStep)
    part.finish?.map.inputColumnStep = map.inputRowStep
    part.finish?.map.output = map.output.advanced(by: rows.lowerBound * map.outputRowStep)
    part.finish?.map.outputColumnStep = map.outputRowStep
    part.finish?.map.width = rows.count
    return part
  }
}
