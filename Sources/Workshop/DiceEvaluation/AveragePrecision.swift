internal import DiceGeometry

/// Average precision over recall, class by class, as the COCO evaluation measures it.
///
/// For each class, overlap threshold t and picture, detections are taken in descending order of
/// confidence (equal ones in their order), at most `detectionLimit` of them. Each is matched to the
/// free ground truth of the same class and picture with the greatest intersection over union of at
/// least min(t, 1 − 10⁻¹⁰), the last one where several are equal. Over all pictures, again in
/// descending order of confidence (equal ones in the order of the pictures), after n detections with
/// m matches and g objects in all,
///
///     recall = m / g        precision = m / (n + 2⁻⁵²)
///
/// Precision is raised to the greatest that follows at any higher recall, and read at the 101
/// recalls 0, 0.01, … 1 (0 where that recall is never reached). Average precision is the mean of
/// these. A class without ground truth has none and does not enter means over classes.
///
/// A NaN confidence comes after all others. A box that is not finite or has a negative size overlaps
/// nothing.
///
/// The results are those of pycocotools' `COCOeval` for boxes with area range "all" and no crowds.
/// Source: T.-Y. Lin et al., Microsoft COCO: Common Objects in Context, 2014.
public struct AveragePrecision: Hashable, Sendable {
  /// The overlaps that count as a match: 0.5, 0.55, … 0.95.
  public static let overlapThresholds: [Double] = spaced(from: 0.5, to: 0.95, count: 10)
  /// The recalls at which precision is read: 0, 0.01, … 1.
  public static let recallLevels: [Double] = spaced(from: 0, to: 1, count: 101)

  /// One class's result.
  public struct OfClass: Hashable, Sendable {
    /// How many objects of the class there were to find; at least 1.
    public var groundTruthCount: Int
    /// Precision at each recall level, for each overlap threshold.
    public var precisions: [[Double]]
    /// The recall of all detections, for each overlap threshold.
    public var recalls: [Double]

    /// Average precision for each overlap threshold.
    public var atThresholds: [Double] { precisions.map { mean($0) } }
    /// Average precision at overlap 0.5.
    public var at50: Double { mean(precisions[0]) }
    /// Average precision at overlap 0.75.
    public var at75: Double { mean(precisions[5]) }
    /// The mean of average precision over the overlaps 0.5 to 0.95.
    public var at50To95: Double { mean(atThresholds) }
    /// The mean of recall over the overlaps 0.5 to 0.95.
    public var averageRecall: Double { mean(recalls) }
  }

  /// The result of each class; nil for one without ground truth.
  public var classes: [OfClass?]

  /// The mean over classes of average precision at overlap 0.5; nil without any ground truth.
  public var at50: Double? { meanOverClasses { $0.at50 } }
  /// The mean over classes of average precision at overlap 0.75; nil without any ground truth.
  public var at75: Double? { meanOverClasses { $0.at75 } }
  /// The mean over classes and overlaps 0.5 to 0.95; nil without any ground truth.
  public var at50To95: Double? { meanOverClasses { $0.at50To95 } }
  /// The mean over classes and overlaps 0.5 to 0.95 of recall; nil without any ground truth.
  public var averageRecall: Double? { meanOverClasses { $0.averageRecall } }

  /// Measures the detections of all images.
  ///
  /// - Parameters:
  ///   - images: the pictures; their order decides between equal confidences.
  ///   - classCount: how many classes there are.
  ///   - detectionLimit: how many detections of a class count in a picture, the surest ones.
  /// - Precondition: every class index is in `0..<classCount`, and the limit is not negative.
  /// - Complexity: O(n log n + m) for n detections and m pairs of a detection and a ground truth
  ///   of one class and picture.
  public init(measuring images: [EvaluatedImage], classCount: Int, detectionLimit: Int = 100) {
    precondition(detectionLimit >= 0, "a limit of detections is not negative")
    var tallies = [ClassTally](repeating: ClassTally(), count: classCount)
    for image in images {
      for object in image.groundTruth {
        precondition(
          tallies.indices.contains(object.classIndex), "a class index is below the class count")
        tallies[object.classIndex].pendingGroundTruth.append(object.boundingBox)
      }
      for object in image.detections {
        precondition(
          tallies.indices.contains(object.classIndex), "a class index is below the class count")
        tallies[object.classIndex].pendingDetections.append(object)
      }
      for index in tallies.indices { tallies[index].endImage(detectionLimit) }
    }
    classes = tallies.map { $0.result() }
  }

  private func meanOverClasses(_ value: (OfClass) -> Double) -> Double? {
    var values: [Double] = []
    for result in classes { if let result { values.append(value(result)) } }
    return values.isEmpty ? nil : mean(values)
  }

  /// `count` numbers from first to last, each `first + index · step`, as NumPy's `linspace` has them.
  private static func spaced(from first: Double, to last: Double, count: Int) -> [Double] {
    let step = (last - first) / Double(count - 1)
    var result = (0..<count).map { Double($0) * step + first }
    result[count - 1] = last
    return result
  }
}

/// The mean; 0 for no values.
private func mean(_ values: [Double]) -> Double {
  values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
}

/// One class while pictures come in.
private struct ClassTally {
  var pendingGroundTruth: [BoundingBox] = []
  var pendingDetections: [DetectedObject] = []
  private var groundTruthCount = 0
  private var confidences: [Double] = []
  /// For each overlap threshold, whether the detection is matched.
  private var isMatched = [[Bool]](
    repeating: [], count: AveragePrecision.overlapThresholds.count)

  /// Matches one picture's detections and clears what was pending.
  mutating func endImage(_ detectionLimit: Int) {
    if pendingGroundTruth.isEmpty, pendingDetections.isEmpty { return }
    let truth = pendingGroundTruth
    let detections = Array(
      confidenceOrder(pendingDetections.map { $0.confidence }).prefix(detectionLimit)
        .map { pendingDetections[$0] })
    groundTruthCount += truth.count
    confidences.append(contentsOf: detections.map { $0.confidence })
    let overlaps = detections.map { detection in
      truth.map { overlap(detection.boundingBox, $0) }
    }
    for (index, threshold) in AveragePrecision.overlapThresholds.enumerated() {
      var isTaken = [Bool](repeating: false, count: truth.count)
      for row in overlaps {
        var best = min(threshold, 1 - 1e-10)
        var match: Int?
        for (candidate, overlap) in row.enumerated()
        where !isTaken[candidate] && overlap >= best {
          best = overlap
          match = candidate
        }
        if let match { isTaken[match] = true }
        isMatched[index].append(match != nil)
      }
    }
    pendingGroundTruth.removeAll(keepingCapacity: true)
    pendingDetections.removeAll(keepingCapacity: true)
  }

  func result() -> AveragePrecision.OfClass? {
    if groundTruthCount == 0 { return nil }
    let order = confidenceOrder(confidences)
    var result = AveragePrecision.OfClass(
      groundTruthCount: groundTruthCount, precisions: [], recalls: [])
    for matches in isMatched {
      var matchCount = 0.0
      var recalls: [Double] = []
      var precisions: [Double] = []
      recalls.reserveCapacity(order.count)
      precisions.reserveCapacity(order.count)
      for (index, detection) in order.enumerated() {
        if matches[detection] { matchCount += 1 }
        recalls.append(matchCount / Double(groundTruthCount))
        precisions.append(matchCount / (Double(index + 1) + Double.ulpOfOne))
      }
      var index = precisions.count - 1
      while index > 0 {
        precisions[index - 1] = max(precisions[index - 1], precisions[index])
        index -= 1
      }
      var atLevels: [Double] = []
      var reached = 0
      for level in AveragePrecision.recallLevels {
        while reached < recalls.count, recalls[reached] < level { reached += 1 }
        atLevels.append(reached < recalls.count ? precisions[reached] : 0)
      }
      result.precisions.append(atLevels)
      result.recalls.append(recalls.last ?? 0)
    }
    return result
  }

  /// Intersection over union, in the order of operations of the COCO tools, because a rounding error
  /// at a threshold decides a match.
  private func overlap(_ one: BoundingBox, _ other: BoundingBox) -> Double {
    guard one.isProper, other.isProper else { return 0 }
    let width =
      min(one.width + one.x, other.width + other.x) - max(one.x, other.x)
    let height =
      min(one.height + one.y, other.height + other.y) - max(one.y, other.y)
    guard width > 0, height > 0 else { return 0 }
    let shared = width * height
    let result = shared / (one.width * one.height + other.width * other.height - shared)
    // Sizes near the largest number overflow to a quotient that says nothing.
    return result.isNaN ? 0 : result
  }
}

/// Indices in descending order of confidence; equal ones ascending, NaN last.
func confidenceOrder(_ confidences: [Double]) -> [Int] {
  confidences.indices.sorted { one, other in
    let (first, second) = (confidences[one], confidences[other])
    if first > second { return true }
    if first < second { return false }
    if first.isNaN != second.isNaN { return second.isNaN }
    return one < other
  }
}
