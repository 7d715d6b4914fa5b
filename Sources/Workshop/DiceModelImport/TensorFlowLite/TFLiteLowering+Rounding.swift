internal import DiceWeights

/// How much less than half a step is rounded away from a pivot, too, in steps.
struct RoundingExcess: Hashable, Sendable {
  /// Above the pivot: that much less than half a step goes up; below 0 more than half a step is needed.
  var above: Float = 0
  /// Below the pivot: that much less than half a step goes down; the middle goes up where it is
  /// the negative of `above`.
  var below: Float = 0
  /// Steps from the zero point.
  var pivot: Float = 0

  /// The same on both sides.
  static func upwards(_ excess: Float) -> RoundingExcess {
    RoundingExcess(above: excess, below: -excess)
  }
}

/// How LiteRT rounds the sums and products of 8-bit integers.
///
/// It multiplies a sum by a factor `m` with `0.5 <= m < 1`, rounds, divides by `2^n`, and rounds again, both
/// times to the nearest integer. What lies less than half a step below a middle thus goes up, too, if the
/// distance is not above `2^-(n + 1)` steps: 1/8 of them for factors of 0.25, so that networks drift
/// upwards. Such an excess is added here before numbers are rounded once. Some operations take a middle
/// between negative numbers down, and the excess with it.
///
/// Source: `MultiplyByQuantizedMultiplier` of LiteRT's kernels; measured for each kind of operation against
/// LiteRT 2.3 without delegates, on x86-64.
extension TFLiteLowering {
  /// What decides which way a middle goes where it is exact: more than the error of the sum.
  private static let tie: Float = 1e-3

  /// The steps that are rounded up besides, by the factor of a sum.
  ///
  /// - Parameter shift: How much further the rounded product is divided, as a power of 2.
  private static func excess(factor: Float, shift: Int = 0) -> Float {
    guard factor > 0, factor.isFinite else { return 0 }
    let n = shift - Int(factor.exponent) - 1
    return n > 0 && n < 32 ? Float(sign: .plus, exponent: -(n + 1), significand: 1) : 0
  }

  /// Whether an operation on unsigned integers takes middles between negative sums down.
  private func roundsAway(_ operation: TFLiteFile.Operation) -> Bool {
    TFLiteOperations.name(operation) == "DEPTHWISE_CONV_2D"
      && operation.inputs.first.map { $0 >= 0 && file.tensors[$0].type == .uint8 } == true
  }

  /// What integers stand for where they have 8 bits and one scale for all; nil for others.
  func bytes(_ number: Int?) throws(LoweringFault) -> TFLiteQuantization? {
    guard let number, number >= 0, let range = file.tensors[number].type.quantizedRange,
      range.count <= 256, let quantization = try TFLiteQuantization(file.tensors[number]),
      quantization.isWhole, quantization.scales[0] > 0
    else { return nil }
    return quantization
  }

  /// The biases of a weighted sum, with the excess of its roundings.
  ///
  /// - Parameters:
  ///   - value: The place of the operand that is summed up; the others likewise.
  ///   - count: How many sums there are.
  func bias(
    _ call: TFLiteCall, _ operation: TFLiteFile.Operation, value: Int, weights: Int, bias: Int,
    count: Int
  ) throws(LoweringFault) -> [Float]? {
    let stated = try call.constant(bias, "bias")?.floats
    if let stated, stated.count != count {
      throw .invalid("It has \(stated.count) biases for \(count) sums.")
    }
    guard operation.inputs.indices.contains(max(value, weights)),
      operation.inputs[weights] >= 0, let input = try bytes(operation.inputs[value]),
      let output = try bytes(operation.outputs.first),
      let kernel = try TFLiteQuantization(file.tensors[operation.inputs[weights]]),
      kernel.isWhole || kernel.scales.count == count, !roundsAway(operation)
    else { return stated }
    let step = output.scales[0]
    return (0..<count).map { (place) in
      let factor = input.scales[0] * kernel.scales[kernel.isWhole ? 0 : place] / step
      return (stated?[place] ?? 0) + step * Self.excess(factor: factor)
    }
  }

  /// The excess of an operation where its biases do not have it.
  func excess(
    _ operation: TFLiteFile.Operation, _ call: TFLiteCall
  ) throws(LoweringFault) -> RoundingExcess {
    guard let input = try bytes(operation.inputs.first),
      let output = try bytes(operation.outputs.first)
    else { return RoundingExcess() }
    let ratio = input.scales[0] / output.scales[0]
    let isSigned = file.tensors[operation.inputs[0]].type == .int8
    switch TFLiteOperations.name(operation) {
    case "DEPTHWISE_CONV_2D" where roundsAway(operation), "MUL":
      guard operation.inputs.count >= 2, let second = try bytes(operation.inputs[1]) else {
        return RoundingExcess()
      }
      let excess = Self.excess(factor: ratio * second.scales[0])
      return RoundingExcess(above: excess, below: excess)
    case "LEAKY_RELU":
      let slope = try call.number(0)
      return RoundingExcess(
        above: Self.excess(factor: ratio), below: Self.excess(factor: ratio * slope))
    case "HARD_SWISH": return .upwards(Float(try hardSwish(operation)?.offset ?? 0))
    case "MEAN": return try meanExcess(call, ratio: ratio, zeroPoint: Float(input.zeroPoints[0]))
    case "AVERAGE_POOL_2D", "RESIZE_BILINEAR":
      // The integers themselves are averaged, and the middle between two goes away from 0.
      return isSigned
        ? RoundingExcess(above: Self.tie, below: Self.tie, pivot: -Float(input.zeroPoints[0]))
        : .upwards(Self.tie)
    default: return RoundingExcess()
    }
  }
  /// The excess of a mean: the division by the count is part of the factor.
  private func meanExcess(
    _ call: TFLiteCall, ratio: Float, zeroPoint: Float
  ) throws(LoweringFault) -> RoundingExcess {
    guard let shape = call.inputs.first??.shape, let axes = try call.constant(1, "axes") else {
      return RoundingExcess()
    }
    let places = Set(try axes.wholeNumbers("axes").map { $0 < 0 ? $0 + shape.count : $0 })
    let count = places.filter { shape.indices.contains($0) }.reduce(1) { $0 * shape[$1] }
    if shape.count == 4, places == [1, 2], try call.flag(0) {
      // Integers are summed with their zero points, whose own mean is rounded by itself.
      let shift = zeroPoint * ratio
      let excess = Self.excess(factor: ratio / Float(max(1, count)))
      return .upwards(excess + shift - shift.rounded())
    }
    let excess = Self.excess(factor: ratio, shift: Int(Float(max(1, count)).exponent))
    return RoundingExcess(above: excess, below: excess)
  }
}
