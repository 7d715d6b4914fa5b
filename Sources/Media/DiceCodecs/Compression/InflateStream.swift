/// A DEFLATE decoder that stops whenever the output it was given is full, and goes on later.
///
/// All input is at hand; the output comes in pieces of any size, as long as the last 32 KiB of what
/// came before stand in front of each piece.
struct InflateStream {
  private enum Phase {
    case blockHeader, stored, compressed, finished
  }

  /// The place in the input: `bitCount` bits of `bits` stand before byte `offset`.
  ///
  /// Bits of `bits` above `bitCount` are zero or agree with the bytes at `offset`.
  struct Cursor {
    var offset: Int
    var bits: UInt64 = 0
    var bitCount = 0
  }

  /// A match of which the output had no room for all bytes.
  struct PendingMatch {
    var length = 0
    var distance = 0
  }

  private var phase = Phase.blockHeader
  private var isLastBlock = false
  private var holdsFixedCode = false
  private var storedByteCount = 0
  private var cursor: Cursor
  private var pending = PendingMatch()
  private var literals = InflateTable(primaryBits: 11)
  private var distances = InflateTable(primaryBits: 8)
  private var codeLengths = InflateTable(primaryBits: 7)

  /// A decoder of the stream whose first byte is at `offset` of the input.
  init(offset: Int = 0) {
    cursor = Cursor(offset: offset)
  }

  /// Whether the last block has been read to its end.
  var isFinished: Bool { phase == .finished }

  /// The offset of the first byte behind the stream, once it is finished.
  var offset: Int { cursor.offset }

  /// Decodes until the output is full or the stream is finished.
  ///
  /// A full output is not yet a finished stream: another call may still find the end, or more
  /// bytes.
  ///
  /// - Parameters:
  ///   - input: all bytes; the same in each call.
  ///   - output: holds at least the last 32 KiB, or all, of the earlier output before `position`.
  ///     Bytes at and after `position` may be written even where they are not output yet.
  ///   - position: where the output goes on, at most `output.count`.
  /// - Returns: the position behind the last byte of output.
  mutating func read(
    _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>,
    at position: Int
  ) throws(InflateError) -> Int {
    precondition(position >= 0 && position <= output.count, "the position lies in the output")
    precondition(cursor.offset <= input.count, "the input is the same in each call")
    var position = position
    while true {
      switch phase {
      case .finished:
        return position
      case .blockHeader:
        try unsafe readBlockHeader(input)
      case .stored:
        position = try unsafe copyStored(input, into: output, at: position)
        if storedByteCount > 0 { return position }
        endBlock()
      case .compressed:
        let ended: Bool
        (position, ended) = try unsafe decodeSymbols(input, into: output, at: position)
        if !ended { return position }
        endBlock()
      }
    }
  }

  // MARK: Blocks

  private mutating func endBlock() {
    phase = .blockHeader
    if isLastBlock {
      alignToByte()
      phase = .finished
    }
  }

  /// Drops the bits up to the next byte, and hands unread bytes back.
  private mutating func alignToByte() {
    cursor.offset -= cursor.bitCount / 8
    cursor.bits = 0
    cursor.bitCount = 0
  }

  private mutating func readBlockHeader(
    _ input: UnsafeBufferPointer<UInt8>
  ) throws(InflateError) {
    isLastBlock = try unsafe readBits(1, input) == 1
    switch try unsafe readBits(2, input) {
    case 0:
      alignToByte()
      guard input.count - cursor.offset >= 4 else { throw .truncated }
      let fields = (0..<4).map { unsafe UInt16(input[cursor.offset + $0]) }
      let length = fields[0] | fields[1] << 8
      let complement = fields[2] | fields[3] << 8
      if length != ~complement {
        throw .storedLengthMismatch(length: length, complement: complement)
      }
      cursor.offset += 4
      storedByteCount = Int(length)
      phase = .stored
    case 1:
      if !holdsFixedCode {
        try literals.build(
          lengths: DeflateAlphabet.fixedLiteralLengths[...], symbols: InflateTable.literalSymbols,
          alphabet: .literalsAndLengths)
        try distances.build(
          lengths: DeflateAlphabet.fixedDistanceLengths[...],
          symbols: InflateTable.distanceSymbols, alphabet: .distances)
        holdsFixedCode = true
      }
      phase = .compressed
    case 2:
      holdsFixedCode = false
      try unsafe readDynamicCode(input)
      phase = .compressed
    default:
      throw .reservedBlockType
    }
  }

  private mutating func readDynamicCode(
    _ input: UnsafeBufferPointer<UInt8>
  ) throws(InflateError) {
    let literalCount = try unsafe readBits(5, input) + 257
    let distanceCount = try unsafe readBits(5, input) + 1
    let lengthCount = try unsafe readBits(4, input) + 4
    if literalCount > 286 || distanceCount > 30 {
      throw .tooManyCodes(literalAndLengthCount: literalCount, distanceCount: distanceCount)
    }
    var orderedLengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<lengthCount {
      orderedLengths[DeflateAlphabet.lengthOrder[index]] = try unsafe UInt8(readBits(3, input))
    }
    try codeLengths.build(
      lengths: orderedLengths[...], symbols: InflateTable.lengthSymbols, alphabet: .codeLengths)

    let total = literalCount + distanceCount
    var lengths = [UInt8](repeating: 0, count: total)
    var index = 0
    while index < total {
      unsafe refill(input)
      // The code is complete and at most seven bits long: no second tables, no invalid entries.
      let entry = codeLengths.entries[Int(cursor.bits & 127)]
      try consume(Int(entry & 63))
      let symbol = Int(entry >> 16)
      if symbol < 16 {
        lengths[index] = UInt8(symbol)
        index += 1
        continue
      }
      if symbol == 16 && index == 0 { throw .repeatWithoutPrevious }
      let value = symbol == 16 ? lengths[index - 1] : 0
      let count =
        switch symbol {
        case 16: try unsafe readBits(2, input) + 3
        case 17: try unsafe readBits(3, input) + 3
        default: try unsafe readBits(7, input) + 11
        }
      if count > total - index { throw .repeatPastEnd }
      for _ in 0..<count {
        lengths[index] = value
        index += 1
      }
    }
    if lengths[256] == 0 { throw .missingEndOfBlock }
    try literals.build(
      lengths: lengths[..<literalCount], symbols: InflateTable.literalSymbols,
      alphabet: .literalsAndLengths)
    try distances.build(
      lengths: lengths[literalCount...], symbols: InflateTable.distanceSymbols,
      alphabet: .distances)
  }

  private mutating func copyStored(
    _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>,
    at position: Int
  ) throws(InflateError) -> Int {
    let available = input.count - cursor.offset
    let count = min(storedByteCount, output.count - position, available)
    if count > 0, let source = input.baseAddress, let destination = output.baseAddress {
      // In bounds on both sides by the choice of `count`.
      unsafe (destination + position).update(from: source + cursor.offset, count: count)
    }
    storedByteCount -= count
    cursor.offset += count
    if storedByteCount > 0 && count == available { throw .truncated }
    return position + count
  }

  private mutating func decodeSymbols(
    _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>,
    at position: Int
  ) throws(InflateError) -> (position: Int, ended: Bool) {
    var decoder = unsafe InflateSymbolDecoder(
      input: input, output: output, cursor: cursor, position: position, pending: pending)
    let ended = try unsafe literals.entries.withUnsafeBufferPointer {
      (literals) throws(InflateError) -> Bool in
      try unsafe distances.entries.withUnsafeBufferPointer {
        (distances) throws(InflateError) -> Bool in
        try unsafe decoder.decode(
          literals: literals, literalBits: 11, distances: distances, distanceBits: 8)
      }
    }
    unsafe cursor = decoder.cursor
    unsafe pending = decoder.pending
    return unsafe (decoder.position, ended)
  }

  // MARK: Bits

  /// Loads whole bytes until 56 to 63 bits are there or the input ends.
  private mutating func refill(_ input: UnsafeBufferPointer<UInt8>) {
    while cursor.bitCount < 56 && cursor.offset < input.count {
      unsafe cursor.bits |= UInt64(input[cursor.offset]) << UInt64(cursor.bitCount)
      cursor.bitCount += 8
      cursor.offset += 1
    }
  }

  private mutating func consume(_ count: Int) throws(InflateError) {
    if count > cursor.bitCount { throw .truncated }
    cursor.bits >>= UInt64(count)
    cursor.bitCount -= count
  }

  /// The next bits as a number, the first bit lowest.
  private mutating func readBits(
    _ count: Int, _ input: UnsafeBufferPointer<UInt8>
  ) throws(InflateError) -> Int {
    unsafe refill(input)
    let value = Int(cursor.bits & (1 << UInt64(count) - 1))
    try consume(count)
    return value
  }
}
