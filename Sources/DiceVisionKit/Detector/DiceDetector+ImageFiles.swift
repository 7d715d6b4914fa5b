internal import DiceFiles

extension DiceDetector {
  /// The most bytes of an image file that is read from a path: 256 MiB.
  public static let imageFileByteCountLimit = 1 << 28

  /// The dice in an image file, from left to right.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, from a source that need not be trusted.
  ///   - limits: Bounds on the size of the picture.
  ///   - orientation: How the stored rows must be turned to stand upright; nil takes what the file
  ///     says.
  ///   - regionOfInterest: The part to look at, as shares of the *upright* picture with the origin at
  ///     the lower left; nil for all of it.
  ///   - thresholds: Asked once for each of its two values during every call.
  /// - Throws: ``DetectorError``: `image` for a file that is damaged or of an unknown kind, and as
  ///   ``detect(in:orientation:regionOfInterest:thresholds:)-(PixelImage,_,_,_)``.
  public func detect(
    inImageFile bytes: [UInt8], limits: DecodingLimits = DecodingLimits(),
    orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
    thresholds: some ThresholdProvider = WeightFileThresholds()
  ) throws(DetectorError) -> DetectionResult {
    try detect(
      inImageFile: bytes, limits: limits,
      request: DetectionRequest(orientation: orientation, regionOfInterest: regionOfInterest),
      thresholds: thresholds)
  }

  func detect(
    inImageFile bytes: [UInt8], limits: DecodingLimits, request: DetectionRequest,
    thresholds: some ThresholdProvider
  ) throws(DetectorError) -> DetectionResult {
    var stopwatch = Stopwatch()
    let image: PixelImage
    do {
      image = try ImageDecoder.decode(bytes, limits: limits)
    } catch { throw .image(error) }
    var request = request
    request.imageDecoding = stopwatch.lap()
    return try image.withFrame { (frame) throws(DetectorError) -> DetectionResult in
      try core.detect(in: frame, request: request, thresholds: thresholds)
    }
  }
}

#if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
  extension DiceDetector {
    /// A detector with the weights of a file.
    ///
    /// - Parameters:
    ///   - path: A weight file.
    ///   - configuration: How to work with it.
    /// - Throws: ``DetectorError``: `file`, and as ``init(weights:configuration:)``.
    public init(
      weightsAt path: String, configuration: Configuration = Configuration()
    ) throws(DetectorError) {
      let bytes: [UInt8]
      do {
        bytes = try FileSystem.readFile(
          at: path, byteLimit: WeightFormat.maximumFileByteCount)
      } catch { throw .file(error) }
      try self.init(weights: bytes, configuration: configuration)
    }

    /// The dice in an image file at a path, from left to right.
    ///
    /// Parameters, result and errors are those of
    /// ``detect(inImageFile:limits:orientation:regionOfInterest:thresholds:)``, and `file` where the
    /// file cannot be read or has more than ``imageFileByteCountLimit`` bytes.
    public func detect(
      inImageFileAt path: String, limits: DecodingLimits = DecodingLimits(),
      orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
      thresholds: some ThresholdProvider = WeightFileThresholds()
    ) throws(DetectorError) -> DetectionResult {
      try detect(
        inImageFile: Self.readImageFile(at: path), limits: limits, orientation: orientation,
        regionOfInterest: regionOfInterest, thresholds: thresholds)
    }

    static func readImageFile(at path: String) throws(DetectorError) -> [UInt8] {
      do {
        return try FileSystem.readFile(at: path, byteLimit: imageFileByteCountLimit)
      } catch { throw .file(error) }
    }
  }
#endif
