public import DiceCodecs
internal import DiceFiles
public import DiceGeometry
internal import DiceWeights

extension ObjectDetector {
  /// The most bytes of an image file that is read from a path: 256 MiB.
  public static let imageFileByteCountLimit = 1 << 28

  /// The objects in an image file, the surest first.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, PNG, JPEG or a portable map, from a source that need not be trusted.
  ///   - limits: Bounds on the size of the picture.
  /// - Throws: ``ObjectDetectorError``: `image` for a file that is damaged or of an unknown kind, and as for a
  ///   picture.
  public func detect(
    inImageFile bytes: some Collection<UInt8>, limits: DecodingLimits = DecodingLimits(),
    orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
    confidenceThreshold: Float? = nil, overlapThreshold: Float? = nil
  ) throws(ObjectDetectorError) -> ObjectDetectionResult {
    let picture: ReducedImage
    do {
      picture = try ImageDecoder.decode(
        Array(bytes), longerSide: .max, limits: limits, keepsAlpha: false)
    } catch {
      throw .image(error)
    }
    return try detect(
      in: picture.image, orientation: orientation, regionOfInterest: regionOfInterest,
      confidenceThreshold: confidenceThreshold, overlapThreshold: overlapThreshold)
  }
}

#if canImport(DiceSystem)
  extension ObjectDetector {
    /// A detector with the weights of a file at a path.
    ///
    /// - Throws: ``ObjectDetectorError``: `file`, and as ``init(weights:configuration:)``.
    public init(
      weightsAt path: String, configuration: Configuration = Configuration()
    ) throws(ObjectDetectorError) {
      let bytes: [UInt8]
      do {
        bytes = try FileSystem.readFile(
          at: path, byteLimit: WeightFormat.maximumFileByteCount)
      } catch {
        throw .file(error)
      }
      try self.init(weights: bytes, configuration: configuration)
    }

    /// The objects in an image file at a path, the surest first, as
    /// ``detect(inImageFile:limits:orientation:regionOfInterest:confidenceThreshold:overlapThreshold:)``.
    public func detect(
      inImageFileAt path: String, limits: DecodingLimits = DecodingLimits(),
      orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
      confidenceThreshold: Float? = nil, overlapThreshold: Float? = nil
    ) throws(ObjectDetectorError) -> ObjectDetectionResult {
      let bytes: [UInt8]
      do {
        bytes = try FileSystem.readFile(
          at: path, byteLimit: Self.imageFileByteCountLimit,
          where: { ImageDecoder.decodes(beginning: $0) })
      } catch {
        throw .file(error)
      }
      return try detect(
        inImageFile: bytes, limits: limits, orientation: orientation,
        regionOfInterest: regionOfInterest, confidenceThreshold: confidenceThreshold,
        overlapThreshold: overlapThreshold)
    }
  }
#endif
