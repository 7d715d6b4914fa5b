extension DiceDetector {
  /// The dice in a picture, from left to right.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - orientation: How the stored rows must be turned to stand upright; nil takes the picture's
  ///     own.
  ///   - regionOfInterest: The part to look at, as shares of the *upright* picture with the origin at
  ///     the lower left; nil for all of it. Boxes are those of the whole picture all the same.
  ///   - thresholds: Asked once for each of its two values during every call; those of the weight
  ///     file unless told.
  /// - Returns: The dice and how long each stage took.
  /// - Throws: ``DetectorError``: `invalidThreshold`, or `geometry` for a region of interest that is
  ///   empty or reaches outside the picture.
  public func detect(
    in image: PixelImage, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil,
    thresholds: some ThresholdProvider = Thresholds()
  ) throws(DetectorError) -> DetectionResult {
    try image.withFrame { (frame) throws(DetectorError) -> DetectionResult in
      try detect(
        in: frame, orientation: orientation, regionOfInterest: regionOfInterest,
        thresholds: thresholds)
    }
  }

  /// The dice in a frame whose samples lie in arrays, from left to right.
  ///
  /// Nothing is copied. Parameters, result and errors are those of
  /// ``detect(in:orientation:regionOfInterest:thresholds:)-(PixelImage,_,_,_)``.
  public func detect(
    in storedFrame: StoredFrame, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil,
    thresholds: some ThresholdProvider = Thresholds()
  ) throws(DetectorError) -> DetectionResult {
    try storedFrame.withFrame { (frame) throws(DetectorError) -> DetectionResult in
      try detect(
        in: frame, orientation: orientation, regionOfInterest: regionOfInterest,
        thresholds: thresholds)
    }
  }

  /// The dice in a frame that lies in memory of someone else, such as a camera's, from left to right.
  ///
  /// Nothing is copied, and the frame is not used after the call. Parameters, result and errors are
  /// those of ``detect(in:orientation:regionOfInterest:thresholds:)-(PixelImage,_,_,_)``; an
  /// orientation of nil takes the frame's own, which is `.up` unless told.
  public func detect(
    in frame: borrowing RawFrame, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil,
    thresholds: some ThresholdProvider = Thresholds()
  ) throws(DetectorError) -> DetectionResult {
    try core.detect(
      in: frame,
      request: DetectionRequest(orientation: orientation, regionOfInterest: regionOfInterest),
      thresholds: thresholds)
  }
}
