internal import DiceWeights

/// How LiteRT rounds the sums and products of 8-bit integers.
///
/// It multiplies a sum by a factor `m` with `0.5 <= m < 1`, rounds, divides by `2^n`, and rounds again, both
/// times to the nearest integer. What lies less than half a step below a middle thus goes up, too, if the
/// distance is not above `2^-(n + 1)` steps: 1/8 of them for factors of 0.25, so that networks drift
/// upwards. Such an excess is added here before numbers are rounded once.
///
/// Source: `MultiplyByQuantizedMultiplier` of LiteRT's kernels; measured for its convolutions, products and
/// means against LiteRT 2.3 without delegates.
extension TFLiteLowering {
  /// The steps that are rounded up besides, by the factor of a sum.
  private static func excess(factor: Float, shift: Int = 0) -> Float {
    guard factor > 0, factor.isFinite else { return 0 }
    let n = shift - Int(factor.exponent) - 1
    return n > 0 && n < 32 ? Float(sign: .plus, exponent: -(n + 1), significand: 1) : 0
  }

  /// What integers stand for where they have 8 bits and one scale for all; nil for others.
  private func bytes(_ number: Int?) throws(LoweringFault) -> TFLiteQuantization? {
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
      kernel.isWhole || kernel.scales.count == count
    else { return stated }
    let step = output.scales[0]
    return (0..<count).map { (place) in
      let factor = input.scales[0] * kernel.scales[kernel.isWhole ? 0 : place] / step
      return (stated?[place] ?? 0) + step * Self.excess(factor: factor)
    }
  }

  /// The excess, in steps, of an operation that is no weighted sum.
  func excess(
    _ operation: TFLiteFile.Operation, _ operands: [Value?]
  ) throws(LoweringFault) -> Float {
    guard let input = try bytes(operation.inputs.first),
      let output = try bytes(operation.outputs.first)
    else { return 0 }
    let ratio = input.scales[0] / output.scales[0]
    switch TFLiteOperations.name(operation) {
    case "MUL":
      guard operation.inputs.count == 2, let second = try bytes(operation.inputs[1]) else {
        return 0
      }
      return Self.excess(factor: ratio * second.scales[0])
    case "MEAN":
      guard operands.count == 2, case .constant(let axes)? = operands[1],
        let shape = operands[0]?.shape
      else { return 0 }
      // The division by the count is part of the factor.
      let places = Set(try axes.wholeNumbers("axes").map { $0 < 0 ? $0 + shape.count : $0 })
      let count = places.filter { shape.indices.contains($0) }.reduce(1) { $0 * shape[$1] }
      return Self.excess(factor: ratio, shift: Int(Float(max(1, count)).exponent))
    case "AVERAGE_POOL_2D":
      // The middle between two integers with signs goes away from 0, which mostly is down.
      return file.tensors[operation.inputs[0]].type == .int8 && input.zeroPoints[0] < 0 ? -1e-3 : 0
    default: return 0
    }
  }
}
