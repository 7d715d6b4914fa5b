internal import DiceFiles
internal import DiceImaging

/// Reads and decodes pictures.
struct PictureReader {
  /// The most bytes of a picture file.
  static let byteLimit = 1 << 29

  let environment: Environment
  /// The most pixels that a picture may have.
  var pixelLimit = DecodingLimits().pixelCount

  /// A picture with the time it took to get.
  struct Picture {
    /// The picture, with rows as stored.
    var image: PixelImage
    /// The time for its bytes.
    var readingSeconds: Double
    /// The time for its pixels.
    var decodingSeconds: Double
  }

  /// The picture of a source.
  ///
  /// - Throws: `ToolError.file` or `.failure`, which names the source and the broken rule.
  func read(_ source: PictureSource) throws(ToolError) -> Picture {
    let start = environment.seconds()
    let bytes: [UInt8]
    do throws(FileError) {
      switch source {
      case .standardInput: bytes = try environment.readStandardInput(Self.byteLimit)
      case .file(let path): bytes = try FileSystem.readFile(at: path, byteLimit: Self.byteLimit)
      }
    } catch {
      throw .file(error)
    }
    let middle = environment.seconds()
    do throws(ImageDecodingError) {
      let image = try ImageDecoder.decode(bytes, limits: DecodingLimits(pixelCount: pixelLimit))
      return Picture(
        image: image, readingSeconds: middle - start,
        decodingSeconds: environment.seconds() - middle)
    } catch {
      throw .failure(subject: source.name, sentence: "\(error)")
    }
  }
}
