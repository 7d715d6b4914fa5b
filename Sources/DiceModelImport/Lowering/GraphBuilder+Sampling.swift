internal import DiceWeights

/// Maps sampled at places that depend on the network's input.
extension GraphBuilder {
  /// The most weights of places in maps.
  static let sampledLimit = 1 << 24

  /// Numbers of maps between their places: each has a weight for each row and each column, which are multiplied, so
  /// that they make a matrix that the maps are multiplied by.
  ///
  /// - Parameters:
  ///   - maps: `[N, height * width, C]`.
  ///   - columns: `[N, P]`, counted from 0; `rows` likewise. Beyond the maps all is 0.
  ///   - isBounded: Whether nothing is taken from places that lie beyond the first or the last one at all.
  /// - Returns: `[N, P, C]`.
  mutating func sampled(
    _ maps: Value, height: Int, width: Int, columns: Value, rows: Value, isBounded: Bool = false
  ) throws(LoweringFault) -> Value {
    guard let shape = columns.shape, shape.count == 2, let channels = maps.shape?.last else {
      return .unknown
    }
    let pairs = [shape[0], shape[1], width].reduce(height) { (product, factor) in
      let (next, overflow) = product.multipliedReportingOverflow(by: factor)
      return overflow ? .max : next
    }
    guard pairs <= Self.sampledLimit else {
      throw .unsupported("it samples \(shape[1]) places of \(height) x \(width)")
    }
    func weights(
      _ places: Value, _ extent: Int, _ builder: inout GraphBuilder
    ) throws(LoweringFault) -> Value {
      let weights = try builder.indicators(places, count: extent)
      guard isBounded else { return weights }
      let end = ConstantTensor(shape: [], floats: [Float(extent - 1)])
      let isInside = try builder.product(
        builder.notNegative(places),
        builder.notNegative(builder.combined(.subtraction, .constant(end), places)))
      return try builder.product(weights, builder.reshaped(isInside, to: shape + [1]))
    }
    let across = try reshaped(weights(columns, width, &self), to: shape + [1, width])
    let along = try reshaped(weights(rows, height, &self), to: shape + [height, 1])
    let matrix = try reshaped(
      combined(.multiplication, along, across), to: shape + [height * width])
    return try reshaped(matrixProduct(matrix, maps), to: shape + [channels])
  }
}
