/// Eight neighbouring samples of a plane.
typealias Eight = SIMD8<Float>

extension SIMD8<Float> {
  /// The smaller of each pair.
  @inline(__always)
  func minimum(_ other: Eight) -> Eight {
    Eight(
      lowHalf: DiceScenes.minimum(lowHalf, other.lowHalf),
      highHalf: DiceScenes.minimum(highHalf, other.highHalf))
  }

  /// The larger of each pair.
  @inline(__always)
  func maximum(_ other: Eight) -> Eight {
    Eight(
      lowHalf: DiceScenes.maximum(lowHalf, other.lowHalf),
      highHalf: DiceScenes.maximum(highHalf, other.highHalf))
  }

  /// Brought into the range from 0 to 1.
  @inline(__always)
  var saturated: Eight { maximum(Eight(repeating: 0)).minimum(Eight(repeating: 1)) }

  /// The square roots of numbers that are not negative, to about 3e-7 of them.
  @inline(__always)
  var roots: Eight {
    self
      * Eight(
        lowHalf: inverseSquareRoot(lowHalf), highHalf: inverseSquareRoot(highHalf))
  }

  /// The nearest whole numbers of numbers within ±4,000,000.
  @inline(__always)
  var nearestWholes: Eight { (self + 12_582_912) - 12_582_912 }

  /// The nearest whole numbers of numbers from 0 to 4,000,000, as integers.
  @inline(__always)
  var wholes: SIMD8<UInt32> {
    unsafe unsafeBitCast(self + 12_582_912, to: SIMD8<UInt32>.self) & 0x3F_FFFF
  }
}

extension UnsafeMutableBufferPointer<Float> {
  /// The eight elements from an index on.
  @inline(__always)
  func eight(at index: Int) -> Eight {
    unsafe UnsafeRawPointer(baseAddress.unsafelyUnwrapped + index).loadUnaligned(as: Eight.self)
  }

  /// Stores eight elements from an index on.
  @inline(__always)
  func store(_ value: Eight, at index: Int) {
    unsafe UnsafeMutableRawPointer(baseAddress.unsafelyUnwrapped + index).storeBytes(
      of: value, as: Eight.self)
  }
}

extension [Float] {
  /// The eight elements from an index on; zero beyond the end.
  ///
  /// - Precondition: the index is not negative.
  @inline(__always)
  func eight(at index: Int) -> Eight {
    precondition(index >= 0, "an index from the beginning on")
    if index + 8 <= count {
      return unsafe withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: index * 4, as: Eight.self)
      }
    }
    var result = Eight(repeating: 0)
    for lane in 0..<8 where index + lane < count { result[lane] = self[index + lane] }
    return result
  }

  /// Stores eight elements from an index on; what lies beyond the end is dropped.
  ///
  /// - Precondition: the index is not negative.
  @inline(__always)
  mutating func store(_ value: Eight, at index: Int) {
    precondition(index >= 0, "an index from the beginning on")
    if index + 8 <= count {
      unsafe withUnsafeMutableBytes {
        unsafe $0.storeBytes(of: value, toByteOffset: index * 4, as: Eight.self)
      }
      return
    }
    for lane in 0..<8 where index + lane < count { self[index + lane] = value[lane] }
  }

  /// Replaces all elements, eight at a time: the function is given their index and values.
  @inline(__always)
  mutating func updateEights(_ body: (Int, Eight) -> Eight) {
    for index in stride(from: 0, to: count, by: 8) {
      store(body(index, eight(at: index)), at: index)
    }
  }
}
