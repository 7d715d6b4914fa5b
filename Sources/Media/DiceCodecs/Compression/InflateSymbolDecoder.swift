/// The loop of the DEFLATE decoder: symbols of one compressed block to bytes.
///
/// `decodeQuickly` runs while neither end is near and needs no check for each byte; `decode` takes
/// over near the ends, one checked symbol at a time.
@unsafe struct InflateSymbolDecoder {
  private typealias Entry = InflateTable.Entry

  /// Bytes that a step of the quick loop may read: twice eight bytes, at most seven apart.
  private static let inputMargin = 16
  /// Bytes that it may write: three literals and a match of 258 bytes, in pieces of 16.
  private static let outputMargin = 3 + 258 + 16

  let input: UnsafeBufferPointer<UInt8>
  let output: UnsafeMutableBufferPointer<UInt8>
  var cursor: InflateStream.Cursor
  var position: Int
  var pending: InflateStream.PendingMatch

  /// Decodes until the output is full or the block ends; true where the block ended.
  ///
  /// The tables are as `InflateTable.build` leaves them: each index made of the next bits is in
  /// bounds.
  mutating func decode(
    literals: UnsafeBufferPointer<UInt32>, literalBits: UInt64,
    distances: UnsafeBufferPointer<UInt32>, distanceBits: UInt64
  ) throws(InflateError) -> Bool {
    unsafe copyPendingMatch()
    if unsafe pending.length > 0 { return false }
    if unsafe decodeQuickly(
      literals: literals, literalBits: literalBits, distances: distances,
      distanceBits: distanceBits)
    {
      return true
    }
    while true {
      unsafe refill()
      let entry = unsafe lookUp(literals, primaryBits: literalBits)
      if entry & (Entry.exceptional | Entry.endOfBlock) == Entry.exceptional {
        throw unsafe cursor.bitCount < InflateTable.longestCode
          ? .truncated : .invalidCode(.literalsAndLengths)
      }
      guard unsafe Int(entry & 63) <= cursor.bitCount else { throw .truncated }
      if entry & Entry.endOfBlock != 0 {
        _ = unsafe consume(entry)
        return true
      }
      if unsafe position == output.count { return false }
      let value = unsafe consume(entry)
      if entry & Entry.literal != 0 {
        unsafe output[position] = UInt8(truncatingIfNeeded: value)
        unsafe position += 1
        continue
      }
      unsafe refill()
      let distanceEntry = unsafe lookUp(distances, primaryBits: distanceBits)
      if distanceEntry & Entry.exceptional != 0 {
        throw unsafe cursor.bitCount < InflateTable.longestCode
          ? .truncated : .invalidCode(.distances)
      }
      guard unsafe Int(distanceEntry & 63) <= cursor.bitCount else { throw .truncated }
      let distance = unsafe consume(distanceEntry)
      if unsafe distance > position {
        throw unsafe .distanceTooFar(distance: distance, available: position)
      }
      unsafe pending.length = value
      unsafe pending.distance = distance
      unsafe copyPendingMatch()
      if unsafe pending.length > 0 { return false }
    }
  }

  // MARK: Checked steps

  /// Loads whole bytes until 56 to 63 bits are there, as the quick loop expects, or the input ends.
  private mutating func refill() {
    while unsafe cursor.bitCount < 56 && cursor.offset < input.count {
      unsafe cursor.bits |= UInt64(input[cursor.offset]) << UInt64(cursor.bitCount)
      unsafe cursor.bitCount += 8
      unsafe cursor.offset += 1
    }
  }

  private func lookUp(_ table: UnsafeBufferPointer<UInt32>, primaryBits: UInt64) -> UInt32 {
    let entry = unsafe table[Int(cursor.bits & (1 << primaryBits - 1))]
    guard entry & Entry.secondTable != 0 else { return entry }
    let mask = UInt64(1) << UInt64(entry >> 8 & 15) - 1
    return unsafe table[Int(entry >> 16) + Int(cursor.bits >> primaryBits & mask)]
  }

  /// Drops the bits of an entry and returns its base plus its extra bits.
  private mutating func consume(_ entry: UInt32) -> Int {
    let total = UInt64(entry & 63)
    let extra = unsafe (cursor.bits & (1 << total - 1)) >> UInt64(entry >> 8 & 15)
    unsafe cursor.bits >>= total
    unsafe cursor.bitCount -= Int(total)
    return Int(entry >> 16) + Int(extra)
  }

  private mutating func copyPendingMatch() {
    let count = unsafe min(pending.length, output.count - position)
    for _ in 0..<count {
      unsafe output[position] = output[position - pending.distance]
      unsafe position += 1
    }
    unsafe pending.length -= count
  }
}

extension InflateSymbolDecoder {
  /// Decodes while both ends are far enough away; true where the block ended.
  ///
  /// Stops without consuming anything where a symbol is invalid, for the checked loop to say why.
  private mutating func decodeQuickly(
    literals: UnsafeBufferPointer<UInt32>, literalBits: UInt64,
    distances: UnsafeBufferPointer<UInt32>, distanceBits: UInt64
  ) -> Bool {
    let lastOffset = unsafe input.count - Self.inputMargin
    let lastPosition = unsafe output.count - Self.outputMargin
    guard let inputStart = unsafe input.baseAddress, let out = unsafe output.baseAddress,
      let literal = literals.baseAddress, let distance = distances.baseAddress
    else { return false }
    let source = unsafe UnsafeRawPointer(inputStart)
    let literalMask = UInt64(1) &<< literalBits &- 1
    let distanceMask = UInt64(1) &<< distanceBits &- 1
    var offset = unsafe cursor.offset
    var bits = unsafe cursor.bits
    var bitCount = unsafe UInt64(cursor.bitCount)
    var position = unsafe self.position
    var ended = false

    // Fills up to at least 56 bits. The bits above them agree with the bytes still to come.
    @inline(__always) func refill() {
      let word = unsafe UInt64(
        littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      bits |= word &<< bitCount
      offset &+= Int(truncatingIfNeeded: (63 &- bitCount) &>> 3)
      bitCount |= 56
    }
    @inline(__always) func drop(_ count: UInt64) {
      bits &>>= count
      bitCount &-= count
    }

    while offset <= lastOffset && position <= lastPosition {
      refill()
      var entry = unsafe literal[Int(truncatingIfNeeded: bits & literalMask)]
      if entry & Entry.literal != 0 {
        // Four codes of the primary table take at most 44 of the 56 bits.
        drop(UInt64(entry & 63))
        unsafe out[position] = UInt8(truncatingIfNeeded: entry &>> 16)
        position &+= 1
        entry = unsafe literal[Int(truncatingIfNeeded: bits & literalMask)]
        if entry & Entry.literal != 0 {
          drop(UInt64(entry & 63))
          unsafe out[position] = UInt8(truncatingIfNeeded: entry &>> 16)
          position &+= 1
          entry = unsafe literal[Int(truncatingIfNeeded: bits & literalMask)]
          if entry & Entry.literal != 0 {
            drop(UInt64(entry & 63))
            unsafe out[position] = UInt8(truncatingIfNeeded: entry &>> 16)
            position &+= 1
            entry = unsafe literal[Int(truncatingIfNeeded: bits & literalMask)]
            if entry & Entry.literal != 0 {
              drop(UInt64(entry & 63))
              unsafe out[position] = UInt8(truncatingIfNeeded: entry &>> 16)
              position &+= 1
              continue
            }
          }
        }
        refill()
      }
      if entry & Entry.exceptional != 0 {
        if entry & Entry.secondTable != 0 {
          let mask = UInt64(1) &<< UInt64(entry &>> 8 & 15) &- 1
          let index = Int(entry &>> 16) &+ Int(truncatingIfNeeded: bits &>> literalBits & mask)
          entry = unsafe literal[index]
          if entry & Entry.literal != 0 {
            drop(UInt64(entry & 63))
            unsafe out[position] = UInt8(truncatingIfNeeded: entry &>> 16)
            position &+= 1
            continue
          }
        }
        if entry & Entry.exceptional != 0 {
          if entry & Entry.endOfBlock != 0 {
            drop(UInt64(entry & 63))
            ended = true
          }
          break
        }
      }
      // A length and a distance take at most 48 bits, codes and extra bits together.
      let lengthBits = UInt64(entry & 63)
      let lengthExtra = (bits & (UInt64(1) &<< lengthBits &- 1)) &>> UInt64(entry &>> 8 & 15)
      let length = Int(entry &>> 16) &+ Int(truncatingIfNeeded: lengthExtra)
      let afterLength = bits &>> lengthBits
      var distanceEntry = unsafe distance[Int(truncatingIfNeeded: afterLength & distanceMask)]
      if distanceEntry & Entry.secondTable != 0 {
        let mask = UInt64(1) &<< UInt64(distanceEntry &>> 8 & 15) &- 1
        let index =
          Int(distanceEntry &>> 16)
          &+ Int(truncatingIfNeeded: afterLength &>> distanceBits & mask)
        distanceEntry = unsafe distance[index]
      }
      let distanceCodeBits = UInt64(distanceEntry & 63)
      let distanceExtra =
        (afterLength & (UInt64(1) &<< distanceCodeBits &- 1))
        &>> UInt64(distanceEntry &>> 8 & 15)
      let back = Int(distanceEntry &>> 16) &+ Int(truncatingIfNeeded: distanceExtra)
      if distanceEntry & Entry.exceptional != 0 || back > position { break }
      drop(lengthBits &+ distanceCodeBits)
      unsafe Self.copyMatch(to: out + position, distance: back, length: length)
      position &+= length
    }
    unsafe cursor.offset = offset
    unsafe cursor.bits = bits
    unsafe cursor.bitCount = Int(bitCount)
    unsafe self.position = position
    return ended
  }

  /// Repeats what stands `distance` bytes back; may write up to 15 bytes more than `length`.
  ///
  /// The caller has made sure that `distance` bytes exist before `destination`, and `length + 15`
  /// at and after it.
  @inline(__always)
  private static func copyMatch(
    to destination: UnsafeMutablePointer<UInt8>, distance: Int, length: Int
  ) {
    let target = UnsafeMutableRawPointer(destination)
    let source = unsafe UnsafeRawPointer(destination) - distance
    var index = 0
    if distance >= 16 {
      repeat {
        let piece = unsafe source.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
        unsafe target.storeBytes(of: piece, toByteOffset: index, as: SIMD16<UInt8>.self)
        index &+= 16
      } while index < length
    } else if distance == 1 {
      let piece = unsafe SIMD16<UInt8>(repeating: source.load(as: UInt8.self))
      repeat {
        unsafe target.storeBytes(of: piece, toByteOffset: index, as: SIMD16<UInt8>.self)
        index &+= 16
      } while index < length
    } else {
      // After eight bytes the pattern also repeats at a multiple of the distance of at least eight.
      var step = distance
      if distance < 8 {
        while index < 8 {
          unsafe destination[index] = destination[index &- distance]
          index &+= 1
        }
        while step < 8 { step &+= distance }
      }
      while index < length {
        let piece = unsafe UnsafeRawPointer(target).loadUnaligned(
          fromByteOffset: index &- step, as: UInt64.self)
        unsafe target.storeBytes(of: piece, toByteOffset: index, as: UInt64.self)
        index &+= 8
      }
    }
  }
}
