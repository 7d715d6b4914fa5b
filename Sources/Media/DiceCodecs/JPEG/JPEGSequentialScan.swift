/// A block of a unit of an interleaved scan: what decodes it and where its samples go.
@unsafe struct JPEGBlockPlan {
  /// The scan's component, 0 to 3.
  let slot: Int
  let dcTable: UnsafePointer<UInt32>
  let acTable: UnsafePointer<UInt32>
  let quantization: UnsafePointer<Int16>
  /// Where the block's first sample goes in unit 0 of the first row at hand.
  let output: UnsafeMutablePointer<UInt8>
  let stride: Int
  /// From one unit to the next, and from one row of units to the next.
  let step: Int
  let rowStep: Int
  /// 8, 4, 2 or 1.
  let blockSize: Int
}

extension JPEGEntropyReader {
  /// Decodes one block of a sequential scan into `block`, which holds zeros.
  ///
  /// - Returns: false where a bit pattern is no code or a run leaves the block.
  ///
  /// Source: ITU-T T.81, F.2.2.
  @inline(never)
  static func decodeBlock(
    _ reader: inout JPEGBitReader, prediction: UnsafeMutablePointer<Int32>,
    dcTable: UnsafePointer<UInt32>,
    acTable: UnsafePointer<UInt32>, zigzag: UnsafePointer<UInt8>,
    into block: UnsafeMutablePointer<Int16>
  ) -> Bool {
    // A copy stays in registers.
    var bits = unsafe reader
    defer { unsafe reader = bits }
    guard unsafe decodeMean(&bits, prediction: prediction, table: dcTable) else { return false }
    unsafe block[0] = Int16(truncatingIfNeeded: prediction.pointee)
    var index = 1
    while index < 64 {
      if unsafe bits.count < 32 { unsafe bits.refill() }
      let entry = unsafe bits.entry(acTable)
      let value = Int32(bitPattern: entry) &>> 16
      index &+= Int((entry &>> 8) & 15)
      if value != 0 {
        unsafe block[Int(zigzag[index])] = Int16(truncatingIfNeeded: value)
        index &+= 1
        continue
      }
      let size = Int((entry &>> 12) & 15)
      if size != 0 {
        let value = unsafe bits.signedBits(size)
        unsafe block[Int(zigzag[index])] = Int16(truncatingIfNeeded: value)
        index &+= 1
      } else if entry & 0xF00 == 0xF00 {
        index &+= 1
      } else {
        return entry != 0
      }
    }
    return index == 64
  }

  /// Decodes the mean of a block, which is coded as its difference from the previous one.
  @inline(__always)
  static func decodeMean(
    _ bits: inout JPEGBitReader, prediction: UnsafeMutablePointer<Int32>,
    table: UnsafePointer<UInt32>
  ) -> Bool {
    if unsafe bits.count < 32 { unsafe bits.refill() }
    let entry = unsafe bits.entry(table)
    if entry == 0 { return false }
    var difference = Int(Int32(bitPattern: entry) &>> 16)
    if difference == 0 {
      let size = Int((entry &>> 12) & 15)
      if size > 0 { difference = unsafe bits.signedBits(size) }
    }
    unsafe prediction.pointee &+= Int32(truncatingIfNeeded: difference)
    return true
  }

  /// Decodes a row of units and writes their samples.
  mutating func decodeRow(
    units: Int, plan: UnsafeBufferPointer<JPEGBlockPlan>, zigzag: UnsafePointer<UInt8>,
    block: UnsafeMutablePointer<Int16>
  ) throws(JPEGError) {
    var unit = 0
    while unit < units {
      let end = try unsafe unit + min(units - unit, unitsAtHand())
      let first = unit
      var reader = unsafe bits
      var isValid = true
      decoding: while unit < end {
        for index in plan.indices {
          let entry = unsafe plan[index]
          unsafe block.update(repeating: 0, count: 64)
          guard
            unsafe Self.decodeBlock(
              &reader, prediction: predictions + entry.slot, dcTable: entry.dcTable,
              acTable: entry.acTable, zigzag: zigzag, into: block)
          else {
            isValid = false
            break decoding
          }
          let output = unsafe entry.output + unit &* entry.step
          unsafe JPEGInverseDCT.transform(
            block, entry.quantization, output, entry.stride, blockSize: entry.blockSize)
        }
        unit &+= 1
      }
      unsafe bits = reader
      guard isValid else { throw unsafe invalidCode }
      try unsafe finish(units: unit - first)
    }
  }
}
