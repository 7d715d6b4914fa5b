public import DiceGeometry

/// Something that an object detector found in a picture.
public struct DetectedObject: Hashable, Sendable {
  /// The name of its class.
  public var label: String
  /// The index of its class among ``ObjectDetector/labels``.
  public var classIndex: Int
  /// How sure the model is, in 0...1 for all usual models.
  public var confidence: Float
  /// Where, in pixels of the upright picture with the origin at the upper left, clipped to the picture.
  public var boundingBox: BoundingBox

  /// Groups the parts.
  public init(label: String, classIndex: Int, confidence: Float, boundingBox: BoundingBox) {
    self.label = label
    self.classIndex = classIndex
    self.confidence = confidence
    self.boundingBox = boundingBox
  }
}

extension DetectedObject: CustomStringConvertible {
  /// What was found, in one line: `horse (confidence 0.93) at (x 338.8, y 33.6, width 65.5, height 47.0)`.
  public var description: String {
    "\(label) (confidence \((Double(confidence) * 1000).rounded() / 1000)) at \(boundingBox)"
  }
}

/// What a detector found in a picture, the surest first.
public struct ObjectDetectionResult: Hashable, Sendable {
  /// The objects; of equal confidences, the first that the model lists.
  public var objects: [DetectedObject]
  /// Columns of the upright picture.
  public var uprightWidth: Int
  /// Rows of the upright picture.
  public var uprightHeight: Int

  /// Groups the parts.
  public init(objects: [DetectedObject], uprightWidth: Int, uprightHeight: Int) {
    self.objects = objects
    self.uprightWidth = uprightWidth
    self.uprightHeight = uprightHeight
  }

  /// The box of an object as shares of the picture's sides, with the origin at the lower left, as Vision
  /// has it.
  public func normalizedBoundingBox(of object: DetectedObject) -> NormalizedRect {
    NormalizedRect(imageBox: object.boundingBox, width: uprightWidth, height: uprightHeight)
  }
}
