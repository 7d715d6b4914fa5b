extension RandomNumberGenerator {
  /// Uniform between two numbers.
  mutating func between(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) * 0x1p-53
  }

  /// True with a probability.
  mutating func chance(_ probability: Double) -> Bool { between(0, 1) < probability }

  /// About normally distributed with mean 0 and deviation 1, within ±3.5: a sum of four uniform numbers.
  mutating func normal() -> Double {
    (0..<4).reduce(-2.0) { (sum, _) in sum + between(0, 1) } * 1.7320508075688772
  }
}
