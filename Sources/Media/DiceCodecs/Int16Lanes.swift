/// Eight 16-bit lanes: a row of a block, or eight samples on their way to pixels.
typealias Int16x8 = SIMD8<Int16>
typealias Int32x8 = SIMD8<Int32>

// Lanes are converted one by one in the text, and by one or two instructions in the machine: the
// standard library's conversions of vectors may be calls, which cost more than all else here.

extension SIMD8 where Scalar == Int16 {
  @inline(__always)
  var widened: Int32x8 {
    Int32x8(
      Int32(self[0]), Int32(self[1]), Int32(self[2]), Int32(self[3]), Int32(self[4]),
      Int32(self[5]), Int32(self[6]), Int32(self[7]))
  }

  /// The exact product with a constant of 15 bits and a sign, for lanes above -32768.
  ///
  /// Two such products and their sum are one instruction, where no constant is negative.
  @inline(__always)
  func times(_ factor: Int32) -> Int32x8 {
    factor < 0
      ? (Int16x8.zero &- self).widened &* Int32x8(repeating: -factor)
      : widened &* Int32x8(repeating: factor)
  }

  /// The upper 16 bits of the product with a constant.
  @inline(__always)
  func upperProduct(_ factor: Int16) -> Int16x8 {
    @inline(__always)
    func lane(_ index: Int) -> Int16 { self[index].multipliedFullWidth(by: factor).high }
    return Int16x8(lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7))
  }

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
    unsafe UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<UInt8>.self).widened
  }

  /// The lanes clamped to 0 to 255.
  @inline(__always)
  var clamped: Int16x8 {
    // All bits of what is above 255, and none of what is below 0.
    let top = (Int16x8(repeating: 255) &- self) &>> Int16x8(repeating: 15)
    return (top | self) & ~(self &>> Int16x8(repeating: 15)) & Int16x8(repeating: 255)
  }

  /// The lanes clamped to bytes.
  @inline(__always)
  var bytes: SIMD8<UInt8> { clamped.lowBytes }

  /// The low byte of each lane.
  @inline(__always)
  var lowBytes: SIMD8<UInt8> {
    @inline(__always)
    func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: self[index]) }
    return SIMD8<UInt8>(
      byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7))
  }
}

extension SIMD8 where Scalar == Int32 {
  /// The lanes shifted right, to be kept in 16 bits.
  @inline(__always)
  func descaled(_ shift: Int32) -> Int16x8 {
    let lanes = self &>> Int32x8(repeating: shift)
    @inline(__always)
    func lane(_ index: Int) -> Int16 { Int16(truncatingIfNeeded: lanes[index]) }
    return Int16x8(lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7))
  }
}

extension SIMD8 where Scalar == UInt8 {
  @inline(__always)
  var widened: Int16x8 {
    Int16x8(
      Int16(self[0]), Int16(self[1]), Int16(self[2]), Int16(self[3]), Int16(self[4]),
      Int16(self[5]), Int16(self[6]), Int16(self[7]))
  }

  @inline(__always)
  func store(_ pointer: UnsafeMutablePointer<UInt8>) {
    unsafe UnsafeMutableRawPointer(pointer).storeBytes(of: self, as: SIMD8<UInt8>.self)
  }
}
