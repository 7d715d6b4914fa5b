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
      "420", "420jpeg", "420mpeg2", "420paldv", "422", "444", "mono", "411", "444alpha", "420p10",
    ]
    for space in spaces {
      let header = "YUV4MPEG2 W4 H2 F30000:1001 Ip A1:1 C\(space) XCOLORRANGE=FULL\n"
      let samples = (0..<24).map { UInt8($0 * 10) }
      seeds.append(Array("\(header)FRAME\n".utf8) + samples + Array("FRAME Ip\n".utf8) + samples)
    }
    return seeds
  }
}
