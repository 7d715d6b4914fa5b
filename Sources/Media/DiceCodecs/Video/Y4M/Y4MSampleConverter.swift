internal import DiceImaging

/// Turns the samples of a frame as a stream holds them into 8-bit planes that a frame in memory has.
///
/// Samples of more than 8 bits, two bytes each, the low one first, are rounded to nearest. With b bits
/// and a sample v of at most M = 2^b - 1 (larger ones are taken for M), that is
/// `min(255, (v + 2^(b - 9)) / 2^(b - 8))`, rounded down, where the samples have video range, since
/// its limits are those of 8 bits times a power of two, and `(255 v + M / 2) / M` where they have full
/// range.
///
/// 4:1:1 becomes 4:2:2: between two chroma samples comes their mean, rounded up, and behind the last one
/// the last one again.
struct Y4MSampleConverter {
  private let header: Y4MHeader
  /// The 8-bit sample for each value of two bytes; empty for streams of 8 bits.
  private let table: [UInt8]

  /// A converter for a stream; nil where its samples can stay as they are.
  init?(_ header: Y4MHeader) {
    guard header.bitDepth > 8 || header.colorSpace == .yCbCr411 else { return nil }
    self.header = header
    table = header.bitDepth > 8 ? Self.table(bitDepth: header.bitDepth, header.range) : []
  }

  private static func table(bitDepth: Int, _ range: YCbCrEncoding.Range) -> [UInt8] {
    let largest = (1 << bitDepth) - 1
    let shift = bitDepth - 8
    return (0...0xFFFF).map { stored in
      let value = min(stored, largest)
      return range == .full
        ? UInt8((255 * value + largest / 2) / largest)
        : UInt8(min(255, (value + (1 << (shift - 1))) >> shift))
    }
  }

  /// Writes the planes of a frame.
  ///
  /// - Parameters:
  ///   - stored: `frameByteCount` bytes of the stream.
  ///   - planes: takes the planes; its memory is used again where it has the right size.
  func convert(_ stored: [UInt8], into planes: inout [UInt8]) {
    let count = header.planesByteCount
    if planes.count != count { planes = [UInt8](repeating: 0, count: count) }
    if table.isEmpty { widenChroma(stored, into: &planes) } else { reduce(stored, into: &planes) }
  }

  private func reduce(_ stored: [UInt8], into planes: inout [UInt8]) {
    precondition(2 * planes.count <= stored.count && table.count == 1 << 16)
    // In bounds by the counts above.
    unsafe planes.withUnsafeMutableBufferPointer { planes in
      unsafe stored.withUnsafeBufferPointer { stored in
        unsafe table.withUnsafeBufferPointer { table in
          for index in 0..<planes.count {
            let low = unsafe Int(stored[2 &* index])
            let high = unsafe Int(stored[2 &* index &+ 1])
            unsafe planes[index] = table[high &<< 8 | low]
          }
        }
      }
    }
  }

  private func widenChroma(_ stored: [UInt8], into planes: inout [UInt8]) {
    let lumaCount = header.width * header.height
    planes.replaceSubrange(..<lumaCount, with: stored[..<lumaCount])
    let narrow = header.storedChromaColumnCount
    let wide = header.chromaColumnCount
    for row in 0..<2 * header.height {
      let source = lumaCount + row * narrow
      let target = lumaCount + row * wide
      for column in 0..<wide {
        let left = stored[source + column / 2]
        let right = stored[source + min((column + 1) / 2, narrow - 1)]
        planes[target + column] = UInt8((Int(left) + Int(right) + 1) / 2)
      }
    }
  }
}
