internal import DiceWeights

/// Maps of several pictures, which the format's layers treat one by one.
extension GraphBuilder {
  /// The most pictures of a batch that are treated one by one.
  static let pictureLimit = 64

  /// Does something with each picture of a batch, and puts the results together again.
  ///
  /// - Parameters:
  ///   - axes: The axes of one picture's maps; positions along others are pictures.
  ///   - body: Gives maps with as many axes as it takes.
  mutating func forEachPicture(
    _ value: ComputedValue, _ axes: MapAxes,
    _ body: (inout GraphBuilder, ComputedValue) throws(LoweringFault) -> ComputedValue
  ) throws(LoweringFault) -> ComputedValue {
    let shape = value.shape
    guard let axis = shape.indices.first(where: { shape[$0] != 1 && !axes.contains($0) }) else {
      return try body(&self, value)
    }
    guard shape[axis] <= Self.pictureLimit else {
      throw .unsupported("its batch has \(shape[axis]) pictures; \(Self.pictureLimit) are allowed")
    }
    var parts: [Value] = []
    for index in 0..<shape[axis] {
      let picture = try sliced(value, axis: axis, start: index, count: 1)
      parts.append(.computed(try forEachPicture(picture, axes, body)))
    }
    return try computed(concatenated(parts, axis: axis))
  }

  /// A convolution whose kernel has one position, of any number of pictures: a product with a matrix.
  mutating func pointConvolution(
    _ value: ComputedValue, channels: Int, weights: [Float], bias: [Float]?, outputCount: Int
  ) throws(LoweringFault) -> ComputedValue {
    let order = value.shape.indices.filter { $0 != channels } + [channels]
    let last = try computed(transposed(.computed(value), order))
    let product = try dense(last, weights: weights, bias: bias, outputCount: outputCount)
    var back = order
    for (place, axis) in order.enumerated() { back[axis] = place }
    return try computed(transposed(.computed(product), back))
  }
}

extension MapAxes {
  /// Whether an axis is one of the map's.
  func contains(_ axis: Int) -> Bool { axis == rows || axis == columns || axis == channels }
}

extension ComputedValue {
  /// Whether it has several maps of some axes.
  func hasPictures(_ axes: MapAxes) -> Bool {
    let shape = shape
    return shape.indices.contains { shape[$0] != 1 && !axes.contains($0) }
  }
}
