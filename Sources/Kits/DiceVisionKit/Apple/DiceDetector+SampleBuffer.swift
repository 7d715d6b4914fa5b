#if canImport(CoreMedia)
  public import CoreMedia

  extension DiceDetector {
    /// The dice in a sample buffer of a camera, from left to right.
    ///
    /// As ``detect(in:orientation:regionOfInterest:thresholds:)-(CVPixelBuffer,_,_,_)`` with its
    /// picture; the error is `frame` where it holds none.
    public func detect(
      in sampleBuffer: CMSampleBuffer, orientation: ImageOrientation = .up,
      regionOfInterest: NormalizedRect? = nil, thresholds: some ThresholdProvider = Thresholds()
    ) throws(DetectorError) -> DetectionResult {
      try detect(
        in: sampleBuffer.pixelBuffer(), orientation: orientation,
        regionOfInterest: regionOfInterest, thresholds: thresholds)
    }
  }

  extension RollFollower {
    /// Takes in a sample buffer of a camera and says what happened.
    ///
    /// As ``follow(_:with:orientation:regionOfInterest:thresholds:at:)-(CVPixelBuffer,_,_,_,_,_)``,
    /// with the time at which the buffer is to be shown.
    public mutating func follow(
      _ sampleBuffer: CMSampleBuffer, with detector: DiceDetector,
      orientation: ImageOrientation = .up, regionOfInterest: NormalizedRect? = nil,
      thresholds: some ThresholdProvider = Thresholds()
    ) throws(DetectorError) -> [RollTracker.Event] {
      try follow(
        sampleBuffer.pixelBuffer(), with: detector, orientation: orientation,
        regionOfInterest: regionOfInterest, thresholds: thresholds,
        at: sampleBuffer.timestamp())
    }
  }

  extension CMSampleBuffer {
    fileprivate func pixelBuffer() throws(DetectorError) -> CVPixelBuffer {
      guard let buffer = CMSampleBufferGetImageBuffer(self) else { throw .frame(.noSamples) }
      return buffer
    }

    fileprivate func timestamp() throws(DetectorError) -> Duration {
      let time = CMSampleBufferGetPresentationTimeStamp(self)
      guard time.isNumeric, time.timescale > 0 else { throw .frame(.noTimestamp) }
      let (seconds, rest) = time.value.quotientAndRemainder(dividingBy: Int64(time.timescale))
      return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Int64(time.timescale))
    }
  }
#endif
