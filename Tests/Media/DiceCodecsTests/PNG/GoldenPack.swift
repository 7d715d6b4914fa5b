import DiceGeometry
import DiceImaging
import TestSupport

/// Reads the packed golden files, whose layout `Fixtures/golden/png/generate.py` describes.
struct GoldenPack {
  struct File {
    let name: String
    let bytes: [UInt8]
  }

  /// A picture and the files that hold it.
  struct Picture {
    let name: String
    let image: PixelImage
    let files: [File]
  }

  /// A zlib stream and what its output must be.
  struct Stream {
    let name: String
    let bytes: [UInt8]
    let outputByteCount: Int
    let outputChecksum: UInt32
  }

  private var bytes: [UInt8]
  private var offset = 0

  static func pictures(_ name: String) throws -> [Picture] {
    var pack = GoldenPack(bytes: try Fixtures.bytes(name))
    return (0..<pack.integer(4)).map { _ in pack.picture() }
  }

  static func streams(_ name: String) throws -> [Stream] {
    var pack = GoldenPack(bytes: try Fixtures.bytes(name))
    return (0..<pack.integer(4)).map { _ in
      let name = pack.text()
      let count = pack.integer(4)
      let checksum = UInt32(pack.integer(4))
      return Stream(
        name: name, bytes: pack.blob(), outputByteCount: count, outputChecksum: checksum)
    }
  }

  private mutating func picture() -> Picture {
    let name = text()
    let width = integer(4)
    let height = integer(4)
    let channelCount = UInt8(integer(1))
    let orientation = UInt8(integer(1))
    let image = PixelImage(
      width: width, height: height, format: PixelImage.Format(rawValue: channelCount)!,
      samples: blob(), orientation: ImageOrientation(rawValue: orientation)!)
    let files = (0..<integer(2)).map { _ in
      let name = text()
      return File(name: name, bytes: blob())
    }
    return Picture(name: name, image: image, files: files)
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    offset += count
    return bytes[offset - count..<offset]
  }

  private mutating func integer(_ byteCount: Int) -> Int {
    take(byteCount).reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func text() -> String {
    String(decoding: take(integer(1)), as: UTF8.self)
  }

  private mutating func blob() -> [UInt8] {
    Array(take(integer(4)))
  }
}
