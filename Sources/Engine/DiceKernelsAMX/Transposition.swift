#if arch(x86_64) && os(Linux)
  internal import DiceKernelTemplates
  internal import _Builtin_intrinsics.intel

  /// Writes the channels of pixels into planes: 32 pixels of 16 channels at once.
  ///
  /// `plane[c * planeStep + p] = source[p * pixelStep + c]` for `p` in `0..<32`, `c` in `0..<16`; zero
  /// from pixel `count` on.
  @inline(__always)
  func transpose(
    _ source: Address, pixelStep: Int, count: Int, to plane: BFloat16Address, planeStep: Int,
    using buffer: BFloat16Address
  ) {
    let zero = SIMD16<Float>(repeating: 0)
    var pair = 0
    while pair < 16 {
      let first =
        2 * pair < count
        ? source.vector(at: 2 * pair * pixelStep, as: SIMD16<Float>.self) : zero
      let second =
        2 * pair + 1 < count
        ? source.vector(at: (2 * pair + 1) * pixelStep, as: SIMD16<Float>.self) : zero
      buffer.store(bfloat16Pairs(first, second), at: pair * 32)
      pair += 1
    }
    // Sixteen rows of sixteen pairs; each stage exchanges halves of blocks of 8, 4, 2 and 1.
    exchange(buffer, distance: 8, low: lowEight, high: highEight)
    exchange(buffer, distance: 4, low: lowFour, high: highFour)
    exchange(buffer, distance: 2, low: lowTwo, high: highTwo)
    exchange(buffer, distance: 1, low: lowOne, high: highOne)
    var channel = 0
    while channel < 16 {
      plane.store(buffer.pairs(at: channel * 32), at: channel * planeStep)
      channel += 1
    }
  }

  @inline(__always)
  private func exchange(
    _ buffer: BFloat16Address, distance: Int, low: SIMD16<UInt32>, high: SIMD16<UInt32>
  ) {
    var row = 0
    while row < 16 {
      let a = buffer.pairs(at: row * 32)
      let b = buffer.pairs(at: (row + distance) * 32)
      buffer.store(permuted(a, b, low), at: row * 32)
      buffer.store(permuted(a, b, high), at: (row + distance) * 32)
      row += 1
      if row & distance != 0 { row += distance }
    }
  }

  /// The lanes of two vectors that the places name: 0...15 of the first, 16...31 of the second.
  @inline(__always)
  private func permuted(
    _ a: SIMD16<UInt32>, _ b: SIMD16<UInt32>, _ places: SIMD16<UInt32>
  ) -> SIMD16<UInt32> {
    unsafe unsafeBitCast(
      _mm512_permutex2var_epi32(
        unsafeBitCast(a, to: __m512i.self), unsafeBitCast(places, to: __m512i.self),
        unsafeBitCast(b, to: __m512i.self)), to: SIMD16<UInt32>.self)
  }

  // For distance d: lane l of the low row keeps its own where bit d of l is clear and takes lane l - d of
  // the other row elsewhere; the high row takes lane l + d of the low one, and keeps its own.
  private var lowEight: SIMD16<UInt32> {
    SIMD16(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
  }
  private var highEight: SIMD16<UInt32> {
    SIMD16(8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)
  }
  private var lowFour: SIMD16<UInt32> {
    SIMD16(0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27)
  }
  private var highFour: SIMD16<UInt32> {
    SIMD16(4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31)
  }
  private var lowTwo: SIMD16<UInt32> {
    SIMD16(0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
  }
  private var highTwo: SIMD16<UInt32> {
    SIMD16(2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
  }
  private var lowOne: SIMD16<UInt32> {
    SIMD16(0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30)
  }
  private var highOne: SIMD16<UInt32> {
    SIMD16(1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31)
  }
#endif
