#if hasFeature(BuiltinModule)
  internal import Builtin
#endif

// The standard library's operators on vectors of floats, and some on those of integers, are loops over
// the lanes. The optimizer unrolls them and puts them together again, on which it spent three quarters
// of its time here. Each of these is one instruction to it from the start; the numbers are the same.
// Where the compiler does not name its instructions, the standard library's operators serve.

/// Floats side by side.
public protocol FloatLanes: SIMD where Scalar == Float, MaskStorage: WordLanes {
  // The library's own, named here so that generic code gets those of the type.

  /// The same number in every lane.
  init(repeating value: Float)
  /// The sums of the lanes.
  static func + (a: Self, b: Self) -> Self
  /// The differences of the lanes.
  static func - (a: Self, b: Self) -> Self
  /// The products of the lanes.
  static func * (a: Self, b: Self) -> Self
  /// The quotients of the lanes.
  static func / (a: Self, b: Self) -> Self
  /// `self + a * b`, rounded once.
  func addingProduct(_ a: Self, _ b: Self) -> Self

  /// The nearest floats to integers.
  init(nearest integers: MaskStorage)
  /// The whole parts of numbers whose magnitude is below 2³¹.
  var wholeParts: MaskStorage { get }
  /// `other` in lanes where `x` is less than `y`, else the vector's own number; that for NaN, too.
  func replaced(by other: Self, where x: Self, isLessThan y: Self) -> Self
}

extension FloatLanes {
  /// Adds the numbers of another vector.
  @_transparent @_alwaysEmitIntoClient
  public static func += (a: inout Self, b: Self) { a = a + b }
}

/// Integers of 32 bits side by side.
public protocol WordLanes: SIMD where Scalar == Int32 {
  /// The same number in every lane.
  init(repeating value: Int32)
  /// The bits that both have.
  static func & (a: Self, b: Self) -> Self
  /// The bits that one of them has.
  static func | (a: Self, b: Self) -> Self
  /// The bits that just one of them has.
  static func ^ (a: Self, b: Self) -> Self
  /// The sums, modulo 2³².
  static func &+ (a: Self, b: Self) -> Self
  /// The differences, modulo 2³².
  static func &- (a: Self, b: Self) -> Self
  /// The products, modulo 2³².
  static func &* (a: Self, b: Self) -> Self
  /// Shifted to the left by the lower five bits of `b`.
  static func &<< (a: Self, b: Self) -> Self
  /// Shifted to the right by the lower five bits of `b`; the sign fills up.
  static func &>> (a: Self, b: Self) -> Self
  /// `floor((a * b + addend) / 2³¹)` for factors of which one is above −2³¹.
  func highProduct(_ b: Self, adding addend: Int64) -> Self
}

#if hasFeature(BuiltinModule)
  extension SIMD4: FloatLanes where Scalar == Float {
    /// The sums of the lanes.
    @_transparent @_alwaysEmitIntoClient
    public static func + (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.fadd_Vec4xFPIEEE32(a._storage._value, b._storage._value)
      return result
    }

    /// The differences of the lanes.
    @_transparent @_alwaysEmitIntoClient
    public static func - (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.fsub_Vec4xFPIEEE32(a._storage._value, b._storage._value)
      return result
    }

    /// The products of the lanes.
    @_transparent @_alwaysEmitIntoClient
    public static func * (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.fmul_Vec4xFPIEEE32(a._storage._value, b._storage._value)
      return result
    }

    /// The quotients of the lanes.
    @_transparent @_alwaysEmitIntoClient
    public static func / (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.fdiv_Vec4xFPIEEE32(a._storage._value, b._storage._value)
      return result
    }

    /// `self + a * b`, rounded once.
    @_transparent @_alwaysEmitIntoClient
    public func addingProduct(_ a: Self, _ b: Self) -> Self {
      var result = self
      result._storage._value = Builtin.int_fma_Vec4xFPIEEE32(
        a._storage._value, b._storage._value, _storage._value)
      return result
    }

    /// The nearest floats to integers.
    @_transparent @_alwaysEmitIntoClient
    public init(nearest integers: MaskStorage) {
      self.init()
      _storage._value = Builtin.sitofp_Vec4xInt32_Vec4xFPIEEE32(integers._storage._value)
    }

    /// The whole parts of numbers whose magnitude is below 2³¹.
    @_transparent @_alwaysEmitIntoClient
    public var wholeParts: MaskStorage {
      var result = MaskStorage()
      result._storage._value = Builtin.fptosi_Vec4xFPIEEE32_Vec4xInt32(_storage._value)
      return result
    }

    /// `other` in lanes where `x` is less than `y`, else the vector's own number; that for NaN, too.
    @_transparent @_alwaysEmitIntoClient
    public func replaced(by other: Self, where x: Self, isLessThan y: Self) -> Self {
      var result = self
      result._storage._value = Builtin.select_Vec4xInt1_Vec4xFPIEEE32(
        Builtin.fcmp_olt_Vec4xFPIEEE32(x._storage._value, y._storage._value), other._storage._value,
        _storage._value)
      return result
    }
  }

  extension SIMD4: WordLanes where Scalar == Int32 {
    /// The bits that both have.
    @_transparent @_alwaysEmitIntoClient
    public static func & (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.and_Vec4xInt32(a._storage._value, b._storage._value)
      return result
    }

    /// The bits that one of them has.
    @_transparent @_alwaysEmitIntoClient
    public static func | (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.or_Vec4xInt32(a._storage._value, b._storage._value)
      return result
    }

    /// The bits that just one of them has.
    @_transparent @_alwaysEmitIntoClient
    public static func ^ (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.xor_Vec4xInt32(a._storage._value, b._storage._value)
      return result
    }

    /// Shifted to the left by the lower five bits of `b`.
    @_transparent @_alwaysEmitIntoClient
    public static func &<< (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.shl_Vec4xInt32(
        a._storage._value, (b & Self(repeating: 31))._storage._value)
      return result
    }

    /// Shifted to the right by the lower five bits of `b`; the sign fills up.
    @_transparent @_alwaysEmitIntoClient
    public static func &>> (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.ashr_Vec4xInt32(
        a._storage._value, (b & Self(repeating: 31))._storage._value)
      return result
    }

    /// `floor((a * b + addend) / 2³¹)` for factors of which one is above −2³¹.
    ///
    /// Products of 64 bits of every other lane, one after the other.
    @_transparent @_alwaysEmitIntoClient
    public func highProduct(_ b: Self, adding addend: Int64) -> Self {
      let sum = SIMD2<Int64>(repeating: addend)._storage._value
      let word = SIMD2<Int64>(repeating: 32)._storage._value
      let one = SIMD2<Int64>(repeating: 1)._storage._value
      let x = Builtin.bitcast_Vec4xInt32_Vec2xInt64(_storage._value)
      let y = Builtin.bitcast_Vec4xInt32_Vec2xInt64(b._storage._value)
      let even = Builtin.add_Vec2xInt64(
        Builtin.mul_Vec2xInt64(
          Builtin.ashr_Vec2xInt64(Builtin.shl_Vec2xInt64(x, word), word),
          Builtin.ashr_Vec2xInt64(Builtin.shl_Vec2xInt64(y, word), word)), sum)
      let odd = Builtin.add_Vec2xInt64(
        Builtin.mul_Vec2xInt64(
          Builtin.ashr_Vec2xInt64(x, word), Builtin.ashr_Vec2xInt64(y, word)), sum)
      let lower = Builtin.lshr_Vec2xInt64(Builtin.shl_Vec2xInt64(even, one), word)
      let upper = Builtin.and_Vec2xInt64(
        Builtin.shl_Vec2xInt64(odd, one),
        Builtin.shl_Vec2xInt64(SIMD2<Int64>(repeating: -1)._storage._value, word))
      var result = self
      result._storage._value = Builtin.bitcast_Vec2xInt64_Vec4xInt32(
        Builtin.or_Vec2xInt64(lower, upper))
      return result
    }
  }

  extension SIMD8: FloatLanes where Scalar == Float {
    /// The sums of the lanes.
    @_transparent @_alwaysEmitIntoClient
    public static func + (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.fadd_Vec8xFPIEEE32(a._storage._value, b._storage._value)
      return result
    }

    /// The differences of the lanes.
    @_transparent @_alwaysEmitIntoClient
    public static func - (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.fsub_Vec8xFPIEEE32(a._storage._value, b._storage._value)
      return result
    }

    /// The products of the lanes.
    @_transparent @_alwaysEmitIntoClient
    public static func * (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.fmul_Vec8xFPIEEE32(a._storage._value, b._storage._value)
      return result
    }

    /// The quotients of the lanes.
    @_transparent @_alwaysEmitIntoClient
    public static func / (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.fdiv_Vec8xFPIEEE32(a._storage._value, b._storage._value)
      return result
    }

    /// `self + a * b`, rounded once.
    @_transparent @_alwaysEmitIntoClient
    public func addingProduct(_ a: Self, _ b: Self) -> Self {
      var result = self
      result._storage._value = Builtin.int_fma_Vec8xFPIEEE32(
        a._storage._value, b._storage._value, _storage._value)
      return result
    }

    /// The nearest floats to integers.
    @_transparent @_alwaysEmitIntoClient
    public init(nearest integers: MaskStorage) {
      self.init()
      _storage._value = Builtin.sitofp_Vec8xInt32_Vec8xFPIEEE32(integers._storage._value)
    }

    /// The whole parts of numbers whose magnitude is below 2³¹.
    @_transparent @_alwaysEmitIntoClient
    public var wholeParts: MaskStorage {
      var result = MaskStorage()
      result._storage._value = Builtin.fptosi_Vec8xFPIEEE32_Vec8xInt32(_storage._value)
      return result
    }

    /// `other` in lanes where `x` is less than `y`, else the vector's own number; that for NaN, too.
    @_transparent @_alwaysEmitIntoClient
    public func replaced(by other: Self, where x: Self, isLessThan y: Self) -> Self {
      var result = self
      result._storage._value = Builtin.select_Vec8xInt1_Vec8xFPIEEE32(
        Builtin.fcmp_olt_Vec8xFPIEEE32(x._storage._value, y._storage._value), other._storage._value,
        _storage._value)
      return result
    }
  }

  extension SIMD8: WordLanes where Scalar == Int32 {
    /// The bits that both have.
    @_transparent @_alwaysEmitIntoClient
    public static func & (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.and_Vec8xInt32(a._storage._value, b._storage._value)
      return result
    }

    /// The bits that one of them has.
    @_transparent @_alwaysEmitIntoClient
    public static func | (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.or_Vec8xInt32(a._storage._value, b._storage._value)
      return result
    }

    /// The bits that just one of them has.
    @_transparent @_alwaysEmitIntoClient
    public static func ^ (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.xor_Vec8xInt32(a._storage._value, b._storage._value)
      return result
    }

    /// Shifted to the left by the lower five bits of `b`.
    @_transparent @_alwaysEmitIntoClient
    public static func &<< (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.shl_Vec8xInt32(
        a._storage._value, (b & Self(repeating: 31))._storage._value)
      return result
    }

    /// Shifted to the right by the lower five bits of `b`; the sign fills up.
    @_transparent @_alwaysEmitIntoClient
    public static func &>> (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.ashr_Vec8xInt32(
        a._storage._value, (b & Self(repeating: 31))._storage._value)
      return result
    }

    /// `floor((a * b + addend) / 2³¹)` for factors of which one is above −2³¹.
    ///
    /// Products of 64 bits of every other lane, one after the other.
    @_transparent @_alwaysEmitIntoClient
    public func highProduct(_ b: Self, adding addend: Int64) -> Self {
      let sum = SIMD4<Int64>(repeating: addend)._storage._value
      let word = SIMD4<Int64>(repeating: 32)._storage._value
      let one = SIMD4<Int64>(repeating: 1)._storage._value
      let x = Builtin.bitcast_Vec8xInt32_Vec4xInt64(_storage._value)
      let y = Builtin.bitcast_Vec8xInt32_Vec4xInt64(b._storage._value)
      let even = Builtin.add_Vec4xInt64(
        Builtin.mul_Vec4xInt64(
          Builtin.ashr_Vec4xInt64(Builtin.shl_Vec4xInt64(x, word), word),
          Builtin.ashr_Vec4xInt64(Builtin.shl_Vec4xInt64(y, word), word)), sum)
      let odd = Builtin.add_Vec4xInt64(
        Builtin.mul_Vec4xInt64(
          Builtin.ashr_Vec4xInt64(x, word), Builtin.ashr_Vec4xInt64(y, word)), sum)
      let lower = Builtin.lshr_Vec4xInt64(Builtin.shl_Vec4xInt64(even, one), word)
      let upper = Builtin.and_Vec4xInt64(
        Builtin.shl_Vec4xInt64(odd, one),
        Builtin.shl_Vec4xInt64(SIMD4<Int64>(repeating: -1)._storage._value, word))
      var result = self
      result._storage._value = Builtin.bitcast_Vec4xInt64_Vec8xInt32(
        Builtin.or_Vec4xInt64(lower, upper))
      return result
    }
  }

  extension SIMD16: FloatLanes where Scalar == Float {
    /// The sums of the lanes.
    @_transparent @_alwaysEmitIntoClient
    public static func + (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.fadd_Vec16xFPIEEE32(a._storage._value, b._storage._value)
      return result
    }

    /// The differences of the lanes.
    @_transparent @_alwaysEmitIntoClient
    public static func - (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.fsub_Vec16xFPIEEE32(a._storage._value, b._storage._value)
      return result
    }

    /// The products of the lanes.
    @_transparent @_alwaysEmitIntoClient
    public static func * (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.fmul_Vec16xFPIEEE32(a._storage._value, b._storage._value)
      return result
    }

    /// The quotients of the lanes.
    @_transparent @_alwaysEmitIntoClient
    public static func / (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.fdiv_Vec16xFPIEEE32(a._storage._value, b._storage._value)
      return result
    }

    /// `self + a * b`, rounded once.
    @_transparent @_alwaysEmitIntoClient
    public func addingProduct(_ a: Self, _ b: Self) -> Self {
      var result = self
      result._storage._value = Builtin.int_fma_Vec16xFPIEEE32(
        a._storage._value, b._storage._value, _storage._value)
      return result
    }

    /// The nearest floats to integers.
    @_transparent @_alwaysEmitIntoClient
    public init(nearest integers: MaskStorage) {
      self.init()
      _storage._value = Builtin.sitofp_Vec16xInt32_Vec16xFPIEEE32(integers._storage._value)
    }

    /// The whole parts of numbers whose magnitude is below 2³¹.
    @_transparent @_alwaysEmitIntoClient
    public var wholeParts: MaskStorage {
      var result = MaskStorage()
      result._storage._value = Builtin.fptosi_Vec16xFPIEEE32_Vec16xInt32(_storage._value)
      return result
    }

    /// `other` in lanes where `x` is less than `y`, else the vector's own number; that for NaN, too.
    @_transparent @_alwaysEmitIntoClient
    public func replaced(by other: Self, where x: Self, isLessThan y: Self) -> Self {
      var result = self
      result._storage._value = Builtin.select_Vec16xInt1_Vec16xFPIEEE32(
        Builtin.fcmp_olt_Vec16xFPIEEE32(x._storage._value, y._storage._value),
        other._storage._value,
        _storage._value)
      return result
    }
  }

  extension SIMD16: WordLanes where Scalar == Int32 {
    /// The bits that both have.
    @_transparent @_alwaysEmitIntoClient
    public static func & (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.and_Vec16xInt32(a._storage._value, b._storage._value)
      return result
    }

    /// The bits that one of them has.
    @_transparent @_alwaysEmitIntoClient
    public static func | (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.or_Vec16xInt32(a._storage._value, b._storage._value)
      return result
    }

    /// The bits that just one of them has.
    @_transparent @_alwaysEmitIntoClient
    public static func ^ (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.xor_Vec16xInt32(a._storage._value, b._storage._value)
      return result
    }

    /// Shifted to the left by the lower five bits of `b`.
    @_transparent @_alwaysEmitIntoClient
    public static func &<< (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.shl_Vec16xInt32(
        a._storage._value, (b & Self(repeating: 31))._storage._value)
      return result
    }

    /// Shifted to the right by the lower five bits of `b`; the sign fills up.
    @_transparent @_alwaysEmitIntoClient
    public static func &>> (a: Self, b: Self) -> Self {
      var result = a
      result._storage._value = Builtin.ashr_Vec16xInt32(
        a._storage._value, (b & Self(repeating: 31))._storage._value)
      return result
    }

    /// `floor((a * b + addend) / 2³¹)` for factors of which one is above −2³¹.
    ///
    /// Products of 64 bits of every other lane, one after the other.
    @_transparent @_alwaysEmitIntoClient
    public func highProduct(_ b: Self, adding addend: Int64) -> Self {
      let sum = SIMD8<Int64>(repeating: addend)._storage._value
      let word = SIMD8<Int64>(repeating: 32)._storage._value
      let one = SIMD8<Int64>(repeating: 1)._storage._value
      let x = Builtin.bitcast_Vec16xInt32_Vec8xInt64(_storage._value)
      let y = Builtin.bitcast_Vec16xInt32_Vec8xInt64(b._storage._value)
      let even = Builtin.add_Vec8xInt64(
        Builtin.mul_Vec8xInt64(
          Builtin.ashr_Vec8xInt64(Builtin.shl_Vec8xInt64(x, word), word),
          Builtin.ashr_Vec8xInt64(Builtin.shl_Vec8xInt64(y, word), word)), sum)
      let odd = Builtin.add_Vec8xInt64(
        Builtin.mul_Vec8xInt64(
          Builtin.ashr_Vec8xInt64(x, word), Builtin.ashr_Vec8xInt64(y, word)), sum)
      let lower = Builtin.lshr_Vec8xInt64(Builtin.shl_Vec8xInt64(even, one), word)
      let upper = Builtin.and_Vec8xInt64(
        Builtin.shl_Vec8xInt64(odd, one),
        Builtin.shl_Vec8xInt64(SIMD8<Int64>(repeating: -1)._storage._value, word))
      var result = self
      result._storage._value = Builtin.bitcast_Vec8xInt64_Vec16xInt32(
        Builtin.or_Vec8xInt64(lower, upper))
      return result
    }
  }

  /// The lower halves of integers.
  @_transparent @_alwaysEmitIntoClient
  func lowerHalves(_ words: SIMD16<Int32>) -> SIMD16<UInt16> {
    var result = SIMD16<UInt16>()
    result._storage._value = Builtin.trunc_Vec16xInt32_Vec16xInt16(words._storage._value)
    return result
  }
#else
  extension FloatLanes {
    /// The nearest floats to integers.
    @_alwaysEmitIntoClient @inline(__always)
    public init(nearest integers: MaskStorage) {
      self.init()
      for lane in 0..<Self.scalarCount { self[lane] = Float(integers[lane]) }
    }

    /// `other` in lanes where `x` is less than `y`, else the vector's own number; that for NaN, too.
    @_alwaysEmitIntoClient @inline(__always)
    public func replaced(by other: Self, where x: Self, isLessThan y: Self) -> Self {
      var result = self
      for lane in 0..<Self.scalarCount {
        result[lane] = x[lane] < y[lane] ? other[lane] : self[lane]
      }
      return result
    }
  }

  extension FloatLanes {
    /// The whole parts of numbers whose magnitude is below 2³¹.
    @_alwaysEmitIntoClient @inline(__always)
    public var wholeParts: MaskStorage {
      var result = MaskStorage()
      for lane in 0..<Self.scalarCount { result[lane] = Int32(self[lane]) }
      return result
    }
  }

  extension WordLanes {
    /// `floor((a * b + addend) / 2³¹)` for factors of which one is above −2³¹.
    @_alwaysEmitIntoClient @inline(__always)
    public func highProduct(_ b: Self, adding addend: Int64) -> Self {
      var result = self
      for lane in 0..<Self.scalarCount {
        let product = Int64(self[lane]) &* Int64(b[lane]) &+ addend
        result[lane] = Int32(truncatingIfNeeded: product &>> 31)
      }
      return result
    }
  }

  /// The lower halves of integers.
  @_alwaysEmitIntoClient @inline(__always)
  func lowerHalves(_ words: SIMD16<Int32>) -> SIMD16<UInt16> {
    SIMD16<UInt16>(truncatingIfNeeded: words)
  }

  extension SIMD4: FloatLanes where Scalar == Float {}
  extension SIMD8: FloatLanes where Scalar == Float {}
  extension SIMD16: FloatLanes where Scalar == Float {}
  extension SIMD4: WordLanes where Scalar == Int32 {}
  extension SIMD8: WordLanes where Scalar == Int32 {}
  extension SIMD16: WordLanes where Scalar == Int32 {}
#endif
