internal import DiceKernels
internal import DiceWeights

// Layers whose activations are 8-bit integers. Maps of integers are maps of floats with a quarter of the
// channels: steps and offsets are counted in groups of four.
extension StepBuilder {
  mutating func appendIntegerSteps(_ operation: Operation, _ target: Int, _ index: Int) {
    let height = region(target).height
    switch operation.layer {
    case .convolution(let layer):
      guard let sums = plan.packed[index].sums, case .integers(let windows) = sums.method else {
        return
      }
      append(convolution(layer, sums, windows, target, isOutput: graph.isOutput[index]), height)
    case .resizing(let layer):
      append(
        .nearest(copy(value(layer.input), target, offset: 0), factor: layer.repetition ?? 1),
        height)
    case .concatenation:
      for part in graph.copies[index] {
        let offset = part.channelOffset - graph.placement(target).channelOffset
        append(.nearest(copy(part.source, target, offset: offset), factor: 1), height)
      }
    default: break
    }
  }

  /// Adds a layer of whole numbers in a plan of floats: integers on the way to the sums, floats again behind them.
  mutating func appendExactSums(
    _ layer: Layer.Convolution, _ sums: PackedSums, _ windows: PackedSums.IntegerWindows,
    _ target: Int, _ requantization: Requantization
  ) {
    let work = convolution(layer, sums, windows, target, isOutput: true)
    guard case .layer(var task) = work else { return }
    task.requantization = requantization
    let source = value(layer.input)
    append(
      .first(
        task,
        Self.integerInput(layer.window, region(source), arena, windows, graph.placement(source))
      ), region(target).height)
  }

  private mutating func append(_ work: IntegerStep.Work, _ height: Int) {
    append(
      .integers(IntegerStep(work: work, kernels: plan.integerKernels, scratch: scratch)),
      height: height)
  }

  private mutating func convolution(
    _ layer: Layer.Convolution, _ sums: PackedSums, _ windows: PackedSums.IntegerWindows,
    _ target: Int, isOutput: Bool
  ) -> IntegerStep.Work {
    let source = value(layer.input)
    let (input, output) = (region(source), region(target))
    let columnStep = windows.pixelStep / 4
    let rowStep = input.rowStep / input.channelStep * columnStep
    // The first group of each window.
    let left = layer.window.padding.left * columnStep
    let offsets = (0..<windows.count).map { (row) in
      (row * layer.window.dilationY - layer.window.padding.top) * rowStep - left
    }
    let shrink = isOutput ? 1 : 4
    let convolution = unsafe ConvolutionTask(
      input: PixelGrid(
        integerOrigin(source), columnStep: sums.strideX * columnStep,
        rowStep: sums.strideY * rowStep),
      taps: OffsetList(table(offsets), count: windows.count),
      inputChannelCount: windows.groupCount,
      weights: plan.weights.address(sums.parts[0].weightOffset),
      bias: plan.weights.address(sums.biasOffset),
      output: PixelGrid(
        isOutput ? origin(target) : integerOrigin(target), columnStep: output.channelStep / shrink,
        rowStep: output.rowStep / shrink),
      outputBlockCount: sums.parts[0].blocks.count, width: output.width)
    let task = IntegerLayerTask(
      convolution: convolution, scales: plan.weights.address(windows.scalesOffset),
      slope: sums.slope, zero: Float(windows.output.zero), writesFloats: isOutput)
    guard case .input = layer.input, !windows.isExact else { return .layer(task) }
    return .first(
      task, Self.integerInput(layer.window, input, arena, windows, graph.placement(source)))
  }

  /// How a layer reads a value of floats.
  static func integerInput(
    _ window: Layer.Window, _ input: ArenaLayout.Region, _ arena: FloatStorage,
    _ windows: PackedSums.IntegerWindows, _ placement: Placement
  ) -> IntegerStep.FloatInput {
    var rows = floatInput(window, input, arena)
    rows.start = rows.start.advanced(by: placement.channelOffset)
    return IntegerStep.FloatInput(
      rows: rows, groupCount: windows.pixelStep / 4, quantization: windows.input,
      repeats: windows.repeats)
  }

  /// The first channel of the top left pixel of a value that is kept as integers: they take the first
  /// quarter of the buffer's memory.
  private func integerOrigin(_ value: Int) -> Address {
    arena.integerAddress(layout, graph.placement(value))
  }

  private func copy(_ source: Int, _ target: Int, offset: Int) -> MapTask {
    let (input, output) = (region(source), region(target))
    return MapTask(
      input: integerOrigin(source), inputColumnStep: input.channelStep / 4,
      inputRowStep: input.rowStep / 4, output: integerOrigin(target).advanced(by: offset / 4),
      outputColumnStep: output.channelStep / 4, outputRowStep: output.rowStep / 4,
      width: output.width, channelCount: graph.values[source].paddedChannelCount / 4)
  }
}

extension FloatStorage {
  /// The first channel of the top left pixel of a value that is kept as integers.
  func integerAddress(_ layout: ArenaLayout, _ placement: Placement) -> Address {
    let region = layout.regions[placement.buffer]
    return address(region.offset + (region.origin - region.offset + placement.channelOffset) / 4)
  }
}
