internal import DiceNumerics

/// A small deterministic generator of random numbers (xoshiro256\*\* seeded by SplitMix64).
///
/// The same seed gives the same sequence on every platform. Not for secrets.
///
/// Source: Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2021.
public struct SceneRandom: RandomNumberGenerator, Hashable, Sendable {
  private var state0: UInt64
  private var state1: UInt64
  private var state2: UInt64
  private var state3: UInt64

  /// A generator whose sequence is fixed by `seed`; every seed is fine, zero too.
  public init(seed: UInt64) {
    var mixer = SplitMix64(seed: seed)
    state0 = mixer.next()
    state1 = mixer.next()
    state2 = mixer.next()
    state3 = mixer.next()
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    let product = state1 &* 5
    let result = ((product << 7) | (product >> 57)) &* 9
    let shifted = state1 << 17
    state2 ^= state0
    state3 ^= state1
    state1 ^= state2
    state0 ^= state3
    state2 ^= shifted
    state3 = (state3 << 45) | (state3 >> 19)
    return result
  }

  /// A number in 0 ..< 1, a multiple of 2⁻²⁴.
  public mutating func unit() -> Float {
    Float(next() >> 40) * 0x1p-24
  }

  /// A number between two bounds (in either order), the upper one excluded up to rounding.
  public mutating func number(_ lower: Float, _ upper: Float) -> Float {
    lower + (upper - lower) * unit()
  }

  /// A number between two positive bounds whose logarithm is uniform.
  public mutating func logarithmic(_ lower: Float, _ upper: Float) -> Float {
    guard lower > 0, upper > lower else { return lower }
    return exponential2(number(logarithm2(lower), logarithm2(upper)))
  }

  /// A whole number in a closed range, each equally likely up to a bias below 2⁻³².
  public mutating func integer(_ range: ClosedRange<Int>) -> Int {
    let span = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound))
    guard span < 1 << 32 else { return range.lowerBound }
    return range.lowerBound &+ Int(((next() >> 32) &* (span + 1)) >> 32)
  }

  /// True with the given probability.
  public mutating func chance(_ probability: Float) -> Bool {
    unit() < probability
  }

  /// An approximately normal number (mean 0, deviation 1, within ±4.9): the sum of eight uniform ones.
  public mutating func normal() -> Float {
    var sum: Float = 0
    for _ in 0..<4 {
      let bits = next()
      sum += Float(bits >> 40) * 0x1p-24
      sum += Float((bits >> 8) & 0xFFFFFF) * 0x1p-24
    }
    return (sum - 4) * 1.2247449
  }

  /// One of the elements.
  ///
  /// - Precondition: `elements` is not empty.
  public mutating func element<Element>(of elements: [Element]) -> Element {
    precondition(!elements.isEmpty, "there is no element to choose")
    return elements[integer(0...(elements.count - 1))]
  }

  /// An index drawn in proportion to the weights; the last one where all weights are zero.
  ///
  /// - Precondition: `weights` is not empty.
  public mutating func index(weights: [Float]) -> Int {
    precondition(!weights.isEmpty, "there is no weight to choose by")
    var total: Float = 0
    for weight in weights { total += max(0, weight) }
    var rest = unit() * total
    for (index, weight) in weights.enumerated() {
      rest -= max(0, weight)
      if rest < 0 { return index }
    }
    return weights.count - 1
  }
}
