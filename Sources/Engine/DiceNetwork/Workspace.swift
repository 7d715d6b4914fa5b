internal import DiceKernels
internal import DiceWeights

/// A plan at one input size: the arena, and the steps with all their addresses.
struct Workspace {
  let shapes: NetworkShapes
  let layout: ArenaLayout
  let arena: FloatStorage
  let steps: [PreparedStep]
  /// For each layer, how many steps it and those before it have.
  let layerStepEnds: [Int]
  // What steps look up.
  private let tables: [OffsetStorage]
  private let weightTables: [FloatStorage]

  /// Prepares a size; takes over the memory of an earlier workspace where it is large enough.
  init(
    plan: NetworkPlan, inputs: [TensorShape], keepsFeatureMaps: Bool, threadCount: Int,
    reusing arena: FloatStorage?
  ) throws(NetworkError) {
    shapes = try plan.shapes(inputs: inputs)
    let isNarrow = plan.usesNarrowNumbers
    layout = try ArenaLayout(
      graph: plan.graph, shapes: shapes, keepsAll: keepsFeatureMaps,
      spareCount: isNarrow ? MatrixConvolutionTask.stepLength / 2 : 0,
      ownsMemory: { (buffer) in isNarrow && plan.holdsFloats(buffer) })
    if let arena, arena.count >= layout.floatCount {
      arena.clear()
      self.arena = arena
    } else {
      self.arena = FloatStorage(count: layout.floatCount)
    }
    var builder = StepBuilder(
      plan: plan, shapes: shapes, layout: layout, arena: self.arena,
      scratch: ScratchMemory(
        floatCount: Self.scratchCount(plan, layout, self.arena), threadCount: threadCount),
      threadCount: threadCount)
    var ends: [Int] = []
    for index in plan.layers.indices {
      builder.appendSteps(of: index)
      ends.append(builder.steps.count)
    }
    steps = builder.steps
    layerStepEnds = ends
    tables = builder.tables
    weightTables = builder.weightTables
    fillBorders(plan)
    refresh(plan)
    writeConstants(plan)
  }

  /// The first channel of the top left pixel of a value.
  func origin(_ value: Int, _ graph: Graph) -> Address {
    let placement = graph.placement(value)
    return arena.address(layout.regions[placement.buffer].origin + placement.channelOffset)
  }

  /// The memory of a value.
  func region(_ value: Int, _ graph: Graph) -> ArenaLayout.Region {
    layout.regions[graph.placement(value).buffer]
  }

  /// The floats that the most demanding step works with.
  private static func scratchCount(
    _ plan: NetworkPlan, _ layout: ArenaLayout, _ arena: FloatStorage
  ) -> Int {
    var greatest =
      plan.usesMatrices
      ? MatrixLayerTask.scratchCount : plan.usesIntegers ? IntegerLayerTask.scratchCount : 0
    for (index, packed) in plan.packed.enumerated() {
      if case .matrixProduct = plan.graph.operations[index]?.layer {
        greatest = max(greatest, MatrixProductTask.scratchCount)
      }
      guard let sums = packed.sums, let operation = plan.graph.operations[index] else { continue }
      switch sums.method {
      case .winograd(let form, _):
        let output = layout.regions[
          plan.graph.placement(plan.graph.value(ofLayer: index)).buffer]
        guard StepBuilder.usesWinograd(form, height: output.height, width: output.width)
        else { break }
        greatest = max(
          greatest,
          WinogradTask.scratchCount(
            form, inputChannelCount: sums.parts[0].slots.count,
            outputBlockCount: sums.parts[0].blocks.count))
      case .matrix:
        guard plan.usesMatrices, case .convolution(let layer) = operation.layer,
          case .input = layer.input
        else {
          break
        }
        let input = layout.regions[plan.graph.placement(plan.graph.value(layer.input)).buffer]
        greatest = max(
          greatest, StepBuilder.floatInput(layer.window, input, arena).scratchCount)
      case .integers(let windows):
        guard IntegerKernels.areBuilt, case .convolution(let layer) = operation.layer else {
          break
        }
        if case .layer = layer.input, !windows.isExact { break }
        let placement = plan.graph.placement(plan.graph.value(layer.input))
        greatest = max(
          greatest,
          StepBuilder.integerInput(
            layer.window, layout.regions[placement.buffer], arena, windows, placement
          ).scratchCount)
      case .depthwise, .direct: break
      }
    }
    return greatest
  }

  /// Sets maps of integers with their borders to what stands for 0.
  private func fillBorders(_ plan: NetworkPlan) {
    guard plan.usesIntegers, let quantizations = plan.quantizations else { return }
    for (buffer, region) in layout.regions.enumerated() where !plan.holdsFloats(buffer) {
      let zero = quantizations.values[plan.graph.buffers[buffer].value].zero
      let word = UInt32(zero) * 0x0101_0101
      arena.fill(region.offset..<region.offset + region.floatCount / 4, Float(bitPattern: word))
    }
  }

  /// Fills what no step relies on, so that tests see when one does: all that is shared, and the pixels
  /// that steps write.
  private func refresh(_ plan: NetworkPlan) {
    guard FreshMemory.pattern != 0 else { return }
    for (buffer, region) in layout.regions.enumerated()
    where plan.graph.buffers[buffer].firstStep >= 0 {
      if region.isShared {
        arena.refresh(region.offset..<region.offset + region.floatCount)
        continue
      }
      let isNarrow = plan.usesNarrowNumbers && !plan.holdsFloats(buffer)
      let scale = isNarrow ? 4 / plan.numberByteCount : 1
      for row in 0..<region.height {
        let start = region.offset + (region.origin - region.offset + row * region.rowStep) / scale
        arena.refresh(start..<start + region.width * region.channelStep / scale)
      }
    }
  }

  /// Constants stay where they are for all runs.
  private func writeConstants(_ plan: NetworkPlan) {
    for (index, operation) in plan.graph.operations.enumerated() {
      guard case .constant(let layer) = operation?.layer else { continue }
      let value = plan.graph.value(ofLayer: index)
      let (region, target) = (region(value, plan.graph), origin(value, plan.graph))
      let numbers = plan.weights.address(plan.packed[index].numbersOffset)
      var place = 0
      for y in 0..<layer.shape.height {
        for x in 0..<layer.shape.width {
          for channel in 0..<layer.shape.channels {
            target.store(
              numbers.scalar(at: place), at: y * region.rowStep + x * region.channelStep + channel)
            place += 1
          }
        }
      }
    }
  }
}
