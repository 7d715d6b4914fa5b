/// A block of a unit of a scan whose coefficients are kept: what decodes it and where it lies.
@unsafe struct JPEGCoefficientPlan {
  /// The scan's component, 0 to 3.
  let slot: Int
  let dcTable: UnsafePointer<UInt32>
  let acTable: UnsafePointer<UInt32>
  /// The block in unit 0 of row 0; 64 coefficients in row-major order.
  let block: UnsafeMutablePointer<Int16>
  /// Coefficients from one unit to the next, and from one row of units to the next.
  let unitStep: Int
  let rowStep: Int
}

/// What a scan does to the coefficients.
enum JPEGScanKind {
  case sequential
  case firstDC
  case refiningDC
  case firstAC
  case refiningAC
}

/// The part of a progressive scan header that says which bits of which coefficients it carries.
struct JPEGBand {
  let start: Int
  let end: Int
  /// Bits below the ones that the scan carries.
  let shift: Int

  /// The scan's new bit, and what a negative coefficient becomes with it.
  var plusOne: Int16 { 1 << Int16(shift) }
  var minusOne: Int16 { -1 << Int16(shift) }
}

/// Source: ITU-T T.81, annex G.1.2.
extension JPEGEntropyReader {
  /// Decodes a row of units into kept coefficients.
  mutating func decodeRow(
    _ row: Int, units: Int, kind: JPEGScanKind, band: JPEGBand,
    plan: UnsafeBufferPointer<JPEGCoefficientPlan>, zigzag: UnsafePointer<UInt8>
  ) throws(JPEGError) {
    var unit = 0
    while unit < units {
      let end = try unsafe unit + min(units - unit, unitsAtHand())
      let count = end - unit
      var reader = unsafe bits
      let isValid: Bool
      switch kind {
      case .firstAC, .refiningAC:
        // Scans of this kind carry one component.
        let entry = unsafe plan[0]
        let block = unsafe entry.block + row * entry.rowStep + unit * entry.unitStep
        if kind == .firstAC {
          isValid = unsafe Self.decodeFirstAC(
            &reader, run: &endOfBandRun, band: band, table: entry.acTable, zigzag: zigzag,
            block: block, step: entry.unitStep, count: count)
        } else {
          isValid = unsafe Self.refineAC(
            &reader, run: &endOfBandRun, band: band, table: entry.acTable, zigzag: zigzag,
            block: block, step: entry.unitStep, count: count)
        }
      default:
        isValid = unsafe decodeUnits(
          &reader, row: row, units: unit..<end, kind: kind, band: band, plan: plan,
          zigzag: zigzag)
      }
      unsafe bits = reader
      guard isValid else { throw unsafe invalidCode }
      try unsafe finish(units: count)
      unit = end
    }
  }

  /// Decodes units of whole blocks or of means alone, which may be interleaved.
  private mutating func decodeUnits(
    _ bits: inout JPEGBitReader, row: Int, units: Range<Int>, kind: JPEGScanKind, band: JPEGBand,
    plan: UnsafeBufferPointer<JPEGCoefficientPlan>, zigzag: UnsafePointer<UInt8>
  ) -> Bool {
    for unit in units {
      for index in plan.indices {
        let entry = unsafe plan[index]
        let block = unsafe entry.block + row &* entry.rowStep + unit &* entry.unitStep
        if kind == .refiningDC {
          if unsafe bits.count < 32 { unsafe bits.refill() }
          if unsafe bits.bits(1) == 1 { unsafe block[0] |= band.plusOne }
        } else if kind == .firstDC {
          guard
            unsafe Self.decodeMean(
              &bits, prediction: predictions + entry.slot, table: entry.dcTable)
          else { return false }
          let mean = unsafe predictions[entry.slot] &<< Int32(truncatingIfNeeded: band.shift)
          unsafe block[0] = Int16(truncatingIfNeeded: mean)
        } else {
          unsafe block.update(repeating: 0, count: 64)
          guard
            unsafe Self.decodeBlock(
              &bits, prediction: predictions + entry.slot, dcTable: entry.dcTable,
              acTable: entry.acTable, zigzag: zigzag, into: block)
          else { return false }
        }
      }
    }
    return true
  }

  /// The first bits of a band's coefficients, of which a block may have many or none.
  @inline(never)
  private static func decodeFirstAC(
    _ reader: inout JPEGBitReader, run: inout Int, band: JPEGBand,
    table: UnsafePointer<UInt32>, zigzag: UnsafePointer<UInt8>,
    block: UnsafeMutablePointer<Int16>, step: Int, count: Int
  ) -> Bool {
    // Copies stay in registers.
    var bits = unsafe reader
    var endOfBandRun = run
    defer {
      unsafe reader = bits
      run = endOfBandRun
    }
    var unit = 0
    let shift = Int16(band.shift)
    while unit < count {
      if endOfBandRun > 0 {
        let skipped = min(endOfBandRun, count &- unit)
        endOfBandRun &-= skipped
        unit &+= skipped
        continue
      }
      let target = unsafe block + unit &* step
      unit &+= 1
      var index = band.start
      while index <= band.end {
        if unsafe bits.count < 32 { unsafe bits.refill() }
        let entry = unsafe bits.entry(table)
        var value = Int(Int32(bitPattern: entry) &>> 16)
        let run = Int((entry &>> 8) & 15)
        let size = Int((entry &>> 12) & 15)
        if size != 0 {
          index &+= run
          if value == 0 { value = unsafe bits.signedBits(size) }
          unsafe target[Int(zigzag[index])] = Int16(truncatingIfNeeded: value) &<< shift
          index &+= 1
        } else if run == 15 {
          index &+= 16
        } else {
          guard entry != 0 else { return false }
          endOfBandRun = (1 &<< run) &- 1
          if run > 0 { endOfBandRun &+= unsafe bits.bits(run) }
          break
        }
      }
      // A run that leaves the band is no code of a sound file.
      guard index <= band.end &+ 1 else { return false }
    }
    return true
  }

  /// One more bit for a band's coefficients: corrections of those that are not zero, and new ones.
  @inline(never)
  private static func refineAC(
    _ reader: inout JPEGBitReader, run: inout Int, band: JPEGBand,
    table: UnsafePointer<UInt32>, zigzag: UnsafePointer<UInt8>,
    block: UnsafeMutablePointer<Int16>, step: Int, count: Int
  ) -> Bool {
    var bits = unsafe reader
    var endOfBandRun = run
    defer {
      unsafe reader = bits
      run = endOfBandRun
    }
    for unit in 0..<count {
      let target = unsafe block + unit &* step
      var index = band.start
      if endOfBandRun == 0 {
        while index <= band.end {
          if unsafe bits.count < 32 { unsafe bits.refill() }
          let entry = unsafe bits.entry(table)
          let run = Int((entry &>> 8) & 15)
          let size = Int((entry &>> 12) & 15)
          var value: Int16 = 0
          if size != 0 {
            guard size == 1 else { return false }
            var sign = Int(Int32(bitPattern: entry) &>> 16)
            if sign == 0 { sign = unsafe bits.signedBits(1) }
            value = sign > 0 ? band.plusOne : band.minusOne
          } else if run != 15 {
            guard entry != 0 else { return false }
            endOfBandRun = 1 &<< run
            if run > 0 { endOfBandRun &+= unsafe bits.bits(run) }
            break
          }
          index = unsafe correct(
            &bits, from: index, zeros: run, band: band, zigzag: zigzag, target: target)
          if value != 0 {
            guard index <= band.end else { return false }
            unsafe target[Int(zigzag[index])] = value
          }
          index &+= 1
        }
      }
      if endOfBandRun > 0 {
        // Blocks of zeros alone, which are common, have nothing to correct.
        if unsafe index > band.start || !isFlat(target) {
          _ = unsafe correct(
            &bits, from: index, zeros: 64, band: band, zigzag: zigzag, target: target)
        }
        endOfBandRun &-= 1
      }
    }
    return true
  }

  /// Whether a block's coefficients are zero but for the mean.
  @inline(__always)
  private static func isFlat(_ block: UnsafePointer<Int16>) -> Bool {
    var any = unsafe Int16x8.load(block)
    any[0] = 0
    for row in 1..<8 { any |= unsafe Int16x8.load(block + 8 &* row) }
    return any.isZero
  }

  /// Passes over `zeros` coefficients that are zero and stops at the next one, correcting the others
  /// on the way; the result is beyond the band where there is no such coefficient.
  @inline(__always)
  private static func correct(
    _ bits: inout JPEGBitReader, from start: Int, zeros: Int, band: JPEGBand,
    zigzag: UnsafePointer<UInt8>, target: UnsafeMutablePointer<Int16>
  ) -> Int {
    var index = start
    var remaining = zeros
    while index <= band.end {
      let position = unsafe Int(zigzag[index])
      let value = unsafe target[position]
      if value != 0 {
        if unsafe bits.count < 8 { unsafe bits.refill() }
        if unsafe bits.bits(1) == 1, value & band.plusOne == 0 {
          unsafe target[position] = value &+ (value > 0 ? band.plusOne : band.minusOne)
        }
      } else if remaining == 0 {
        break
      } else {
        remaining &-= 1
      }
      index &+= 1
    }
    return index
  }
}
