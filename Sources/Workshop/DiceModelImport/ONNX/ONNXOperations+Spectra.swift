internal import DiceWeights

/// Fourier transforms. A complex number is a last axis of two.
extension ONNXOperations {
  static let spectra: [ONNXOperation] = [
    ONNXOperation("DFT", "a known length of at most 4096, a known axis; not from one side back") {
      (lowering, call) throws(LoweringFault) in
      try [transform(&lowering.builder, call)]
    },
    ONNXOperation("STFT", "of real numbers; known window, length of at most 4096 and step") {
      (lowering, call) throws(LoweringFault) in
      try [windowedTransform(&lowering.builder, call)]
    },
  ]

  private static func transform(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    guard shape.count >= 2, let parts = shape.last, parts == 1 || parts == 2 else {
      throw .invalid("It transforms the shape \(shape).")
    }
    let stated = try call.integers(2, "axis")?.first ?? -2
    let axis = try call.axis(
      call.operatorSet < 20 ? call.integer("axis", default: 1) : stated, rank: shape.count)
    guard axis < shape.count - 1 else { throw .invalid("It transforms the parts of numbers.") }
    let length = try call.integers(1, "length")?.first ?? shape[axis]
    let isInverse = call.integer("inverse", default: 0) != 0
    let isOneSided = call.integer("onesided", default: 0) != 0
    guard !isInverse || !isOneSided else { throw .unsupported("it goes back from one side") }
    guard length > 0 else { throw .invalid("Its length is \(length).") }
    // The axis is last, and the parts are apart.
    var order = shape.indices.filter { $0 != axis && $0 != shape.count - 1 }
    order += [axis, shape.count - 1]
    let turned = try builder.computed(builder.transposed(call.input(0), order))
    let kept = Array(turned.shape.dropLast())
    func part(_ index: Int, _ builder: inout GraphBuilder) throws(LoweringFault) -> Value {
      let piece = try builder.sliced(turned, axis: shape.count - 1, start: index, count: 1)
      return try builder.reshaped(.computed(piece), to: kept)
    }
    let value = GraphBuilder.ComplexValue(
      real: try part(0, &builder), imaginary: parts == 2 ? try part(1, &builder) : nil)
    let count = isOneSided ? length / 2 + 1 : length
    let result = try builder.transformed(
      value, length: length, count: count, isInverse: isInverse)
    // Both parts side by side again, and the axis in its place.
    let extents = kept.dropLast() + [count, 1]
    var pieces: [Value] = []
    for part in [result.real, result.imaginary] {
      guard let part else { continue }
      pieces.append(try builder.reshaped(part, to: Array(extents)))
    }
    let joined = try builder.concatenated(pieces, axis: shape.count - 1)
    var back = [Int](repeating: 0, count: shape.count)
    for (place, source) in order.enumerated() { back[source] = place }
    return builder.transposed(joined, back)
  }

  private static func windowedTransform(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    guard shape.count == 2 || shape.count == 3 && shape[2] == 1 else {
      throw .unsupported("its numbers are complex")
    }
    guard let step = try call.integers(1, "step")?.first, (1...(1 << 15)).contains(step) else {
      throw .invalid("It lacks its step.")
    }
    let window = try call.constant(2, "window")?.floats
    guard let length = try call.integers(3, "length")?.first ?? window?.count,
      window == nil || window?.count == length
    else { throw .invalid("Its window and its length differ.") }
    let isOneSided = call.integer("onesided", default: 1) != 0
    guard length > 0 else { throw .invalid("Its length is \(length).") }
    let count = isOneSided ? length / 2 + 1 : length
    let (cosines, sines) = try builder.waves(length: length, count: count)
    // A convolution with a wave for each part of a frequency.
    var weights: [Float] = []
    weights.reserveCapacity(2 * length * count)
    for place in 0..<length {
      let factor = window?[place] ?? 1
      let row = place * count..<(place + 1) * count
      weights += cosines[row].map { $0 * factor }
      weights += sines[row].map { -$0 * factor }
    }
    let signal = try builder.computed(
      builder.reshaped(call.input(0), to: [shape[0], 1, shape[1]]))
    let result = try builder.convolution(
      signal, .channelsFirst(rank: 3), weights: weights, bias: nil, outputChannels: 2 * count,
      window: Layer.Window(height: length, width: 1, strideY: step, strideX: 1), groups: 1)
    let split = try builder.reshaped(
      .computed(result), to: [shape[0], 2, count, result.shape[2]])
    return builder.transposed(split, [0, 3, 2, 1])
  }
}
