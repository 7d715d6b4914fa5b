/// The Huffman tables of a file: luminance and chrominance, means and other coefficients.
struct JPEGHuffmanSpecifications {
  var dc: [JPEGStandardTables.HuffmanSpecification]
  var ac: [JPEGStandardTables.HuffmanSpecification]

  static let standard = JPEGHuffmanSpecifications(
    dc: [JPEGStandardTables.luminanceDC, JPEGStandardTables.chrominanceDC],
    ac: [JPEGStandardTables.luminanceAC, JPEGStandardTables.chrominanceAC])
}

/// Breaks blocks into symbols.
///
/// Source: ITU-T T.81, F.1.2.
private struct JPEGSymbolizer {
  private var means: SIMD4<Int32> = .zero
  private let zigzag = JPEGZigzag.natural

  /// Calls `emit` for each symbol of a block.
  ///
  /// It is told whether the symbol is the mean's, the symbol, and the bits that follow it, as many as
  /// the symbol's low four bits say. A missing block repeats the last mean.
  @inline(__always)
  mutating func forEachSymbol(
    _ block: UnsafePointer<Int16>?, component: Int, _ emit: (Bool, UInt8, UInt32) -> Void
  ) {
    guard let block = unsafe block else {
      emit(true, 0, 0)
      emit(false, 0, 0)
      return
    }
    let mean = unsafe Int32(block[0])
    let (size, bits) = Self.magnitude(mean &- means[component])
    means[component] = mean
    emit(true, UInt8(truncatingIfNeeded: size), bits)
    var run = 0
    for index in 1..<64 {
      let value = unsafe Int32(block[zigzag[index]])
      if value == 0 {
        run &+= 1
        continue
      }
      while run > 15 {
        emit(false, 0xF0, 0)
        run &-= 16
      }
      let (size, bits) = Self.magnitude(value)
      emit(false, UInt8(truncatingIfNeeded: run &<< 4 | size), bits)
      run = 0
    }
    if run > 0 { emit(false, 0, 0) }
  }

  /// The number of bits of a value and the bits that stand for it.
  @inline(__always)
  private static func magnitude(_ value: Int32) -> (Int, UInt32) {
    let size = 32 &- abs(value).leadingZeroBitCount
    let bits = UInt32(bitPattern: value < 0 ? value &- 1 : value)
    return (size, bits & ((1 &<< UInt32(truncatingIfNeeded: size)) &- 1))
  }
}

/// Writes blocks as Huffman codes.
struct JPEGBlockCoder {
  private var bytes: [UInt8]
  private var symbolizer = JPEGSymbolizer()
  private var buffer: UInt64 = 0
  private var count = 0
  /// For each symbol its code, with the length in the low 5 bits.
  private let dcCodes: [[UInt32]]
  private let acCodes: [[UInt32]]

  /// Continues bytes, with tables that have codes for all symbols that will occur.
  init(tables: JPEGHuffmanSpecifications, bytes: [UInt8]) {
    self.bytes = bytes
    dcCodes = tables.dc.map { Self.codes($0) }
    acCodes = tables.ac.map { Self.codes($0) }
  }

  private static func codes(_ table: JPEGStandardTables.HuffmanSpecification) -> [UInt32] {
    var codes = [UInt32](repeating: 0, count: 256)
    var code: UInt32 = 0
    var index = 0
    for length in 1...16 {
      for _ in 0..<table.counts[length - 1] {
        codes[Int(table.values[index])] = code << 5 | UInt32(length)
        code += 1
        index += 1
      }
      code <<= 1
    }
    return codes
  }

  mutating func encode(_ block: UnsafePointer<Int16>?, component: Int) {
    let kind = min(component, 1)
    var symbolizer = symbolizer
    unsafe symbolizer.forEachSymbol(block, component: component) { (isMean, symbol, bits) in
      let code = isMean ? dcCodes[kind][Int(symbol)] : acCodes[kind][Int(symbol)]
      let size = Int(symbol & 15)
      write((code >> 5) << UInt32(size) | bits, count: Int(code & 31) + size)
    }
    self.symbolizer = symbolizer
  }

  /// Appends up to 32 bits.
  private mutating func write(_ bits: UInt32, count added: Int) {
    buffer = buffer << UInt64(added) | UInt64(bits)
    count += added
    while count >= 8 {
      count -= 8
      let byte = UInt8(truncatingIfNeeded: buffer >> UInt64(count))
      bytes.append(byte)
      if byte == 0xFF { bytes.append(0) }
    }
  }

  /// The bytes, the last one filled up with ones.
  consuming func finished() -> [UInt8] {
    if count > 0 { write((1 << UInt32(8 - count)) - 1, count: 8 - count) }
    return bytes
  }
}

/// Counts the symbols of blocks, to fit tables to them.
struct JPEGSymbolCounter {
  private var symbolizer = JPEGSymbolizer()
  private var dcCounts = [[Int]](repeating: [Int](repeating: 0, count: 256), count: 2)
  private var acCounts = [[Int]](repeating: [Int](repeating: 0, count: 256), count: 2)

  mutating func count(_ block: UnsafePointer<Int16>?, component: Int) {
    let kind = min(component, 1)
    var symbolizer = symbolizer
    unsafe symbolizer.forEachSymbol(block, component: component) { (isMean, symbol, _) in
      if isMean { dcCounts[kind][Int(symbol)] += 1 } else { acCounts[kind][Int(symbol)] += 1 }
    }
    self.symbolizer = symbolizer
  }

  func optimalTables() -> JPEGHuffmanSpecifications {
    JPEGHuffmanSpecifications(
      dc: dcCounts.map { Self.optimalTable($0) }, ac: acCounts.map { Self.optimalTable($0) })
  }

  /// The table that codes symbols of the given frequencies in the fewest bits, with codes of at most
  /// 16 bits, none of them all ones.
  ///
  /// Source: ITU-T T.81, K.2.
  static func optimalTable(_ frequencies: [Int]) -> JPEGStandardTables.HuffmanSpecification {
    // Symbol 256 is never coded: it takes the code of all ones.
    var frequency = frequencies + [1]
    var length = [Int](repeating: 0, count: 257)
    var next = [Int?](repeating: nil, count: 257)
    while true {
      // Of equal frequencies the largest symbol comes first.
      let alive = (0..<257).filter { frequency[$0] > 0 }
      guard alive.count > 1,
        let first = alive.min(by: { (frequency[$0], -$0) < (frequency[$1], -$1) }),
        let second = alive.filter({ $0 != first })
          .min(by: { (frequency[$0], -$0) < (frequency[$1], -$1) })
      else { break }
      frequency[first] += frequency[second]
      frequency[second] = 0
      var last = first
      length[last] += 1
      while let following = next[last] {
        last = following
        length[last] += 1
      }
      next[last] = second
      var member: Int? = second
      while let current = member {
        length[current] += 1
        member = next[current]
      }
    }

    var counts = [Int](repeating: 0, count: 258)
    for symbol in 0..<257 where length[symbol] > 0 { counts[length[symbol]] += 1 }
    for long in stride(from: 257, to: 16, by: -1) {
      while counts[long] > 0 {
        // Two of the longest codes: their prefix takes the place of one, the other is moved below a
        // shorter code.
        var short = long - 2
        while counts[short] == 0 { short -= 1 }
        counts[long] -= 2
        counts[long - 1] += 1
        counts[short + 1] += 2
        counts[short] -= 1
      }
    }
    if let longest = (1...16).last(where: { counts[$0] > 0 }) { counts[longest] -= 1 }
    let symbols = (0..<256).filter { length[$0] > 0 }
      .sorted { (length[$0], $0) < (length[$1], $1) }
    return JPEGStandardTables.HuffmanSpecification(
      counts: counts[1...16].map { UInt8($0) }, values: symbols.map { UInt8($0) })
  }
}
