/// Writes blocks of DEFLATE data, each in the shortest of the three forms.
enum DeflateBlock {
  private static let endOfBlock = 256

  /// Appends a block with the given tokens, which stand for the bytes of `source`.
  static func append(
    _ tokens: [UInt32], of source: UnsafeBufferPointer<UInt8>, isLast: Bool,
    to writer: inout DeflateWriter
  ) {
    var literalCounts = [Int](repeating: 0, count: 286)
    var distanceCounts = [Int](repeating: 0, count: 30)
    let symbolOfLength = DeflateAlphabet.symbolOfLength
    for token in tokens {
      if token & DeflateToken.match == 0 {
        literalCounts[Int(token)] &+= 1
      } else {
        literalCounts[257 + Int(symbolOfLength[DeflateToken.length(token)])] &+= 1
        let distance = DeflateToken.distance(token)
        distanceCounts[DeflateAlphabet.symbol(ofDistance: distance)] &+= 1
      }
    }
    literalCounts[endOfBlock] = 1

    let literals = PrefixCode(counts: literalCounts, limit: 15)
    let distances = PrefixCode(counts: distanceCounts, limit: 15)
    let description = DynamicDescription(literals: literals, distances: distances)
    let dynamicBits =
      description.bitCount
      + bitCount(literalCounts, distanceCounts, literals: literals, distances: distances)
    let fixedBits = bitCount(
      literalCounts, distanceCounts, literals: fixedLiterals, distances: fixedDistances)
    let storedBits = storedBitCount(of: source.count)
    if storedBits <= min(dynamicBits, fixedBits) {
      unsafe appendStored(source, isLast: isLast, to: &writer)
      return
    }
    writer.append(isLast ? 1 : 0, count: 1)
    if fixedBits <= dynamicBits {
      writer.append(1, count: 2)
      append(
        tokens, literals: fixedLiterals, distances: fixedDistances, totalBits: fixedBits,
        to: &writer)
    } else {
      writer.append(2, count: 2)
      description.append(to: &writer)
      append(
        tokens, literals: literals, distances: distances, totalBits: dynamicBits, to: &writer)
    }
  }

  /// Appends bytes as they are, in blocks of at most 65535; an empty one where there are none.
  static func appendStored(
    _ source: UnsafeBufferPointer<UInt8>, isLast: Bool, to writer: inout DeflateWriter
  ) {
    var start = 0
    repeat {
      let count = min(source.count - start, 65535)
      writer.append(isLast && start + count == source.count ? 1 : 0, count: 3)
      writer.alignToByte()
      writer.append(UInt64(count) | UInt64(65535 - count) << 16, count: 32)
      unsafe writer.append(
        contentsOf: UnsafeBufferPointer(rebasing: source[start..<start + count]))
      start += count
    } while start < source.count
  }

  // MARK: Sizes

  /// An upper bound on the bits of stored blocks.
  private static func storedBitCount(of count: Int) -> Int {
    8 * count + 42 * (count / 65535 + 1)
  }

  private static func bitCount(
    _ literalCounts: [Int], _ distanceCounts: [Int], literals: PrefixCode, distances: PrefixCode
  ) -> Int {
    var bits = 0
    for symbol in 0..<literalCounts.count {
      let extraBits = symbol > endOfBlock ? DeflateAlphabet.lengths[symbol - 257].extraBits : 0
      bits += literalCounts[symbol] * (Int(literals.lengths[symbol]) + extraBits)
    }
    for symbol in 0..<distanceCounts.count {
      let extraBits = DeflateAlphabet.distances[symbol].extraBits
      bits += distanceCounts[symbol] * (Int(distances.lengths[symbol]) + extraBits)
    }
    return bits
  }

  // MARK: Codes

  private static let fixedLiterals = PrefixCode(lengths: DeflateAlphabet.fixedLiteralLengths)
  private static let fixedDistances = PrefixCode(lengths: DeflateAlphabet.fixedDistanceLengths)

  private static func append(
    _ tokens: [UInt32], literals: PrefixCode, distances: PrefixCode, totalBits: Int,
    to writer: inout DeflateWriter
  ) {
    var literalEntries = (0..<256).map { symbol in
      UInt64(literals.codes[symbol]) << 8 | UInt64(literals.lengths[symbol])
    }
    for length in 0...258 {
      let index = Int(DeflateAlphabet.symbolOfLength[length])
      let range = DeflateAlphabet.lengths[index]
      let codeBits = UInt64(literals.lengths[257 + index])
      let extra = UInt64(max(0, length - range.base))
      literalEntries.append(
        (UInt64(literals.codes[257 + index]) | extra << codeBits) << 8
          | (codeBits + UInt64(range.extraBits)))
    }
    let distanceEntries = (0..<30).map { symbol in
      UInt64(distances.codes[symbol]) << 8 | UInt64(distances.lengths[symbol])
    }
    writer.append(
      tokens, literals: literalEntries, distances: distanceEntries, totalBits: totalBits)
    writer.append(
      UInt64(literals.codes[endOfBlock]), count: Int(literals.lengths[endOfBlock]))
  }
}

/// The list of code lengths at the start of a dynamic block.
///
/// Source: RFC 1951, section 3.2.7.
private struct DynamicDescription {
  /// A symbol of the alphabet of code lengths with its extra bits.
  private struct Item {
    let symbol: Int
    let extra: Int
    var extraBits: Int {
      switch symbol {
      case 16: 2
      case 17: 3
      case 18: 7
      default: 0
      }
    }
  }

  private let literalCount: Int
  private let distanceCount: Int
  private let items: [Item]
  private let code: PrefixCode
  /// Code lengths of `code` that are written.
  private let lengthCount: Int

  init(literals: PrefixCode, distances: PrefixCode) {
    let lastLiteral = literals.lengths.lastIndex { $0 > 0 } ?? 0
    let lastDistance = distances.lengths.lastIndex { $0 > 0 } ?? 0
    literalCount = max(257, lastLiteral + 1)
    distanceCount = lastDistance + 1
    let items = Self.items(
      Array(literals.lengths[..<literalCount]) + distances.lengths[..<distanceCount])
    var counts = [Int](repeating: 0, count: 19)
    for item in items { counts[item.symbol] += 1 }
    let code = PrefixCode(counts: counts, limit: 7)
    let last = DeflateAlphabet.lengthOrder.lastIndex { code.lengths[$0] > 0 } ?? 0
    self.items = items
    self.code = code
    lengthCount = max(4, last + 1)
  }

  /// Lengths with repetitions replaced by the symbols 16, 17 and 18.
  private static func items(_ lengths: [UInt8]) -> [Item] {
    var items: [Item] = []
    var index = 0
    while index < lengths.count {
      let value = lengths[index]
      var run = 1
      while index + run < lengths.count && lengths[index + run] == value { run += 1 }
      index += run
      if value == 0 {
        while run >= 11 {
          let count = min(run, 138)
          items.append(Item(symbol: 18, extra: count - 11))
          run -= count
        }
        if run >= 3 {
          items.append(Item(symbol: 17, extra: run - 3))
          run = 0
        }
      } else {
        items.append(Item(symbol: Int(value), extra: 0))
        run -= 1
        while run >= 3 {
          let count = min(run, 6)
          items.append(Item(symbol: 16, extra: count - 3))
          run -= count
        }
      }
      for _ in 0..<run { items.append(Item(symbol: Int(value), extra: 0)) }
    }
    return items
  }

  /// Bits of the whole description.
  var bitCount: Int {
    items.reduce(14 + 3 * lengthCount) { $0 + Int(code.lengths[$1.symbol]) + $1.extraBits }
  }

  func append(to writer: inout DeflateWriter) {
    writer.append(UInt64(literalCount - 257), count: 5)
    writer.append(UInt64(distanceCount - 1), count: 5)
    writer.append(UInt64(lengthCount - 4), count: 4)
    for symbol in DeflateAlphabet.lengthOrder[..<lengthCount] {
      writer.append(UInt64(code.lengths[symbol]), count: 3)
    }
    for item in items {
      writer.append(UInt64(code.codes[item.symbol]), count: Int(code.lengths[item.symbol]))
      writer.append(UInt64(item.extra), count: item.extraBits)
    }
  }
}
