#if !hasFeature(Embedded)
  extension DiceDetector {
    /// Finds the dice in a picture and says how the result came about.
    ///
    /// The same call as ``detect(in:orientation:regionOfInterest:thresholds:)-(PixelImage,_,_,_)``,
    /// which writes down what each stage had before it; takes time and memory for that.
    package func explain(
      _ image: PixelImage, orientation: ImageOrientation? = nil,
      regionOfInterest: NormalizedRect? = nil,
      thresholds: some ThresholdProvider = Thresholds()
    ) throws(DetectorError) -> DetectionExplanation {
      let trace = DetectionTrace()
      let result = try image.withFrame { (frame) throws(DetectorError) -> DetectionResult in
        try core.detect(
          in: frame,
          request: DetectionRequest(orientation: orientation, regionOfInterest: regionOfInterest),
          thresholds: thresholds, trace: trace)
      }
      return trace.finished(result)
    }
  }
#endif
