internal import DiceDetectorHeads
internal import DiceWeights

/// Parts of tensors, tensors side by side, and numbers that stand for many.
extension GraphBuilder {
  // MARK: Where axes must lie

  /// A value arranged so that each of some axes has a place of its own, and which place that is.
  ///
  /// What the value has already stays as it is.
  mutating func separated(
    _ value: ComputedValue, _ axes: [Int]
  ) throws(LoweringFault) -> (value: ComputedValue, places: Places) {
    let shape = value.shape
    if let places = value.arrangement.wholeAxes?.givingPlaces(to: axes, of: shape) {
      return (value, places)
    }
    let others = shape.indices.filter { !axes.contains($0) }
    let places: Places
    switch axes.count {
    case 1:
      places = Places(
        rows: Array(others.dropLast()), columns: Array(others.suffix(1)), channels: axes)
    case 2: places = Places(rows: [axes[0]], columns: [axes[1]], channels: others)
    default:
      guard axes.count == 3, others.allSatisfy({ shape[$0] == 1 }) else {
        throw .unsupported("it treats \(axes.count) of \(shape.count) axes at once")
      }
      places = Places(rows: [axes[0]], columns: [axes[1]], channels: [axes[2]])
    }
    return (try arranged(value, places), places)
  }

  /// The largest of some values arranged so that an axis is the slowest in its place.
  private func leading(_ axis: Int, of values: [ComputedValue]) -> Places {
    let largest = values.max { first, second in
      first.arrangement.tensorShape.elementCount < second.arrangement.tensorShape.elementCount
    }
    let rank = largest?.shape.count ?? 0
    if let largest, let whole = largest.arrangement.wholeAxes {
      var places = whole.all
      if let place = places.firstIndex(where: { $0.contains(axis) }) {
        if places[place].first == axis { return whole }
        // In front of the others that lie there: all else stays where it is.
        places[place].removeAll { $0 == axis }
        places[place].insert(axis, at: 0)
        return Places(rows: places[0], columns: places[1], channels: places[2])
      } else {
        let place = places.firstIndex { $0.isEmpty } ?? 0
        places[place].insert(axis, at: 0)
        return Places(rows: places[0], columns: places[1], channels: places[2])
      }
    }
    return Self.keepingLast(axis, of: rank)
  }

  // MARK: Reductions

  /// One number for all positions along some axes, which then have the extent 1.
  mutating func reduced(
    _ value: ComputedValue, _ kind: Layer.Reduction.Kind, axes: [Int]
  ) throws(LoweringFault) -> ComputedValue {
    var shape = value.shape
    let reduced = axes.filter { shape[$0] != 1 }
    if reduced.isEmpty { return value }
    var places = value.arrangement.wholeAxes
    let isPossible = places?.all.allSatisfy { (place) in
      let count = place.count { reduced.contains($0) }
      return count == 0 || count == place.count
    }
    if isPossible != true {
      let others = shape.indices.filter { !reduced.contains($0) }
      places = Places(
        rows: reduced, columns: Array(others.dropLast()), channels: Array(others.suffix(1)))
    }
    let chosen = places ?? .rowMajor(rank: shape.count)
    let value = try arranged(value, chosen)
    func isReduced(_ place: [Int]) -> Bool { place.contains { reduced.contains($0) } }
    for axis in reduced { shape[axis] = 1 }
    return try append(
      .reduction(
        Layer.Reduction(
          input: value.source, kind: kind, overHeight: isReduced(chosen.rows),
          overWidth: isReduced(chosen.columns), overChannels: isReduced(chosen.channels))),
      Arrangement(shape: shape, chosen))
  }

  /// `exp` of each number over the sum along an axis.
  mutating func softmax(_ value: ComputedValue, axis: Int) throws(LoweringFault) -> ComputedValue {
    let (value, places) = try separated(value, [axis])
    return try append(
      .softmax(Layer.Softmax(input: value.source, axis: places.place(of: axis))),
      Arrangement(shape: value.shape, places))
  }

  // MARK: Parts and joints

  /// Positions `start`, `start + step` and so on along an axis.
  mutating func sliced(
    _ value: ComputedValue, axis: Int, start: Int, count: Int, step: Int = 1
  ) throws(LoweringFault) -> ComputedValue {
    var shape = value.shape
    if start == 0, count == shape[axis], step == 1 { return value }
    guard count > 0 else { throw .unsupported("a slice is empty") }
    guard start >= 0, step > 0, (count - 1) <= (shape[axis] - 1 - start) / step else {
      throw .invalid("A slice reaches beyond its axis of \(shape[axis]) positions.")
    }
    if count == 1, let whole = value.arrangement.wholeAxes,
      let axes = whole.all.first(where: { $0.contains(axis) }), axes.count > 1, axes.last == axis
    {
      // The fastest of several axes in one place, as in a shuffle of channels: every so many of them.
      let place = whole.place(of: axis)
      let extent = shape[axis]
      shape[axis] = 1
      return try append(
        .slice(
          Layer.Slice(
            input: value.source, axis: place, start: start,
            count: value.arrangement.tensorShape[place] / extent, step: extent)),
        Arrangement(shape: shape, whole))
    }
    var places: Places
    var value = value
    if step == 1 {
      places = leading(axis, of: [value])
      value = try arranged(value, places)
    } else {
      (value, places) = try separated(value, [axis])
    }
    let place = places.place(of: axis)
    let inner = value.arrangement.tensorShape[place] / shape[axis]
    shape[axis] = count
    return try append(
      .slice(
        Layer.Slice(
          input: value.source, axis: place, start: start * inner, count: count * inner,
          step: step)),
      Arrangement(shape: shape, places))
  }

  /// Tensors side by side along an axis.
  mutating func concatenated(_ values: [Value], axis: Int) throws(LoweringFault) -> Value {
    var constants: [ConstantTensor] = []
    for value in values {
      switch value {
      case .list, .unknown: return .unknown
      case .constant(let tensor): constants.append(tensor)
      case .computed: break
      }
    }
    if constants.count == values.count {
      return .constant(try ConstantArithmetic.concatenate(constants, axis: axis))
    }
    let rank = values[0].shape?.count ?? 0
    for value in values {
      guard let first = values[0].shape, let shape = value.shape, shape.count == rank,
        shape.indices.allSatisfy({ $0 == axis || shape[$0] == first[$0] })
      else { throw .invalid("Tensors of different shapes are concatenated.") }
    }
    let values = joined(values.filter { (value) in !(value.shape ?? []).contains(0) }, axis: axis)
    var computed: [ComputedValue] = []
    for value in values { if case .computed(let value) = value { computed.append(value) } }
    let places = leading(axis, of: computed)
    var sources: [Layer.Source] = []
    var shape = computed[0].shape
    shape[axis] = 0
    for value in values {
      var part: ComputedValue
      switch value {
      case .constant(let tensor): part = try constant(tensor, places)
      default: part = try self.computed(value)
      }
      part = try arranged(part, places)
      shape[axis] += part.shape[axis]
      sources.append(part.source)
    }
    let result = Arrangement(shape: shape, places)
    let place = places.place(of: axis)
    var lengths = values.map { (value) in value.shape?[axis] ?? 0 }
    // A layer joins 64 values at most.
    while sources.count > 1 {
      var next: [Layer.Source] = []
      var nextLengths: [Int] = []
      for start in stride(from: 0, to: sources.count, by: 64) {
        let range = start..<min(start + 64, sources.count)
        let length = lengths[range].reduce(0, +)
        nextLengths.append(length)
        if range.count == 1 {
          next.append(sources[start])
          continue
        }
        var part = shape
        part[axis] = length
        next.append(
          try append(
            .concatenation(Layer.Concatenation(inputs: Array(sources[range]), axis: place)),
            Arrangement(shape: part, places).tensorShape))
      }
      (sources, lengths) = (next, nextLengths)
    }
    if joints != nil, values.count > 1 {
      joints?[sources[0]] = Joint(axis: axis, shape: shape, parts: values)
    }
    return .computed(ComputedValue(source: sources[0], arrangement: result.simplified))
  }

  /// The positions of an axis that some indices name, in their order.
  mutating func gathered(
    _ value: ComputedValue, axis: Int, indices: [Int]
  ) throws(LoweringFault) -> ComputedValue {
    let extent = value.shape[axis]
    for index in indices where !(0..<extent).contains(index) {
      throw .invalid("An index \(index) is not one of \(extent) positions.")
    }
    guard !indices.isEmpty else { throw .unsupported("it takes no position") }
    // Runs with the same step, each a slice.
    var runs: [(start: Int, count: Int, step: Int)] = []
    for index in indices {
      if let last = runs.last {
        let step = index - (last.start + (last.count - 1) * last.step)
        if step > 0, last.count == 1 || step == last.step {
          runs[runs.count - 1] = (last.start, last.count + 1, step)
          continue
        }
      }
      runs.append((index, 1, 1))
    }
    guard runs.count <= 1024 else { throw .unsupported("its indices have no order") }
    if runs.count > 64, indices.count * extent <= 1 << 20 {
      return try selected(value, axis: axis, indices: indices)
    }
    var parts: [Value] = []
    for run in runs {
      parts.append(
        .computed(
          try sliced(value, axis: axis, start: run.start, count: run.count, step: run.step)))
    }
    return try computed(parts.count == 1 ? parts[0] : try concatenated(parts, axis: axis))
  }

  /// Positions of an axis by a convolution whose weights are zeros and ones.
  private mutating func selected(
    _ value: ComputedValue, axis: Int, indices: [Int]
  ) throws(LoweringFault) -> ComputedValue {
    var weights = [Float](repeating: 0, count: value.shape[axis] * indices.count)
    for (place, index) in indices.enumerated() { weights[index * indices.count + place] = 1 }
    return try multiplied(value, axis: axis, weights: weights, outputCount: indices.count)
  }

  /// The tensor repeated along axes of extent 1, and along new ones in front.
  mutating func expanded(_ value: Value, to target: [Int]) throws(LoweringFault) -> Value {
    guard let own = value.shape else { return .unknown }
    guard let shape = ConstantTensor.broadcastShape(own, target) else {
      throw .invalid("A tensor of \(own) cannot be repeated to \(target).")
    }
    if case .constant(let tensor) = value {
      _ = try ConstantArithmetic.count(shape)
      return .constant(tensor.broadcast(to: shape))
    }
    let value = try reshaped(
      value, to: [Int](repeating: 1, count: shape.count - own.count) + own)
    if value.shape == shape { return value }
    let factors = zip(value.shape ?? [], shape).map { (own, target) in own == target ? 1 : target }
    let count = try ConstantArithmetic.count(factors)
    return try combined(
      .multiplication, value,
      .constant(
        ConstantTensor(shape: factors, floats: [Float](repeating: 1, count: count))))
  }
}

extension Places {
  /// The place of an axis.
  ///
  /// - Precondition: It is named.
  func place(of axis: Int) -> Layer.Axis {
    Layer.Axis.allCases.first { (place) in all[Int(place.rawValue)].contains(axis) }!
  }

  /// The same with a place of its own for each of some axes; nil where others share it.
  func givingPlaces(to axes: [Int], of shape: [Int]) -> Places? {
    var places = all
    for axis in axes {
      if let place = places.firstIndex(where: { $0.contains(axis) }) {
        guard places[place].allSatisfy({ $0 == axis || shape[$0] == 1 }) else { return nil }
      } else {
        guard shape[axis] == 1, let free = places.firstIndex(where: { $0.isEmpty }) else {
          return nil
        }
        places[free] = [axis]
      }
    }
    return Places(rows: places[0], columns: places[1], channels: places[2])
  }
}
