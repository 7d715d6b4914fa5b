/// A stretch of a sequential scan: the coefficients of its units, and where each of them begins.
///
/// A stretch may begin anywhere in the data: within a code, and with what belongs to another block of a unit. Such a
/// reader is out of step, but Huffman codes soon bring it into step. It is, from a unit on that begins where one
/// begins for the reader of the stretch before (`join(_:)`); units ahead of that one do not count. Only the means
/// are off then, by as much as the mean that was not known.
///
/// Source: Klein and Wiseman, "Parallel Huffman Decoding with Applications to JPEG Files", The Computer Journal
/// 46 (5), 2003.
@safe final class JPEGStretch {
  /// Units that there is room for.
  let capacity: Int
  /// Units that were decoded.
  private(set) var unitCount = 0
  /// Why the unit behind the last one cannot be decoded.
  private(set) var failure: JPEGError?
  private let base: UnsafePointer<UInt8>
  private var reader: JPEGEntropyReader
  private let plan: UnsafeBufferPointer<JPEGBlockPlan>
  private let zigzag: JPEGMemory<UInt8>
  private let coefficients: JPEGMemory<Int16>
  /// For each unit the byte that the reader takes next and, in the low 7 bits, the bits that it has at hand.
  private let starts: JPEGMemory<Int64>
  private let predictions: JPEGMemory<Int32>
  /// Units that the stretch before may join: those that `decode` has decoded.
  private var joinableCount = 0

  /// Makes room for units, and begins at a byte.
  ///
  /// `base` points to `end` bytes. They and what the plan points to outlive the stretch.
  init(
    capacity: Int, plan: UnsafeBufferPointer<JPEGBlockPlan>, zigzag: JPEGMemory<UInt8>,
    base: UnsafePointer<UInt8>, end: Int, position: Int, restartInterval: Int
  ) {
    self.capacity = capacity
    unsafe self.base = base
    unsafe self.plan = plan
    self.zigzag = zigzag
    coefficients = JPEGMemory(uninitializedCount: capacity * plan.count * 64)
    starts = JPEGMemory(uninitializedCount: capacity)
    // A cache line of its own: another thread writes those of its stretch as often.
    predictions = JPEGMemory(count: 48)
    unsafe reader = JPEGEntropyReader(
      base: base, end: end, position: position, restartInterval: restartInterval,
      predictions: predictions.base + 16)
  }

  /// The byte that the reader takes next.
  var position: Int { unsafe reader.bits.position }

  /// The means that the next blocks are coded by, one for each of the scan's components.
  var means: SIMD4<Int32> {
    get {
      defer { withExtendedLifetime(self) {} }
      return unsafe UnsafeRawPointer((predictions.base + 16)).loadUnaligned(as: SIMD4<Int32>.self)
    }
    set {
      defer { withExtendedLifetime(self) {} }
      for slot in 0..<4 { unsafe (predictions.base + 16)[slot] = newValue[slot] }
    }
  }

  /// Begins out of step, at a byte; where the scan has restart markers, in step behind the next one.
  ///
  /// - Parameter limit: where the stretch begins, without units, if there is no marker ahead of it.
  func begin(near position: Int, before limit: Int) {
    (unitCount, joinableCount, failure) = (0, 0, nil)
    means = .zero
    unsafe reader.moveIntoScan(near: position, before: limit)
  }

  /// Begins where a stretch ends, with the means that are known there.
  func begin(behind other: JPEGStretch, means: SIMD4<Int32>) {
    (unitCount, joinableCount, failure) = (0, 0, nil)
    unsafe reader.move(to: other.reader)
    self.means = means
  }

  /// Decodes units up to a byte, at most `count` in all.
  ///
  /// - Parameter isInStep: whether damage is damage; out of step it is to be expected, and the reader goes on
  ///   behind it.
  func decode(before limit: Int, upTo count: Int, isInStep: Bool) {
    let count = min(count, capacity)
    // Copies, for which no access is checked.
    var reader = unsafe reader
    var unit = unitCount
    while unit < count {
      let start = unsafe reader
      let means = means
      do throws(JPEGError) {
        _ = try unsafe reader.unitsAtHand()
        guard unsafe reader.bits.position < limit else { break }
        try unsafe decode(unit, &reader)
        unit += 1
      } catch {
        if !isInStep, unsafe reader.skipDamage() {
          unit = 0
          self.means = .zero
          continue
        }
        failure = error
        unsafe reader = start
        self.means = means
        break
      }
    }
    unsafe self.reader = reader
    unitCount = unit
    joinableCount = unit
  }

  /// Decodes on, to where a unit of the next stretch begins.
  ///
  /// - Returns: the first such unit, or nil where none is found.
  func join(_ next: JPEGStretch) -> Int? {
    var index = 0
    while true {
      let start = unsafe reader
      let means = means
      do throws(JPEGError) {
        _ = try unsafe reader.unitsAtHand()
        let place = unsafe reader.bits.place
        while index < next.joinableCount, next.place(of: index) < place { index += 1 }
        guard index < next.joinableCount else { return nil }
        if next.place(of: index) == place, unsafe reader.isAtIntervalStart { return index }
        guard unitCount < capacity else { return nil }
        try unsafe decode(unitCount, &reader)
        unitCount += 1
      } catch {
        unsafe reader = start
        self.means = means
        return nil
      }
    }
  }

  /// The means ahead of a unit, as far as the stretch knows.
  func means(before unit: Int) -> SIMD4<Int32> {
    defer { withExtendedLifetime(self) {} }
    var means = SIMD4<Int32>.zero
    guard unit > 0 else { return means }
    for index in unsafe plan.indices {
      let block = unsafe coefficients.base + ((unit - 1) * plan.count + index) * 64
      unsafe means[plan[index].slot] = Int32(block[0])
    }
    return means
  }

  /// Transforms units and puts their samples in place.
  ///
  /// - Parameters:
  ///   - units: the units of the stretch.
  ///   - offset: what is to be added to the means.
  ///   - place: where the first of them goes, counted from the first unit at hand.
  ///   - width: units in a row.
  func transform(_ units: Range<Int>, offset: SIMD4<Int32>, to place: Int, width: Int) {
    defer { withExtendedLifetime(self) {} }
    var block = unsafe coefficients.base + units.lowerBound * plan.count * 64
    var (row, column) = (place / width, place % width)
    for _ in units {
      for index in unsafe plan.indices {
        let entry = unsafe plan[index]
        unsafe block[0] &+= Int16(truncatingIfNeeded: offset[entry.slot])
        unsafe JPEGInverseDCT.transform(
          block, entry.quantization, entry.output + row &* entry.rowStep + column &* entry.step,
          entry.stride, blockSize: entry.blockSize)
        unsafe block += 64
      }
      column += 1
      if column == width { (row, column) = (row + 1, 0) }
    }
  }

  private func place(of unit: Int) -> Int {
    defer { withExtendedLifetime(self) {} }
    let start = unsafe starts.base[unit]
    return unsafe JPEGBitReader.place(
      base: base, position: Int(start >> 7), count: Int(start & 127))
  }

  /// Decodes a unit, for which there is room; where that fails, the reader stands at the damage.
  private func decode(_ unit: Int, _ reader: inout JPEGEntropyReader) throws(JPEGError) {
    defer { withExtendedLifetime(self) {} }
    var bits = unsafe reader.bits
    unsafe starts.base[unit] = Int64(bits.position) << 7 | Int64(bits.dataCount)
    var block = unsafe coefficients.base + unit * plan.count * 64
    for index in unsafe plan.indices {
      let entry = unsafe plan[index]
      unsafe block.update(repeating: 0, count: 64)
      guard
        unsafe JPEGEntropyReader.decodeBlock(
          &bits, prediction: (predictions.base + 16) + entry.slot, dcTable: entry.dcTable,
          acTable: entry.acTable, zigzag: zigzag.base, into: block)
      else {
        unsafe reader.bits = bits
        throw unsafe reader.invalidCode
      }
      unsafe block += 64
    }
    unsafe reader.bits = bits
    try unsafe reader.finish(units: 1)
  }
}
