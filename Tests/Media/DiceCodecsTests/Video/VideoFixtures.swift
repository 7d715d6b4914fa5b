import DiceImaging
import DiceCodecs
import TestSupport

/// The golden files of `Fixtures/golden/video`, and ways to read streams.
enum VideoFixtures {
  static let width = 26
  static let height = 18

  static func bytes(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes("golden/video/\(name)")
  }

  /// The frames of a file of red, green and blue.
  static func pictures(_ name: String) throws -> [PixelImage] {
    let samples = try bytes(name)
    let count = width * height * 3
    return stride(from: 0, to: samples.count, by: count).map {
      PixelImage(
        width: width, height: height, format: .rgb, samples: Array(samples[$0..<$0 + count]))
    }
  }

  /// A stream header and frames of zeros.
  static func stream(_ header: String, frames: [(header: String, count: Int)]) -> [UInt8] {
    var bytes = [UInt8](header.utf8)
    for frame in frames {
      bytes += frame.header.utf8
      bytes += [UInt8](repeating: 0, count: frame.count)
    }
    return bytes
  }

  /// Reads a stream in chunks of the given size, and finishes it.
  static func frames(
    _ bytes: [UInt8], chunk: Int = .max, limits: DecodingLimits = .init()
  ) throws(Y4MError) -> [StoredFrame] {
    var reader = Y4MReader(limits: limits)
    var frames: [StoredFrame] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      var part = rest.prefix(chunk)
      rest = rest.dropFirst(part.count)
      while let frame = try reader.nextFrame(from: &part) { frames.append(frame) }
    }
    try reader.finish()
    return frames
  }

  /// What a stream gives in chunks of the given size; the error comes last.
  static func events(
    _ bytes: [UInt8], chunk: Int = .max, stream: FrameStream = FrameStream()
  ) -> (events: [FrameStream.Event], error: FrameStreamError?) {
    var stream = stream
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
      return (events, error)
    }
  }

  /// The pictures and the damage of a motion JPEG stream, in chunks of the given size.
  static func split(
    _ bytes: [UInt8], chunk: Int = .max, pictureByteLimit: Int = 1 << 26
  ) -> [MJPEGSplitter.Event] {
    var splitter = MJPEGSplitter(pictureByteLimit: pictureByteLimit)
    var events: [MJPEGSplitter.Event] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      var part = rest.prefix(chunk)
      rest = rest.dropFirst(part.count)
      while let event = splitter.next(from: &part) { events.append(event) }
    }
    while let event = splitter.finish() { events.append(event) }
    return events
  }

  static func pictures(_ events: [MJPEGSplitter.Event]) -> [MJPEGSplitter.Picture] {
    events.compactMap { if case .picture(let picture) = $0 { picture } else { nil } }
  }

  static func damage(_ events: [MJPEGSplitter.Event]) -> [MJPEGDamage] {
    events.compactMap { if case .damage(let damage) = $0 { damage } else { nil } }
  }
}
