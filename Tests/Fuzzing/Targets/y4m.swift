import DiceGeometry
import DiceImaging
import DiceCodecs

/// YUV4MPEG2 streams, whole and in chunks, which must give the same.
enum Target {
  static func run(_ bytes: [UInt8]) {
    let whole = read(bytes, chunk: .max)
    let cut = read(bytes, chunk: 1 + bytes.count % 13)
    require(whole.frames == cut.frames && whole.error == cut.error, "chunks do not matter")
  }

  static func read(_ bytes: [UInt8], chunk: Int) -> (frames: [PixelImage], error: Y4MError?) {
    var reader = Y4MReader(limits: DecodingLimits(pixelCount: 4096))
    var frames: [PixelImage] = []
    do throws(Y4MError) {
      var rest = bytes[...]
      while !rest.isEmpty {
        var part = rest.prefix(chunk)
        rest = rest.dropFirst(part.count)
        while let frame = try reader.nextFrame(from: &part) {
          frames.append(frame.makeImage())
        }
      }
      try reader.finish()
      return (frames, nil)
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
      return (frames, error)
    }
  }

  static func seeds() -> [[UInt8]] {
    var seeds = fixtures("Fixtures/golden/video", suffix: ".y4m", byteLimit: 1100)
    let spaces = [
      ("420", 12), ("420jpeg", 12), ("420mpeg2", 12), ("420paldv", 12), ("422", 16), ("444", 24),
      ("mono", 8), ("411", 12), ("444alpha", 32), ("420p10", 24), ("422p12", 32), ("444p16", 48),
      ("mono9", 16), ("440", 16),
    ]
    for (space, count) in spaces {
      let header = "YUV4MPEG2 W4 H2 F30000:1001 Ip A1:1 C\(space) XCOLORRANGE=FULL\n"
      let samples = (0..<count).map { UInt8($0 * 5) }
      seeds.append(Array("\(header)FRAME\n".utf8) + samples + Array("FRAME Ip\n".utf8) + samples)
    }
    return seeds
  }
}
