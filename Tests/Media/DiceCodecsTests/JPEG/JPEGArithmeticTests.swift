import DiceCodecs
import Testing

/// Rules of arithmetic coding; its pictures are among the golden files.
struct JPEGArithmeticTests {
  /// A gray picture of the given size with arithmetic-coded data.
  private func file(
    width: Int, height: Int = 8, conditions: [UInt8]? = nil, data: [UInt8], hasEnd: Bool = true
  ) -> [UInt8] {
    var builder = JPEGFileBuilder()
    builder.flatQuantization()
    if let conditions { builder.segment(0xCC, conditions) }
    builder.frame(9, width: width, height: height)
    builder.scan(components: [1])
    builder.bytes += data
    if hasEnd { builder.marker(0xD9) }
    return builder.bytes
  }

  @Test func zerosThatTheFileLeavesOutAreSupplied() throws {
    // What cjpeg makes of 4800 blocks of the middle gray, with more and fewer of the zeros behind it.
    let flat: [UInt8] = [0x1E, 0xB7, 0x80]
    for zeros in [0, 1, 2, 40] {
      let data = flat + [UInt8](repeating: 0, count: zeros)
      let image = try JPEGDecoder.decode(file(width: 640, height: 480, data: data))
      #expect(image.samples.allSatisfy { $0 == 128 })
    }
    let cut = file(width: 640, height: 480, data: flat, hasEnd: false)
    #expect(throws: JPEGError.truncatedScan(offset: cut.count)) { try JPEGDecoder.decode(cut) }
  }

  @Test func notMoreOfThemThanAnEncoderLeavesOut() throws {
    // Blocks of many coefficients from data that ends at once.
    var damaged = 0
    for first in UInt8.min...UInt8.max where first != 0xFF {
      do throws(JPEGError) {
        _ = try JPEGDecoder.decode(file(width: 2048, height: 2048, data: [first, 0x51, first]))
      } catch {
        damaged += 1
        switch error {
        case .truncatedScan, .invalidArithmeticCode: break
        default: Issue.record("\(error)")
        }
      }
    }
    #expect(damaged > 100)
  }

  @Test func conditionsAreCheckedByName() throws {
    let sound: [[UInt8]] = [[], [0, 0x10], [3, 0xFF], [0x13, 63], [0x10, 1, 0x11, 5, 0, 0x52]]
    for conditions in sound {
      #expect(throws: Never.self) {
        try JPEGDecoder.decode(file(width: 8, conditions: conditions, data: [0]))
      }
    }
    let broken: [([UInt8], JPEGError)] = [
      ([0], .invalidSegmentLength(marker: 0xCC, length: 3)),
      ([0, 0x01], .invalidArithmeticConditioning(index: 0)),
      ([4, 0x10], .invalidArithmeticConditioning(index: 4)),
      ([0x10, 0], .invalidArithmeticConditioning(index: 0)),
      ([0x12, 64], .invalidArithmeticConditioning(index: 2)),
      ([0x20, 1], .invalidArithmeticConditioning(index: 0)),
      ([0, 0x10, 0x1F, 1], .invalidArithmeticConditioning(index: 15)),
    ]
    for (conditions, error) in broken {
      #expect(throws: error) {
        try JPEGDecoder.decode(file(width: 8, conditions: conditions, data: [0]))
      }
    }
  }

  @Test func aMissingRestartIsNamed() throws {
    var bytes = try JPEGFixtures.picture("arithmetic-restart")
    let place = try #require(
      bytes.indices.last {
        bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[min($0 + 1, bytes.count - 1)])
      })
    let number = Int(bytes[place + 1] - 0xD0)
    bytes[place + 1] = 0xD0 + UInt8((number + 1) & 7)
    #expect(throws: JPEGError.missingRestartMarker(number: number, offset: place)) {
      try JPEGDecoder.decode(bytes)
    }
  }
}
