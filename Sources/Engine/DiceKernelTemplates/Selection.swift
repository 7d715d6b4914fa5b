// Choosing between lanes. Comparisons of generic vectors (`.<`, `replace(with:where:)`) are compiled
// into a loop over the lanes, so masks are made of bits here and loops choose whole floats, which the
// optimizer turns into single instructions.

/// The bits of a vector's lanes, as signed integers of 32 bits.
@_alwaysEmitIntoClient @inline(__always)
func laneBits<Vector: SIMD>(_ value: Vector) -> Vector.MaskStorage where Vector.Scalar == Float {
  unsafe unsafeBitCast(value, to: Vector.MaskStorage.self)
}

/// The vector whose lanes have the given bits.
@_alwaysEmitIntoClient @inline(__always)
func vector<Vector: SIMD>(bits: Vector.MaskStorage) -> Vector where Vector.Scalar == Float {
  unsafe unsafeBitCast(bits, to: Vector.self)
}

/// `value * factor` in lanes whose mask is all ones, `value` in lanes whose mask is zero.
///
/// Multiplies by 1 there, which keeps every bit.
@_alwaysEmitIntoClient @inline(__always)
func scaled<Vector: SIMD>(
  _ value: Vector, by factor: Vector, where mask: Vector.MaskStorage
) -> Vector where Vector.Scalar == Float {
  let one = laneBits(Vector(repeating: 1))
  return value * vector(bits: one ^ ((one ^ laneBits(factor)) & mask))
}

/// All ones in lanes that are less than zero; −0 and NaN are not.
@_alwaysEmitIntoClient @inline(__always)
func negativeLanes<Vector: SIMD>(_ value: Vector) -> Vector.MaskStorage
where Vector.Scalar == Float {
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
public func leakyRectified<Vector: SIMD>(_ value: Vector, slope: Vector) -> Vector
where Vector.Scalar == Float {
  // −0 may be scaled as well: it stays −0.
  scaled(value, by: slope, where: laneBits(value) &>> Vector.MaskStorage(repeating: 31))
}

/// In each lane `other` where it is greater, else `value`.
@_alwaysEmitIntoClient @inline(__always)
func greater<Vector: SIMD>(_ value: Vector, _ other: Vector) -> Vector
where Vector.Scalar == Float {
  var result = value
  for lane in 0..<Vector.scalarCount {
    result[lane] = other[lane] > value[lane] ? other[lane] : value[lane]
  }
  return result
}

/// In each lane `other` where it is less, else `value`.
@_alwaysEmitIntoClient @inline(__always)
func less<Vector: SIMD>(_ value: Vector, _ other: Vector) -> Vector
where Vector.Scalar == Float {
  var result = value
  for lane in 0..<Vector.scalarCount {
    result[lane] = other[lane] < value[lane] ? other[lane] : value[lane]
  }
  return result
}

/// In each lane `value` where `place` is below a limit, else `other`; `other` for NaN.
@_alwaysEmitIntoClient @inline(__always)
func chosen<Vector: SIMD>(
  _ value: Vector, where place: Vector, isBelow limit: Float, else other: Vector
) -> Vector where Vector.Scalar == Float {
  var result = other
  for lane in 0..<Vector.scalarCount {
    result[lane] = place[lane] < limit ? value[lane] : other[lane]
  }
  return result
}
