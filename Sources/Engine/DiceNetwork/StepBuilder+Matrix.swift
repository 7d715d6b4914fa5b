internal import DiceKernels
internal import DiceWeights

// Layers whose activations are bfloat16 numbers.
extension StepBuilder {
  mutating func appendMatrixSteps(_ operation: Operation, _ target: Int, _ index: Int) {
    guard let kernels = plan.matrixKernels else { return }
    let height = region(target).height
    var works: [MatrixStep.Work] = []
    switch operation.layer {
    case .convolution(let layer):
      guard let sums = plan.packed[index].sums, case .matrix(let windows) = sums.method else {
        return
      }
      works = [convolution(layer, sums, windows, target, isOutput: graph.isOutput[index])]
    case .resizing(let layer):
      works = [
        .nearest(
          enlargement(
            value(layer.input), target, channelOffset: 0, factor: layer.repetition ?? 1))
      ]
    case .concatenation:
      works = graph.copies[index].map { (copy) in
        .nearest(
          enlargement(
            copy.source, target,
            channelOffset: copy.channelOffset - graph.placement(target).channelOffset, factor: 1))
      }
    default: break
    }
    for work in works {
      append(
        .matrix(MatrixStep(work: work, kernels: kernels, scratch: scratch)), height: height)
    }
  }

  private mutating func convolution(
    _ layer: Layer.Convolution, _ sums: PackedSums, _ windows: PackedSums.Windows, _ target: Int,
    isOutput: Bool
  ) -> MatrixStep.Work {
    let source = value(layer.input)
    let (input, output) = (region(source), region(target))
    // The first value of each window.
    let left = layer.window.padding.left * input.channelStep
    let offsets = (0..<windows.count).map { (row) in
      (row * layer.window.dilationY - layer.window.padding.top) * input.rowStep - left
    }
    let task = unsafe MatrixConvolutionTask(
      input: PixelGrid(
        narrowOrigin(source), columnStep: sums.strideX * input.channelStep,
        rowStep: sums.strideY * input.rowStep),
      windows: OffsetList(table(offsets), count: windows.count), stepCount: windows.stepCount,
      weights: BFloat16Address(plan.weights.address(sums.parts[0].weightOffset)),
      bias: plan.weights.address(sums.biasOffset),
      output: PixelGrid(origin(target), columnStep: output.channelStep, rowStep: output.rowStep),
      outputBlockCount: sums.parts[0].blocks.count, width: output.width)
    if isOutput { return .last(task) }
    let layerTask = MatrixLayerTask(
      convolution: task, output: narrowOrigin(target), slope: sums.slope)
    guard case .input = layer.input else { return .layer(layerTask) }
    return .first(layerTask, Self.floatInput(layer.window, input, arena))
  }

  /// How a layer reads an input of the network.
  static func floatInput(
    _ window: Layer.Window, _ input: ArenaLayout.Region, _ arena: FloatStorage
  ) -> MatrixStep.FloatInput {
    MatrixStep.FloatInput(
      start: arena.address(input.offset), region: input, stride: window.strideY,
      span: window.spanY, padding: window.padding.top)
  }

  /// The first channel of the top left pixel of a value that is kept as bfloat16 numbers: they take the
  /// first half of the buffer's memory.
  private func narrowOrigin(_ value: Int) -> BFloat16Address {
    arena.narrowAddress(layout, graph.placement(value))
  }

  private func enlargement(
    _ source: Int, _ target: Int, channelOffset: Int, factor: Int
  ) -> MatrixStep.Enlargement {
    let (input, output) = (region(source), region(target))
    return MatrixStep.Enlargement(
      input: narrowOrigin(source), inputColumnStep: input.channelStep,
      inputRowStep: input.rowStep,
      output: narrowOrigin(target).advanced(by: channelOffset),
      outputColumnStep: output.channelStep, outputRowStep: output.rowStep, width: output.width,
      channelCount: graph.values[source].paddedChannelCount, factor: factor)
  }
}

extension FloatStorage {
  /// The first channel of the top left pixel of a value that is kept as bfloat16 numbers.
  func narrowAddress(_ layout: ArenaLayout, _ placement: Placement) -> BFloat16Address {
    let region = layout.regions[placement.buffer]
    return BFloat16Address(address(region.offset)).advanced(
      by: region.origin - region.offset + placement.channelOffset)
  }
}
