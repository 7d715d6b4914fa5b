/// Eight 16-bit lanes: a row of a block, or eight samples on their way to pixels.
typealias Int16x8 = SIMD8<Int16>
typealias Int32x8 = SIMD8<Int32>

extension SIMD8 where Scalar == Int16 {
  @inline(__always)
  var widened: Int32x8 { Int32x8(truncatingIfNeeded: self) }

  /// The exact product with a constant.
  @inline(__always)
  func times(_ factor: Int32) -> Int32x8 { widened &* Int32x8(repeating: factor) }

  @inline(__always)
  var isZero: Bool {
    let halves = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return halves[0] | halves[1] == 0
  }

  /// Eight values from any address.
  @inline(__always)
  static func load(_ pointer: UnsafePointer<Int16>) -> Int16x8 {
    unsafe UnsafeRawPointer(pointer).loadUnaligned(as: Int16x8.self)
  }

  @inline(__always)
  func store(_ pointer: UnsafeMutablePointer<Int16>) {
    unsafe UnsafeMutableRawPointer(pointer).storeBytes(of: self, as: Int16x8.self)
  }

  /// Eight bytes from any address, as 0 to 255.
  @inline(__always)
  static func load(_ pointer: UnsafePointer<UInt8>) -> Int16x8 {
    unsafe Int16x8(
      truncatingIfNeeded: UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<UInt8>.self))
  }

  /// The lanes clamped to bytes.
  @inline(__always)
  var bytes: SIMD8<UInt8> {
    // `clamped` would compare lane by lane; this becomes one instruction.
    SIMD8<UInt8>(
      truncatingIfNeeded: pointwiseMin(pointwiseMax(self, Int16x8.zero), Int16x8(repeating: 255)))
  }
}

extension SIMD8 where Scalar == Int32 {
  /// The lanes shifted right, to be kept in 16 bits.
  @inline(__always)
  func descaled(_ shift: Int32) -> Int16x8 {
    Int16x8(truncatingIfNeeded: self &>> Int32x8(repeating: shift))
  }
}

extension SIMD8 where Scalar == UInt8 {
  @inline(__always)
  func store(_ pointer: UnsafeMutablePointer<UInt8>) {
    unsafe UnsafeMutableRawPointer(pointer).storeBytes(of: self, as: SIMD8<UInt8>.self)
  }
}

/// The eight rows of a block.
struct JPEGRows {
  var r0, r1, r2, r3, r4, r5, r6, r7: Int16x8

  /// Rows and columns exchanged.
  @inline(__always)
  var transposed: JPEGRows {
    let (a0, a1) = interleaved16(r0, r1)
    let (a2, a3) = interleaved16(r2, r3)
    let (a4, a5) = interleaved16(r4, r5)
    let (a6, a7) = interleaved16(r6, r7)
    let (b0, b1) = interleaved32(a0, a2)
    let (b2, b3) = interleaved32(a1, a3)
    let (b4, b5) = interleaved32(a4, a6)
    let (b6, b7) = interleaved32(a5, a7)
    return JPEGRows(
      r0: lowHalves(b0, b4), r1: highHalves(b0, b4), r2: lowHalves(b1, b5),
      r3: highHalves(b1, b5), r4: lowHalves(b2, b6), r5: highHalves(b2, b6),
      r6: lowHalves(b3, b7), r7: highHalves(b3, b7))
  }
}

/// Bytes of two vectors in turns: a[0] is the low byte of the first lane, b[0] its high byte.
@inline(__always)
func interleaved8(_ a: SIMD8<UInt8>, _ b: SIMD8<UInt8>) -> Int16x8 {
  unsafe unsafeBitCast(
    SIMD16<UInt8>(
      a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3], a[4], b[4], a[5], b[5], a[6], b[6], a[7],
      b[7]),
    to: Int16x8.self)
}

/// Lanes of two vectors in turns: those of the low halves, then those of the high halves.
@inline(__always)
func interleaved16(_ a: Int16x8, _ b: Int16x8) -> (Int16x8, Int16x8) {
  (
    Int16x8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]),
    Int16x8(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
  )
}

@inline(__always)
private func interleaved32(_ a: Int16x8, _ b: Int16x8) -> (Int16x8, Int16x8) {
  (
    Int16x8(a[0], a[1], b[0], b[1], a[2], a[3], b[2], b[3]),
    Int16x8(a[4], a[5], b[4], b[5], a[6], a[7], b[6], b[7])
  )
}

@inline(__always)
private func lowHalves(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
  Int16x8(lowHalf: a.lowHalf, highHalf: b.lowHalf)
}

@inline(__always)
private func highHalves(_ a: Int16x8, _ b: Int16x8) -> Int16x8 {
  Int16x8(lowHalf: a.highHalf, highHalf: b.highHalf)
}
