import DiceCodecs

/// DEFLATE data and zlib streams; what is read is compressed and read once more.
enum Target {
  static func run(_ bytes: [UInt8]) {
    let limit = 1 << 16
    _ = try? Inflate.zlib(bytes, outputLimit: limit)
    do throws(InflateError) {
      let output = try Inflate.raw(bytes, outputLimit: limit)
      require(output.count <= limit, "at most the limit")
      // Writing takes far longer than reading.
      guard bytes.count % 8 == 0 else { return }
      let level = Deflate.Level.allCases[bytes.count / 8 % Deflate.Level.allCases.count]
      let again = try? Inflate.zlib(
        Deflate.zlib(output, level: level), outputLimit: output.count)
      require(again == output, "what is compressed is decompressed")
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func seeds() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 2)
    var seeds: [[UInt8]] = []
    for count in [0, 1, 10, 100, 600] {
      for bound in [1, 4, 255] as [UInt8] {
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...bound, using: &generator) }
        for level in Deflate.Level.allCases {
          seeds.append(Deflate.raw(bytes, level: level))
          seeds.append(Deflate.zlib(bytes, level: level))
        }
      }
    }
    return seeds.filter { $0.count <= 512 }
  }
}
