/// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea and Flood 2014).
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// A generator; equal seeds give equal numbers.
  package init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A number from 0 up to a count, each as likely as any other but for 2⁻⁶⁴ of the count.
  ///
  /// - Precondition: `count` is positive.
  package mutating func below(_ count: Int) -> Int {
    precondition(count > 0, "there is a number below the count")
    return Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }
}
