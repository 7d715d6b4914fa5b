/// A table that decodes the next symbol of a DEFLATE prefix code from the next bits of the stream.
///
/// The first `1 << primaryBits` entries are indexed by the next `primaryBits` bits. A code longer
/// than that leads to a second table behind them. Each index that these rules produce is in bounds,
/// whatever the lengths were: `build` fills every entry that it announces.
struct InflateTable {
  /// What the bits of an entry mean.
  ///
  /// Bits 0 to 5: bits to consume, the code and its extra bits together. Bits 8 to 11: bits of the
  /// code alone, or of the index into a second table. Bits 16 to 31: literal, base value, or the
  /// position of a second table.
  enum Entry {
    static let literal: UInt32 = 1 << 12
    /// Neither a literal nor a base value.
    static let exceptional: UInt32 = 1 << 13
    static let endOfBlock: UInt32 = 1 << 14
    static let secondTable: UInt32 = 1 << 15
    static let invalid: UInt32 = exceptional
  }

  /// The most bits of a code.
  static let longestCode = 15

  let primaryBits: Int
  private(set) var entries: [UInt32]

  init(primaryBits: Int) {
    self.primaryBits = primaryBits
    entries = [UInt32](repeating: Entry.invalid, count: 1 << primaryBits)
  }

  /// Builds the table of a code that is given by the lengths of its symbols, 0 for an unused
  /// symbol.
  ///
  /// - Parameters:
  ///   - lengths: the code lengths, each at most 15.
  ///   - symbols: for each symbol its entry, without the length of the code.
  /// - Throws: `invalidPrefixCode` where the lengths claim more codes than there are, or fewer:
  ///   an incomplete code is allowed only for a single code of one bit, or no code at all, and not
  ///   for the code lengths themselves.
  mutating func build(
    lengths: ArraySlice<UInt8>, symbols: [UInt32], alphabet: InflateError.Alphabet
  ) throws(InflateError) {
    var counts = [Int](repeating: 0, count: Self.longestCode + 1)
    for length in lengths { counts[Int(length)] += 1 }
    let codeCount = lengths.count - counts[0]
    var unused = 1
    for length in 1...Self.longestCode {
      unused = unused * 2 - counts[length]
      if unused < 0 { throw .invalidPrefixCode(alphabet) }
    }
    if unused > 0 {
      let isTiny = codeCount == 0 || codeCount == 1 && counts[1] == 1
      if !isTiny || alphabet == .codeLengths { throw .invalidPrefixCode(alphabet) }
    }

    entries.removeAll(keepingCapacity: true)
    entries.append(contentsOf: repeatElement(Entry.invalid, count: 1 << primaryBits))
    if codeCount > 0 {
      fill(sorted: sortedSymbols(lengths, counts: counts), counts: counts, symbols: symbols)
    }
  }

  /// The used symbols by ascending code, each with its length in the upper half.
  private func sortedSymbols(_ lengths: ArraySlice<UInt8>, counts: [Int]) -> [UInt32] {
    var starts = [Int](repeating: 0, count: Self.longestCode + 1)
    for length in 2...Self.longestCode {
      starts[length] = starts[length - 1] + counts[length - 1]
    }
    var sorted = [UInt32](repeating: 0, count: lengths.count - counts[0])
    var symbol: UInt32 = 0
    for length in lengths {
      if length != 0 {
        sorted[starts[Int(length)]] = UInt32(length) << 16 | symbol
        starts[Int(length)] += 1
      }
      symbol += 1
    }
    return sorted
  }

  /// Writes the entries of all codes: `code` counts up with its first bit lowest, as in the stream.
  private mutating func fill(sorted: [UInt32], counts: [Int], symbols: [UInt32]) {
    var remaining = counts
    var code = 0
    var secondStart = 0
    var secondBits = 0
    var secondPrefix = -1
    let primaryMask = (1 << primaryBits) - 1
    for item in sorted {
      let length = Int(item >> 16)
      let entry = symbols[Int(item & 0xFFFF)] | UInt32(length) << 8
      let completeEntry = entry &+ UInt32(length)
      if length <= primaryBits {
        var index = code
        while index <= primaryMask {
          entries[index] = completeEntry
          index += 1 << length
        }
      } else {
        if code & primaryMask != secondPrefix {
          secondPrefix = code & primaryMask
          secondStart = entries.count
          secondBits = bitsOfSecondTable(from: length, remaining: remaining)
          entries.append(contentsOf: repeatElement(Entry.invalid, count: 1 << secondBits))
          entries[secondPrefix] =
            Entry.exceptional | Entry.secondTable | UInt32(secondBits) << 8
            | UInt32(secondStart) << 16
        }
        var index = code >> primaryBits
        while index < 1 << secondBits {
          entries[secondStart + index] = completeEntry
          index += 1 << (length - primaryBits)
        }
      }
      remaining[length] -= 1
      // Adds one at the end of the code that was sent last.
      var bit = 1 << (length - 1)
      while code & bit != 0 { bit >>= 1 }
      code = bit == 0 ? 0 : code & (bit - 1) | bit
    }
  }

  /// The index bits of a second table that starts with a code of the given length: as many as it
  /// takes until the codes that are left fill it.
  private func bitsOfSecondTable(from length: Int, remaining: [Int]) -> Int {
    var bits = length - primaryBits
    var free = 1 << bits
    while bits + primaryBits < Self.longestCode {
      free -= remaining[bits + primaryBits]
      if free <= 0 { break }
      bits += 1
      free <<= 1
    }
    return bits
  }
}

extension InflateTable {
  /// Entries of the literal and length alphabet: 256 literals, the end of a block, lengths of 3 to
  /// 258 with up to 5 extra bits, and two symbols that stand for nothing.
  static let literalSymbols: [UInt32] = {
    var symbols: [UInt32] = (0..<256).map { Entry.literal | $0 << 16 }
    symbols.append(Entry.exceptional | Entry.endOfBlock)
    for length in DeflateAlphabet.lengths {
      symbols.append(UInt32(length.base) << 16 | UInt32(length.extraBits))
    }
    symbols.append(contentsOf: [Entry.invalid, Entry.invalid])
    return symbols
  }()

  /// Entries of the distance alphabet: 30 distances and two symbols that stand for nothing.
  static let distanceSymbols: [UInt32] =
    DeflateAlphabet.distances.map { UInt32($0.base) << 16 | UInt32($0.extraBits) }
    + [Entry.invalid, Entry.invalid]

  /// Entries of the alphabet of code lengths: symbols 0 to 18.
  static let lengthSymbols: [UInt32] = (0..<19).map { $0 << 16 }
}

/// The values that the symbols of DEFLATE stand for.
///
/// Source: RFC 1951, section 3.2.5.
enum DeflateAlphabet {
  /// The smallest value of a symbol, and the bits after its code that are added to it.
  struct Range {
    let base: Int
    let extraBits: Int
  }

  /// Match lengths, symbols 257 to 285.
  static let lengths: [Range] = {
    var ranges: [Range] = []
    var base = 3
    for index in 0..<28 {
      let extraBits = index < 8 ? 0 : (index - 4) / 4
      ranges.append(Range(base: base, extraBits: extraBits))
      base += 1 << extraBits
    }
    ranges.append(Range(base: 258, extraBits: 0))
    return ranges
  }()

  /// Match distances, symbols 0 to 29.
  static let distances: [Range] = {
    var ranges: [Range] = []
    var base = 1
    for index in 0..<30 {
      let extraBits = index < 4 ? 0 : (index - 2) / 2
      ranges.append(Range(base: base, extraBits: extraBits))
      base += 1 << extraBits
    }
    return ranges
  }()

  /// The order in which a dynamic block lists the lengths of its code lengths.
  static let lengthOrder: [Int] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// Code lengths of the fixed literal and length code.
  static let fixedLiteralLengths: [UInt8] =
    [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
    + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8)

  /// Code lengths of the fixed distance code.
  static let fixedDistanceLengths = [UInt8](repeating: 5, count: 32)
}
