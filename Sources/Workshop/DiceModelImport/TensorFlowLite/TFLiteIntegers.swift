internal import DiceNumerics
internal import DiceWeights

/// How the integers of an operation's results follow from those of its operands, all less their zero points.
enum TFLiteIntegers {
  /// They are some of them.
  case moved
  /// What the operation gives for the integers, times a factor for all or for each channel.
  case scaled([TFLiteMultiplier], isRoundedOnce: Bool = false)
  /// The mean of the integers along some axes, with the factor of the numbers themselves.
  case mean(TFLiteMultiplier)
  /// The integers times a factor each, added up, times a third one.
  case sum(first: TFLiteMultiplier, second: TFLiteMultiplier, sum: TFLiteMultiplier)
  /// The operand's times a factor, limited.
  case limited(TFLiteMultiplier, Layer.Activation)
  /// The operand's times a factor where they are above 0, else times their slopes and another factor.
  case rectified(above: TFLiteMultiplier, below: TFLiteMultiplier)
  /// One for each integer of the type.
  case table([Int])
}

/// Operations on 8-bit integers as LiteRT's reference kernels compute them, integer by integer.
///
/// Source: LiteRT's `kernels` and `reference_ops`; checked against LiteRT 2.3 with `BUILTIN_REF`.
extension TFLiteLowering {
  /// What integers stand for where they have 8 bits or fewer and one scale for all; nil for others.
  func bytes(_ number: Int?) throws(LoweringFault) -> TFLiteQuantization? {
    guard let number, number >= 0, let range = file.tensors[number].type.quantizedRange,
      range.count <= 256, let quantization = try TFLiteQuantization(file.tensors[number]),
      quantization.isWhole, quantization.scales[0] > 0, (1 / quantization.scales[0]).isFinite
    else { return nil }
    return quantization
  }

  /// How an operation computes its integers; nil where it does so in floats, or has none.
  func integers(
    of operation: TFLiteFile.Operation, _ known: TFLiteOperation, _ call: TFLiteCall
  ) throws(LoweringFault) -> TFLiteIntegers? {
    guard let number = operation.outputs.first, let output = try bytes(number) else { return nil }
    let type = file.tensors[number].type
    if let field = known.activationField {
      let function = try TFLiteActivation.function(try call.choice(field))
      guard function == .identity || function.limits != nil else { return nil }
    }
    /// An operand of the same type as the result.
    func operand(_ place: Int) throws(LoweringFault) -> TFLiteQuantization? {
      guard operation.inputs.indices.contains(place), operation.inputs[place] >= 0,
        file.tensors[operation.inputs[place]].type == type
      else { return nil }
      return try bytes(operation.inputs[place])
    }
    let scale = Double(output.scales[0])
    switch TFLiteOperations.name(operation) {
    case "CONV_2D", "DEPTHWISE_CONV_2D":
      return try scaled(
        operation, operand(0), weights: 1, scale, isRoundedBefore: type == .uint8)
    case "TRANSPOSE_CONV":
      return try scaled(
        operation, operand(2), weights: 1, scale, isRoundedBefore: type == .uint8)
    case "FULLY_CONNECTED":
      guard
        case .scaled(let factors, _)? = try scaled(
          operation, operand(0), weights: 1, scale, isRoundedBefore: true)
      else { return nil }
      return .scaled(factors, isRoundedOnce: factors.allSatisfy { $0.shift < 0 })
    case "MUL":
      guard let first = try operand(0), let second = try operand(1) else { return nil }
      let factor = first.scales[0] * second.scales[0] / output.scales[0]
      return TFLiteMultiplier(Double(factor)).map { .scaled([$0]) }
    case "ADD", "SUB":
      guard let first = try operand(0), let second = try operand(1) else { return nil }
      let scales = [Double(first.scales[0]), Double(second.scales[0])]
      let twice = 2 * max(scales[0], scales[1])
      guard let one = TFLiteMultiplier(scales[0] / twice),
        let two = TFLiteMultiplier(scales[1] / twice),
        let sum = TFLiteMultiplier(twice / (Double(1 << 20) * scale)), sum.shift <= 0
      else { return nil }
      return .sum(
        first: one, second: TFLiteOperations.name(operation) == "SUB" ? two.negated : two, sum: sum)
    case "MEAN":
      guard let input = try operand(0) else { return nil }
      return TFLiteMultiplier(Double(input.scales[0]) / scale).map { .mean($0) }
    case "QUANTIZE":
      guard let input = try bytes(operation.inputs.first) else { return nil }
      return TFLiteMultiplier(Double(input.scales[0]) / scale).map { .limited($0, .identity) }
    case "RELU", "RELU6", "RELU_N1_TO_1", "RELU_0_TO_1":
      guard let input = try operand(0) else { return nil }
      let limits: [String: Layer.Activation] = [
        "RELU": .relu, "RELU6": .relu6, "RELU_N1_TO_1": .clamp(lower: -1, upper: 1),
      ]
      return TFLiteMultiplier(Double(input.scales[0] / output.scales[0])).map { (factor) in
        .limited(
          factor, limits[TFLiteOperations.name(operation)] ?? .clamp(lower: 0, upper: 1))
      }
    case "LEAKY_RELU", "LOGISTIC", "TANH", "HARD_SWISH":
      guard let input = try operand(0) else { return nil }
      guard let results = try table(operation, call, input, output, type) else { return nil }
      return .table(results)
    case "PRELU":
      guard let input = try operand(0), let slopes = try operand(1),
        let above = TFLiteMultiplier(Double(input.scales[0] / output.scales[0])),
        let below = TFLiteMultiplier(
          Double(input.scales[0] * slopes.scales[0] / output.scales[0]))
      else { return nil }
      return .rectified(above: above, below: below)
    case "MAXIMUM", "MINIMUM":
      guard let first = try operand(0), let second = try operand(1) else { return nil }
      return first == output && second == output ? .moved : nil
    default: return known.treatment == .moving ? .moved : nil
    }
  }

  /// Sums of products with weights.
  ///
  /// - Parameter isRoundedBefore: Whether the product of the operands' scales is rounded to a float where there
  ///   is one for all weights.
  private func scaled(
    _ operation: TFLiteFile.Operation, _ input: TFLiteQuantization?, weights: Int, _ scale: Double,
    isRoundedBefore: Bool
  ) throws(LoweringFault) -> TFLiteIntegers? {
    guard let input, operation.inputs.indices.contains(weights), operation.inputs[weights] >= 0,
      file.tensors[operation.inputs[weights]].type.quantizedRange.map({ $0.count <= 256 }) == true,
      let kernel = try TFLiteQuantization(file.tensors[operation.inputs[weights]])
    else { return nil }
    let isRounded = isRoundedBefore && kernel.isWhole
    var factors: [TFLiteMultiplier] = []
    for own in kernel.scales {
      let product =
        isRounded ? Double(input.scales[0] * own) : Double(input.scales[0]) * Double(own)
      guard let factor = TFLiteMultiplier(product / scale) else { return nil }
      factors.append(factor)
    }
    return .scaled(factors)
  }

  /// The results of a function of one number, by the integers of the type; nil where LiteRT has none.
  private func table(
    _ operation: TFLiteFile.Operation, _ call: TFLiteCall, _ input: TFLiteQuantization,
    _ output: TFLiteQuantization, _ type: TFLiteElement
  ) throws(LoweringFault) -> [Int]? {
    guard let range = type.quantizedRange else { return nil }
    let steps = range.map { $0 - input.zeroPoints[0] }
    let (zero, ratio) = (output.zeroPoints[0], input.scales[0] / output.scales[0])
    let results: [Int]
    switch TFLiteOperations.name(operation) {
    case "HARD_SWISH": return TFLiteHardSwish.results(from: input, to: output, range: range)
    case "LEAKY_RELU":
      let slope = try call.number(0)
      guard let above = TFLiteMultiplier(Double(ratio)),
        let below = TFLiteMultiplier(Double(input.scales[0] * slope / output.scales[0]))
      else { return nil }
      results = steps.map { (step) in zero + (step < 0 ? below : above).result(step) }
    case "LOGISTIC", "TANH":
      let isTangent = TFLiteOperations.name(operation) == "TANH"
      results = steps.map { (step) in
        let x = Double(input.scales[0] * Float(step))
        let value =
          isTangent
          ? Float(1 - 2 / (exponential(2 * x) + 1)) : 1 / (1 + Float(exponential(-x)))
        return zero + Int((value * (1 / output.scales[0])).rounded())
      }
    default: return nil
    }
    return results.map { min(max($0, range.lowerBound), range.upperBound) }
  }

  /// The integers of an operation's results, less their zero points.
  mutating func results(
    of operation: TFLiteFile.Operation, _ known: TFLiteOperation, _ call: TFLiteCall,
    _ integers: TFLiteIntegers
  ) throws(LoweringFault) -> [Value] {
    switch integers {
    case .moved:
      var results = try known.lower(&self, moved(call, operation), operation)
      let first = try bytes(operation.outputs.first)
      for (place, number) in operation.outputs.enumerated() where results.indices.contains(place) {
        guard let own = try bytes(number), let first else { continue }
        results[place] = try shifted(results[place], from: first, to: own)
      }
      return results
    case .scaled(let factors, let isRoundedOnce):
      noteLargeSums(call, operation)
      return [
        try builder.requantized(
          known.lower(&self, call, operation)[0], factors, isRoundedOnce: isRoundedOnce)
      ]
    case .rectified(let above, let below):
      let input = try call.input(0)
      let negative = try builder.applied(
        [.clamp(lower: -.greatestFiniteMagnitude, upper: 0)], to: input)
      return [
        try builder.combined(
          .addition, builder.requantized(builder.applied([.relu], to: input), [above]),
          builder.requantized(builder.product(negative, call.input(1)), [below]))
      ]
    case .limited(let factor, _):
      return [try builder.requantized(call.input(0), [factor])]
    case .mean(let factor):
      let shape = try call.shape(0)
      let axes = try call.axes(call.integers(1, "axes"), rank: shape.count)
      let count = axes.reduce(1) { $0 * shape[$1] }
      guard let factor = factor.divided(by: count) else {
        throw .unsupported("it is the mean of \(count) numbers")
      }
      var value = try call.input(0)
      if !axes.isEmpty { value = try builder.summarized(value, .sum, axes: axes) }
      if try !call.flag(0) {
        value = try builder.reshaped(
          value, to: shape.indices.filter { !axes.contains($0) }.map { shape[$0] })
      }
      return [try builder.requantized(value, [factor])]
    case .sum(let first, let second, let sum):
      return [
        try builder.requantizedSum(
          call.input(0), call.input(1), (first.numbers + second.numbers + sum.numbers))
      ]
    case .table(let results):
      guard let input = try bytes(operation.inputs.first),
        let output = try bytes(operation.outputs.first)
      else { return [] }
      let type = file.tensors[operation.inputs[0]].type
      return [try tabled(call.input(0), results, from: input, to: output, type)]
    }
  }

  /// Notes sums of products that floats may not have exactly: from 2²⁴ on.
  private mutating func noteLargeSums(_ call: TFLiteCall, _ operation: TFLiteFile.Operation) {
    guard TFLiteOperations.name(operation) != "DEPTHWISE_CONV_2D", call.inputs.count > 1,
      case .constant(let weights)? = call.inputs[1], let count = weights.shape.first, count > 0
    else { return }
    let floats = weights.floats
    let length = floats.count / count
    for row in 0..<count {
      var sum: Float = 0
      for place in row * length..<(row + 1) * length { sum += abs(floats[place]) }
      if sum * 255 >= 16_777_216 {
        note("Sums of products may be above 2^24, from where on floats have not all integers.")
        return
      }
    }
  }

  /// The results of a table, less their zero point.
  private mutating func tabled(
    _ value: Value, _ results: [Int], from input: TFLiteQuantization, to output: TFLiteQuantization,
    _ type: TFLiteElement
  ) throws(LoweringFault) -> Value {
    let first = input.zeroPoints[0] - (type.quantizedRange?.lowerBound ?? 0)
    let numbers = results.map { Float($0 - output.zeroPoints[0]) }
    return try builder.looked(
      builder.applied([.linear(scale: 1, offset: Float(first))], to: value),
      up: numbers + [Float](repeating: 0, count: 256 - numbers.count))
  }

  /// Operands whose numbers are moved, with the zero point of the result.
  ///
  /// What is moved are bytes, whatever they stand for. Only a concatenation of unsigned ones takes numbers to
  /// the result's scale.
  private mutating func moved(
    _ call: TFLiteCall, _ operation: TFLiteFile.Operation
  ) throws(LoweringFault) -> TFLiteCall {
    guard let output = try bytes(operation.outputs.first) else { return call }
    let isJoined = TFLiteOperations.name(operation) == "CONCATENATION"
    var inputs = call.inputs
    for (place, number) in operation.inputs.enumerated() {
      guard let value = inputs[place], let input = try bytes(number), input != output else {
        continue
      }
      if isJoined, file.tensors[number].type == .uint8 {
        let scale = input.scales[0] * (1 / output.scales[0])
        let offset = -Float(input.zeroPoints[0]) * scale
        let results = (0...255).map { (integer) in
          min(max(Int((Float(integer) * scale + offset).rounded()) + output.zeroPoints[0], 0), 255)
        }
        inputs[place] = try tabled(value, results, from: input, to: output, .uint8)
      } else {
        inputs[place] = try shifted(value, from: input, to: output)
      }
    }
    return TFLiteCall(
      kind: call.kind, options: call.options, customOptions: call.customOptions, inputs: inputs,
      types: call.types, resultTypes: call.resultTypes)
  }

  /// The same integers less another zero point.
  private mutating func shifted(
    _ value: Value, from first: TFLiteQuantization, to second: TFLiteQuantization
  ) throws(LoweringFault) -> Value {
    let shift = first.zeroPoints[0] - second.zeroPoints[0]
    if shift == 0 { return value }
    return try builder.applied([.linear(scale: 1, offset: Float(shift))], to: value)
  }
}

extension GraphBuilder {
  /// Whole numbers times a factor for all, or for each position of the last axis.
  mutating func requantized(
    _ value: Value, _ factors: [TFLiteMultiplier], isRoundedOnce: Bool = false
  ) throws(LoweringFault) -> Value {
    if factors == [.one] { return value }
    if case .constant(let tensor) = value {
      let floats = tensor.floats.enumerated().map { (place, number) in
        Float(
          factors[place % factors.count].result(Int(number), isRoundedOnce: isRoundedOnce))
      }
      return .constant(ConstantTensor(shape: tensor.shape, floats: floats))
    }
    var computed = try computed(value)
    if factors.count > 1 {
      let rank = computed.shape.count
      guard computed.shape.last == factors.count else {
        throw .invalid("Its scales are \(factors.count) for a result of \(computed.shape).")
      }
      computed = try arranged(computed, Self.keepingLast(rank - 1, of: rank))
    }
    let channels = computed.arrangement.tensorShape.channels
    let all =
      factors.count == 1
      ? [[Float]](repeating: factors[0].numbers, count: channels) : factors.map { $0.numbers }
    return .computed(
      try activated(
        computed,
        .requantization(
          multipliers: try tensor(Array(all.joined()), shape: [channels, 3]),
          isRoundedOnce: isRoundedOnce)))
  }

  /// Two tensors of whole numbers of different scales, added up.
  mutating func requantizedSum(
    _ first: Value, _ second: Value, _ numbers: [Float]
  ) throws(LoweringFault) -> Value {
    // A known tensor beside another one, both computed.
    try combined(
      .requantizedSum, .computed(computed(first)), second,
      multipliers: tensor(numbers, shape: [3, 3]))
  }

  /// The numbers that a table of 256 has for places.
  mutating func looked(_ value: Value, up numbers: [Float]) throws(LoweringFault) -> Value {
    if case .constant(let tensor) = value {
      return .constant(
        ConstantTensor(
          shape: tensor.shape, floats: tensor.floats.map { numbers[Int(min(max($0, 0), 255))] }))
    }
    return .computed(
      try activated(computed(value), .table(numbers: try tensor(numbers, shape: [256]))))
  }
}
