internal import DiceFiles
package import DiceImaging
package import DiceCodecs
package import DiceParallel

/// Reads and decodes pictures.
package struct PictureReader {
  /// The most bytes of a picture file.
  package static let byteLimit = 1 << 29

  package let environment: Environment
  /// The most pixels that a picture may have.
  package var pixelLimit: Int
  /// Threads that decode a picture together; nil for the caller's alone.
  private let pool: WorkerPool?

  /// A reader of pictures with so many pixels at most.
  package init(
    environment: Environment, pixelLimit: Int = DecodingLimits().pixelCount,
    pool: WorkerPool? = nil
  ) {
    self.environment = environment
    self.pixelLimit = pixelLimit
    self.pool = pool
  }

  /// A picture with the time it took to get.
  package struct Picture {
    /// The picture, with rows as stored.
    package var image: PixelImage { reduced.image }
    /// The picture, which may be smaller than in its file.
    package var reduced: ReducedImage
    /// The file.
    fileprivate var bytes: [UInt8]
    /// The colour profile in the file.
    package var colorProfile: ColorProfile? { ImageDecoder.colorProfile(of: bytes) }
    /// The time for its bytes.
    package var readingSeconds: Double
    /// The time for its pixels.
    package var decodingSeconds: Double
  }

  /// The picture of a source.
  ///
  /// - Parameters:
  ///   - source: where it comes from.
  ///   - longerSide: how many pixels of the longer side are enough; nil for all.
  ///   - keepsAlpha: whether alpha is of use.
  /// - Throws: `ToolError.file` or `.failure`, which names the source and the broken rule.
  package func read(
    _ source: PictureSource, longerSide: Int? = nil, keepsAlpha: Bool = true
  ) throws(ToolError) -> Picture {
    let start = environment.seconds()
    let bytes: [UInt8]
    do throws(FileError) {
      switch source {
      case .standardInput: bytes = try environment.readStandardInput(Self.byteLimit)
      case .file(let path):
        bytes = try FileSystem.readFile(
          at: path, byteLimit: Self.byteLimit, where: { ImageDecoder.decodes(beginning: $0) })
      }
    } catch {
      throw .file(error)
    }
    let middle = environment.seconds()
    let picture = try decode(
      bytes, of: source, longerSide: longerSide ?? .max, keepsAlpha: keepsAlpha)
    return Picture(
      reduced: picture, bytes: bytes, readingSeconds: middle - start,
      decodingSeconds: environment.seconds() - middle)
  }

  /// All pixels of a picture that was read.
  package func full(_ picture: Picture, of source: PictureSource) throws(ToolError) -> PixelImage {
    guard picture.reduced.isReduced else { return picture.image }
    return try decode(picture.bytes, of: source, longerSide: .max, keepsAlpha: true).image
  }

  /// Takes all pixels of a picture that was read in place of fewer.
  package func decodeInFull(
    _ picture: inout Picture, of source: PictureSource, keepsAlpha: Bool
  ) throws(ToolError) {
    let start = environment.seconds()
    picture.reduced = try decode(
      picture.bytes, of: source, longerSide: .max, keepsAlpha: keepsAlpha)
    picture.decodingSeconds += environment.seconds() - start
  }

  private func decode(
    _ bytes: [UInt8], of source: PictureSource, longerSide: Int, keepsAlpha: Bool
  ) throws(ToolError) -> ReducedImage {
    do throws(ImageDecodingError) {
      return try ImageDecoder.decode(
        bytes, longerSide: longerSide, limits: DecodingLimits(pixelCount: pixelLimit),
        keepsAlpha: keepsAlpha, pool: pool)
    } catch {
      var sentence = "\(error)"
      if case .unsupportedFormat(let format) = error, let advice = format.advice {
        // A sentence, which some begin with the name of a program.
        sentence += format.isFilm ? " \(advice)." : " To read it: \(advice)."
      }
      throw .failure(subject: source.name, sentence: sentence)
    }
  }
}
