// Choosing between lanes.

/// The bits of a vector's lanes, as signed integers of 32 bits.
@_alwaysEmitIntoClient @inline(__always)
func laneBits<Vector: FloatLanes>(_ value: Vector) -> Vector.MaskStorage {
  unsafe unsafeBitCast(value, to: Vector.MaskStorage.self)
}

/// The vector whose lanes have the given bits.
@_alwaysEmitIntoClient @inline(__always)
func vector<Vector: FloatLanes>(bits: Vector.MaskStorage) -> Vector {
  unsafe unsafeBitCast(bits, to: Vector.self)
}

/// `value * factor` in lanes whose mask is all ones, `value` in lanes whose mask is zero.
///
/// Multiplies by 1 there, which keeps every bit.
@_alwaysEmitIntoClient @inline(__always)
func scaled<Vector: FloatLanes>(
  _ value: Vector, by factor: Vector, where mask: Vector.MaskStorage
) -> Vector {
  let one = laneBits(Vector(repeating: 1))
  return value * vector(bits: one ^ ((one ^ laneBits(factor)) & mask))
}

/// All ones in lanes that are less than zero; −0 and NaN are not.
@_alwaysEmitIntoClient @inline(__always)
func negativeLanes<Vector: FloatLanes>(_ value: Vector) -> Vector.MaskStorage {
  typealias Bits = Vector.MaskStorage
  let bits = laneBits(value)
  let magnitude = bits & Bits(repeating: 0x7FFF_FFFF)
  // The magnitudes of numbers other than zero are 1...0x7F80_0000; shifts copy the sign.
  let isNotZero = (Bits(repeating: 0) &- magnitude) &>> Bits(repeating: 31)
  let isNumber = (magnitude &- Bits(repeating: 0x7F80_0001)) &>> Bits(repeating: 31)
  return (bits &>> Bits(repeating: 31)) & isNotZero & isNumber
}

/// `max(x, 0) + slope * min(x, 0)`: the leaky rectifier; slope 1 is the identity, 0 the rectifier.
///
/// A selection, so that a NaN stays a NaN and slope 1 keeps every bit. Slopes are not negative.
@_alwaysEmitIntoClient @inline(__always)
public func leakyRectified<Vector: FloatLanes>(_ value: Vector, slope: Vector) -> Vector {
  // −0 may be scaled as well: it stays −0.
  scaled(value, by: slope, where: laneBits(value) &>> Vector.MaskStorage(repeating: 31))
}

/// In each lane `other` where it is greater, else `value`.
@_alwaysEmitIntoClient @inline(__always)
func greater<Vector: FloatLanes>(_ value: Vector, _ other: Vector) -> Vector {
  value.replaced(by: other, where: value, isLessThan: other)
}

/// In each lane `other` where it is less, else `value`.
@_alwaysEmitIntoClient @inline(__always)
func less<Vector: FloatLanes>(_ value: Vector, _ other: Vector) -> Vector {
  value.replaced(by: other, where: other, isLessThan: value)
}

/// In each lane `value` where `place` is below a limit, else `other`; `other` for NaN.
@_alwaysEmitIntoClient @inline(__always)
func chosen<Vector: FloatLanes>(
  _ value: Vector, where place: Vector, isBelow limit: Float, else other: Vector
) -> Vector {
  other.replaced(by: value, where: place, isLessThan: Vector(repeating: limit))
}
