/// How the decisions of an arithmetic-coded file are told apart, for each table.
///
/// Source: ITU-T T.81, B.2.4.3, F.1.4.4.1.2 and F.1.4.4.2.
struct JPEGArithmeticConditioning {
  /// Differences of means up to 2^(bound - 1) are none, those above the upper one large.
  var lowerBounds = [UInt8](repeating: 0, count: 4)
  var upperBounds = [UInt8](repeating: 1, count: 4)
  /// The last coefficient, in coding order, of the lower of two bands.
  var bandEnds = [UInt8](repeating: 5, count: 4)
}

/// A component of an arithmetic-coded scan: where its statistics lie, and its previous mean.
@unsafe struct JPEGArithmeticSlot {
  /// 64 states for means and 256 for other coefficients, which components may share.
  let dcStates: UnsafeMutablePointer<UInt8>
  let acStates: UnsafeMutablePointer<UInt8>
  /// Differences below the first are none, those above the second large.
  let smallDifference: Int
  let largeDifference: Int
  let bandEnd: Int
  var prediction = 0
  /// Where the states begin for a mean behind such a difference as the last one.
  var dcContext = 0
}

/// States of a table for means, and of one for other coefficients.
private let dcStateCount = 64
private let acStateCount = 256

/// The compressed data of one arithmetic-coded scan: a reader of decisions, their statistics, and the
/// restart markers between intervals, behind each of which all begins anew.
@unsafe struct JPEGArithmeticReader {
  /// The most zero bytes that may be missing behind an interval.
  ///
  /// Encoders leave out zeros at the end of their data: few in practice, a thousand by chance never.
  static let paddingLimit = 1024

  private var decisions: JPEGDecisionReader
  private var slots: [JPEGArithmeticSlot]
  /// The states of four tables for means, of four for other coefficients, and the fixed one.
  private let states: JPEGMemory<UInt8>
  private let stateTable: JPEGMemory<UInt32>
  private let interval: Int
  private var unitsUntilRestart: Int
  private var restartNumber = 0

  /// Starts where the parser stands; `base` points to the parser's bytes and outlives the reader.
  init(base: UnsafePointer<UInt8>, parser: JPEGParser, scan: JPEGScan) {
    let states = JPEGMemory<UInt8>(count: 4 * (dcStateCount + acStateCount) + 1)
    let stateTable = JPEGDecisionStates.table()
    unsafe self.states = states
    unsafe self.stateTable = stateTable
    unsafe decisions = JPEGDecisionReader(
      base: base, end: parser.bytes.count, position: parser.position, states: stateTable.base)
    let conditioning = parser.arithmeticConditioning
    unsafe slots = scan.components.map { component in
      unsafe JPEGArithmeticSlot(
        dcStates: states.base + dcStateCount * component.dcTable,
        acStates: states.base + 4 * dcStateCount + acStateCount * component.acTable,
        smallDifference: (1 << Int(conditioning.lowerBounds[component.dcTable])) >> 1,
        largeDifference: (1 << Int(conditioning.upperBounds[component.dcTable])) >> 1,
        bandEnd: Int(conditioning.bandEnds[component.acTable]))
    }
    unsafe interval = parser.restartInterval
    unsafe unitsUntilRestart = parser.restartInterval == 0 ? .max : parser.restartInterval
    unsafe resetStatistics()
  }

  /// The next byte behind what was read; at a marker, its `FF`.
  var position: Int { unsafe decisions.position }

  /// Decodes a row of units of a sequential scan and writes their samples.
  mutating func decodeRow(
    units: Int, plan: UnsafeBufferPointer<JPEGBlockPlan>, zigzag: UnsafePointer<UInt8>,
    block: UnsafeMutablePointer<Int16>
  ) throws(JPEGError) {
    defer { unsafe withExtendedLifetime((states, stateTable)) {} }
    for unit in 0..<units {
      try unsafe beginUnit()
      for index in plan.indices {
        let entry = unsafe plan[index]
        unsafe block.update(repeating: 0, count: 64)
        guard unsafe decodeBlock(entry.slot, zigzag: zigzag, into: block) else {
          throw unsafe .invalidArithmeticCode(offset: position)
        }
        unsafe JPEGInverseDCT.transform(
          block, entry.quantization, entry.output + unit &* entry.step, entry.stride,
          blockSize: entry.blockSize)
      }
      try unsafe endUnit()
    }
  }

  /// Decodes a row of units into kept coefficients.
  mutating func decodeRow(
    _ row: Int, units: Int, kind: JPEGScanKind, band: JPEGBand,
    plan: UnsafeBufferPointer<JPEGCoefficientPlan>, zigzag: UnsafePointer<UInt8>
  ) throws(JPEGError) {
    defer { unsafe withExtendedLifetime((states, stateTable)) {} }
    for unit in 0..<units {
      try unsafe beginUnit()
      for index in plan.indices {
        let entry = unsafe plan[index]
        let block = unsafe entry.block + row &* entry.rowStep + unit &* entry.unitStep
        guard
          unsafe decode(kind, band, slot: entry.slot, zigzag: zigzag, into: block)
        else { throw unsafe .invalidArithmeticCode(offset: position) }
      }
      try unsafe endUnit()
    }
  }

  private mutating func decode(
    _ kind: JPEGScanKind, _ band: JPEGBand, slot: Int, zigzag: UnsafePointer<UInt8>,
    into block: UnsafeMutablePointer<Int16>
  ) -> Bool {
    switch kind {
    case .sequential:
      unsafe block.update(repeating: 0, count: 64)
      return unsafe decodeBlock(slot, zigzag: zigzag, into: block)
    case .firstDC:
      guard unsafe decisions.decodeMean(&slots[slot]) else { return false }
      unsafe block[0] = Int16(truncatingIfNeeded: slots[slot].prediction &<< band.shift)
      return true
    case .refiningDC:
      if unsafe decisions.decide(fixedState) { unsafe block[0] |= band.plusOne }
      return true
    case .firstAC:
      return unsafe decisions.decodeCoefficients(
        slots[slot], fixedState, band: band, zigzag: zigzag, into: block)
    case .refiningAC:
      return unsafe decisions.refineCoefficients(
        slots[slot], fixedState, band: band, zigzag: zigzag, in: block)
    }
  }

  /// Decodes a whole block into zeros.
  private mutating func decodeBlock(
    _ slot: Int, zigzag: UnsafePointer<UInt8>, into block: UnsafeMutablePointer<Int16>
  ) -> Bool {
    guard unsafe decisions.decodeMean(&slots[slot]) else { return false }
    unsafe block[0] = Int16(truncatingIfNeeded: slots[slot].prediction)
    return unsafe decisions.decodeCoefficients(
      slots[slot], fixedState, band: JPEGBand(start: 1, end: 63, shift: 0), zigzag: zigzag,
      into: block)
  }

  // MARK: Intervals

  private var fixedState: UnsafeMutablePointer<UInt8> { unsafe states.base + states.count - 1 }

  private func resetStatistics() {
    defer { unsafe withExtendedLifetime(states) {} }
    unsafe states.base.update(repeating: 0, count: states.count)
    unsafe fixedState.pointee = JPEGDecisionStates.fixed
  }

  /// Steps over the restart marker where one is due.
  private mutating func beginUnit() throws(JPEGError) {
    guard unsafe unitsUntilRestart == 0 else { return }
    let marker = try unsafe decisions.restartMarker(restartNumber)
    unsafe restartNumber = (restartNumber + 1) & 7
    unsafe decisions.restart(at: marker + 2)
    unsafe resetStatistics()
    for index in unsafe slots.indices {
      unsafe slots[index].prediction = 0
      unsafe slots[index].dcContext = 0
    }
    unsafe unitsUntilRestart = interval
  }

  private mutating func endUnit() throws(JPEGError) {
    if unsafe interval > 0 { unsafe unitsUntilRestart -= 1 }
    if unsafe decisions.padding > 0,
      unsafe decisions.isAtEnd || decisions.padding > Self.paddingLimit
    {
      throw unsafe .truncatedScan(offset: decisions.position)
    }
  }
}
