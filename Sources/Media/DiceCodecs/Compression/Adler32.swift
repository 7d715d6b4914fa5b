/// The checksum of zlib streams: two sums modulo 65521.
///
/// With bytes `b[0]` to `b[n - 1]`: `a = 1 + Σ b[i]`, `s = Σ (a after byte i)`, both modulo 65521,
/// and the checksum is `s * 65536 + a`.
///
/// Source: RFC 1950, section 8.
package enum Adler32 {
  /// The checksum of some bytes; `1` for none.
  ///
  /// - Complexity: O(n), sixteen bytes for each step.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { unsafe update(1, with: $0) }
  }

  private static let modulus: UInt32 = 65521

  /// The steps of 16 bytes for which the 16-bit lanes cannot overflow: `255 * 22 * 21 / 2 < 65536`.
  private static let stepCount = 22

  /// The checksum of bytes of which the first ones have the checksum `checksum`.
  static func update(_ checksum: UInt32, with bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    guard let start = bytes.baseAddress else { return checksum }
    let base = unsafe UnsafeRawPointer(start)
    let count = bytes.count
    var a = checksum & 0xFFFF
    var s = checksum &>> 16
    var offset = 0
    while count &- offset >= 16 {
      // Lane l sums the bytes at l, l + 16, …; `prefixes` sums what `sums` held before each step.
      let steps = min((count &- offset) / 16, stepCount)
      var sums = SIMD16<UInt16>(repeating: 0)
      var prefixes = SIMD16<UInt16>(repeating: 0)
      for _ in 0..<steps {
        // In bounds: offset + 16 <= count by the choice of `steps`.
        let lanes = unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
        prefixes &+= sums
        sums &+= SIMD16<UInt16>(truncatingIfNeeded: lanes)
        offset &+= 16
      }
      // A byte in lane l of the last step counts 16 - l times, one of an earlier step 16 times
      // more.
      var weighted: UInt32 = 0
      var total: UInt32 = 0
      for lane in 0..<16 {
        weighted &+= UInt32(sums[lane]) &* UInt32(16 &- lane) &+ UInt32(prefixes[lane]) &* 16
        total &+= UInt32(sums[lane])
      }
      s = (s &+ UInt32(truncatingIfNeeded: 16 &* steps) &* a &+ weighted) % modulus
      a = (a &+ total) % modulus
    }
    while offset < count {
      a &+= unsafe UInt32(base.load(fromByteOffset: offset, as: UInt8.self))
      s &+= a
      offset &+= 1
    }
    return (s % modulus) &<< 16 | a % modulus
  }
}
