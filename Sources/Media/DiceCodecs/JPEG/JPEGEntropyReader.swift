/// The markers between the intervals of a scan.
enum JPEGRestart {
  /// Where the next marker begins, which must be the restart marker of a number from 0 to 7.
  ///
  /// Bytes ahead of it are skipped, as other decoders do.
  static func marker(
    _ number: Int, base: UnsafePointer<UInt8>, from position: Int, end: Int
  ) throws(JPEGError) -> Int {
    var offset = position
    while offset + 1 < end,
      unsafe base[offset] != 0xFF || base[offset + 1] == 0 || base[offset + 1] == 0xFF
    { offset += 1 }
    guard offset + 1 < end else { throw .truncatedScan(offset: end) }
    guard unsafe base[offset + 1] == 0xD0 + UInt8(number) else {
      throw .missingRestartMarker(number: number, offset: offset)
    }
    return offset
  }
}

/// The compressed data of one Huffman-coded scan: a bit reader, the restart markers between its intervals, and the
/// predictions that start anew behind each of them.
@unsafe struct JPEGEntropyReader {
  var bits: JPEGBitReader
  /// The mean of the previous block of each of the scan's components, four values.
  let predictions: UnsafeMutablePointer<Int32>
  /// Blocks to come that the progressive scan's band does not change further.
  var endOfBandRun = 0
  private let interval: Int
  private var unitsUntilRestart: Int
  private var restartNumber = 0

  /// Starts at a byte; `base` points to `end` bytes, `predictions` to four zeros, and both outlive
  /// the reader.
  init(
    base: UnsafePointer<UInt8>, end: Int, position: Int, restartInterval: Int,
    predictions: UnsafeMutablePointer<Int32>
  ) {
    unsafe self.predictions = predictions
    unsafe bits = JPEGBitReader(base: base, end: end, position: position)
    unsafe interval = restartInterval
    unsafe unitsUntilRestart = restartInterval == 0 ? .max : restartInterval
  }

  /// Whether the predictions have just started anew, or never do.
  var isAtIntervalStart: Bool { unsafe interval == 0 || unitsUntilRestart == interval }

  /// Goes to a byte without knowing what it belongs to; where there are intervals, to the first one that begins
  /// behind it and ahead of `limit`, or else to `limit`.
  mutating func moveIntoScan(near position: Int, before limit: Int) {
    let limit = unsafe min(limit, bits.end)
    var position = position
    if unsafe interval > 0 {
      while position + 2 < limit,
        unsafe bits.base[position] != 0xFF || bits.base[position + 1] & 0xF8 != 0xD0
      {
        position += 1
      }
      if position + 2 < limit {
        unsafe restartNumber = Int(bits.base[position + 1] + 1) & 7
        unsafe unitsUntilRestart = interval
        position += 2
      } else {
        position = limit
      }
    }
    unsafe bits.restart(at: min(position, limit))
  }

  /// Goes to where another reader of the scan is; the predictions stay.
  mutating func move(to other: JPEGEntropyReader) {
    unsafe bits = other.bits
    unsafe unitsUntilRestart = other.unitsUntilRestart
    unsafe restartNumber = other.restartNumber
  }

  /// Goes a bit further, behind what is no code.
  ///
  /// - Returns: false where there is no other bit in the interval.
  mutating func skipDamage() -> Bool {
    if unsafe interval > 0 { return false }
    if unsafe bits.count < 32 { unsafe bits.refill() }
    unsafe bits.consume(1)
    return unsafe !bits.overran
  }

  /// Units that can be decoded before the next restart marker, at least 1.
  ///
  /// Steps over the marker that is due. Where there are units still to come and the marker is
  /// missing, the scan is damaged.
  mutating func unitsAtHand() throws(JPEGError) -> Int {
    guard unsafe unitsUntilRestart == 0 else { return unsafe unitsUntilRestart }
    try unsafe checkForOverrun()
    let offset = try unsafe JPEGRestart.marker(
      restartNumber, base: bits.base, from: bits.position, end: bits.end)
    unsafe restartNumber = (restartNumber + 1) & 7
    unsafe bits.restart(at: offset + 2)
    unsafe predictions.update(repeating: 0, count: 4)
    unsafe endOfBandRun = 0
    unsafe unitsUntilRestart = interval
    return unsafe unitsUntilRestart
  }

  /// Notes that units were decoded, at most `unitsAtHand()`.
  mutating func finish(units: Int) throws(JPEGError) {
    if unsafe interval > 0 { unsafe unitsUntilRestart -= units }
    try unsafe checkForOverrun()
  }

  func checkForOverrun() throws(JPEGError) {
    if unsafe bits.overran { throw unsafe .truncatedScan(offset: bits.position) }
  }

  /// The error for a bit pattern without a code: close to the end of the data it may be the zeros
  /// behind it.
  var invalidCode: JPEGError {
    unsafe bits.padding > 0 && bits.count - bits.padding < 16
      ? .truncatedScan(offset: bits.position) : .invalidHuffmanCode(offset: bits.position)
  }
}
