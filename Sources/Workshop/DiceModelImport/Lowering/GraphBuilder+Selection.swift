internal import DiceDetectorHeads
internal import DiceWeights

/// The places of the greatest numbers, and positions that computed numbers name.
extension GraphBuilder {
  /// The greatest or the smallest numbers along an axis in order, and their places; of equal ones the
  /// first comes first.
  ///
  /// - Parameters:
  ///   - count: How many; the axis has as many positions at least.
  ///   - few: How many are sorted even where ``ranksMany`` is not set.
  mutating func ranked(
    _ value: ComputedValue, axis: Int, count: Int, isLargest: Bool, few: Int
  ) throws(LoweringFault) -> (numbers: Value, places: Value) {
    var shape = value.shape
    guard count >= 1, count <= shape[axis] else {
      throw .invalid("It takes \(count) of \(shape[axis]) numbers.")
    }
    guard ranksMany || count <= few else { throw .unsupported("it sorts numbers") }
    let places = Self.columns(axis, of: shape)
    let numbers = try arranged(value, places)
    let compared = try isLargest ? numbers : activated(numbers, .linear(scale: -1, offset: 0))
    shape[axis] = count
    let arrangement = Arrangement(shape: shape, places)
    let ranks = try append(
      .ranking(Layer.Ranking(input: arranged(compared, places).source, count: count)), arrangement)
    let found = try append(
      .selection(
        Layer.Selection(input: numbers.source, places: arranged(ranks, places).source)),
      arrangement)
    return (.computed(found), .computed(ranks))
  }

  /// The positions of an axis that computed indices name; their axes take that axis' place.
  mutating func selected(
    _ value: ComputedValue, axis: Int, indices: ComputedValue
  ) throws(LoweringFault) -> Value {
    let (shape, indexShape) = (value.shape, indices.shape)
    let others = shape.indices.filter { $0 != axis }
    let source = try arranged(value, Self.columns(axis, of: shape))
    let counted = try countedFromFirst(indices, extents: [shape[axis]])
    let rank = indexShape.count
    let found = try append(
      .selection(
        Layer.Selection(
          input: source.source,
          places: arranged(counted, Places(columns: Array(indexShape.indices))).source)),
      Arrangement(
        shape: indexShape + others.map { (other) in shape[other] },
        Places(columns: Array(0..<rank), channels: others.indices.map { rank + $0 })))
    let order =
      (0..<axis).map { rank + $0 } + Array(0..<rank) + (axis..<others.count).map { rank + $0 }
    return transposed(.computed(found), order)
  }

  /// The parts of a tensor that computed points name: a point has an index for each of the first axes.
  mutating func selectedPoints(
    _ value: ComputedValue, points: ComputedValue
  ) throws(LoweringFault) -> Value {
    let shape = value.shape
    guard let depth = points.shape.last, depth > 0, depth <= shape.count else {
      throw .invalid("Indices of \(points.shape) for a tensor of \(shape).")
    }
    let outer = Array(shape[..<depth])
    let counted = try countedFromFirst(points, extents: outer)
    let steps = ConstantTensor.strides(of: outer).map { (step) in Float(step) }
    let places = try reshaped(
      .computed(dense(counted, weights: steps, bias: nil, outputCount: 1)),
      to: points.shape.dropLast())
    let flat = try reshaped(.computed(value), to: [outer.reduce(1, *)] + shape[depth...])
    return try selected(computed(flat), axis: 0, indices: computed(places))
  }

  /// For each position of computed indices the number at that index along an axis.
  mutating func selectedAlong(
    _ axis: Int, _ value: ComputedValue, indices: ComputedValue
  ) throws(LoweringFault) -> Value {
    let (shape, indexShape) = (value.shape, indices.shape)
    guard indexShape.count == shape.count,
      shape.indices.allSatisfy({ $0 == axis || indexShape[$0] == shape[$0] })
    else { throw .invalid("Indices of \(indexShape) for a tensor of \(shape).") }
    let places = Self.columns(axis, of: shape)
    let counted = try countedFromFirst(indices, extents: [shape[axis]])
    let found = try append(
      .selection(
        Layer.Selection(
          input: arranged(value, places).source, places: arranged(counted, places).source)),
      Arrangement(shape: indexShape, places))
    return .computed(found)
  }

  /// An axis as columns, all others as channels.
  private static func columns(_ axis: Int, of shape: [Int]) -> Places {
    Places(columns: [axis], channels: shape.indices.filter { $0 != axis })
  }

  /// Indices as places from 0 on: those below 0 count from behind the last position.
  ///
  /// - Parameter extents: The positions for each index of the last axis, or one number for all.
  private mutating func countedFromFirst(
    _ indices: ComputedValue, extents: [Int]
  ) throws(LoweringFault) -> ComputedValue {
    if case .layer(let index) = indices.source {
      switch layers[index] {
      case .ranking: return indices
      case .reduction(let layer) where layer.kind == .indexOfMaximum: return indices
      default: break
      }
    }
    let isNegative = try applied(
      [.linear(scale: -1, offset: 0), .clamp(lower: 0, upper: 1)], to: .computed(indices))
    let counts = ConstantTensor(
      shape: extents.count == 1 ? [] : [extents.count], floats: extents.map { Float($0) })
    return try computed(
      combined(.addition, .computed(indices), product(isNegative, .constant(counts))))
  }
}
