/// Filters rows for compression and chooses the filter for each of them.
struct PNGFilterChooser {
  private let rowByteCount: Int
  private let distance: Int
  private let zeros: [UInt8]
  private var candidate: [UInt8]
  private var best: [UInt8]

  /// A chooser for rows of the given length whose pixels have `distance` bytes.
  init(rowByteCount: Int, distance: Int) {
    precondition(distance >= 1 && rowByteCount >= distance && rowByteCount % distance == 0)
    self.rowByteCount = rowByteCount
    self.distance = distance
    zeros = [UInt8](repeating: 0, count: rowByteCount)
    candidate = zeros
    best = zeros
  }

  /// Appends the number of the best filter and the filtered row.
  ///
  /// - Parameters:
  ///   - row: the bytes of the row.
  ///   - above: the row above, nil for the first one.
  mutating func append(
    _ row: ArraySlice<UInt8>, above: ArraySlice<UInt8>?, to output: inout [UInt8]
  ) {
    precondition(row.count == rowByteCount && (above?.count ?? rowByteCount) == rowByteCount)
    let above = above ?? zeros[...]
    var bestFilter = PNGFilter.none
    var bestSum = Int.max
    for filter in PNGFilter.allCases {
      let sum = unsafe row.withUnsafeBufferPointer { row in
        unsafe above.withUnsafeBufferPointer { above in
          unsafe candidate.withUnsafeMutableBufferPointer { candidate in
            unsafe Self.apply(filter, row, above: above, distance: distance, into: candidate)
          }
        }
      }
      if sum < bestSum {
        bestSum = sum
        bestFilter = filter
        swap(&best, &candidate)
      }
    }
    output.append(bestFilter.rawValue)
    output.append(contentsOf: best)
  }

  /// Filters a row and returns the sum of the magnitudes of its bytes as signed numbers.
  ///
  /// All buffers have the same number of bytes, at least `distance`.
  private static func apply(
    _ filter: PNGFilter, _ row: UnsafeBufferPointer<UInt8>, above: UnsafeBufferPointer<UInt8>,
    distance: Int, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    guard let x = row.baseAddress, let b = above.baseAddress, let out = output.baseAddress else {
      return 0
    }
    let count = row.count
    var sum = 0
    // The first pixel has no left neighbours.
    for index in 0..<distance {
      let up = unsafe b[index]
      let predictor: UInt8 =
        switch filter {
        case .none, .sub: 0
        case .up, .paeth: up
        case .average: up >> 1
        }
      let value = unsafe x[index] &- predictor
      unsafe out[index] = value
      sum += magnitude(value)
    }
    var index = distance
    while index &+ 16 <= count {
      // In bounds: index - distance >= 0 and index + 16 <= count.
      let stored = unsafe lanes(x, index)
      let value: SIMD16<UInt8> =
        switch filter {
        case .none: stored
        case .sub: unsafe stored &- lanes(x, index &- distance)
        case .up: unsafe stored &- lanes(b, index)
        case .average: unsafe stored &- half(lanes(x, index &- distance), lanes(b, index))
        case .paeth:
          unsafe stored
            &- paethPredictor(
              lanes(x, index &- distance), lanes(b, index), lanes(b, index &- distance))
        }
      unsafe UnsafeMutableRawPointer(out)
        .storeBytes(of: value, toByteOffset: index, as: SIMD16<UInt8>.self)
      // The magnitude of a signed byte is its exclusive-or with its sign, less the sign.
      let signs = SIMD16<Int8>(truncatingIfNeeded: value) &>> 7
      let magnitudes = (SIMD16<Int8>(truncatingIfNeeded: value) ^ signs) &- signs
      let bytes = SIMD16<UInt8>(truncatingIfNeeded: magnitudes)
      sum &+= Int(SIMD16<UInt16>(truncatingIfNeeded: bytes).wrappedSum())
      index &+= 16
    }
    while index < count {
      let a = unsafe Int(x[index &- distance])
      let up = unsafe Int(b[index])
      let predictor =
        switch filter {
        case .none: 0
        case .sub: a
        case .up: up
        case .average: (a &+ up) / 2
        case .paeth: unsafe PNGFilter.paethPredictor(a, up, Int(b[index &- distance]))
        }
      let value = unsafe x[index] &- UInt8(truncatingIfNeeded: predictor)
      unsafe out[index] = value
      sum &+= magnitude(value)
      index &+= 1
    }
    return sum
  }

  @inline(__always)
  private static func magnitude(_ byte: UInt8) -> Int {
    Int(Int8(bitPattern: byte).magnitude)
  }

  @inline(__always)
  private static func lanes(_ pointer: UnsafePointer<UInt8>, _ index: Int) -> SIMD16<UInt8> {
    unsafe UnsafeRawPointer(pointer)
      .loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
  }

  @inline(__always)
  private static func half(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
    (a & b) &+ ((a ^ b) &>> 1)
  }

  @inline(__always)
  private static func paethPredictor(
    _ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>, _ c: SIMD16<UInt8>
  ) -> SIMD16<UInt8> {
    let a = SIMD16<Int16>(truncatingIfNeeded: a)
    let b = SIMD16<Int16>(truncatingIfNeeded: b)
    let c = SIMD16<Int16>(truncatingIfNeeded: c)
    let distanceA = magnitudes(b &- c)
    let distanceB = magnitudes(a &- c)
    let distanceC = magnitudes(a &+ b &- c &- c)
    let prefersB = (distanceB &- distanceA) &>> 15
    let nearer = a ^ ((a ^ b) & prefersB)
    let smaller = distanceA ^ ((distanceA ^ distanceB) & prefersB)
    let prefersC = (distanceC &- smaller) &>> 15
    return SIMD16<UInt8>(truncatingIfNeeded: nearer ^ ((nearer ^ c) & prefersC))
  }

  @inline(__always)
  private static func magnitudes(_ lanes: SIMD16<Int16>) -> SIMD16<Int16> {
    let sign = lanes &>> 15
    return (lanes ^ sign) &- sign
  }
}
