internal import DiceKernels
internal import DiceWeights

/// A plan at one input size: the arena, the tap offsets and the steps with all their addresses.
struct Workspace {
  let width: Int
  let height: Int
  let layout: ArenaLayout
  let arena: FloatStorage
  private(set) var steps: [PreparedStep] = []
  /// For each layer, how many steps it and those before it have.
  private(set) var layerStepEnds: [Int] = []
  private let tapOffsets: OffsetStorage
  /// What each thread that works on a convolution by Winograd's method writes into.
  private let scratch: ScratchMemory

  /// Prepares a size; takes over the memory of an earlier workspace where it is large enough.
  init(
    plan: NetworkPlan, width: Int, height: Int, keepsFeatureMaps: Bool, threadCount: Int,
    reusing arena: FloatStorage?
  ) throws(NetworkError) {
    try NetworkPlan.check(width: width, height: height)
    layout = try ArenaLayout(
      graph: plan.graph, width: width, height: height, keepsAll: keepsFeatureMaps,
      spareCount: plan.precision == .bfloat16 ? MatrixConvolutionTask.stepLength / 2 : 0,
      ownsMemory: { (buffer) in plan.precision == .bfloat16 && plan.holdsFloats(buffer) })
    if let arena, arena.count >= layout.floatCount {
      arena.clear()
      self.arena = arena
    } else {
      self.arena = FloatStorage(count: layout.floatCount)
    }
    self.width = width
    self.height = height
    tapOffsets = Self.offsets(plan, layout)
    scratch = ScratchMemory(
      floatCount: Self.scratchFloatCount(plan, layout), threadCount: threadCount)
    var nextTap = 0
    for index in plan.layers.indices {
      appendSteps(of: index, plan, threadCount: threadCount, nextTap: &nextTap)
      layerStepEnds.append(steps.count)
    }
  }

  /// The first channel of the top left pixel of a value.
  func origin(_ value: Int, _ graph: Graph) -> Address {
    let placement = graph.placements[value]
    return arena.address(layout.regions[placement.buffer].origin + placement.channelOffset)
  }

  func region(_ value: Int, _ graph: Graph) -> ArenaLayout.Region {
    layout.regions[graph.placements[value].buffer]
  }

  /// The tap offsets of all convolutions, one after the other.
  private static func offsets(_ plan: NetworkPlan, _ layout: ArenaLayout) -> OffsetStorage {
    var offsets: [Int] = []
    for case .convolution(let layer) in plan.layers {
      let placement = plan.graph.placements[Graph.value(layer.input)]
      let region = layout.regions[placement.buffer]
      if plan.precision == .bfloat16 {
        // The first value of each window.
        for row in 0..<layer.kernelSize {
          offsets.append(
            (row - layer.padding) * region.rowStep - layer.padding * region.channelStep)
        }
        continue
      }
      let taps = DiceKernels.tapOffsets(
        kernelSize: layer.kernelSize, padding: layer.padding, rowStep: region.rowStep,
        columnStep: region.channelStep)
      let joinsRow = region.channelStep == plan.graph.values[Graph.value(layer.input)].slotCount
      for (tap, offset) in taps.enumerated() where !joinsRow || tap % layer.kernelSize == 0 {
        offsets.append(offset)
      }
    }
    return OffsetStorage(offsets)
  }

  /// The floats that the largest convolution by Winograd's method works with.
  private static func scratchFloatCount(_ plan: NetworkPlan, _ layout: ArenaLayout) -> Int {
    var greatest = plan.precision == .bfloat16 ? MatrixLayerTask.scratchCount : 0
    if plan.precision == .bfloat16 {
      for case .convolution(let layer) in plan.layers where layer.input == .input {
        greatest = max(
          greatest,
          MatrixStep.scratchCount(
            kernelSize: layer.kernelSize, stride: layer.stride,
            rowStep: layout.regions[plan.graph.placements[0].buffer].rowStep))
      }
    }
    for (index, packed) in plan.convolutions.enumerated() {
      let region = layout.regions[plan.graph.placements[index + 1].buffer]
      guard let packed, usesWinograd(packed, height: region.height, width: region.width) else {
        continue
      }
      greatest = max(
        greatest,
        WinogradTask.scratchCount(
          inputChannelCount: packed.slotCount,
          outputBlockCount: paddedChannelCount(packed.layer.outputChannels) / channelGranularity))
    }
    return greatest
  }

  /// Whether a convolution is computed by Winograd's method: not on maps of a few tiles, where the
  /// tiles reach far over the edge and fill few registers.
  private static func usesWinograd(
    _ packed: PackedConvolution, height: Int, width: Int
  ) -> Bool {
    packed.winogradOffset != nil && ((height + 3) / 4) * ((width + 3) / 4) >= 9
  }

  private mutating func appendSteps(
    of index: Int, _ plan: NetworkPlan, threadCount: Int, nextTap: inout Int
  ) {
    let graph = plan.graph
    let output = region(index + 1, graph)
    var border: PreparedStep.Border?
    let buffer = graph.placements[index + 1].buffer
    if graph.buffers[buffer].firstStep == index, output.isShared {
      let isNarrow = plan.precision == .bfloat16 && !graph.feedsHead(index)
      let size = isNarrow ? 2 : 4
      if output.halo > 0 || isNarrow {
        border = unsafe PreparedStep.Border(
          start: UnsafeMutableRawPointer(arena.address(output.offset).pointer),
          rowByteCount: output.rowStep * size, pixelByteCount: output.channelStep * size,
          halo: output.halo, height: output.height, width: output.width,
          endByteCount: isNarrow ? MatrixConvolutionTask.stepLength * 2 : 0)
      }
    }
    func append(_ kind: PreparedStep.Kind) {
      steps.append(
        PreparedStep(
          kind: kind, height: output.height, border: border, backend: plan.backend,
          threadCount: threadCount))
      border = nil
    }
    if plan.precision == .bfloat16 {
      for step in matrixSteps(of: index, plan, nextTap: &nextTap) { append(.matrix(step)) }
      return
    }
    switch plan.layers[index] {
    case .convolution(let layer):
      guard let packed = plan.convolutions[index] else { return }
      let task = convolution(layer, packed, index, plan, tap: nextTap)
      nextTap += task.tapCount
      if let offset = packed.winogradOffset,
        Self.usesWinograd(packed, height: output.height, width: output.width)
      {
        append(
          .winograd(
            winograd(task, packed, at: offset, height: output.height, plan), scratch))
        return
      }
      append(.convolution(task, appliesSigmoid: layer.activation == .sigmoidWeighted))
    case .maxPooling(let layer):
      let source = Graph.value(layer.input)
      let input = region(source, graph)
      append(
        .maximum(
          map(source, index + 1, graph),
          PoolingWindow(
            size: layer.size, stride: layer.stride, padding: layer.padding,
            inputHeight: input.height, inputWidth: input.width)))
    case .upsampling(let layer):
      append(
        .nearest(map(Graph.value(layer.input), index + 1, graph), factor: layer.factor))
    case .concatenation:
      for copy in graph.copies[index] {
        var task = map(copy.source, index + 1, graph)
        task.output = arena.address(output.origin + copy.channelOffset)
        append(.nearest(task, factor: 1))
      }
    case .addition(let layer):
      let first = Graph.value(layer.first)
      let second = Graph.value(layer.second)
      let other = region(second, graph)
      var task = map(first, index + 1, graph)
      task.channelCount = graph.values[index + 1].paddedChannelCount
      if graph.values[first].slots == graph.values[second].slots {
        append(
          .addition(
            task, other: origin(second, graph), otherColumnStep: other.channelStep,
            otherRowStep: other.rowStep))
      } else {
        append(
          .additionOfSlots(
            task, other: origin(second, graph), otherColumnStep: other.channelStep,
            otherRowStep: other.rowStep,
            PreparedStep.SlotSum(
              first: graph.values[first].slots, second: graph.values[second].slots)))
      }
    case .detectionHead: break
    }
  }

  /// From all slots of one value to the same slots of another.
  private func map(_ source: Int, _ target: Int, _ graph: Graph) -> MapTask {
    let input = region(source, graph)
    let output = region(target, graph)
    return MapTask(
      input: origin(source, graph), inputColumnStep: input.channelStep,
      inputRowStep: input.rowStep, output: origin(target, graph),
      outputColumnStep: output.channelStep, outputRowStep: output.rowStep, width: output.width,
      channelCount: graph.values[source].paddedChannelCount)
  }

  private func convolution(
    _ layer: Layer.Convolution, _ packed: PackedConvolution, _ index: Int, _ plan: NetworkPlan,
    tap: Int
  ) -> ConvolutionTask {
    let source = Graph.value(layer.input)
    let input = region(source, plan.graph)
    let output = region(index + 1, plan.graph)
    // Where all floats of a pixel are read, those of a kernel row lie side by side, in the input as
    // among the weights: one tap for each row does the same sums in the same order.
    let joinsRow = input.channelStep == packed.slotCount
    let tapsOfRow = joinsRow ? 1 : layer.kernelSize
    let columnsOfTap = joinsRow ? layer.kernelSize : 1
    return unsafe ConvolutionTask(
      input: origin(source, plan.graph), inputColumnStep: layer.stride * input.channelStep,
      inputRowStep: layer.stride * input.rowStep, tapOffsets: tapOffsets.pointer(tap),
      tapCount: layer.kernelSize * tapsOfRow,
      inputChannelCount: columnsOfTap * packed.slotCount,
      weights: plan.weights.address(packed.weightOffset),
      bias: plan.weights.address(packed.biasOffset), output: origin(index + 1, plan.graph),
      outputColumnStep: output.channelStep, outputRowStep: output.rowStep,
      outputBlockCount: paddedChannelCount(layer.outputChannels) / channelGranularity,
      width: output.width, slope: packed.slope, accumulates: false)
  }
}

extension Workspace {
  /// The same convolution for Winograd's method.
  private func winograd(
    _ task: ConvolutionTask, _ packed: PackedConvolution, at offset: Int, height: Int,
    _ plan: NetworkPlan
  ) -> WinogradTask {
    WinogradTask(
      input: task.input, inputColumnStep: task.inputColumnStep, inputRowStep: task.inputRowStep,
      inputChannelCount: packed.slotCount, weights: plan.weights.address(offset), bias: task.bias,
      output: task.output, outputColumnStep: task.outputColumnStep,
      outputRowStep: task.outputRowStep, outputBlockCount: task.outputBlockCount, height: height,
      width: task.width, slope: task.slope)
  }
}

// MARK: - bfloat16

extension Workspace {
  /// The first channel of the top left pixel of a value that is kept as bfloat16 numbers: they take the
  /// first half of the buffer's memory.
  func narrowOrigin(_ value: Int, _ graph: Graph) -> BFloat16Address {
    let placement = graph.placements[value]
    let region = layout.regions[placement.buffer]
    return BFloat16Address(arena.address(region.offset)).advanced(
      by: region.origin - region.offset + placement.channelOffset)
  }

  private func matrixSteps(
    of index: Int, _ plan: NetworkPlan, nextTap: inout Int
  ) -> [MatrixStep] {
    guard let kernels = MatrixKernels() else { return [] }
    let graph = plan.graph
    func step(_ work: MatrixStep.Work) -> MatrixStep {
      MatrixStep(work: work, kernels: kernels, scratch: scratch)
    }
    switch plan.layers[index] {
    case .convolution(let layer):
      guard let packed = plan.convolutions[index], let windows = packed.matrix else { return [] }
      defer { nextTap += windows.count }
      let source = Graph.value(layer.input)
      let input = region(source, graph)
      let output = region(index + 1, graph)
      let task = unsafe MatrixConvolutionTask(
        input: narrowOrigin(source, graph), inputColumnStep: layer.stride * input.channelStep,
        inputRowStep: layer.stride * input.rowStep, windowOffsets: tapOffsets.pointer(nextTap),
        windowCount: windows.count, stepCount: windows.stepCount,
        weights: BFloat16Address(plan.weights.address(packed.weightOffset)),
        bias: plan.weights.address(packed.biasOffset), output: origin(index + 1, graph),
        outputColumnStep: output.channelStep, outputRowStep: output.rowStep,
        outputBlockCount: paddedChannelCount(layer.outputChannels) / channelGranularity,
        width: output.width, accumulates: false)
      if graph.feedsHead(index) { return [step(.last(task))] }
      let layerTask = MatrixLayerTask(
        convolution: task, output: narrowOrigin(index + 1, graph), slope: packed.slope)
      guard layer.input == .input else { return [step(.layer(layerTask))] }
      let floats = MatrixStep.FloatInput(
        start: arena.address(input.offset), rowStep: input.rowStep, columnStep: input.channelStep,
        halo: input.halo, kernelSize: layer.kernelSize, stride: layer.stride,
        padding: layer.padding)
      return [step(.first(layerTask, floats))]
    case .upsampling(let layer):
      return [
        step(
          .nearest(
            enlargement(
              Graph.value(layer.input), to: narrowOrigin(index + 1, graph), index,
              factor: layer.factor, graph)))
      ]
    case .concatenation:
      let region = region(index + 1, graph)
      return graph.copies[index].map { (copy) in
        step(
          .nearest(
            enlargement(
              copy.source,
              to: BFloat16Address(arena.address(region.offset)).advanced(
                by: region.origin - region.offset + copy.channelOffset), index, factor: 1, graph)))
      }
    case .maxPooling, .addition, .detectionHead: return []
    }
  }

  private func enlargement(
    _ source: Int, to target: BFloat16Address, _ index: Int, factor: Int, _ graph: Graph
  ) -> MatrixStep.Enlargement {
    let input = region(source, graph)
    let output = region(index + 1, graph)
    return MatrixStep.Enlargement(
      input: narrowOrigin(source, graph), inputColumnStep: input.channelStep,
      inputRowStep: input.rowStep, output: target, outputColumnStep: output.channelStep,
      outputRowStep: output.rowStep, width: output.width,
      channelCount: graph.values[source].paddedChannelCount, factor: factor)
  }
}

/// Whole numbers at a fixed address, freed with the last reference.
@safe final class OffsetStorage {
  private let count: Int
  private let start: UnsafeMutablePointer<Int>

  init(_ values: [Int]) {
    count = values.count
    unsafe start = .allocate(capacity: max(1, values.count))
    for (index, value) in values.enumerated() {
      unsafe (start + index).initialize(to: value)
    }
  }

  deinit { unsafe start.deallocate() }

  /// The place of a number.
  ///
  /// - Precondition: `index` is in `0...count`.
  func pointer(_ index: Int) -> UnsafePointer<Int> {
    precondition(index >= 0 && index <= count, "an offset lies inside its storage")
    return unsafe UnsafePointer(start + index)
  }
}
