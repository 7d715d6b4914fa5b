internal import DiceGeometry

extension ImageDecoder {
  /// The size of the upright picture in a file, without its pixels.
  ///
  /// - Throws: `ImageDecodingError`: as `decode(_:limits:)` for what stands ahead of the pixels.
  package static func uprightSize(
    of bytes: [UInt8]
  ) throws(ImageDecodingError) -> (width: Int, height: Int) {
    let size: (width: Int, height: Int)
    var orientation = ImageOrientation.up
    switch try format(of: bytes) {
    case .png:
      do throws(PNGError) {
        let file = try PNGFile(bytes, extent: .wholeFile)
        size = (file.header.width, file.header.height)
        orientation = file.metadata.orientation ?? .up
      } catch { throw .png(error) }
    case .jpeg:
      do throws(JPEGError) {
        let header = try JPEGDecoder.decodeHeader(bytes)
        size = (header.width, header.height)
        orientation = header.orientation
      } catch { throw .jpeg(error) }
    case .portableMap:
      do throws(PortableMapError) {
        let header = try PortableMapDecoder.decodeHeader(bytes)
        size = (header.width, header.height)
      } catch { throw .portableMap(error) }
    case let other: throw .unsupportedFormat(other)
    }
    return orientation.swapsAxes ? (size.height, size.width) : size
  }
}
