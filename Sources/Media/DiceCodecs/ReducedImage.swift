public import DiceGeometry
public import DiceImaging
package import DiceParallel

/// A picture that was decoded at its own size or smaller, with the size that it has in its file.
public struct ReducedImage: Hashable, Sendable {
  /// The picture as it was decoded.
  public var image: PixelImage
  /// Columns of the picture in its file, as stored.
  public let fullWidth: Int
  /// Rows of the picture in its file, as stored.
  public let fullHeight: Int

  /// A picture and the size that it has in its file.
  ///
  /// - Precondition: the sizes are not below the picture's.
  public init(_ image: PixelImage, fullWidth: Int, fullHeight: Int) {
    precondition(
      fullWidth >= image.width && fullHeight >= image.height, "a picture is not enlarged")
    self.image = image
    self.fullWidth = fullWidth
    self.fullHeight = fullHeight
  }

  /// Whether the picture is smaller than in its file.
  public var isReduced: Bool { fullWidth > image.width || fullHeight > image.height }

  /// The size of the upright picture in its file.
  ///
  /// - Parameter orientation: How the stored rows must be turned; nil takes the picture's own.
  public func uprightSize(_ orientation: ImageOrientation? = nil) -> (width: Int, height: Int) {
    (orientation ?? image.orientation).swapsAxes
      ? (fullHeight, fullWidth) : (fullWidth, fullHeight)
  }

  /// A box in pixels of the upright picture in its file.
  ///
  /// - Parameters:
  ///   - box: The box in pixels of the upright picture as it was decoded.
  ///   - orientation: How the stored rows must be turned; nil takes the picture's own.
  public func fullBox(
    _ box: BoundingBox, orientation: ImageOrientation? = nil
  ) -> BoundingBox {
    guard isReduced else { return box }
    let x = Double(fullWidth) / Double(image.width)
    let y = Double(fullHeight) / Double(image.height)
    let swapsAxes = (orientation ?? image.orientation).swapsAxes
    return box.scaled(x: swapsAxes ? y : x, y: swapsAxes ? x : y)
  }
}

extension ImageDecoder {
  /// Decodes a PNG, JPEG or portable map file, with no more pixels than are asked for where that saves
  /// time: JPEG files at the smallest scale whose longer side has `longerSide` pixels.
  ///
  ///     let picture = try ImageDecoder.decode(bytes, longerSide: 832)
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - longerSide: How many pixels of the longer side are enough; pictures that have fewer, and those
  ///     of other formats, are decoded as stored.
  ///   - limits: Bounds on the stored picture's size, checked before memory is taken.
  ///   - keepsAlpha: Whether the alpha of PNG files is of use; without it they take less memory.
  /// - Returns: the picture with the size that it has in its file.
  /// - Throws: as ``decode(_:limits:keepsAlpha:)``.
  /// - Complexity: that of the decoder that is chosen.
  public static func decode(
    _ bytes: [UInt8], longerSide: Int, limits: DecodingLimits = .init(), keepsAlpha: Bool = true
  ) throws(ImageDecodingError) -> ReducedImage {
    try decode(
      bytes, longerSide: longerSide, limits: limits, keepsAlpha: keepsAlpha, pool: nil)
  }

  /// The same, JPEG files on two threads of a pool.
  package static func decode(
    _ bytes: [UInt8], longerSide: Int, limits: DecodingLimits, keepsAlpha: Bool, pool: WorkerPool?
  ) throws(ImageDecodingError) -> ReducedImage {
    guard try format(of: bytes) == .jpeg else {
      let image = try decode(bytes, limits: limits, keepsAlpha: keepsAlpha)
      return ReducedImage(image, fullWidth: image.width, fullHeight: image.height)
    }
    do throws(JPEGError) {
      let header = try JPEGDecoder.decodeHeader(bytes)
      let scale = JPEGScale(
        width: header.width, height: header.height, longerSide: longerSide)
      let image = try JPEGDecoder.decode(bytes, scale: scale, limits: limits, pool: pool)
      return ReducedImage(image, fullWidth: header.width, fullHeight: header.height)
    } catch {
      throw .jpeg(error)
    }
  }
}
