internal import DiceKernels
internal import DiceWeights

/// Makes the steps of a plan at one input size, layer after layer.
struct StepBuilder {
  let plan: NetworkPlan
  let shapes: NetworkShapes
  let layout: ArenaLayout
  let arena: FloatStorage
  /// What each thread that works on a convolution may write into.
  let scratch: ScratchMemory
  let threadCount: Int
  private(set) var steps: [PreparedStep] = []
  /// What steps look up; it must live as long as they do.
  private(set) var tables: [OffsetStorage] = []
  private(set) var weightTables: [FloatStorage] = []
  /// The border that the next step clears.
  private var border: PreparedStep.Border?

  init(
    plan: NetworkPlan, shapes: NetworkShapes, layout: ArenaLayout, arena: FloatStorage,
    scratch: ScratchMemory, threadCount: Int
  ) {
    self.plan = plan
    self.shapes = shapes
    self.layout = layout
    self.arena = arena
    self.scratch = scratch
    self.threadCount = threadCount
  }

  var graph: Graph { plan.graph }

  /// The first channel of the top left pixel of a value.
  func origin(_ value: Int) -> Address {
    let placement = graph.placement(value)
    return arena.address(layout.regions[placement.buffer].origin + placement.channelOffset)
  }

  /// The memory of a value.
  func region(_ value: Int) -> ArenaLayout.Region {
    layout.regions[graph.placement(value).buffer]
  }

  /// The number of the value that a layer's only source names.
  func value(_ source: Layer.Source) -> Int { graph.value(source) }

  /// Whole numbers at an address that stays.
  mutating func table(_ values: [Int]) -> UnsafePointer<Int> {
    let table = OffsetStorage(values)
    tables.append(table)
    return unsafe table.pointer(0)
  }

  /// Numbers at an address that stays.
  mutating func table(_ values: [Float]) -> Address {
    let table = FloatStorage(count: values.count)
    table.write(values, at: 0)
    weightTables.append(table)
    return table.address(0)
  }

  /// From the pixels of one value to those of another, with all slots of the output.
  func map(_ source: Int, _ target: Int) -> MapTask {
    let (input, output) = (region(source), region(target))
    return MapTask(
      input: origin(source), inputColumnStep: input.channelStep, inputRowStep: input.rowStep,
      output: origin(target), outputColumnStep: output.channelStep,
      outputRowStep: output.rowStep, width: output.width,
      channelCount: graph.values[target].paddedChannelCount)
  }

  /// A value in place.
  func map(inPlace value: Int) -> MapTask { map(value, value) }

  /// The functions that follow what a layer computes; of an activation the function itself first.
  ///
  /// - Parameter channelCount: The slots of the output.
  func functions(
    _ operation: Operation, _ packed: PackedOperation, channelCount: Int
  ) -> [ActivationFunction] {
    var functions: [ActivationFunction] = []
    func append(_ activation: Layer.Activation) {
      if let function = function(activation, packed, channelCount: channelCount) {
        functions.append(function)
      }
    }
    if case .activation(let layer) = operation.layer { append(layer.function) }
    append(operation.activation)
    for activation in operation.followers { append(activation) }
    return functions.joined
  }

  /// The function that follows a layer's sums, nil for the identity.
  private func function(
    _ activation: Layer.Activation, _ packed: PackedOperation, channelCount: Int
  ) -> ActivationFunction? {
    switch activation {
    case .identity: nil
    case .leakyReLU(let slope): .leakyReLU(slope: slope)
    case .parametricReLU: .parametricReLU(slopes: plan.weights.address(packed.functionOffset))
    case .table: .table(plan.weights.address(packed.functionOffset))
    case .requantization(_, let isRoundedOnce) where IntegerKernels.areBuilt:
      .requantization(
        Requantization(
          numbers: plan.weights.address(packed.functionOffset), step: channelCount,
          isRoundedOnce: isRoundedOnce))
    case .requantization: nil
    case .clamp(let lower, let upper): .clamp(lower: lower, upper: upper)
    case .sigmoid: .sigmoid
    case .hardSigmoid(let scale, let offset): .hardSigmoid(scale: scale, offset: offset)
    case .silu: .silu
    case .hardSwish: .hardSwish
    case .tanh: .tanh
    case .elu(let alpha): .elu(alpha: alpha)
    case .gelu: .gelu
    case .softplus: .softplus
    case .linear(let scale, let offset): .linear(scale: scale, offset: offset)
    case .exponential: .exponential
    case .logarithm(let lower): .logarithm(lower: lower)
    case .squareRoot: .squareRoot
    case .reciprocal: .reciprocal
    case .absolute: .absolute
    case .power(let exponent): .power(exponent: exponent)
    case .floor: .floor
    case .errorFunction: .errorFunction
    }
  }

  /// What follows a step that writes a whole value; nil where nothing has to.
  ///
  /// - Parameter keepsGaps: Whether the step leaves zeros in slots without a channel.
  func finish(
    _ value: Int, _ functions: [ActivationFunction] = [], keepsGaps: Bool
  ) -> PreparedStep.Finish? {
    let clearsGaps = !keepsGaps || !functions.keepZero
    let gaps = clearsGaps ? graph.values[value].gaps : []
    guard !functions.isEmpty || !gaps.isEmpty else { return nil }
    return PreparedStep.Finish(map: map(inPlace: value), functions: functions, gaps: gaps)
  }

  /// Adds a step.
  mutating func append(
    _ kind: PreparedStep.Kind, height: Int, finish: PreparedStep.Finish? = nil
  ) {
    if let cleared = border, cleared.region.height != height {
      border = nil
      append(.nothing, cleared)
    }
    steps.append(
      PreparedStep(
        kind, height: height, border: border, finish: finish, backend: plan.backend,
        threadCount: threadCount))
    border = nil
  }

  private mutating func append(_ kind: PreparedStep.Kind, _ border: PreparedStep.Border) {
    steps.append(
      PreparedStep(
        kind, height: border.region.height, border: border, finish: nil, backend: plan.backend,
        threadCount: threadCount))
  }

  /// Adds the steps of a layer.
  mutating func appendSteps(of index: Int) {
    guard let operation = graph.operations[index] else { return }
    let target = graph.value(ofLayer: index)
    noteBorder(of: target, at: index)
    if plan.usesMatrices {
      appendMatrixSteps(operation, target, index)
      return
    }
    if plan.usesIntegers {
      appendIntegerSteps(operation, target, index)
      return
    }
    let packed = plan.packed[index]
    let functions = functions(
      operation, packed, channelCount: graph.values[target].paddedChannelCount)
    if let sums = packed.sums {
      appendSums(sums, operation, target, functions)
      return
    }
    let height = region(target).height
    switch operation.layer {
    case .convolution, .transposedConvolution, .dense, .constant: break
    case .pooling(let layer): appendPooling(layer, target, functions)
    case .reduction(let layer): appendReduction(layer, target, functions)
    case .elementwise(let layer): appendElementwise(layer, target, functions, packed)
    case .batchNormalization(let layer):
      let numbers = plan.weights.address(packed.numbersOffset)
      let product = CombinationTask(
        map: map(value(layer.input), target), other: numbers, otherColumnStep: 0, otherRowStep: 0,
        operation: .multiplication)
      let sum = CombinationTask(
        map: map(inPlace: target),
        other: numbers.advanced(by: graph.values[target].paddedChannelCount), otherColumnStep: 0,
        otherRowStep: 0, operation: .addition)
      append(
        .line(product, sum), height: height, finish: finish(target, functions, keepsGaps: true))
    case .activation(let layer):
      let map = map(value(layer.input), target)
      let pixel = region(target).channelStep
      if pixel < graph.values[target].paddedChannelCount {
        append(
          .narrowActivation(NarrowActivation(map, pixel: pixel, functions)), height: height)
        return
      }
      guard let first = functions.first else {
        append(.nearest(map, factor: 1), height: height)
        return
      }
      append(
        .activation(map, first), height: height,
        finish: finish(target, Array(functions.dropFirst()), keepsGaps: first.keepsZero))
    case .softmax(let layer): appendSoftmax(layer, target)
    case .concatenation(let layer): appendConcatenation(layer, target, index)
    case .slice(let layer): appendSlice(layer, target)
    case .resizing(let layer): appendResizing(layer, target)
    case .padding(let layer): appendPadding(layer, target)
    case .rearrangement(let layer): appendRearrangement(layer, target)
    case .matrixProduct(let layer): appendMatrixProduct(layer, target, functions)
    case .ranking(let layer): appendRanking(layer, target)
    case .selection(let layer): appendSelection(layer, target)
    }
  }

  /// Lets the first step that writes into a buffer clear its border, where others use the memory too.
  private mutating func noteBorder(of target: Int, at index: Int) {
    let buffer = graph.placement(target).buffer
    let region = layout.regions[buffer]
    let isNarrow = plan.isNarrow(target)
    border = nil
    // Matrix units read pixels whole and multiply by zero what a layer does not ask for; every integer is
    // finite.
    let holdsPixels = isNarrow && plan.usesMatrices && graph.isReadBeforeItsEnd(buffer)
    guard graph.buffers[buffer].firstStep == index,
      region.isShared && (region.hasHalo || isNarrow) || holdsPixels
    else { return }
    border = unsafe PreparedStep.Border(
      start: UnsafeMutableRawPointer(arena.address(region.offset).pointer), region: region,
      numberByteCount: isNarrow ? plan.numberByteCount : 4,
      endByteCount: isNarrow ? MatrixConvolutionTask.stepLength * 2 : 0, holdsPixels: holdsPixels,
      zero: isNarrow ? plan.quantizations?.values[target].zero ?? 0 : 0)
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
