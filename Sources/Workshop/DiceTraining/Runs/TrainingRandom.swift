internal import DiceSystem

/// A small, fast, repeatable generator of random numbers: SplitMix64.
///
/// Every sample of a run has a generator of its own, seeded from the run's seed, the step and the
/// place in the batch, so that a resumed run sees the samples it would have seen.
///
/// Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014.
public struct TrainingRandom: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// A generator whose numbers follow from the seeds alone.
  ///
  /// Each seed is stirred before the next is added: neighbouring steps and places must not meet in
  /// the same state, or a run would see the same samples again and again.
  public init(_ seeds: UInt64...) {
    state = 0x9E37_79B9_7F4A_7C15
    for seed in seeds {
      state ^= seed
      state = next()
    }
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Uniform in `0..<1`.
  public mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }

  /// Uniform between two values.
  public mutating func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * unit() }

  /// True with the given probability.
  public mutating func chance(_ probability: Float) -> Bool { unit() < probability }

  /// Uniform in `0..<count`.
  public mutating func index(_ count: Int) -> Int { Int(next() % UInt64(max(1, count))) }

  /// Normally distributed with mean 0 and deviation 1 (Box and Muller).
  public mutating func normal() -> Float {
    let radius = (-2 * logf(max(unit(), 0x1p-24))).squareRoot()
    return radius * cosf(2 * .pi * unit())
  }
}
