/// A place in memory that holds bfloat16 numbers: the upper halves of single-precision numbers.
///
/// Kernels trust their callers: every offset handed in must stay inside the memory.
@frozen @safe public struct BFloat16Address {
  /// The memory behind this place.
  public let pointer: UnsafeMutableRawPointer

  /// The place that a pointer names.
  @_alwaysEmitIntoClient @inline(__always)
  public init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }

  /// The memory of floats, to be used for twice as many numbers of half the size.
  @_alwaysEmitIntoClient @inline(__always)
  public init(_ floats: Address) { unsafe pointer = UnsafeMutableRawPointer(floats.pointer) }

  /// The place `count` numbers further on.
  @_alwaysEmitIntoClient @inline(__always)
  public func advanced(by count: Int) -> BFloat16Address {
    unsafe BFloat16Address(pointer + count &* 2)
  }

  /// One number, `offset` numbers further on.
  @_alwaysEmitIntoClient @inline(__always)
  public func scalar(at offset: Int) -> Float {
    let bits = unsafe pointer.loadUnaligned(fromByteOffset: offset &* 2, as: UInt16.self)
    return Float(bitPattern: UInt32(bits) << 16)
  }

  /// Writes one number, rounded to the nearest one.
  @_alwaysEmitIntoClient @inline(__always)
  public func store(_ value: Float, at offset: Int) {
    unsafe pointer.storeBytes(
      of: UInt16(truncatingIfNeeded: bfloat16Bits(value)), toByteOffset: offset &* 2,
      as: UInt16.self)
  }

  /// Writes sixteen numbers.
  @_alwaysEmitIntoClient @inline(__always)
  public func store(_ bits: SIMD16<UInt16>, at offset: Int) {
    unsafe pointer.storeBytes(of: bits, toByteOffset: offset &* 2, as: SIMD16<UInt16>.self)
  }

  /// Writes sixteen pairs of numbers, the first of each in the lower half.
  @_alwaysEmitIntoClient @inline(__always)
  public func store(_ pairs: SIMD16<Int32>, at offset: Int) {
    unsafe pointer.storeBytes(of: pairs, toByteOffset: offset &* 2, as: SIMD16<Int32>.self)
  }

  /// Sixteen numbers.
  @_alwaysEmitIntoClient @inline(__always)
  public func bits(at offset: Int) -> SIMD16<UInt16> {
    var bits = SIMD16<UInt16>()
    unsafe withUnsafeMutableBytes(of: &bits) { (bytes) in
      unsafe bytes.baseAddress!.copyMemory(
        from: pointer + offset &* 2, byteCount: MemoryLayout<SIMD16<UInt16>>.size)
    }
    return bits
  }

  /// Sixteen pairs of numbers.
  @_alwaysEmitIntoClient @inline(__always)
  public func pairs(at offset: Int) -> SIMD16<Int32> {
    var pairs = SIMD16<Int32>()
    unsafe withUnsafeMutableBytes(of: &pairs) { (bytes) in
      unsafe bytes.baseAddress!.copyMemory(
        from: pointer + offset &* 2, byteCount: MemoryLayout<SIMD16<Int32>>.size)
    }
    return pairs
  }
}

/// The bits of the nearest bfloat16 number; halfway cases go to the one whose last bit is 0.
///
/// A NaN stays one.
@_alwaysEmitIntoClient @inline(__always)
public func bfloat16Bits(_ value: Float) -> UInt32 {
  let bits = value.bitPattern
  guard value == value else { return bits &>> 16 | 0x40 }
  return (bits &+ 0x7FFF &+ (bits &>> 16 & 1)) &>> 16
}

/// The bits of the nearest bfloat16 numbers, in the lower halves of the lanes.
///
/// A NaN stays one.
@_alwaysEmitIntoClient @inline(__always)
public func bfloat16Bits(_ values: SIMD16<Float>) -> SIMD16<Int32> {
  typealias Words = SIMD16<Int32>
  let bits = laneBits(values)
  let shift = Words(repeating: 16)
  let lower = Words(repeating: 0xFFFF)
  let upper = (bits &>> shift) & lower
  let half = Words(repeating: 0x7FFF) &+ (upper & Words(repeating: 1))
  let rounded = ((bits &+ half) &>> shift) & lower
  // All ones where the magnitude is above that of infinity.
  let magnitude = bits & Words(repeating: 0x7FFF_FFFF)
  let isNaN = (Words(repeating: 0x7F80_0000) &- magnitude) &>> Words(repeating: 31)
  return rounded ^ ((rounded ^ (upper | Words(repeating: 0x40))) & isNaN)
}

/// `first` and `second` side by side in each lane, `first` in the lower half.
@_alwaysEmitIntoClient @inline(__always)
public func bfloat16Pairs(_ first: SIMD16<Float>, _ second: SIMD16<Float>) -> SIMD16<Int32> {
  bfloat16Bits(first) | (bfloat16Bits(second) &<< SIMD16<Int32>(repeating: 16))
}

/// Rounds floats to bfloat16, and writes zeros for a step of the matrix units behind them.
///
/// - Parameter count: how many, above 0.
@_alwaysEmitIntoClient @inline(__always)
public func narrow(_ source: Address, to target: BFloat16Address, count: Int) {
  var place = 0
  while place + 16 <= count {
    let bits = bfloat16Bits(source.vector(at: place, as: SIMD16<Float>.self))
    target.store(lowerHalves(bits), at: place)
    place += 16
  }
  while place < count {
    target.store(source.scalar(at: place), at: place)
    place += 1
  }
  target.store(SIMD16<UInt16>(repeating: 0), at: count)
  target.store(SIMD16<UInt16>(repeating: 0), at: count + 16)
}
