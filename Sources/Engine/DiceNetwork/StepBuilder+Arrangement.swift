internal import DiceKernels
internal import DiceWeights

// Concatenations, slices, padding, choices and rearrangements.
extension StepBuilder {
  /// For each row, column and channel of an output its place in the input; negative for none.
  struct Positions {
    var rows: [Int]
    var columns: [Int]
    var channels: [Int]
    /// What stands where there is no input.
    var fill: Float = 0

    /// Those of a value itself.
    init(_ region: ArenaLayout.Region, _ layout: ValueLayout) {
      rows = Array(0..<region.height)
      columns = Array(0..<region.width)
      channels = Array(0..<layout.slots.count)
    }

    subscript(axis: Layer.Axis) -> [Int] {
      get {
        switch axis {
        case .height: rows
        case .width: columns
        case .channels: channels
        }
      }
      set {
        switch axis {
        case .height: rows = newValue
        case .width: columns = newValue
        case .channels: channels = newValue
        }
      }
    }
  }

  /// Adds a step that copies pixels from other places.
  ///
  /// - Parameters:
  ///   - row: The first output row.
  ///   - column: The first output column.
  mutating func appendGathering(
    from source: Int, to target: Int, _ positions: Positions, row: Int = 0, column: Int = 0
  ) {
    let (input, output) = (region(source), region(target))
    let (inputSlots, outputSlots) = (graph.values[source].slots, graph.values[target].slots)
    var map = map(source, target)
    map.output = map.output.advanced(by: row * output.rowStep + column * output.channelStep)
    map.width = positions.columns.count
    let copiesPixels =
      inputSlots == outputSlots && positions.channels.elementsEqual(0..<inputSlots.count)
    var channels: SlotRuns?
    if !copiesPixels {
      channels = runs(
        positions.channels.map { (channel) in channel < 0 ? SlotRun.fill : inputSlots[channel] },
        target)
    }
    var finish = finish(target, keepsGaps: !copiesPixels || positions.fill == 0)
    finish?.map = MapTask(
      input: map.output, inputColumnStep: map.outputColumnStep, inputRowStep: map.outputRowStep,
      output: map.output, outputColumnStep: map.outputColumnStep,
      outputRowStep: map.outputRowStep, width: map.width, channelCount: map.channelCount)
    append(
      .gathering(
        unsafe GatheringTask(
          map: map, rowOffsets: table(offsets(positions.rows, input.rowStep)),
          columnOffsets: table(offsets(positions.columns, input.channelStep)), channels: channels,
          fill: positions.fill)), height: positions.rows.count, finish: finish)
  }

  /// Runs of channels that are written to a value's slots, and zeros in its gaps.
  private mutating func runs(_ sources: [Int], _ target: Int) -> SlotRuns {
    let layout = graph.values[target]
    var runs = SlotRun.joining(sources, layout.slots)
    let gaps = layout.gaps
    runs += SlotRun.joining(gaps.map { (_) in SlotRun.zero }, gaps)
    return unsafe SlotRuns(table(runs.flatMap { (run) in run.numbers }), count: runs.count)
  }

  private func offsets(_ positions: [Int], _ step: Int) -> [Int] {
    positions.map { (position) in position < 0 ? position : position * step }
  }

  mutating func appendConcatenation(
    _ layer: Layer.Concatenation, _ target: Int, _ index: Int
  ) {
    let output = region(target)
    for copy in graph.copies[index] {
      var task = map(copy.source, target)
      task.output = arena.address(output.origin + copy.channelOffset)
      task.channelCount = graph.values[copy.source].paddedChannelCount
      append(.nearest(task, factor: 1), height: output.height)
    }
    guard layer.axis != .channels else { return }
    var start = 0
    for source in layer.inputs {
      let part = value(source)
      let region = region(part)
      appendGathering(
        from: part, to: target, Positions(region, graph.values[part]),
        row: layer.axis == .height ? start : 0, column: layer.axis == .width ? start : 0)
      start += layer.axis == .height ? region.height : region.width
    }
  }

  mutating func appendSlice(_ layer: Layer.Slice, _ target: Int) {
    let source = value(layer.input)
    var positions = Positions(region(source), graph.values[source])
    positions[layer.axis] = (0..<layer.count).map { (index) in layer.start + index * layer.step }
    appendGathering(from: source, to: target, positions)
  }

  mutating func appendPadding(_ layer: Layer.Padding, _ target: Int) {
    let source = value(layer.input)
    var positions = Positions(region(source), graph.values[source])
    if case .constant(let value) = layer.mode { positions.fill = value }
    for (axis, before, after) in [
      (Layer.Axis.height, layer.edges.top, layer.edges.bottom),
      (.width, layer.edges.left, layer.edges.right),
      (.channels, layer.channelsBefore, layer.channelsAfter),
    ] {
      let extent = positions[axis].count
      positions[axis] = (-before..<extent + after).map { (position) in
        if position >= 0 && position < extent { return position }
        switch layer.mode {
        case .constant: return -1
        case .edge: return position < 0 ? 0 : extent - 1
        case .reflection: return position < 0 ? -position : 2 * (extent - 1) - position
        }
      }
    }
    appendGathering(from: source, to: target, positions)
  }

  mutating func appendRanking(_ layer: Layer.Ranking, _ target: Int) {
    let source = value(layer.input)
    append(
      .ranking(
        RankingTask(
          map: map(source, target), inputWidth: region(source).width,
          inputSlots: graph.values[source].slots, outputSlots: graph.values[target].slots)),
      height: region(target).height, finish: finish(target, keepsGaps: false))
  }

  mutating func appendSelection(_ layer: Layer.Selection, _ target: Int) {
    let (source, places) = (value(layer.input), value(layer.places))
    let (region, slots) = (region(places), graph.values[places].slots)
    append(
      .selection(
        SelectionTask(
          map: map(source, target), inputWidth: self.region(source).width,
          places: PixelGrid(
            origin(places), columnStep: region.channelStep, rowStep: region.rowStep),
          placeSlots: slots, slots: graph.values[target].slots)),
      height: self.region(target).height, finish: finish(target, keepsGaps: slots.count == 1))
  }

  mutating func appendRearrangement(_ layer: Layer.Rearrangement, _ target: Int) {
    let source = value(layer.input)
    // The input's numbers between neighbours along each axis.
    var steps = [Int](repeating: 1, count: layer.dimensions.count)
    for axis in (0..<steps.count - 1).reversed() {
      steps[axis] = steps[axis + 1] * layer.dimensions[axis + 1]
    }
    var extents = SIMD8<Int>(repeating: 1)
    var strides = SIMD8<Int>(repeating: 0)
    for (place, axis) in layer.permutation.enumerated() {
      extents[8 - steps.count + place] = layer.dimensions[axis]
      strides[8 - steps.count + place] = steps[axis]
    }
    let task = RearrangementTask(
      map: map(source, target), inputWidth: region(source).width,
      inputSlots: graph.values[source].slots, outputSlots: graph.values[target].slots,
      extents: extents, strides: strides)
    let height = region(target).height
    if let offsets = task.separateOffsets(height: height) {
      append(
        .gathering(
          unsafe GatheringTask(
            map: task.map, rowOffsets: table(offsets.rows), columnOffsets: table(offsets.columns),
            channels: runs(offsets.channels, target), fill: 0)), height: height)
      return
    }
    append(.rearrangement(task), height: height, finish: finish(target, keepsGaps: false))
  }
}
