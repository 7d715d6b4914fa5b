internal import DiceWeights

/// What the integers of a tensor stand for: `scale * (integer - zero point)`.
struct TFLiteQuantization: Hashable, Sendable {
  /// One for all numbers, or one for each position of an axis.
  let scales: [Float]
  /// As many as there are scales.
  let zeroPoints: [Int]
  /// The axis that scales differ along.
  let axis: Int

  /// Whether one scale holds for all numbers.
  var isWhole: Bool { scales.count == 1 }

  /// What a tensor's table says; nil where its numbers stand for themselves.
  init?(_ tensor: TFLiteFile.Tensor) throws(LoweringFault) {
    guard let table = tensor.quantization,
      tensor.type.quantizedRange != nil || tensor.type == .int32
    else { return nil }
    guard
      let count = try Self.wire({ () throws(FlatbufferError) in
        try table.count(2, elementByteCount: 4)
      }), count > 0
    else {
      if try Self.wire({ () throws(FlatbufferError) in try table.has(5) }) {
        throw .unsupported("its quantization is a custom one")
      }
      return nil
    }
    let axis = try Self.integer(table, 6, byteCount: 4)
    guard count == 1 || tensor.shape.indices.contains(axis) && tensor.shape[axis] == count else {
      throw .invalid(
        "\(count) scales do not go with axis \(axis) of the shape \(tensor.shape).")
    }
    if try Self.integer(table, 4, byteCount: 1) == 2 {
      throw .unsupported("its scales are of blocks")
    }
    scales = try Self.wire { () throws(FlatbufferError) in
      try table.floats(2, limit: count) ?? []
    }
    var zeroPoints = try Self.wire { () throws(FlatbufferError) in
      try table.integers(3, byteCount: 8, limit: count) ?? []
    }
    if zeroPoints.count <= 1 {
      zeroPoints = [Int](repeating: zeroPoints.first ?? 0, count: count)
    }
    guard zeroPoints.count == count, zeroPoints.allSatisfy({ $0.magnitude < 1 << 32 }),
      scales.allSatisfy({ $0.isFinite && $0 >= 0 })
    else { throw .invalid("Its quantization is damaged.") }
    self.zeroPoints = zeroPoints
    self.axis = count == 1 ? 0 : axis
  }

  /// Carries an error of the flatbuffer over.
  private static func wire<Result>(
    _ read: () throws(FlatbufferError) -> Result
  ) throws(LoweringFault) -> Result {
    do throws(FlatbufferError) { return try read() } catch { throw .invalid("\(error)") }
  }

  private static func integer(
    _ table: FlatbufferTable, _ field: Int, byteCount: Int
  ) throws(LoweringFault) -> Int {
    try wire { () throws(FlatbufferError) in
      try table.integer(field, byteCount: byteCount) ?? 0
    }
  }

  /// The numbers that integers of a shape stand for.
  func floats(_ integers: [Int], shape: [Int]) -> [Float] {
    if isWhole {
      let (scale, zero) = (scales[0], zeroPoints[0])
      return integers.map { Float($0 - zero) * scale }
    }
    let inner = shape[(axis + 1)...].reduce(1, *)
    return integers.enumerated().map { (place, integer) in
      let position = place / inner % scales.count
      return Float(integer - zeroPoints[position]) * scales[position]
    }
  }

  /// Integers less their zero points.
  func steps(_ integers: [Int], shape: [Int]) -> [Float] {
    if isWhole { return integers.map { Float($0 - zeroPoints[0]) } }
    let inner = shape[(axis + 1)...].reduce(1, *)
    return integers.enumerated().map { (place, integer) in
      Float(integer - zeroPoints[place / inner % scales.count])
    }
  }

  /// The least and the greatest integer of a type, less the zero point.
  ///
  /// - Parameter limits: What numbers are limited to besides; the nearest integer to a limit counts.
  func limits(
    _ range: ClosedRange<Int>, _ limits: (lower: Float, upper: Float)?
  ) -> (lower: Float, upper: Float) {
    var lower = Float(range.lowerBound - zeroPoints[0])
    var upper = Float(range.upperBound - zeroPoints[0])
    if let limits {
      lower = max(lower, (limits.lower / scales[0]).rounded())
      upper = min(upper, (limits.upper / scales[0]).rounded())
    }
    return (min(lower, upper), upper)
  }

  /// Functions that take a number to the nearest integer, less the zero point; or just limit it.
  ///
  /// - Parameters:
  ///   - limits: What numbers are limited to besides.
  ///   - isRounded: Whether numbers become integers.
  ///   - excess: How much less than half a step is rounded away from a pivot, too.
  func rounding(
    to range: ClosedRange<Int>, limits: (lower: Float, upper: Float)?, isRounded: Bool,
    excess: RoundingExcess = RoundingExcess()
  ) -> [Layer.Activation] {
    let scale = scales[0]
    guard scale > 0, (1 / scale).isFinite else { return [] }
    let (lower, upper) = self.limits(range, limits)
    guard isRounded else { return [.clamp(lower: lower * scale, upper: upper * scale)] }
    let end: [Layer.Activation] = [.clamp(lower: lower, upper: upper + 0.5), .floor]
    let jump = excess.above + excess.below
    guard jump > 0, jump < 1, lower < excess.pivot else {
      return [.linear(scale: 1 / scale, offset: 0.5 + excess.above)] + end
    }
    // Less `below` under the middle step below the pivot, and more `above` over the one above it; a
    // steeper line lies between them, on the step of the pivot.
    return [
      .linear(
        scale: 1 / (scale * (1 - jump)),
        offset: (0.5 - excess.below - excess.pivot) / (1 - jump)),
      .leakyReLU(slope: 1 - jump), .linear(scale: -1, offset: 1), .leakyReLU(slope: 1 - jump),
      .linear(scale: -1, offset: 1 + excess.pivot),
    ] + end
  }
}
