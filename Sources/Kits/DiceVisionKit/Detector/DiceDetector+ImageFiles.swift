package import DiceCodecs
internal import DiceWeights
internal import DiceFiles

extension DiceDetector {
  /// The longer side, in pixels, that suffices for pictures in JPEG files; nil where they are
  /// decoded as stored.
  ///
  /// What ``Configuration/fileResolution`` means for this detector.
  ///
  /// - Parameter regionOfInterest: The part to look at; nil for all of the picture.
  public func decodedSide(regionOfInterest: NormalizedRect? = nil) -> Int? {
    core.decodedSide(regionOfInterest: regionOfInterest)
  }
}

extension DiceDetector {
  /// The most bytes of an image file that is read from a path: 256 MiB.
  public static let imageFileByteCountLimit = 1 << 28

  /// The dice in an image file, from left to right.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, from a source that need not be trusted: `[UInt8]`, `Data` and so on.
  ///   - limits: Bounds on the size of the picture.
  ///   - orientation: How the stored rows must be turned to stand upright; nil takes what the file
  ///     says.
  ///   - regionOfInterest: The part to look at, as shares of the *upright* picture with the origin
  ///     at the lower left; nil for all of it.
  ///   - thresholds: Asked once for each of its two values during every call.
  /// - Throws: ``DetectorError``: `image` for a file that is damaged or of an unknown kind, and as
  ///   ``detect(in:orientation:regionOfInterest:thresholds:)-(PixelImage,_,_,_)``.
  public func detect(
    inImageFile bytes: some Collection<UInt8>, limits: DecodingLimits = DecodingLimits(),
    orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
    thresholds: some ThresholdProvider = Thresholds()
  ) throws(DetectorError) -> DetectionResult {
    try detect(
      inImageFile: Array(bytes), limits: limits,
      request: DetectionRequest(orientation: orientation, regionOfInterest: regionOfInterest),
      thresholds: thresholds)
  }

  func detect(
    inImageFile bytes: [UInt8], limits: DecodingLimits, request: DetectionRequest,
    thresholds: some ThresholdProvider
  ) throws(DetectorError) -> DetectionResult {
    var stopwatch = Stopwatch()
    var picture: ReducedImage
    do {
      // No picture has more pixels along a side than this asks for.
      let side = core.firstDecodedSide(regionOfInterest: request.regionOfInterest) ?? .max
      picture = try ImageDecoder.decode(
        bytes, longerSide: side, limits: limits, keepsAlpha: false, pool: core.pool)
    } catch {
      #if canImport(ImageIO)
        if let frame = try Self.frame(refusedAs: error, bytes, limits: limits) {
          var request = request
          request.imageDecoding = stopwatch.lap()
          return try frame.withFrame { (frame) throws(DetectorError) -> DetectionResult in
            try core.detect(in: frame, request: request, thresholds: thresholds)
          }
        }
      #endif
      throw .image(error)
    }
    var request = request
    request.imageDecoding = stopwatch.lap()
    let result = try detect(in: picture, request: request, thresholds: thresholds)
    guard result.needsFullPicture else { return result }
    stopwatch = Stopwatch()
    do {
      picture = try ImageDecoder.decode(
        bytes, longerSide: .max, limits: limits, keepsAlpha: false, pool: core.pool)
    } catch { throw .image(error) }
    request.imageDecoding += stopwatch.lap()
    return try detect(in: picture, request: request, thresholds: thresholds)
  }

  /// The dice of a picture that may be smaller than in its file, in pixels of the one in its file.
  ///
  /// - Returns: a result that says so where the picture has to be decoded in full.
  func detect(
    in picture: ReducedImage, request: DetectionRequest, thresholds: some ThresholdProvider
  ) throws(DetectorError) -> DetectionResult {
    var request = request
    if core.decodedSide(regionOfInterest: request.regionOfInterest) == nil {
      request.reduction =
        Double(picture.fullWidth + picture.fullHeight)
        / Double(picture.image.width + picture.image.height)
    }
    let result = try picture.image.withFrame { (frame) throws(DetectorError) -> DetectionResult in
      try core.detect(in: frame, request: request, thresholds: thresholds)
    }
    return picture.isReduced ? result.enlarged(picture, orientation: request.orientation) : result
  }

  /// The longer side, in pixels, that suffices at first for pictures in JPEG files; nil where they are
  /// decoded as stored.
  ///
  /// ``detect(inReduced:orientation:regionOfInterest:thresholds:)`` says where it does not suffice.
  package func firstDecodedSide(regionOfInterest: NormalizedRect? = nil) -> Int? {
    core.firstDecodedSide(regionOfInterest: regionOfInterest)
  }

  /// The dice of a picture that may be smaller than in its file, in pixels of the one in its file; nil
  /// where it has to be decoded in full.
  ///
  /// Parameters and errors are those of
  /// ``detect(in:orientation:regionOfInterest:thresholds:)-(PixelImage,_,_,_)``.
  package func detect(
    inReduced picture: ReducedImage, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil, thresholds: some ThresholdProvider = Thresholds()
  ) throws(DetectorError) -> DetectionResult? {
    let result = try detect(
      in: picture,
      request: DetectionRequest(orientation: orientation, regionOfInterest: regionOfInterest),
      thresholds: thresholds)
    return result.needsFullPicture ? nil : result
  }
}

extension DetectorCore {
  /// The longer side that suffices for pictures in files; nil where they are decoded as stored.
  func decodedSide(regionOfInterest: NormalizedRect?) -> Int? {
    switch configuration.fileResolution {
    case .full: return nil
    case .longerSide(let side): return side
    case .automatic:
      // With other rules it is the shorter side that has to fill the input.
      guard configuration.tiling == .none, secondStage == nil, cropAndScale == .scaleFit,
        configuration.faces == nil
      else { return nil }
      return side(of: 2, regionOfInterest: regionOfInterest)
    }
  }

  /// The longer side that suffices for pictures in files at first; nil where they are decoded as stored.
  func firstDecodedSide(regionOfInterest: NormalizedRect?) -> Int? {
    guard configuration.fileResolution == .automatic, cropAndScale == .scaleFit,
      configuration.faces == nil
    else { return decodedSide(regionOfInterest: regionOfInterest) }
    return decodedSide(regionOfInterest: regionOfInterest)
      ?? side(of: 3, regionOfInterest: regionOfInterest)
  }

  /// The longer side of a picture that has so many pixels along a side for each one of the network's
  /// input.
  private func side(of share: Int, regionOfInterest: NormalizedRect?) -> Int? {
    let visible = regionOfInterest.map { min($0.width, $0.height) } ?? 1
    let side = Double(share * max(inputWidth, inputHeight)) / visible
    // A region may be as thin as it likes; the picture is then decoded in full, as it is for one
    // that is refused later: NaN is in no range.
    return (1..<1e9).contains(side) ? Int(side.rounded(.up)) : nil
  }
}

extension DetectionResult {
  /// A result for a picture as it was decoded, as one for the picture in its file.
  fileprivate func enlarged(
    _ picture: ReducedImage, orientation: ImageOrientation?
  ) -> DetectionResult {
    var result = self
    (result.uprightWidth, result.uprightHeight) = picture.uprightSize(orientation)
    for index in result.observations.indices {
      let observation = result.observations[index]
      result.observations[index] = observation.moved(
        to: picture.fullBox(observation.boundingBox, orientation: orientation),
        uprightWidth: result.uprightWidth, uprightHeight: result.uprightHeight)
    }
    return result
  }
}

#if canImport(DiceSystem)
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
    /// ``detect(inImageFile:limits:orientation:regionOfInterest:thresholds:)``, and `file` where
    /// the file cannot be read or has more than ``imageFileByteCountLimit`` bytes.
    public func detect(
      inImageFileAt path: String, limits: DecodingLimits = DecodingLimits(),
      orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
      thresholds: some ThresholdProvider = Thresholds()
    ) throws(DetectorError) -> DetectionResult {
      try detect(
        inImageFile: Self.readImageFile(at: path), limits: limits, orientation: orientation,
        regionOfInterest: regionOfInterest, thresholds: thresholds)
    }

    static func readImageFile(at path: String) throws(DetectorError) -> [UInt8] {
      do {
        return try FileSystem.readFile(
          at: path, byteLimit: imageFileByteCountLimit,
          where: { ImageDecoder.decodes(beginning: $0) })
      } catch { throw .file(error) }
    }
  }
#endif
