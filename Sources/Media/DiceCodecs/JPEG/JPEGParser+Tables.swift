extension JPEGParser {
  mutating func readQuantizationTables(_ segment: Range<Int>) throws(JPEGError) {
    var offset = segment.lowerBound
    while offset < segment.upperBound {
      let index = Int(bytes[offset] & 15)
      let precision = Int(bytes[offset] >> 4)
      guard index < 4, precision < 2 else { throw .invalidQuantizationTable(index: index) }
      guard offset + 1 + 64 * (precision + 1) <= segment.upperBound else {
        throw .invalidSegmentLength(marker: 0xDB, length: segment.count + 2)
      }
      offset += 1
      var table = [UInt16](repeating: 0, count: 64)
      for zigzag in 0..<64 {
        let value = precision == 0 ? Int(bytes[offset]) : word(offset)
        guard value > 0 else { throw .invalidQuantizationTable(index: index) }
        table[JPEGZigzag.natural[zigzag]] = UInt16(value)
        offset += precision + 1
      }
      quantizationTables[index] = table
    }
  }

  mutating func readHuffmanTables(_ segment: Range<Int>) throws(JPEGError) {
    var offset = segment.lowerBound
    while offset < segment.upperBound {
      let index = Int(bytes[offset] & 15)
      let tableClass = bytes[offset] >> 4
      guard index < 4, tableClass < 2 else { throw .invalidHuffmanTable(index: index) }
      guard offset + 17 <= segment.upperBound else {
        throw .invalidSegmentLength(marker: 0xC4, length: segment.count + 2)
      }
      let counts = Array(bytes[offset + 1..<offset + 17])
      let total = counts.reduce(0) { $0 + Int($1) }
      offset += 17
      guard total <= 256 else { throw .invalidHuffmanTable(index: index) }
      guard offset + total <= segment.upperBound else {
        throw .invalidSegmentLength(marker: 0xC4, length: segment.count + 2)
      }
      let values = Array(bytes[offset..<offset + total])
      offset += total
      // A difference of more than 15 bits exists in lossless coding alone.
      guard tableClass == 1 || values.allSatisfy({ $0 < 16 }),
        let table = JPEGHuffmanTable(counts: counts, values: values)
      else { throw .invalidHuffmanTable(index: index) }
      if tableClass == 0 { dcTables[index] = table } else { acTables[index] = table }
    }
  }
}

extension JPEGParser {
  /// Source: ITU-T T.81, B.2.4.3.
  mutating func readArithmeticConditioning(_ segment: Range<Int>) throws(JPEGError) {
    guard segment.count % 2 == 0 else {
      throw .invalidSegmentLength(marker: 0xCC, length: segment.count + 2)
    }
    for offset in stride(from: segment.lowerBound, to: segment.upperBound, by: 2) {
      let index = Int(bytes[offset] & 15)
      let tableClass = bytes[offset] >> 4
      let value = bytes[offset + 1]
      guard index < 4, tableClass < 2,
        tableClass == 1 ? (1...63).contains(value) : value & 15 <= value >> 4
      else { throw .invalidArithmeticConditioning(index: index) }
      if tableClass == 1 {
        arithmeticConditioning.bandEnds[index] = value
      } else {
        arithmeticConditioning.lowerBounds[index] = value & 15
        arithmeticConditioning.upperBounds[index] = value >> 4
      }
    }
  }
}

/// The order in which a block's coefficients are coded.
enum JPEGZigzag {
  /// The row-major index of each coefficient in coding order, with 16 more entries that catch runs
  /// beyond the last coefficient.
  ///
  /// Source: ITU-T T.81, figure A.6.
  static let natural: [Int] = {
    var order: [Int] = []
    for diagonal in 0..<15 {
      let rows = max(0, diagonal - 7)...min(diagonal, 7)
      let upward = diagonal % 2 == 0
      for step in 0..<rows.count {
        let row = upward ? rows.upperBound - step : rows.lowerBound + step
        order.append(8 * row + diagonal - row)
      }
    }
    return order + [Int](repeating: 63, count: 16)
  }()
}

extension JPEGParser {
  /// The table for the means of blocks; the usual one where the file defines none, as frames of
  /// motion JPEG do.
  func dcTable(_ index: Int) throws(JPEGError) -> JPEGHuffmanTable {
    if let table = dcTables[index] { return table }
    guard
      let standard = [JPEGStandardTables.luminanceDC, JPEGStandardTables.chrominanceDC]
        .dropFirst(index).first,
      let table = JPEGHuffmanTable(counts: standard.counts, values: standard.values)
    else { throw .missingHuffmanTable(index: index) }
    return table
  }

  /// The table for all other coefficients, likewise.
  func acTable(_ index: Int) throws(JPEGError) -> JPEGHuffmanTable {
    if let table = acTables[index] { return table }
    guard
      let standard = [JPEGStandardTables.luminanceAC, JPEGStandardTables.chrominanceAC]
        .dropFirst(index).first,
      let table = JPEGHuffmanTable(counts: standard.counts, values: standard.values)
    else { throw .missingHuffmanTable(index: index) }
    return table
  }

  /// A copy of a quantization table in row-major order.
  func quantization(_ index: Int) throws(JPEGError) -> JPEGMemory<Int16> {
    guard let table = quantizationTables[index] else {
      throw .missingQuantizationTable(index: index)
    }
    let memory = JPEGMemory<Int16>(count: 64)
    for position in 0..<64 { unsafe memory.base[position] = Int16(bitPattern: table[position]) }
    return memory
  }
}

extension JPEGZigzag {
  /// `natural` at a fixed address.
  static func table() -> JPEGMemory<UInt8> {
    let memory = JPEGMemory<UInt8>(count: natural.count)
    for index in natural.indices { unsafe memory.base[index] = UInt8(natural[index]) }
    return memory
  }
}
