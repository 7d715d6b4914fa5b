extension DiceDetector {
  /// Everything the network proposes for a picture in its first pass, before suppression.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - orientation: How the stored rows must be turned to stand upright; nil takes the picture's
  ///     own.
  ///   - regionOfInterest: The part to look at, as shares of the *upright* picture with the origin
  ///     at the lower left; nil for all of it.
  ///   - confidenceThreshold: The least confidence; nil takes that of the detector's weight file
  ///     (``weightFile``), whether there is a second stage or not. 0 gives every cell of every
  ///     head.
  /// - Returns: The proposals by head, then by row, then by column.
  /// - Throws: ``DetectorError``: `invalidThreshold` or `geometry`.
  public func candidates(
    in image: PixelImage, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil, confidenceThreshold: Float? = nil
  ) throws(DetectorError) -> [DieCandidate] {
    try image.withFrame { (frame) throws(DetectorError) -> [DieCandidate] in
      try candidates(
        in: frame, orientation: orientation, regionOfInterest: regionOfInterest,
        confidenceThreshold: confidenceThreshold)
    }
  }

  /// Everything the network proposes for a frame, before suppression.
  ///
  /// As ``candidates(in:orientation:regionOfInterest:confidenceThreshold:)-(PixelImage,_,_,_)``.
  public func candidates(
    in frame: borrowing RawFrame, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil, confidenceThreshold: Float? = nil
  ) throws(DetectorError) -> [DieCandidate] {
    try core.candidates(
      in: frame,
      request: DetectionRequest(orientation: orientation, regionOfInterest: regionOfInterest),
      confidenceThreshold: confidenceThreshold)
  }

  /// The picture that the network sees in its first pass: turned, cropped, scaled and padded.
  ///
  /// - Returns: A picture of the input's size in `.rgb`. Its samples are rounded to whole numbers;
  ///   those of the network are not, and are then scaled as the weight file says.
  /// - Throws: ``DetectorError/geometry(_:)``.
  public func networkInput(
    of image: PixelImage, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil
  ) throws(DetectorError) -> PixelImage {
    try image.withFrame { (frame) throws(DetectorError) -> PixelImage in
      try networkInput(of: frame, orientation: orientation, regionOfInterest: regionOfInterest)
    }
  }

  /// The picture that the network sees of a frame.
  ///
  /// As ``networkInput(of:orientation:regionOfInterest:)-(PixelImage,_,_)``.
  public func networkInput(
    of frame: borrowing RawFrame, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil
  ) throws(DetectorError) -> PixelImage {
    try core.networkInput(
      of: frame,
      request: DetectionRequest(orientation: orientation, regionOfInterest: regionOfInterest))
  }

  /// The map between a stored picture, the upright picture and the network's input.
  ///
  /// - Throws: ``DetectorError/geometry(_:)``.
  public func imageTransform(
    storedWidth: Int, storedHeight: Int, orientation: ImageOrientation = .up,
    regionOfInterest: NormalizedRect? = nil
  ) throws(DetectorError) -> ImageTransform {
    try core.transform(
      storedWidth: storedWidth, storedHeight: storedHeight, orientation: orientation,
      regionOfInterest: regionOfInterest)
  }
}
