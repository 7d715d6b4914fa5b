package import DiceDetectorHeads

/// How the numbers of one joint are to be read.
package struct JointPointFormat: Hashable, Sendable {
  /// Whether y stands before x.
  package var hasRowFirst: Bool
  /// What coordinates are measured in.
  package var unit: BoxFormat.Unit
  /// Whether the score is a logit.
  package var isLogit: Bool

  /// Groups the parts.
  package init(
    hasRowFirst: Bool = false, unit: BoxFormat.Unit = .pixels, isLogit: Bool = false
  ) {
    self.hasRowFirst = hasRowFirst
    self.unit = unit
    self.isLogit = isLogit
  }

  /// The place that some numbers state.
  func place(_ first: Float, _ second: Float, score: Float, _ input: HeadInputSize) -> JointPlace {
    let (x, y) = hasRowFirst ? (second, first) : (first, second)
    let isShares = unit == .shares
    return JointPlace(
      x: isShares ? x * Float(input.width) : x, y: isShares ? y * Float(input.height) : y,
      confidence: isLogit ? HeadFunctions.sigmoid(score) : score)
  }
}

/// An output with so many numbers for each joint, joint by joint: two coordinates and, further on, a score.
///
/// Source: MoveNet's and BlazePose's model cards.
package struct JointPointsHead: Hashable, Sendable {
  /// How the numbers of a joint are to be read.
  package var format: JointPointFormat
  /// The numbers of a joint, 3 or more.
  package var numberCount: Int
  /// Which of them is the score.
  package var scoreIndex: Int

  /// Groups the parts.
  package init(format: JointPointFormat, numberCount: Int, scoreIndex: Int) {
    self.format = format
    self.numberCount = numberCount
    self.scoreIndex = scoreIndex
  }

  /// Where a joint is.
  ///
  /// - Precondition: there are numbers of the joint.
  package func place(
    of joint: Int, in values: HeadValues, _ input: HeadInputSize
  ) -> JointPlace {
    let first = joint * numberCount
    return format.place(
      values.numbers[first], values.numbers[first + 1],
      score: values.numbers[first + scoreIndex], input)
  }
}

/// An output `[rows, columns, 5 + 3 K]` with a person at each place, of whom the one with the highest score counts.
///
/// The numbers are the box's centre and size, its score, and x, y and score of each of `K` joints.
///
/// Source: Maji et al., "YOLO-Pose", 2022, and Ultralytics.
package struct PersonRowsHead: Hashable, Sendable {
  /// How the numbers of a joint are to be read.
  package var format: JointPointFormat

  /// A head.
  package init(format: JointPointFormat) { self.format = format }

  /// The numbers before those of the joints.
  static let boxCount = 5

  /// The place of the person with the highest score; nil where no score is a number.
  func best(in values: HeadValues) -> Int? {
    var (best, place): (Float, Int?) = (-.infinity, nil)
    for candidate in 0..<values.placeCount {
      let score = values.numbers[candidate * values.channels + Self.boxCount - 1]
      if score > best { (best, place) = (score, candidate) }
    }
    return place
  }

  /// Where a joint of one person is.
  ///
  /// - Precondition: there are such a place and joint.
  func place(
    of joint: Int, at place: Int, in values: HeadValues, _ input: HeadInputSize
  ) -> JointPlace {
    let first = place * values.channels + Self.boxCount + 3 * joint
    return format.place(
      values.numbers[first], values.numbers[first + 1], score: values.numbers[first + 2], input)
  }
}
