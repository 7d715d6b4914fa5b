/// Positions that indices name.
extension GraphBuilder {
  /// The positions of an axis that a tensor of indices names; its axes take that axis' place.
  ///
  mutating func gathered(
    _ value: Value, axis: Int, indices: Value
  ) throws(LoweringFault) -> Value {
    guard let shape = value.shape, let indexShape = indices.shape else { return .unknown }
    let target = shape[..<axis] + indexShape + shape[(axis + 1)...]
    guard target.count <= Self.rankLimit else {
      throw .unsupported("its result has \(target.count) axes")
    }
    guard case .constant(let known) = indices else {
      return try selected(computed(value), axis: axis, indices: computed(indices))
    }
    _ = try ConstantArithmetic.count(indexShape)
    let places = try known.wholeNumbers("indices").map { $0 < 0 ? $0 + shape[axis] : $0 }
    return try reshaped(positions(value, axis: axis, indices: places), to: Array(target))
  }

  /// The parts of a tensor that a tensor of points names: a point has an index for each of the first
  /// axes.
  mutating func gatheredPoints(_ value: Value, indices: Value) throws(LoweringFault) -> Value {
    guard let shape = value.shape else { return .unknown }
    guard case .constant(let known) = indices else {
      return try selectedPoints(computed(value), points: computed(indices))
    }
    let (places, depth) = try Self.places(ofPoints: known, in: shape)
    let rest = Array(shape[depth...])
    let flat = try reshaped(value, to: [shape[..<depth].reduce(1, *)] + rest)
    let target = known.shape.dropLast() + rest
    guard target.count <= Self.rankLimit else {
      throw .unsupported("its result has \(target.count) axes")
    }
    return try reshaped(positions(flat, axis: 0, indices: places), to: Array(target))
  }

  /// The places that points name in the first axes of a shape, and how many axes those are.
  static func places(
    ofPoints points: ConstantTensor, in shape: [Int]
  ) throws(LoweringFault) -> (places: [Int], depth: Int) {
    guard let depth = points.shape.last, depth > 0, depth <= shape.count else {
      throw .invalid("Indices of \(points.shape) for a tensor of \(shape).")
    }
    let stated = try points.wholeNumbers("indices")
    var places: [Int] = []
    for start in stride(from: 0, to: stated.count, by: depth) {
      var place = 0
      for axis in 0..<depth {
        let index =
          stated[start + axis] < 0 ? stated[start + axis] + shape[axis] : stated[start + axis]
        guard (0..<shape[axis]).contains(index) else {
          throw .invalid("An index \(index) is not one of \(shape[axis]) positions.")
        }
        place = place * shape[axis] + index
      }
      places.append(place)
    }
    return (places, depth)
  }

  /// For each position of a tensor of indices the number at that index along an axis.
  mutating func gatheredAlong(
    _ axis: Int, _ value: Value, indices: Value
  ) throws(LoweringFault) -> Value {
    guard let shape = value.shape else { return .unknown }
    guard case .constant(let known) = indices else {
      return try selectedAlong(axis, computed(value), indices: computed(indices))
    }
    let indexShape = known.shape
    guard indexShape.count == shape.count,
      shape.indices.allSatisfy({ $0 == axis || indexShape[$0] == shape[$0] })
    else { throw .invalid("Indices of \(indexShape) for a tensor of \(shape).") }
    let inner = shape[(axis + 1)...].reduce(1, *)
    var places: [Int] = []
    for (number, index) in try known.wholeNumbers("indices").enumerated() {
      let index = index < 0 ? index + shape[axis] : index
      guard (0..<shape[axis]).contains(index) else {
        throw .invalid("An index \(index) is not one of \(shape[axis]) positions.")
      }
      let outer = number / (inner * max(1, indexShape[axis]))
      places.append((outer * shape[axis] + index) * inner + number % inner)
    }
    let flat = try reshaped(value, to: [shape.reduce(1, *)])
    return try reshaped(positions(flat, axis: 0, indices: places), to: indexShape)
  }
}
