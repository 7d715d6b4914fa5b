/// What LiteRT's integers are multiplied with, for formats that compute in floats and round once.
enum Requantizing {
  /// The factors of rows of three numbers, as a weight file has them.
  static func factors(_ numbers: [Float]) -> [Float] {
    stride(from: 0, to: numbers.count - 2, by: 3).map { (place) in
      let multiplier = Double(numbers[place]) * 32_768 + Double(numbers[place + 1])
      return Float(
        multiplier * Double(sign: .plus, exponent: Int(numbers[place + 2]) - 31, significand: 1))
    }
  }

  /// What the operands of a requantized sum are multiplied with.
  static func sumFactors(_ numbers: [Float]) -> (first: Float, second: Float) {
    let factors = factors(numbers)
    let sum = factors[2] * 1_048_576
    return (factors[0] * sum, factors[1] * sum)
  }
}
