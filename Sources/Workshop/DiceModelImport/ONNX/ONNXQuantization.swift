internal import DiceWeights

/// What the integers of a tensor stand for: `(integer - zero) * scale`.
struct ONNXQuantization: Hashable, Sendable {
  var scale: Float
  var zero: Float
  /// The integers of the tensor's type.
  var range: ClosedRange<Float>

  /// Functions that take a number to the nearest one that an integer stands for; a half goes up.
  var rounding: [Layer.Activation] {
    let (lower, upper) = (range.lowerBound - zero, range.upperBound - zero)
    return [
      .linear(scale: 1 / scale, offset: 0.5), .clamp(lower: lower, upper: upper + 0.5), .floor,
      .linear(scale: scale, offset: 0),
    ]
  }

  /// Functions that take a number that an integer stands for to that integer.
  var integers: [Layer.Activation] {
    // Half a step more, so that rounding errors do not matter.
    [.linear(scale: 1 / scale, offset: zero + 0.5), .floor]
  }

  /// Functions that take an integer to the number that it stands for.
  var numbers: [Layer.Activation] { [.linear(scale: scale, offset: -scale * zero)] }

  /// The integers of a type; nil for types that nothing is quantized to.
  static func range(elementType: Int) -> ClosedRange<Float>? {
    switch ONNXTensor.ElementType(rawValue: elementType) {
    case .uint8: 0...255
    case .int8: -128...127
    case .uint16: 0...65_535
    case .int16: -32_768...32_767
    default: nil
    }
  }
}

extension ONNXLowering {
  /// What a scale and a zero point among the operands say, one for the whole tensor.
  func quantization(
    _ call: ONNXCall, scale: Int, zero: Int
  ) throws(LoweringFault) -> ONNXQuantization {
    guard let stated = try call.constant(scale, "scale") else {
      throw .invalid("\(call.node.operation) lacks a scale.")
    }
    guard let step = stated.scalar else {
      throw .unsupported("it quantizes each channel of a tensor that is not constant")
    }
    guard step > 0, step.isFinite, (1 / step).isFinite else {
      throw .invalid("Its scale is \(step).")
    }
    let zeroPoint = try call.scalar(zero, "zero point") ?? 0
    let name = call.node.inputs.indices.contains(zero) ? call.node.inputs[zero] : ""
    // The type of the zero point says the range; without one it is of unsigned bytes.
    let type = elementType(of: name) ?? call.integer("output_dtype", default: 0)
    let range = ONNXQuantization.range(elementType: type == 0 ? 2 : type)
    guard let range else {
      throw .unsupported("it quantizes to \(ONNXTensor.ElementType.name(type))")
    }
    guard range.contains(zeroPoint) else { throw .invalid("Its zero point is \(zeroPoint).") }
    return ONNXQuantization(scale: step, zero: zeroPoint, range: range)
  }

  /// The numbers that an operand's integers stand for.
  mutating func numbers(
    _ call: ONNXCall, _ index: Int, scale: Int, zero: Int
  ) throws(LoweringFault) -> Value {
    let value = try call.input(index)
    if case .constant(let tensor) = value {
      return .constant(try constantNumbers(call, tensor, scale: scale, zero: zero, axis: nil))
    }
    guard case .computed(let computed) = value else { return .unknown }
    let stated = try quantization(call, scale: scale, zero: zero)
    guard let known = call.quantizations[index] else {
      return .computed(try builder.activated(computed, stated.numbers))
    }
    if known.scale == stated.scale, known.zero == stated.zero { return value }
    // Other numbers for the same integers.
    return .computed(
      try builder.activated(
        computed,
        .linear(
          scale: stated.scale / known.scale, offset: stated.scale * (known.zero - stated.zero))))
  }

  /// The numbers that the integers of a constant stand for; scales lie along an axis, where there are
  /// several.
  func constantNumbers(
    _ call: ONNXCall, _ tensor: ConstantTensor, scale: Int, zero: Int, axis: Int?
  ) throws(LoweringFault) -> ConstantTensor {
    guard let scales = try call.constant(scale, "scale") else {
      throw .invalid("\(call.node.operation) lacks a scale.")
    }
    let zeros =
      try call.constant(zero, "zero point")
      ?? ConstantTensor(
        shape: scales.shape, integers: [Int](repeating: 0, count: scales.count))
    guard zeros.count == scales.count else {
      throw .invalid("Scale and zero point differ in shape.")
    }
    var shape: [Int] = []
    if scales.count > 1 {
      guard let axis, tensor.shape.indices.contains(axis), scales.shape.count == 1,
        scales.count == tensor.shape[axis]
      else { throw .unsupported("it quantizes in blocks") }
      shape = [scales.count] + [Int](repeating: 1, count: tensor.shape.count - 1 - axis)
    }
    let shifted = try ConstantArithmetic.combine(
      tensor, zeros.reshaped(to: shape), { $0 - $1 },
      integers: { (x, y) in Layer.Elementwise.Operation.subtraction.result(x, y) })
    return try ConstantArithmetic.combine(
      ConstantTensor(shape: shifted.shape, floats: shifted.floats), scales.reshaped(to: shape),
      { $0 * $1 }, integers: { (_, _) in nil })
  }

  /// A result whose numbers become those that integers stand for.
  mutating func quantized(
    _ value: Value, _ call: ONNXCall, scale: Int, zero: Int
  ) throws(LoweringFault) -> [Value] {
    let quantization = try quantization(call, scale: scale, zero: zero)
    if let name = call.node.outputs.first { note(quantization, of: name) }
    return [.computed(try builder.activated(builder.computed(value), quantization.rounding))]
  }
}
