internal import DiceKernels
internal import DiceWeights

// Pooling, reductions, combinations, softmax and resizing.
extension StepBuilder {
  mutating func appendPooling(
    _ layer: Layer.Pooling, _ target: Int, _ functions: [ActivationFunction]
  ) {
    let source = value(layer.input)
    let (input, window) = (region(source), layer.window)
    let windows = PoolingWindow(
      rows: WindowAxis(
        size: window.height, stride: window.strideY, padding: window.padding.top,
        extent: input.height),
      columns: WindowAxis(
        size: window.width, stride: window.strideX, padding: window.padding.left,
        extent: input.width))
    let map = map(source, target)
    let kind: PreparedStep.Kind =
      switch layer.kind {
      case .maximum: .maximum(map, windows)
      case .average: .average(map, windows, divisor: 0)
      case .averageWithPadding:
        .average(map, windows, divisor: Float(window.height * window.width))
      }
    append(
      kind, height: region(target).height, finish: finish(target, functions, keepsGaps: true))
  }

  mutating func appendReduction(
    _ layer: Layer.Reduction, _ target: Int, _ functions: [ActivationFunction]
  ) {
    let source = value(layer.input)
    let input = region(source)
    let rowCount = layer.overHeight ? input.height : 1
    let columnCount = layer.overWidth ? input.width : 1
    let map = map(source, target)
    let height = region(target).height
    if !layer.overChannels, layer.kind != .indexOfMaximum {
      // A window as large as the map has one position.
      let windows = PoolingWindow(
        rows: WindowAxis(size: rowCount, stride: 1, padding: 0, extent: input.height),
        columns: WindowAxis(size: columnCount, stride: 1, padding: 0, extent: input.width))
      let kind: PreparedStep.Kind =
        switch layer.kind {
        case .mean: .average(map, windows, divisor: 0)
        case .sum: .average(map, windows, divisor: 1)
        case .maximum, .indexOfMaximum: .maximum(map, windows)
        }
      append(kind, height: height, finish: finish(target, functions, keepsGaps: true))
      return
    }
    let inputSlots = graph.values[source].slots
    let count = rowCount * columnCount * (layer.overChannels ? inputSlots.count : 1)
    let kind: ReductionTask.Kind =
      switch layer.kind {
      case .maximum: .maximum
      case .mean: .sum(divisor: Float(count))
      case .sum: .sum(divisor: 1)
      case .indexOfMaximum: .indexOfMaximum
      }
    append(
      .reduction(
        ReductionTask(
          map: map, kind: kind, rowCount: rowCount, columnCount: columnCount,
          inputSlots: inputSlots, outputSlots: graph.values[target].slots)), height: height,
      finish: finish(target, functions, keepsGaps: false))
  }

  mutating func appendElementwise(
    _ layer: Layer.Elementwise, _ target: Int, _ functions: [ActivationFunction],
    _ packed: PackedOperation
  ) {
    let (first, second) = (value(layer.first), value(layer.second))
    let (firstLayout, secondLayout) = (graph.values[first], graph.values[second])
    let (output, input, other) = (region(target), region(first), region(second))
    // A step of zero repeats.
    func step(_ step: Int, _ extent: Int, _ outputExtent: Int) -> Int {
      extent == outputExtent ? step : 0
    }
    var map = map(first, target)
    map.inputColumnStep = step(input.channelStep, input.width, output.width)
    map.inputRowStep = step(input.rowStep, input.height, output.height)
    let hasSameSlots = firstLayout.slots == secondLayout.slots
    var task = CombinationTask(
      map: map, other: origin(second),
      otherColumnStep: step(other.channelStep, other.width, output.width),
      otherRowStep: step(other.rowStep, other.height, output.height),
      operation: operation(layer.operation, packed),
      isFirstSingle: !hasSameSlots && firstLayout.slots.count == 1,
      isSecondSingle: !hasSameSlots && secondLayout.slots.count == 1)
    guard !hasSameSlots, !task.isFirstSingle, !task.isSecondSingle else {
      if task.isFirstSingle {
        task.map.input = task.map.input.advanced(by: firstLayout.slots[0])
      }
      if task.isSecondSingle { task.other = task.other.advanced(by: secondLayout.slots[0]) }
      append(
        .combination(task), height: output.height,
        finish: finish(
          target, functions, keepsGaps: hasSameSlots && layer.operation != .division))
      return
    }
    let pairs = pairs(firstLayout.slots, secondLayout.slots)
    append(
      .combinationOfSlots(task, pairs), height: output.height,
      finish: finish(target, functions, keepsGaps: false))
  }

  private func operation(
    _ operation: Layer.Elementwise.Operation, _ packed: PackedOperation
  ) -> CombinationOperation {
    switch operation {
    case .addition: return .addition
    case .subtraction: return .subtraction
    case .multiplication: return .multiplication
    case .division: return .division
    case .maximum: return .maximum
    case .minimum: return .minimum
    case .requantizedSum:
      guard IntegerKernels.areBuilt else { return .addition }
      return .requantizedSum(
        RequantizedSum(numbers: plan.weights.address(packed.numbersOffset)))
    }
  }

  /// Pairs of slots, one for each channel.
  mutating func pairs(_ first: [Int], _ second: [Int]) -> SlotPairs {
    var pairs: [Int] = []
    for (index, slot) in first.enumerated() {
      pairs.append(slot)
      pairs.append(second[index])
    }
    return unsafe SlotPairs(table(pairs), count: first.count)
  }

  mutating func appendSoftmax(_ layer: Layer.Softmax, _ target: Int) {
    let source = value(layer.input)
    let layout = graph.values[source]
    let output = region(target)
    var map = map(source, target)
    switch layer.axis {
    case .channels:
      if !layout.isPlain {
        // Channels side by side first, then in place.
        appendGathering(from: source, to: target, Positions(region(source), layout))
        map = self.map(inPlace: target)
      }
      append(.softmax(map, count: layout.slots.count), height: output.height)
    case .width:
      append(
        .softmaxOfColumns(map, slots: layout.slots), height: output.height,
        finish: finish(target, keepsGaps: false))
    case .height:
      // Rows and columns change places.
      (map.inputColumnStep, map.inputRowStep) = (map.inputRowStep, map.inputColumnStep)
      (map.outputColumnStep, map.outputRowStep) = (map.outputRowStep, map.outputColumnStep)
      map.width = output.height
      var finish = finish(target, keepsGaps: false)
      if finish != nil {
        var gaps = map
        (gaps.input, gaps.inputColumnStep, gaps.inputRowStep) =
          (map.output, map.outputColumnStep, map.outputRowStep)
        finish?.map = gaps
      }
      append(.softmaxOfColumns(map, slots: layout.slots), height: output.width, finish: finish)
    }
  }

  mutating func appendMatrixProduct(
    _ layer: Layer.MatrixProduct, _ target: Int, _ functions: [ActivationFunction]
  ) {
    let (first, second) = (value(layer.first), value(layer.second))
    let output = region(target)
    func operand(_ value: Int, isTransposed: Bool) -> MatrixProductTask.Operand {
      let region = region(value)
      return MatrixProductTask.Operand(
        origin(value), columnStep: region.channelStep, rowStep: region.rowStep,
        slots: graph.values[value].slots, isTransposed: isTransposed)
    }
    let left = operand(first, isTransposed: layer.transposesFirst)
    let termCount = layer.transposesFirst ? region(first).width : left.slots.count
    var offsets = [0]
    if layer.transposesFirst {
      for index in 1..<max(1, min(termCount, MatrixProductTask.termsAtOnce)) {
        offsets.append(index * left.columnStep)
      }
    }
    let task = unsafe MatrixProductTask(
      left, operand(second, isTransposed: layer.transposesSecond), termCount: termCount,
      termOffsets: OffsetList(table(offsets), count: offsets.count),
      output: PixelGrid(origin(target), columnStep: output.channelStep, rowStep: output.rowStep),
      width: output.width, channelCount: graph.values[target].slots.count)
    append(
      .matrixProduct(task, scratch), height: output.height,
      finish: finish(target, functions, keepsGaps: true))
  }

  mutating func appendResizing(_ layer: Layer.Resizing, _ target: Int) {
    let source = value(layer.input)
    let (input, output) = (region(source), region(target))
    if let factor = layer.repetition {
      append(.nearest(map(source, target), factor: factor), height: output.height)
      return
    }
    let rows = ResizedAxis(layer, from: input.height, to: output.height)
    let columns = ResizedAxis(layer, from: input.width, to: output.width)
    guard layer.interpolation == .bilinear else {
      var positions = Positions(input, graph.values[source])
      positions.rows = rows.nearest(layer.interpolation)
      positions.columns = columns.nearest(layer.interpolation)
      appendGathering(from: source, to: target, positions)
      return
    }
    append(
      .interpolation(
        InterpolationTask(
          map: map(source, target), rows: axis(rows, step: input.rowStep),
          columns: axis(columns, step: input.channelStep))), height: output.height)
  }

  private mutating func axis(_ axis: ResizedAxis, step: Int) -> InterpolationAxis {
    var offsets: [Int] = []
    var weights: [Float] = []
    for position in 0..<axis.outputExtent {
      let (first, second, weight) = axis.neighbours(of: position)
      offsets.append(first * step)
      offsets.append(second * step)
      weights.append(weight)
    }
    return unsafe InterpolationAxis(offsets: table(offsets), weights: table(weights))
  }
}

extension RequantizedSum.Factor {
  /// The factor of three numbers of a weight file: the multiplier's upper and lower bits, and the shift.
  ///
  /// What is not a whole number in its range is taken to one.
  ///
  /// - Parameters:
  ///   - row: Which three of the numbers.
  ///   - isPositive: Whether there is no multiplier below 0.
  init(_ numbers: [Float], _ row: Int, isPositive: Bool = false) {
    let multiplier =
      Int(Self.limited(numbers[3 * row], isPositive ? 0 : -65_536, 65_535)) * 32_768
      + Int(Self.limited(numbers[3 * row + 1], 0, 32_767))
    let shift = Int32(Self.limited(numbers[3 * row + 2], -31, 30))
    let limit = Int(Int32.max)
    self.init(
      multiplier: Int32(min(max(multiplier, -limit), limit)), left: max(shift, 0),
      right: max(0 - shift, 0))
  }

  private static func limited(_ number: Float, _ lower: Float, _ upper: Float) -> Float {
    // A NaN becomes the lower limit.
    number > lower ? min(number, upper) : lower
  }
}
