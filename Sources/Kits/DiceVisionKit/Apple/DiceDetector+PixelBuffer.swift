#if canImport(CoreVideo)
  public import CoreVideo

  extension DiceDetector {
    /// The dice in a buffer of Core Video, from left to right.
    ///
    ///     let result = try detector.detect(in: frame.capturedImage, orientation: .right)  // ARKit
    ///
    /// The buffer is read where it lies. Result and errors are those of
    /// ``detect(in:orientation:regionOfInterest:thresholds:)-(PixelImage,_,_,_)``, and `frame` for a
    /// buffer that cannot be read.
    ///
    /// - Parameters:
    ///   - pixelBuffer: In one of the formats of ``RawFrame/withPixelBuffer(_:orientation:_:)``.
    ///   - orientation: How its rows must be turned to stand upright: `.right` for the back camera
    ///     of a phone that is held upright.
    ///   - regionOfInterest: The part of the upright picture to look at; nil for all of it.
    ///   - thresholds: Asked once for each of its two values.
    public func detect(
      in pixelBuffer: CVPixelBuffer, orientation: ImageOrientation = .up,
      regionOfInterest: NormalizedRect? = nil, thresholds: some ThresholdProvider = Thresholds()
    ) throws(DetectorError) -> DetectionResult {
      try RawFrame.withPixelBuffer(pixelBuffer, orientation: orientation, DetectorError.frame) {
        (frame) throws(DetectorError) -> DetectionResult in
        try detect(in: frame, regionOfInterest: regionOfInterest, thresholds: thresholds)
      }
    }
  }

  extension RollFollower {
    /// Takes in a buffer of Core Video and says what happened.
    ///
    ///     let events = try follower.follow(
    ///       frame.capturedImage, with: detector, orientation: .right,
    ///       at: .seconds(frame.timestamp))  // ARKit
    ///
    /// The buffer is read where it lies. As
    /// ``follow(_:with:orientation:regionOfInterest:thresholds:at:)-(RawFrame,_,_,_,_,_)``, and the
    /// error `frame` for a buffer that cannot be read.
    public mutating func follow(
      _ pixelBuffer: CVPixelBuffer, with detector: DiceDetector,
      orientation: ImageOrientation = .up, regionOfInterest: NormalizedRect? = nil,
      thresholds: some ThresholdProvider = Thresholds(), at time: Duration
    ) throws(DetectorError) -> [RollTracker.Event] {
      try RawFrame.withPixelBuffer(pixelBuffer, orientation: orientation, DetectorError.frame) {
        (frame) throws(DetectorError) -> [RollTracker.Event] in
        try follow(
          frame, with: detector, regionOfInterest: regionOfInterest, thresholds: thresholds,
          at: time)
      }
    }
  }
#endif
