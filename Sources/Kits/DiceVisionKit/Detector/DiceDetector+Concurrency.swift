#if !hasFeature(Embedded)
  extension DiceDetector {
    /// The dice in a picture, from left to right, found away from the caller's actor.
    ///
    /// Parameters and result are those of
    /// ``detect(in:orientation:regionOfInterest:thresholds:)-(PixelImage,_,_,_)``. The task's
    /// cancellation is looked at before and after each stage.
    ///
    /// - Throws: ``DetectorError``: `cancelled`, and as the version that waits.
    @concurrent
    public func detectConcurrently(
      in image: PixelImage, orientation: ImageOrientation? = nil,
      regionOfInterest: NormalizedRect? = nil,
      thresholds: some ThresholdProvider & Sendable = Thresholds()
    ) async throws(DetectorError) -> DetectionResult {
      let request = DetectionRequest(
        orientation: orientation, regionOfInterest: regionOfInterest, endsWithTask: true)
      return try image.withFrame { (frame) throws(DetectorError) -> DetectionResult in
        try core.detect(in: frame, request: request, thresholds: thresholds)
      }
    }

    /// The dice in a frame whose samples lie in arrays, found away from the caller's actor.
    ///
    /// As ``detectConcurrently(in:orientation:regionOfInterest:thresholds:)-(PixelImage,_,_,_)``.
    @concurrent
    public func detectConcurrently(
      in storedFrame: StoredFrame, orientation: ImageOrientation? = nil,
      regionOfInterest: NormalizedRect? = nil,
      thresholds: some ThresholdProvider & Sendable = Thresholds()
    ) async throws(DetectorError) -> DetectionResult {
      let request = DetectionRequest(
        orientation: orientation, regionOfInterest: regionOfInterest, endsWithTask: true)
      return try storedFrame.withFrame { (frame) throws(DetectorError) -> DetectionResult in
        try core.detect(in: frame, request: request, thresholds: thresholds)
      }
    }

    /// The dice in an image file, found away from the caller's actor.
    ///
    /// As ``detectConcurrently(in:orientation:regionOfInterest:thresholds:)-(PixelImage,_,_,_)``;
    /// cancellation is also looked at before and after the file is decoded.
    @concurrent
    public func detectConcurrently(
      inImageFile bytes: some Collection<UInt8> & Sendable,
      limits: DecodingLimits = DecodingLimits(),
      orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
      thresholds: some ThresholdProvider & Sendable = Thresholds()
    ) async throws(DetectorError) -> DetectionResult {
      let request = DetectionRequest(
        orientation: orientation, regionOfInterest: regionOfInterest, endsWithTask: true)
      try request.checkCancellation()
      return try detect(
        inImageFile: Array(bytes), limits: limits, request: request, thresholds: thresholds)
    }
  }

  #if canImport(DiceSystem)
    extension DiceDetector {
      /// The dice in an image file at a path, found away from the caller's actor.
      ///
      /// As ``detectConcurrently(inImageFile:limits:orientation:regionOfInterest:thresholds:)``, and
      /// `file` where the file cannot be read.
      @concurrent
      public func detectConcurrently(
        inImageFileAt path: String, limits: DecodingLimits = DecodingLimits(),
        orientation: ImageOrientation? = nil, regionOfInterest: NormalizedRect? = nil,
        thresholds: some ThresholdProvider & Sendable = Thresholds()
      ) async throws(DetectorError) -> DetectionResult {
        let request = DetectionRequest(
          orientation: orientation, regionOfInterest: regionOfInterest, endsWithTask: true)
        try request.checkCancellation()
        return try detect(
          inImageFile: Self.readImageFile(at: path), limits: limits, request: request,
          thresholds: thresholds)
      }
    }
  #endif
#endif
