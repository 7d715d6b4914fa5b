/// The eight rows of a block.
struct JPEGRows {
  var r0, r1, r2, r3, r4, r5, r6, r7: Int16x8

  @inline(__always)
  init(r0: Int16x8, r1: Int16x8, r2: Int16x8, r3: Int16x8) {
    (self.r0, self.r1, self.r2, self.r3) = (r0, r1, r2, r3)
    (r4, r5, r6, r7) = (.zero, .zero, .zero, .zero)
  }

  @inline(__always)
  init(
    r0: Int16x8, r1: Int16x8, r2: Int16x8, r3: Int16x8, r4: Int16x8, r5: Int16x8, r6: Int16x8,
    r7: Int16x8
  ) {
    (self.r0, self.r1, self.r2, self.r3) = (r0, r1, r2, r3)
    (self.r4, self.r5, self.r6, self.r7) = (r4, r5, r6, r7)
  }

  /// The 64 values of a block in row-major order.
  @inline(__always)
  init(_ block: UnsafePointer<Int16>) {
    self.init(
      r0: unsafe .load(block), r1: unsafe .load(block + 8), r2: unsafe .load(block + 16),
      r3: unsafe .load(block + 24), r4: unsafe .load(block + 32), r5: unsafe .load(block + 40),
      r6: unsafe .load(block + 48), r7: unsafe .load(block + 56))
  }

  /// Calls a closure with memory for 64 values.
  @inline(__always)
  static func withBlock<Result>(_ body: (UnsafeMutablePointer<Int16>) -> Result) -> Result {
    unsafe withUnsafeTemporaryAllocation(of: Int16.self, capacity: 64) { block in
      unsafe body(block.baseAddress.unsafelyUnwrapped)
    }
  }

  /// Rows and columns exchanged, by way of memory for 64 values.
  @inline(__always)
  func transposed(in block: UnsafeMutablePointer<Int16>) -> JPEGRows {
    unsafe store(block)
    unsafe Self.transpose(block)
    return unsafe JPEGRows(block)
  }

  /// Exchanges rows and columns.
  ///
  /// Never part of another function: arithmetic ahead of a transposition would be done lane by lane.
  @inline(never)
  private static func transpose(_ block: UnsafeMutablePointer<Int16>) {
    unsafe JPEGRows(block).transposed.store(block)
  }

  /// Rows and columns exchanged.
  @inline(__always)
  private var transposed: JPEGRows {
    let (a0, a1) = interleaved16(r0, r1)
    let (a2, a3) = interleaved16(r2, r3)
    let (a4, a5) = interleaved16(r4, r5)
    let (a6, a7) = interleaved16(r6, r7)
    let (b0, b1) = interleaved32(pairs(a0), pairs(a2))
    let (b2, b3) = interleaved32(pairs(a1), pairs(a3))
    let (b4, b5) = interleaved32(pairs(a4), pairs(a6))
    let (b6, b7) = interleaved32(pairs(a5), pairs(a7))
    return JPEGRows(
      r0: lowHalves(b0, b4), r1: highHalves(b0, b4), r2: lowHalves(b1, b5),
      r3: highHalves(b1, b5), r4: lowHalves(b2, b6), r5: highHalves(b2, b6),
      r6: lowHalves(b3, b7), r7: highHalves(b3, b7))
  }

  /// Writes the block's 64 values in row-major order.
  @inline(__always)
  func store(_ pointer: UnsafeMutablePointer<Int16>) {
    unsafe r0.store(pointer)
    unsafe r1.store(pointer + 8)
    unsafe r2.store(pointer + 16)
    unsafe r3.store(pointer + 24)
    unsafe r4.store(pointer + 32)
    unsafe r5.store(pointer + 40)
    unsafe r6.store(pointer + 48)
    unsafe r7.store(pointer + 56)
  }
}

/// Lanes of two vectors in turns: those of the low halves, then those of the high halves.
@inline(__always)
private func interleaved16(_ a: Int16x8, _ b: Int16x8) -> (Int16x8, Int16x8) {
  (
    Int16x8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]),
    Int16x8(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
  )
}

@inline(__always)
private func pairs(_ row: Int16x8) -> SIMD4<Int32> {
  unsafe unsafeBitCast(row, to: SIMD4<Int32>.self)
}

@inline(__always)
private func interleaved32(
  _ a: SIMD4<Int32>, _ b: SIMD4<Int32>
) -> (SIMD4<Int32>, SIMD4<Int32>) {
  (SIMD4(a[0], b[0], a[1], b[1]), SIMD4(a[2], b[2], a[3], b[3]))
}

@inline(__always)
private func lowHalves(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> Int16x8 {
  unsafe unsafeBitCast(SIMD4(a[0], a[1], b[0], b[1]), to: Int16x8.self)
}

@inline(__always)
private func highHalves(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> Int16x8 {
  unsafe unsafeBitCast(SIMD4(a[2], a[3], b[2], b[3]), to: Int16x8.self)
}
