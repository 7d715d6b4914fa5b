import DiceImaging
import DiceParallel
import TestSupport
import Testing

@testable import DiceCodecs

/// Files that several threads decode, each a stretch of the data.
struct JPEGStretchTests {
  private static let threadCounts = [2, 3, 5, 16]

  /// A picture whose upper half is even and whose lower half has texture.
  private func picture(_ width: Int, _ height: Int, _ format: PixelImage.Format) -> PixelImage {
    var random = SeededGenerator(seed: 11)
    var samples = [UInt8](repeating: 90, count: width * height * format.channelCount)
    for index in samples.indices.dropFirst(samples.count / 2) {
      samples[index] = UInt8(60 + index / 7 % 90 + Int.random(in: 0..<40, using: &random))
    }
    return PixelImage(width: width, height: height, format: format, samples: samples)
  }

  /// A file of random blocks: sampling factors for each component, and units between restart markers.
  private func randomFile(
    _ width: Int, _ height: Int, sampling: [UInt8], interval: Int, seed: UInt64
  ) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var builder = JPEGFileBuilder()
    builder.flatQuantization()
    builder.frame(0, width: width, height: height, sampling: sampling)
    let means: [UInt8] = [0, 1, 2, 3]
    let others: [UInt8] = [0, 0x01, 0x12, 0x03, 0xF0]
    builder.huffman(0x00, symbols: means)
    builder.huffman(0x10, symbols: others)
    if interval > 0 { builder.segment(0xDD, [0, UInt8(interval)]) }
    builder.scan(components: sampling.indices.map { UInt8($0 + 1) })
    func code(_ index: Int, size: Int) -> String {
      String(repeating: "1", count: index) + "0"
        + (0..<size).map { _ in Bool.random(using: &random) ? "1" : "0" }.joined()
    }
    let wide = sampling.map { Int($0 >> 4) }
    let high = sampling.map { Int($0 & 15) }
    let unitWidth = 8 * (wide.max() ?? 1)
    let unitHeight = 8 * (high.max() ?? 1)
    let units =
      ((width + unitWidth - 1) / unitWidth) * ((height + unitHeight - 1) / unitHeight)
    let blocks = zip(wide, high).reduce(0) { $0 + $1.0 * $1.1 }
    var bits = ""
    for unit in 0..<units {
      for _ in 0..<blocks {
        let mean = Int.random(in: 0..<4, using: &random)
        bits += code(mean, size: Int(means[mean]))
        var place = 1
        while Int.random(in: 0..<4, using: &random) > 0 {
          let index = Int.random(in: 1..<5, using: &random)
          let symbol = Int(others[index])
          guard place + symbol >> 4 < 63 else { break }
          bits += code(index, size: symbol & 15)
          place += symbol >> 4 + 1
        }
        bits += code(0, size: 0)
      }
      if interval > 0, (unit + 1) % interval == 0, unit + 1 < units {
        builder.data(bits)
        bits = ""
        builder.marker(0xD0 + UInt8((unit / interval) % 8))
      }
    }
    builder.data(bits)
    builder.marker(0xD9)
    return builder.bytes
  }

  private func expectTheSame(_ bytes: [UInt8], _ comment: String) throws {
    let pools = Self.threadCounts.map { WorkerPool(threadCount: $0) }
    for scale in JPEGScale.allCases {
      let alone = try JPEGDecoder.decode(bytes, scale: scale)
      for pool in pools {
        let shared = try JPEGDecoder.decode(bytes, scale: scale, limits: .init(), pool: pool)
        expectEqual(shared, alone, "\(comment) at \(scale) on \(pool.threadCount) threads")
      }
    }
  }

  @Test func threadsDecodeTheSame() throws {
    for format in [PixelImage.Format.gray, .rgb] {
      for subsampling in JPEGSubsampling.allCases {
        let bytes = try JPEGEncoder.encode(
          picture(501, 403, format), quality: 80, subsampling: subsampling)
        try expectTheSame(bytes, "\(format) \(subsampling)")
      }
    }
    // No reader falls in step where every unit has the same bits.
    let even = PixelImage(
      width: 640, height: 640, format: .rgb,
      samples: [UInt8](repeating: 9, count: 640 * 640 * 3))
    try expectTheSame(JPEGEncoder.encode(even, quality: 80), "even")
    // A row of units is longer than a stretch; and the other way round.
    try expectTheSame(JPEGEncoder.encode(picture(9000, 40, .rgb), quality: 80), "wide")
    try expectTheSame(JPEGEncoder.encode(picture(8, 4000, .gray), quality: 80), "high")
  }

  @Test func threadsDecodeIntervalsAndAnySampling() throws {
    let samplings: [[UInt8]] = [
      [0x11], [0x21, 0x11, 0x11], [0x41, 0x12, 0x11], [0x22, 0x11, 0x11, 0x22],
    ]
    for (seed, sampling) in samplings.enumerated() {
      for interval in [0, 1, 7, 255] {
        let bytes = randomFile(
          313, 307, sampling: sampling, interval: interval, seed: UInt64(seed))
        try expectTheSame(bytes, "\(sampling) with intervals of \(interval)")
      }
    }
  }

  /// Damage is the same error, or the same picture, wherever it is.
  @Test func damageIsTheSame() throws {
    var random = SeededGenerator(seed: 5)
    let pool = WorkerPool(threadCount: 3)
    func outcome(_ bytes: [UInt8], _ pool: WorkerPool?) -> Result<PixelImage, JPEGError> {
      do throws(JPEGError) {
        return .success(try JPEGDecoder.decode(bytes, scale: .half, limits: .init(), pool: pool))
      } catch { return .failure(error) }
    }
    var failureCount = 0
    for interval in [0, 7] {
      let bytes = randomFile(
        401, 399, sampling: [0x22, 0x11, 0x11], interval: interval, seed: 3)
      let start = try #require(bytes.firstIndex(of: 0xDA))
      for _ in 0..<120 {
        var damaged = bytes
        let place = Int.random(in: start + 20..<bytes.count - 20, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged.removeSubrange(place...)
        case 1: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: damaged.removeSubrange(place..<place + Int.random(in: 1..<20, using: &random))
        }
        let alone = outcome(damaged, nil)
        expectEqual(outcome(damaged, pool), alone, "byte \(place) of intervals of \(interval)")
        if case .failure = alone { failureCount += 1 }
      }
    }
    #expect(failureCount > 100)
  }

  /// A stretch that begins out of step is joined after few units, and then has the units of the file.
  @Test func fallsInStep() throws {
    let bytes = try JPEGEncoder.encode(picture(640, 640, .rgb), quality: 80)
    var parser = try JPEGParser(bytes)
    let scan = try #require(try parser.nextScan())
    let frame = try #require(parser.frame)
    let assembler = JPEGRowAssembler(
      frame, colorModel: .yCbCr, scale: .full, pool: nil, partCount: 1, windowRows: 1)
    let plan = unsafe try JPEGStreamDecoder(
      parser: parser, frame: frame, scan: scan, assembler: assembler
    ).makePlan()
    let zigzag = JPEGZigzag.table()
    defer { withExtendedLifetime((parser, assembler, zigzag)) {} }
    unsafe plan.withUnsafeBufferPointer { (plan) in
      unsafe bytes.withUnsafeBufferPointer { (bytes) in
        func stretch() -> JPEGStretch {
          unsafe JPEGStretch(
            capacity: 1600, plan: plan, zigzag: zigzag, base: bytes.baseAddress.unsafelyUnwrapped,
            end: bytes.count, position: parser.position, restartInterval: 0)
        }
        let whole = stretch()
        whole.decode(before: bytes.count, upTo: 1600, isInStep: true)
        expectEqual(whole.unitCount, 1600)
        var joined = 0
        for part in 5..<10 {
          let place = bytes.count * part / 10
          let (first, second) = (stretch(), stretch())
          first.decode(before: place, upTo: 1600, isInStep: true)
          second.begin(near: place, before: bytes.count)
          second.decode(before: bytes.count, upTo: 1600, isInStep: false)
          guard let joint = first.join(second) else { continue }
          joined += 1
          #expect(joint < 60)
          // What the second one has behind the joint is the rest of the file.
          expectEqual(first.unitCount + second.unitCount - joint, 1600)
          let offset = first.means &- second.means(before: joint)
          expectEqual(second.means &+ offset, whole.means)
        }
        expectEqual(joined, 5)
      }
    }
  }
}
