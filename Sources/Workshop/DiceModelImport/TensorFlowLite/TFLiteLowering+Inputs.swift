internal import DiceWeights

/// Floating-point inputs of operations whose weights are integers.
///
/// LiteRT takes such an input to whole steps while it runs, and sums integers up. The steps of a convolution
/// follow from the least and the greatest number of each picture, 0 among them, which are 255 steps apart; those
/// of a fully connected layer from each row's. Where a convolution has one scale for all weights, the greatest
/// magnitude is 127 steps.
///
/// Source: measured against LiteRT 2.3, with its default delegate and without, which do the same; only those
/// fully connected layers that do not ask for such steps have 127 for the greatest magnitude without it.
extension TFLiteLowering {
  /// The axes that a step holds for.
  enum StepRange: Hashable {
    /// All of a picture.
    case picture
    /// The last axis.
    case row
  }

  /// An input, rounded where the options say so and the operation's weights are integers.
  ///
  /// - Parameters:
  ///   - value: The place of the operand; that of the weights likewise.
  ///   - isSymmetric: Whether one scale for all weights makes steps on both sides of 0 alike.
  mutating func roundedInput(
    _ operation: TFLiteFile.Operation, _ input: Value, value: Int, weights: Int, _ range: StepRange,
    isSymmetric: Bool = false
  ) throws(LoweringFault) -> Value {
    guard case .computed(let computed) = input, operation.inputs.indices.contains(value),
      operation.inputs.indices.contains(weights), operation.inputs[weights] >= 0
    else { return input }
    let (number, kernel) = (operation.inputs[value], operation.inputs[weights])
    let type = file.tensors[kernel].type
    guard type == .int8 || type == .int4, file.tensors[number].type == .float32,
      file.tensors[kernel].data != nil, pieces[number] == nil,
      let quantization = try TFLiteQuantization(file.tensors[kernel])
    else { return input }
    guard roundsInputs else {
      note(
        "LiteRT takes inputs of layers whose weights are integers to 8 bits while it runs; here they "
          + "stay floating-point numbers.")
      return input
    }
    let isSymmetric = isSymmetric && quantization.isWhole
    let key = RoundedInput(
      number: number, shape: computed.shape, range: range, isSymmetric: isSymmetric)
    if let known = roundedInputs[key] { return .computed(known) }
    note("Inputs of layers whose weights are integers are rounded to 8 bits, as LiteRT does.")
    let rounded = try rounded(computed, range, isSymmetric: isSymmetric)
    roundedInputs[key] = rounded
    return .computed(rounded)
  }

  /// Numbers taken to whole steps.
  private mutating func rounded(
    _ value: ComputedValue, _ range: StepRange, isSymmetric: Bool
  ) throws(LoweringFault) -> ComputedValue {
    let rank = value.shape.count
    // Pictures of a batch have steps of their own.
    let axes = range == .row ? [rank - 1] : Array(min(1, rank - 1)..<rank)
    let step: Value
    // All zeros have no step, which nothing can be divided by.
    let least = Layer.Activation.clamp(
      lower: .leastNormalMagnitude, upper: .greatestFiniteMagnitude)
    if isSymmetric {
      let greatest = try builder.reduced(builder.activated(value, .absolute), .maximum, axes: axes)
      step = .computed(
        try builder.activated(greatest, [.linear(scale: 1 / 127, offset: 0), least]))
    } else {
      let above = try builder.activated(builder.reduced(value, .maximum, axes: axes), .relu)
      let negated = try builder.activated(value, .linear(scale: -1, offset: 0))
      let below = try builder.activated(builder.reduced(negated, .maximum, axes: axes), .relu)
      let sum = try builder.combined(.addition, .computed(above), .computed(below))
      step = .computed(
        try builder.activated(
          builder.computed(sum), [.linear(scale: 1 / 255, offset: 0), least]))
    }
    let steps = try builder.combined(.division, .computed(value), step)
    let whole = try builder.activated(
      builder.computed(steps), [.linear(scale: 1, offset: 0.5), .floor])
    return try builder.computed(builder.combined(.multiplication, .computed(whole), step))
  }
}

/// A tensor that was rounded for an operation, and how.
struct RoundedInput: Hashable {
  let number: Int
  let shape: [Int]
  let range: TFLiteLowering.StepRange
  let isSymmetric: Bool
}
