/// How a row of a PNG file was changed before compression.
///
/// Raw values are those of the file.
///
/// With `x` the byte itself, `a` the one a pixel to its left, `b` the one above and `c` the one
/// above `a` (0 outside the picture), all modulo 256, a row stores `x - p` with `p` as each case
/// says.
///
/// Source: PNG specification, section 9.
enum PNGFilter: UInt8, CaseIterable {
  /// `p = 0`.
  case none = 0
  /// `p = a`.
  case sub = 1
  /// `p = b`.
  case up = 2
  /// `p = (a + b) / 2`, rounded down.
  case average = 3
  /// `p` is that of `a`, `b` and `c` which is nearest to `a + b - c`; ties go to the first one.
  case paeth = 4

  /// Turns a stored row back into bytes of pixels.
  ///
  /// - Parameters:
  ///   - source: the stored bytes.
  ///   - previous: the bytes of the row above, zeros for the first row.
  ///   - destination: where the bytes go; overlaps neither of the others.
  ///   - count: bytes of the row; each pointer has so many.
  ///   - distance: bytes from a pixel to the next, 1 to 8.
  @unsafe
  func reverse(
    _ source: UnsafePointer<UInt8>, previous: UnsafePointer<UInt8>,
    into destination: UnsafeMutablePointer<UInt8>, count: Int, distance: Int
  ) {
    precondition(count >= 0 && distance >= 1 && distance <= 8)
    let row = unsafe FilteredRow(
      source: source, previous: previous, destination: destination, count: count,
      distance: distance)
    switch self {
    case .none: unsafe destination.update(from: source, count: count)
    case .sub: unsafe row.reverseSub()
    case .up: unsafe row.reverseUp()
    case .average: unsafe row.reverseAverage()
    case .paeth:
      if distance == 1 {
        unsafe row.reversePaethOfSingleBytes()
      } else {
        unsafe row.reversePaeth()
      }
    }
  }

  /// The predictor of the Paeth filter.
  @inline(__always)
  static func paethPredictor(_ a: Int, _ b: Int, _ c: Int) -> Int {
    let distanceA = abs(b &- c)
    let distanceB = abs(a &- c)
    let distanceC = abs(a &+ b &- c &- c)
    if distanceA <= distanceB && distanceA <= distanceC { return a }
    return distanceB <= distanceC ? b : c
  }
}

/// The rows that take part in reversing a filter.
///
/// Pixels of several bytes are worked on eight bytes at a time: the lanes beyond the pixel hold
/// values that the next step overwrites. A step reads and writes only where all eight bytes lie in
/// the row; the rest is done byte by byte.
@unsafe private struct FilteredRow {
  typealias Lanes = SIMD8<UInt8>

  let source: UnsafePointer<UInt8>
  let previous: UnsafePointer<UInt8>
  let destination: UnsafeMutablePointer<UInt8>
  let count: Int
  let distance: Int

  @inline(__always)
  private func load(_ pointer: UnsafePointer<UInt8>, _ index: Int) -> Lanes {
    unsafe UnsafeRawPointer(pointer).loadUnaligned(fromByteOffset: index, as: Lanes.self)
  }

  @inline(__always)
  private func store(_ lanes: Lanes, _ index: Int) {
    unsafe UnsafeMutableRawPointer(destination)
      .storeBytes(of: lanes, toByteOffset: index, as: Lanes.self)
  }

  /// The byte a pixel to the left of `index`, 0 outside the row.
  @inline(__always)
  private func left(_ row: UnsafePointer<UInt8>, _ index: Int) -> UInt8 {
    unsafe index >= distance ? row[index &- distance] : 0
  }

  func reverseUp() {
    var index = 0
    while unsafe index &+ 16 <= count {
      let stored = unsafe UnsafeRawPointer(source)
        .loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
      let above = unsafe UnsafeRawPointer(previous)
        .loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
      unsafe UnsafeMutableRawPointer(destination)
        .storeBytes(of: stored &+ above, toByteOffset: index, as: SIMD16<UInt8>.self)
      index &+= 16
    }
    while unsafe index < count {
      unsafe destination[index] = source[index] &+ previous[index]
      index &+= 1
    }
  }

  func reverseSub() {
    var index = 0
    if unsafe distance >= 3 {
      var a = Lanes(repeating: 0)
      while unsafe index &+ 8 <= count {
        a = unsafe load(source, index) &+ a
        unsafe store(a, index)
        index &+= unsafe distance
      }
    }
    while unsafe index < count {
      unsafe destination[index] = source[index] &+ left(destination, index)
      index &+= 1
    }
  }

  func reverseAverage() {
    var index = 0
    if unsafe distance >= 3 {
      var a = Lanes(repeating: 0)
      while unsafe index &+ 8 <= count {
        let b = unsafe load(previous, index)
        // Half of the sum without its ninth bit: common bits plus half of the others.
        a = unsafe load(source, index) &+ ((a & b) &+ ((a ^ b) &>> 1))
        unsafe store(a, index)
        index &+= unsafe distance
      }
    }
    while unsafe index < count {
      let sum = unsafe UInt16(left(destination, index)) &+ UInt16(previous[index])
      unsafe destination[index] = source[index] &+ UInt8(truncatingIfNeeded: sum &>> 1)
      index &+= 1
    }
  }

  func reversePaeth() {
    var index = 0
    var a = Int16x8.zero
    var c = Int16x8.zero
    while unsafe index &+ 8 <= count {
      let b = unsafe Int16x8.load(previous + index)
      let towardsA = b &- c
      let towardsB = a &- c
      let distanceA = unsafe magnitude(towardsA)
      let distanceB = unsafe magnitude(towardsB)
      let distanceC = unsafe magnitude(towardsA &+ towardsB)
      // Differences fit 16 bits by far: their sign, spread over the lane, selects.
      let prefersB = (distanceB &- distanceA) &>> 15
      let nearer = a ^ ((a ^ b) & prefersB)
      let smaller = distanceA ^ ((distanceA ^ distanceB) & prefersB)
      let prefersC = (distanceC &- smaller) &>> 15
      let nearest = nearer ^ ((nearer ^ c) & prefersC)
      let result = unsafe load(source, index) &+ nearest.lowBytes
      unsafe store(result, index)
      a = result.widened
      c = b
      index &+= unsafe distance
    }
    unsafe reversePaethByBytes(from: index)
  }

  /// Pixels of one byte, with the neighbours in registers and no branch to guess.
  func reversePaethOfSingleBytes() {
    var a: Int32 = 0
    var c: Int32 = 0
    for index in unsafe 0..<count {
      let b = unsafe Int32(previous[index])
      let towardsA = b &- c
      let towardsB = a &- c
      let towardsC = towardsA &+ towardsB
      let distanceA = (towardsA ^ towardsA &>> 31) &- towardsA &>> 31
      let distanceB = (towardsB ^ towardsB &>> 31) &- towardsB &>> 31
      let distanceC = (towardsC ^ towardsC &>> 31) &- towardsC &>> 31
      let prefersB = (distanceB &- distanceA) &>> 31
      let nearer = a ^ ((a ^ b) & prefersB)
      let smaller = distanceA ^ ((distanceA ^ distanceB) & prefersB)
      let prefersC = (distanceC &- smaller) &>> 31
      let nearest = nearer ^ ((nearer ^ c) & prefersC)
      let result = unsafe source[index] &+ UInt8(truncatingIfNeeded: nearest)
      unsafe destination[index] = result
      a = Int32(result)
      c = b
    }
  }

  func reversePaethByBytes(from start: Int) {
    var index = start
    while unsafe index < count {
      let predictor = unsafe PNGFilter.paethPredictor(
        Int(left(destination, index)), Int(previous[index]), Int(left(previous, index)))
      unsafe destination[index] = source[index] &+ UInt8(truncatingIfNeeded: predictor)
      index &+= 1
    }
  }

  @inline(__always)
  private func magnitude(_ lanes: Int16x8) -> Int16x8 {
    let sign = lanes &>> 15
    return (lanes ^ sign) &- sign
  }
}
