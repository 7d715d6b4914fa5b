/// How well dice are read: what a player sees, as against average precision.
///
/// A *reading* is a detection that is shown: with a confidence of at least the threshold (a NaN is
/// not). A reading is *right* when its centre lies in the labelled box of a die of the same value,
/// with one reading for a die and one die for a reading; pairs are made so that as many as possible
/// are right. A reading whose centre lies in the box of a die of another value, neither of them
/// paired before, *confuses* the two values. Other dice are *missed*, other readings are *false positives*. A
/// photo is read *exactly right* when every die is read right and there is no other reading; one
/// without dice, when there is no reading.
public struct ReadingAccuracy: Hashable, Sendable {
  /// Counts of value against reading.
  public struct ConfusionMatrix: Hashable, Sendable {
    /// How often a die of the first class was read as the second: `counts[value][reading]`.
    public var counts: [[Int]]
    /// How many dice of each class have no reading.
    public var missed: [Int]
    /// How many readings of each class belong to no die.
    public var falsePositives: [Int]
  }

  /// One photo's outcome.
  public struct Photo: Hashable, Sendable {
    /// The photo's name.
    public var name: String
    /// How many dice it shows.
    public var dieCount: Int
    /// How many of them were read right.
    public var rightCount: Int
    /// How many were read as another value.
    public var confusedCount: Int
    /// How many readings belong to no die.
    public var falsePositiveCount: Int

    /// How many dice have no reading.
    public var missedCount: Int { dieCount - rightCount - confusedCount }
    /// Whether every die was read right and nothing else was read.
    public var isExactlyRight: Bool {
      rightCount == dieCount && confusedCount == 0 && falsePositiveCount == 0
    }
  }

  /// The lowest confidence that is shown.
  public var confidenceThreshold: Double
  /// The photos in their order.
  public var photos: [Photo]
  /// Value against reading, over all photos.
  public var confusion: ConfusionMatrix
  /// How confidence and being right go together.
  public var calibration: CalibrationCurve

  /// Measures the readings of all images.
  ///
  /// Where an image says what its `readings` are, the threshold chooses among these, else among its
  /// detections.
  ///
  /// - Parameters:
  ///   - images: the photos.
  ///   - classCount: how many values there are.
  ///   - confidenceThreshold: the lowest confidence that is shown.
  ///   - calibrationBinCount: into how many equal parts the calibration curve divides 0…1.
  /// - Precondition: every class index is in `0..<classCount`; at least one bin.
  public init(
    measuring images: [EvaluatedImage], classCount: Int, confidenceThreshold: Double,
    calibrationBinCount: Int = 10
  ) {
    self.confidenceThreshold = confidenceThreshold
    photos = []
    confusion = ConfusionMatrix(
      counts: [[Int]](repeating: [Int](repeating: 0, count: classCount), count: classCount),
      missed: [Int](repeating: 0, count: classCount),
      falsePositives: [Int](repeating: 0, count: classCount))
    calibration = CalibrationCurve(binCount: calibrationBinCount)
    for image in images { add(image, classCount) }
  }

  private mutating func add(_ image: EvaluatedImage, _ classCount: Int) {
    let readings = image.shownReadings(confidenceThreshold: confidenceThreshold)
    for index in readings.map({ $0.classIndex }) + image.groundTruth.map({ $0.classIndex }) {
      precondition((0..<classCount).contains(index), "a class index is below the class count")
    }
    var photo = Photo(
      name: image.name, dieCount: image.groundTruth.count, rightCount: 0, confusedCount: 0,
      falsePositiveCount: 0)
    for outcome in image.outcomes(confidenceThreshold: confidenceThreshold) {
      if let reading = outcome.reading {
        calibration.add(confidence: reading.confidence, isRight: outcome.kind == .right)
      }
      switch outcome.kind {
      case .right: photo.rightCount += 1
      case .confused: photo.confusedCount += 1
      case .missed: break
      case .falsePositive: photo.falsePositiveCount += 1
      }
      switch (outcome.truth, outcome.reading) {
      case (let truth?, let reading?):
        confusion.counts[truth.classIndex][reading.classIndex] += 1
      case (let truth?, nil): confusion.missed[truth.classIndex] += 1
      case (nil, let reading?): confusion.falsePositives[reading.classIndex] += 1
      case (nil, nil): break
      }
    }
    photos.append(photo)
  }
}

extension ReadingAccuracy {
  /// How many dice there were.
  public var dieCount: Int { photos.reduce(0) { $0 + $1.dieCount } }
  /// How many readings were shown.
  public var readingCount: Int {
    photos.reduce(0) { $0 + $1.rightCount + $1.confusedCount + $1.falsePositiveCount }
  }
  /// How many dice were read right.
  public var rightCount: Int { photos.reduce(0) { $0 + $1.rightCount } }
  /// How many dice were read as another value.
  public var confusedCount: Int { photos.reduce(0) { $0 + $1.confusedCount } }
  /// How many dice have no reading.
  public var missedCount: Int { photos.reduce(0) { $0 + $1.missedCount } }
  /// How many readings belong to no die.
  public var falsePositiveCount: Int { photos.reduce(0) { $0 + $1.falsePositiveCount } }

  /// The share of dice read right.
  public var diceReadRight: Proportion { Proportion(rightCount, of: dieCount) }
  /// The share of readings that are right.
  public var readingsThatAreRight: Proportion { Proportion(rightCount, of: readingCount) }
  /// The share of photos read exactly right.
  public var photosReadExactlyRight: Proportion {
    Proportion(photos.filter { $0.isExactlyRight }.count, of: photos.count)
  }

  /// Of the readings of this class, the share that is right.
  public func precision(ofClass index: Int) -> Proportion {
    let read = confusion.counts.reduce(0) { $0 + $1[index] } + confusion.falsePositives[index]
    return Proportion(confusion.counts[index][index], of: read)
  }

  /// Of the dice of this class, the share that was read right.
  public func recall(ofClass index: Int) -> Proportion {
    let dice = confusion.counts[index].reduce(0, +) + confusion.missed[index]
    return Proportion(confusion.counts[index][index], of: dice)
  }

  /// The threshold with the most photos read exactly right, and what it gives.
  ///
  /// Of several, the one with the fewest dice and readings that are not right together, and then
  /// the one nearest to the middle of the list.
  ///
  /// - Parameter thresholds: what to try; 0.05, 0.1, … 0.95 unless told.
  /// - Returns: nil for an empty list.
  public static func best(
    measuring images: [EvaluatedImage], classCount: Int,
    thresholds: [Double] = (1...19).map { Double($0) / 20 }
  ) -> ReadingAccuracy? {
    func faults(_ result: ReadingAccuracy) -> Int {
      result.dieCount + result.readingCount - 2 * result.rightCount
    }
    var best: (result: ReadingAccuracy, fromMiddle: Int)?
    for (index, threshold) in thresholds.enumerated() {
      let result = ReadingAccuracy(
        measuring: images, classCount: classCount, confidenceThreshold: threshold)
      let fromMiddle = abs(2 * index + 1 - thresholds.count)
      guard let current = best else {
        best = (result, fromMiddle)
        continue
      }
      let new = (-result.photosReadExactlyRight.count, faults(result), fromMiddle)
      let old = (
        -current.result.photosReadExactlyRight.count, faults(current.result), current.fromMiddle
      )
      if new < old { best = (result, fromMiddle) }
    }
    return best?.result
  }
}
