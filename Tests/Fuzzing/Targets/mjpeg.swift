import DiceGeometry
import DiceCodecs

/// Motion JPEG and multipart streams, whole and in chunks, which must give the same; and the kind of
/// a stream from its first bytes.
enum Target {
  static let limits = DecodingLimits(pixelCount: 1024)

  static func run(_ bytes: [UInt8]) {
    let isKnown = bytes.count % 2 == 0
    let whole = read(bytes, chunk: .max, isKnown: isKnown)
    let cut = read(bytes, chunk: 1 + bytes.count % 17, isKnown: isKnown)
    require(whole.events == cut.events && whole.error == cut.error, "chunks do not matter")
  }

  static func read(
    _ bytes: [UInt8], chunk: Int, isKnown: Bool
  ) -> (events: [FrameStream.Event], error: FrameStreamError?) {
    var stream = FrameStream(kind: isKnown ? .motionJPEG : nil, limits: limits)
    var events: [FrameStream.Event] = []
    do throws(FrameStreamError) {
      var rest = bytes[...]
      while !rest.isEmpty {
        var part = rest.prefix(chunk)
        rest = rest.dropFirst(part.count)
        while let event = try stream.next(from: &part) { events.append(event) }
      }
      while let event = try stream.finish() { events.append(event) }
      return (events, nil)
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
      return (events, error)
    }
  }

  static func seeds() -> [[UInt8]] {
    let pictures = fixtures("Fixtures/golden/jpeg", suffix: ".jpg", byteLimit: 420)
    var seeds: [[UInt8]] = []
    for (one, other) in zip(pictures, pictures.dropFirst()) {
      seeds.append(one + other)
      let part = "\r\n--part\r\nContent-Type: image/jpeg\r\nContent-Length: \(one.count)\r\n\r\n"
      seeds.append(Array(part.utf8) + one + Array("\r\n--part--\r\n".utf8))
    }
    seeds.append(Array(fixture("Fixtures/golden/video/multipart.mjpeg").prefix(800)))
    return seeds
  }
}
