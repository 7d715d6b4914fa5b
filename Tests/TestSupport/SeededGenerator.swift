/// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea and Flood 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator; equal seeds give equal numbers.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A number in a range, each as likely as any other.
  public mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  /// About normal, of variance 1, never beyond 3.5.
  public mutating func normal() -> Double {
    var sum = 0.0
    for _ in 0..<12 { sum += uniform(0...1) }
    return min(max(sum - 6, -3.5), 3.5)
  }

  /// Numbers of a range, evenly.
  public mutating func floats(_ count: Int, _ range: ClosedRange<Float>) -> [Float] {
    var floats: [Float] = []
    for _ in 0..<count { floats.append(Float.random(in: range, using: &self)) }
    return floats
  }
}
