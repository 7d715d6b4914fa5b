public import DiceGeometry
public import DiceImaging

extension ObjectDetector {
  /// The objects in a picture, the surest first.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - orientation: How the stored rows must be turned to stand upright; nil takes the picture's own.
  ///   - regionOfInterest: The part to look at, as shares of the *upright* picture with the origin at
  ///     the lower left; nil for all of it. Boxes are those of the whole picture all the same.
  ///   - confidenceThreshold: The least confidence of a result, 0...1; nil for the weight file's.
  ///   - overlapThreshold: Of two boxes that compete and overlap by more, the surer one stays, 0...1; nil
  ///     for the weight file's.
  /// - Throws: ``ObjectDetectorError``: `invalidThreshold`, or `geometry` for a region of interest that is
  ///   empty or reaches outside the picture.
  public func detect(
    in image: PixelImage, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil, confidenceThreshold: Float? = nil,
    overlapThreshold: Float? = nil
  ) throws(ObjectDetectorError) -> ObjectDetectionResult {
    try image.withFrame { (frame) throws(ObjectDetectorError) -> ObjectDetectionResult in
      try detect(
        in: frame, orientation: orientation, regionOfInterest: regionOfInterest,
        confidenceThreshold: confidenceThreshold, overlapThreshold: overlapThreshold)
    }
  }

  /// The objects in a frame whose samples lie in arrays, as ``detect(in:orientation:regionOfInterest:confidenceThreshold:overlapThreshold:)-(PixelImage,_,_,_,_)``.
  public func detect(
    in storedFrame: StoredFrame, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil, confidenceThreshold: Float? = nil,
    overlapThreshold: Float? = nil
  ) throws(ObjectDetectorError) -> ObjectDetectionResult {
    try storedFrame.withFrame { (frame) throws(ObjectDetectorError) -> ObjectDetectionResult in
      try detect(
        in: frame, orientation: orientation, regionOfInterest: regionOfInterest,
        confidenceThreshold: confidenceThreshold, overlapThreshold: overlapThreshold)
    }
  }

  /// The objects in a frame that lies in memory of someone else; nothing is copied.
  public func detect(
    in frame: borrowing RawFrame, orientation: ImageOrientation? = nil,
    regionOfInterest: NormalizedRect? = nil, confidenceThreshold: Float? = nil,
    overlapThreshold: Float? = nil
  ) throws(ObjectDetectorError) -> ObjectDetectionResult {
    var rule = core.rule
    if let confidenceThreshold { rule.confidenceThreshold = confidenceThreshold }
    if let overlapThreshold { rule.overlapThreshold = overlapThreshold }
    for (name, value) in [
      ("confidenceThreshold", rule.confidenceThreshold), ("iouThreshold", rule.overlapThreshold),
    ] where !(0...1).contains(value) {
      throw .invalidThreshold(name: name, value: value)
    }
    let transform: ImageTransform
    do {
      transform = try ImageTransform(
        storedWidth: frame.width, storedHeight: frame.height,
        orientation: orientation ?? frame.orientation, regionOfInterest: regionOfInterest,
        cropAndScale: core.cropAndScale, inputWidth: core.inputSize.width,
        inputHeight: core.inputSize.height)
    } catch {
      throw .geometry(error)
    }
    let workspace = try core.takeWorkspace()
    defer { core.giveBack(workspace) }
    let candidates = workspace.run(frame, through: transform, core.heads, rule)
    let picture = BoundingBox(
      x: 0, y: 0, width: Double(transform.uprightWidth), height: Double(transform.uprightHeight))
    var objects: [DetectedObject] = []
    objects.reserveCapacity(candidates.count)
    for candidate in candidates {
      // Suppressed first, as the models' makers do, and clipped afterwards.
      let box = transform.inputToUpright.map(candidate.boundingBox).clipped(to: picture)
      guard box.isProper, !box.isEmpty else { continue }
      objects.append(
        DetectedObject(
          label: labels[candidate.classIndex], classIndex: candidate.classIndex,
          confidence: candidate.confidence, boundingBox: box))
    }
    return ObjectDetectionResult(
      objects: objects, uprightWidth: transform.uprightWidth,
      uprightHeight: transform.uprightHeight)
  }
}
