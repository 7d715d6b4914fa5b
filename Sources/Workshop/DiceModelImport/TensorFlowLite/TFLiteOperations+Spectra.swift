internal import DiceWeights

/// The Fourier transform, and what takes the parts of its numbers.
///
/// A complex tensor is kept as its real part, and its imaginary part beside it.
extension TFLiteOperations {
  static let spectra: [TFLiteOperation] = [
    TFLiteOperation(131, "RFFT2D", "along the last axis; a known length of at most 4096") {
      (lowering, call, operation) throws(LoweringFault) in
      let shape = try call.shape(0)
      let lengths = try call.integers(1, "length")
      guard lengths.count == 2, shape.count >= 2, !shape.contains(0), lengths[1] > 0 else {
        throw .invalid("It transforms the shape \(shape) to \(lengths).")
      }
      guard lengths[0] == 1, shape[shape.count - 2] == 1 else {
        throw .unsupported("it transforms along two axes")
      }
      let result = try lowering.builder.transformed(
        GraphBuilder.ComplexValue(real: call.input(0)), length: lengths[1],
        count: lengths[1] / 2 + 1)
      if let number = operation.outputs.first, let imaginary = result.imaginary {
        lowering.imaginary[number] = imaginary
      }
      return [result.real]
    },
    TFLiteOperation(135, "REAL", "of what RFFT2D gives") {
      (_, call, _) throws(LoweringFault) in
      [try call.input(0)]
    },
    TFLiteOperation(133, "IMAG", "of what RFFT2D gives") {
      (lowering, _, operation) throws(LoweringFault) in
      [try lowering.imaginaryOperand(operation)]
    },
    TFLiteOperation(134, "COMPLEX_ABS", "of what RFFT2D gives") {
      (lowering, call, operation) throws(LoweringFault) in
      let second = try lowering.imaginaryOperand(operation)
      let squares = try lowering.builder.combined(
        .addition, lowering.builder.product(call.input(0), call.input(0)),
        lowering.builder.product(second, second))
      return [try lowering.builder.applied([.squareRoot], to: squares)]
    },
  ]

  /// The operations that take complex numbers besides those that move them.
  static let complexCodes: Set = [53, 133, 134, 135]
  /// The operations that move the numbers of their first operand.
  static let movingCodes: Set = [22, 34, 36, 39, 43, 45, 65, 69, 70, 105]
}

extension TFLiteLowering {
  /// Moves the imaginary parts of an operand as the real ones will be.
  mutating func moveImaginary(
    _ known: TFLiteOperation, _ call: TFLiteCall, _ operation: TFLiteFile.Operation
  ) throws(LoweringFault) {
    guard TFLiteOperations.movingCodes.contains(operation.code), operation.outputs.count == 1,
      operation.inputs.dropFirst().allSatisfy({ imaginary[$0] == nil })
    else { throw .unsupported("its numbers are complex") }
    var inputs = call.inputs
    inputs[0] = try imaginaryOperand(operation)
    let other = TFLiteCall(
      kind: call.kind, options: call.options, customOptions: call.customOptions, inputs: inputs,
      types: call.types, resultTypes: call.resultTypes)
    imaginary[operation.outputs[0]] = try known.lower(&self, other, operation).first
  }

  /// The imaginary parts that an operation reads.
  func imaginaryOperand(_ operation: TFLiteFile.Operation) throws(LoweringFault) -> Value {
    guard let number = operation.inputs.first, let value = imaginary[number] else {
      throw .invalid("Its numbers are not complex.")
    }
    return value
  }
}
