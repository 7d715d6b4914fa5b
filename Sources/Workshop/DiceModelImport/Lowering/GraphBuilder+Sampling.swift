internal import DiceDetectorHeads
internal import DiceWeights

/// Maps sampled at places that depend on the network's input.
extension GraphBuilder {
  /// A neighbour of places along an axis: a position of the maps, and how much it counts.
  private struct Neighbour {
    let position: Value
    let weight: Value
  }

  /// Numbers of maps between their places, from the four positions around each.
  ///
  /// - Parameters:
  ///   - maps: `[N, height * width, C]`.
  ///   - columns: `[N, P]`, counted from 0; `rows` likewise. Beyond the maps all is 0.
  ///   - isBounded: Whether nothing is taken from places that lie beyond the first or the last one at all.
  /// - Returns: `[N, P, C]`.
  mutating func sampled(
    _ maps: Value, height: Int, width: Int, columns: Value, rows: Value, isBounded: Bool = false
  ) throws(LoweringFault) -> Value {
    guard let shape = columns.shape, shape.count == 2, let mapShape = maps.shape else {
      return .unknown
    }
    let source = try arranged(computed(maps), Places(rows: [0], columns: [1], channels: [2]))
    let target = Arrangement(
      shape: shape + mapShape.suffix(1), Places(rows: [0], columns: [1], channels: [2]))
    let across = try neighbours(columns, extent: width, isBounded)
    let along = try neighbours(rows, extent: height, isBounded)
    var sum: Value?
    for row in along {
      let start = try applied([.linear(scale: Float(width), offset: 0)], to: row.position)
      for column in across {
        let places = try arranged(
          computed(combined(.addition, start, column.position)), Places(rows: [0], columns: [1]))
        let found = try append(
          .selection(Layer.Selection(input: source.source, places: places.source)), target)
        let weight = try reshaped(product(row.weight, column.weight), to: shape + [1])
        let part = try product(.computed(found), weight)
        if let before = sum {
          sum = try combined(.addition, before, part)
        } else {
          sum = part
        }
      }
    }
    return sum ?? .unknown
  }

  /// The positions before and behind each place of an axis.
  ///
  /// A position that is not there has the weight 0, and another one in its stead.
  private mutating func neighbours(
    _ places: Value, extent: Int, _ isBounded: Bool
  ) throws(LoweringFault) -> [Neighbour] {
    let last = Float(extent - 1)
    // Further away nothing counts, either.
    let near = try applied([.clamp(lower: -1, upper: last + 1)], to: places)
    let first = try applied([.floor], to: near)
    let share = try combined(.subtraction, near, first)
    func limited(
      _ scale: Float, _ offset: Float, _ builder: inout GraphBuilder
    ) throws(LoweringFault) -> Value {
      try builder.applied(
        [.linear(scale: scale, offset: offset), .clamp(lower: 0, upper: 1)], to: first)
    }
    var isFirstThere = try product(limited(1, 1, &self), limited(-1, last + 1, &self))
    var isSecondThere = try limited(-1, last, &self)
    if isBounded {
      let end = ConstantTensor(shape: [], floats: [last])
      let isInside = try product(
        notNegative(places), notNegative(combined(.subtraction, .constant(end), places)))
      isFirstThere = try product(isFirstThere, isInside)
      isSecondThere = try product(isSecondThere, isInside)
    }
    return [
      Neighbour(
        position: try applied([.clamp(lower: 0, upper: last)], to: first),
        weight: try product(negated(share), isFirstThere)),
      Neighbour(
        position: try applied(
          [.linear(scale: 1, offset: 1), .clamp(lower: 0, upper: last)], to: first),
        weight: try product(share, isSecondThere)),
    ]
  }
}
