/// A Huffman table made ready for decoding.
///
/// Layout of `memory`, all `UInt32`:
/// - `0 ..< 1024`: an entry for each pattern of the next 10 bits. Bits 0 to 7: bits to consume, 0
///   where the code is longer than 10 bits or does not exist. Bits 8 to 11 and 12 to 15: high and
///   low half of the symbol (run and size). Bits 16 to 31: the signed value that follows, where code
///   and value fit into the 10 bits together (then both are to be consumed), else 0.
/// - `limits ..< limits + 18`: for each code length the first 16-bit pattern beyond its codes.
/// - `offsets ..< offsets + 18`: what to add (wrapping) to a code to find its symbol.
/// - `symbols ..< symbols + 256`: the symbols by increasing code.
///
/// Source: ITU-T T.81, annexes C and F.2.2.
final class JPEGHuffmanTable {
  static let lookahead = 10
  static let limits = 1 << lookahead
  static let offsets = limits + 18
  static let symbols = offsets + 18

  let memory: JPEGMemory<UInt32>

  /// A table without codes.
  init() { memory = JPEGMemory(count: Self.symbols + 256) }

  /// Builds a table, or returns nil where the counts claim more codes than the lengths allow.
  ///
  /// - Parameters:
  ///   - counts: the number of codes of length 1 to 16.
  ///   - values: the symbols by increasing code, as many as the counts say, at most 256.
  init?(counts: [UInt8], values: [UInt8]) {
    let total = counts.reduce(0) { $0 + Int($1) }
    guard counts.count == 16, total == values.count, total <= 256 else { return nil }
    let memory = JPEGMemory<UInt32>(count: Self.symbols + 256)
    var code = 0
    var index = 0
    for length in 1...16 {
      let count = Int(counts[length - 1])
      unsafe memory.base[Self.offsets + length] = UInt32(truncatingIfNeeded: index - code)
      guard code + count <= 1 << length else { return nil }
      for _ in 0..<count {
        let symbol = values[index]
        unsafe memory.base[Self.symbols + index] = UInt32(symbol)
        if length <= Self.lookahead {
          Self.fill(memory, code: code, length: length, symbol: symbol)
        }
        code += 1
        index += 1
      }
      unsafe memory.base[Self.limits + length] = UInt32(code << (16 - length))
      code <<= 1
    }
    self.memory = memory
  }

  /// Writes the entries of all 10-bit patterns that begin with a code.
  private static func fill(_ memory: JPEGMemory<UInt32>, code: Int, length: Int, symbol: UInt8) {
    let free = lookahead - length
    let size = Int(symbol & 15)
    let head = UInt32(symbol >> 4) << 8 | UInt32(size) << 12
    for rest in 0..<(1 << free) {
      var entry = head | UInt32(length)
      if size > 0, size <= free {
        let magnitude = rest >> (free - size)
        let value = magnitude >> (size - 1) == 0 ? magnitude - (1 << size) + 1 : magnitude
        entry = head | UInt32(length + size) | UInt32(truncatingIfNeeded: value) << 16
      }
      unsafe memory.base[code << free | rest] = entry
    }
  }
}
