/// A vector of floats that kernels work with.
///
/// Comparisons of generic vectors compile to one branch for each lane; what needs one is therefore
/// written for each concrete vector, on its bits.
public protocol KernelVector: SIMD where Scalar == Float {
  /// `value`, times `slope` in the lanes where `sign` is negative (its sign bit is set).
  static func scale(_ value: Self, by slope: Self, whereNegative sign: Self) -> Self
}

/// `max(x, 0) + slope * min(x, 0)`: the leaky rectifier; slope 1 is the identity, 0 the rectifier.
///
/// A NaN stays a NaN, and slope 1 keeps every bit.
@_alwaysEmitIntoClient @inline(__always)
public func leakyRectified<Vector: KernelVector>(_ value: Vector, slope: Vector) -> Vector {
  Vector.scale(value, by: slope, whereNegative: value)
}

extension SIMD4: KernelVector where Scalar == Float {
  /// `value`, times `slope` in the lanes where `sign` is negative.
  @_alwaysEmitIntoClient @inline(__always)
  public static func scale(_ value: Self, by slope: Self, whereNegative sign: Self) -> Self {
    typealias Bits = SIMD4<Int32>
    let mask = unsafe unsafeBitCast(sign, to: Bits.self) &>> Bits(repeating: 31)
    let one = unsafe unsafeBitCast(Self(repeating: 1), to: Bits.self)
    let difference = unsafe unsafeBitCast(slope, to: Bits.self) ^ one
    return value * (unsafe unsafeBitCast(mask & difference ^ one, to: Self.self))
  }
}

extension SIMD8: KernelVector where Scalar == Float {
  /// `value`, times `slope` in the lanes where `sign` is negative.
  @_alwaysEmitIntoClient @inline(__always)
  public static func scale(_ value: Self, by slope: Self, whereNegative sign: Self) -> Self {
    typealias Bits = SIMD8<Int32>
    let mask = unsafe unsafeBitCast(sign, to: Bits.self) &>> Bits(repeating: 31)
    let one = unsafe unsafeBitCast(Self(repeating: 1), to: Bits.self)
    let difference = unsafe unsafeBitCast(slope, to: Bits.self) ^ one
    return value * (unsafe unsafeBitCast(mask & difference ^ one, to: Self.self))
  }
}

extension SIMD16: KernelVector where Scalar == Float {
  /// `value`, times `slope` in the lanes where `sign` is negative.
  @_alwaysEmitIntoClient @inline(__always)
  public static func scale(_ value: Self, by slope: Self, whereNegative sign: Self) -> Self {
    typealias Bits = SIMD16<Int32>
    let mask = unsafe unsafeBitCast(sign, to: Bits.self) &>> Bits(repeating: 31)
    let one = unsafe unsafeBitCast(Self(repeating: 1), to: Bits.self)
    let difference = unsafe unsafeBitCast(slope, to: Bits.self) ^ one
    return value * (unsafe unsafeBitCast(mask & difference ^ one, to: Self.self))
  }
}
