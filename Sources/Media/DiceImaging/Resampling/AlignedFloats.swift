internal import DiceKernels

/// Floats from the start of a cache line on: vectors that cross no line are faster.
struct AlignedFloats: Hashable, Sendable {
  private var storage: [Float] = []
  /// Bytes of a line.
  private static let alignment = 64

  /// Makes room for so many floats; new ones are zero, old ones stay only where there was room.
  mutating func reserve(_ count: Int) {
    let needed = count + Self.alignment / 4
    if storage.count < needed { storage = [Float](repeating: 0, count: needed) }
  }

  /// Calls a closure with the first float, which is there only for so long.
  @inline(__always)
  mutating func withAddress<Result>(_ body: (Address) -> Result) -> Result {
    unsafe storage.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("nothing is reserved") }
      let aligned = unsafe UnsafeMutableRawPointer(base).alignedUp(toMultipleOf: Self.alignment)
      return unsafe body(Address(aligned.assumingMemoryBound(to: Float.self)))
    }
  }
}

extension Address {
  /// The first lane of pixels.
  init(lanesOf pixels: UnsafePointer<SIMD4<Float>>) {
    unsafe self.init(UnsafeRawPointer(pixels).assumingMemoryBound(to: Float.self))
  }
}
