public import DiceGeometry

/// What a detector found: where, what, and how sure it is.
public struct DetectedObject: Hashable, Sendable {
  /// Where, in pixels of the upright picture, origin at the top left.
  public var boundingBox: BoundingBox
  /// Which class, from 0.
  public var classIndex: Int
  /// How sure, usually 0…1; higher is surer.
  public var confidence: Double
  /// Of a die whose class tells its kind: how sure the number is if the kind is right, 0…1; nil where
  /// that is not known.
  public var numberConfidence: Double?

  /// A detection.
  public init(
    boundingBox: BoundingBox, classIndex: Int, confidence: Double, numberConfidence: Double? = nil
  ) {
    self.boundingBox = boundingBox
    self.classIndex = classIndex
    self.confidence = confidence
    self.numberConfidence = numberConfidence
  }

  /// How sure the kind is: the confidence without the doubt about the number; nil where that is not
  /// known.
  var kindConfidence: Double? {
    guard let numberConfidence, numberConfidence > 0 else { return nil }
    return min(confidence / numberConfidence, 1)
  }
}

/// What there was to find.
public struct GroundTruthObject: Hashable, Sendable {
  /// Where, in the detections' pixels.
  public var boundingBox: BoundingBox
  /// Which class, from 0.
  public var classIndex: Int

  /// An object that is really there.
  public init(boundingBox: BoundingBox, classIndex: Int) {
    self.boundingBox = boundingBox
    self.classIndex = classIndex
  }
}

/// A picture with what was found in it and what there was to find.
public struct EvaluatedImage: Hashable, Sendable {
  /// The picture's name.
  public var name: String
  /// Every detection after non-maximum suppression, down to a very low confidence: average precision
  /// needs the doubtful ones too.
  public var detections: [DetectedObject]
  /// What a user is shown, where that is more than a threshold on the detections' confidence; nil
  /// where it is just that.
  ///
  /// For example the outcome of a suppression across all classes.
  public var readings: [DetectedObject]?
  /// What there was to find.
  public var groundTruth: [GroundTruthObject]
  /// Columns of the upright picture; nil where they are not known.
  public var width: Int?
  /// Rows of the upright picture; nil where they are not known.
  public var height: Int?

  /// A picture with its detections and ground truth.
  public init(
    name: String, detections: [DetectedObject], readings: [DetectedObject]? = nil,
    groundTruth: [GroundTruthObject], width: Int? = nil, height: Int? = nil
  ) {
    self.name = name
    self.detections = detections
    self.readings = readings
    self.groundTruth = groundTruth
    self.width = width
    self.height = height
  }
}

/// A part of a whole, with what its smallness makes of it.
public struct Proportion: Hashable, Sendable {
  /// The part.
  public var count: Int
  /// The whole.
  public var total: Int

  /// `count` of `total`.
  public init(_ count: Int, of total: Int) {
    self.count = count
    self.total = total
  }

  /// `count / total`; nil for nothing of nothing.
  public var value: Double? {
    total > 0 ? Double(count) / Double(total) : nil
  }

  /// Where the true share lies with 95 % confidence, were the cases drawn independently.
  ///
  /// Wilson's score interval with z = 1.96; nil for nothing of nothing.
  ///
  /// Source: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
  public var interval: ClosedRange<Double>? {
    guard let share = value else { return nil }
    let z = 1.96
    let n = Double(total)
    let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    let half =
      z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    let lower = count == 0 ? 0 : max(0, middle - half)
    let upper = count == total ? 1 : min(1, middle + half)
    return lower...max(lower, upper)
  }
}
