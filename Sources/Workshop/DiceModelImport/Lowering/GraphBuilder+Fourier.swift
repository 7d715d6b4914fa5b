internal import DiceNumerics
internal import DiceWeights

/// Fourier transforms of known lengths: products with matrices of waves.
extension GraphBuilder {
  /// Numbers with their imaginary parts; nil where these are 0.
  struct ComplexValue {
    var real: Value
    var imaginary: Value?
  }

  /// The most numbers of a transform: its matrices have the square of that.
  static let transformLimit = 4096
  /// The most numbers of all matrices.
  private static let waveLimit = 1 << 25

  /// Cosines and sines of the frequencies of a transform, `[length, count]`.
  mutating func waves(
    length: Int, count: Int
  ) throws(LoweringFault) -> (cosines: [Float], sines: [Float]) {
    guard (1...Self.transformLimit).contains(length), (1...length).contains(count) else {
      throw .unsupported("it transforms \(length) numbers at once")
    }
    // So that a small file needs little memory.
    waveCount += 2 * length * count
    guard waveCount <= Self.waveLimit else {
      throw .unsupported("the model's transforms are too large")
    }
    let table = (0..<length).map { sineAndCosine(turns: Double($0) / Double(length)) }
    var cosines = [Float](repeating: 0, count: length * count)
    var sines = cosines
    for place in 0..<length {
      for frequency in 0..<count {
        let (sine, cosine) = table[place * frequency % length]
        cosines[place * count + frequency] = Float(cosine)
        sines[place * count + frequency] = Float(sine)
      }
    }
    return (cosines, sines)
  }

  /// The transform along the last axis.
  ///
  /// - Parameters:
  ///   - length: How many numbers are transformed: others are left out, and missing ones are 0.
  ///   - count: How many frequencies are wanted, from 0 on.
  ///   - isInverse: Whether numbers follow from frequencies.
  mutating func transformed(
    _ value: ComplexValue, length: Int, count: Int, isInverse: Bool = false
  ) throws(LoweringFault) -> ComplexValue {
    var (cosines, sines) = try waves(length: length, count: count)
    if isInverse {
      let scale = 1 / Float(length)
      cosines = cosines.map { $0 * scale }
      sines = sines.map { -$0 * scale }
    }
    let negative = sines.map { -$0 }
    func product(
      _ value: Value, _ weights: [Float], _ builder: inout GraphBuilder
    ) throws(LoweringFault) -> Value {
      let fitted = try builder.fitted(builder.computed(value), length: length)
      return .computed(
        try builder.dense(fitted, weights: weights, bias: nil, outputCount: count))
    }
    var real = try product(value.real, cosines, &self)
    var imaginary = try product(value.real, negative, &self)
    if let second = value.imaginary {
      real = try combined(.addition, real, product(second, sines, &self))
      imaginary = try combined(.addition, imaginary, product(second, cosines, &self))
    }
    return ComplexValue(real: real, imaginary: imaginary)
  }

  /// So many numbers along the last axis.
  private mutating func fitted(
    _ value: ComputedValue, length: Int
  ) throws(LoweringFault) -> ComputedValue {
    let axis = value.shape.count - 1
    guard axis >= 0 else { throw .invalid("It transforms a single number.") }
    let extent = value.shape[axis]
    if extent >= length { return try sliced(value, axis: axis, start: 0, count: length) }
    var after = [Int](repeating: 0, count: axis + 1)
    after[axis] = length - extent
    return try padded(
      value, before: [Int](repeating: 0, count: axis + 1), after: after, .constant(0))
  }
}
