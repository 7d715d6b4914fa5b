public import DiceGeometry

/// Replaces boxes around whole dice by those of the top faces that a network finds in them.
///
/// Where a person marked whole dice, the place of the top face in the box depends on the camera, and
/// a network that learns from such boxes and from exact ones learns two habits. A network that
/// learnt from exact boxes finds most of the faces itself; the person's label says which of its
/// readings to trust.
public enum BoxRelabelling {
  /// The least share of a reading's box that lies in the marked box.
  static let leastInside = 0.8
  /// The least area of a reading's box, as a share of the marked box's.
  static let leastArea = 0.2
  /// How far from the middle of the marked box a reading's centre may lie, as a share of its sides.
  static let greatestOffset = 0.45
  /// A reading this much less confident than the best one still competes by being smaller.
  static let confidenceShare = 0.5

  /// The box of the top face in a marked box, or nil where no reading shows it.
  ///
  /// Of the readings of the die's value that lie in the marked box, the smallest of those at least
  /// half as confident as the most confident one: a box around the whole die, which a network that
  /// has seen such boxes proposes too, is larger than that of the face in it.
  ///
  /// - Parameters:
  ///   - marked: the box that a person drew, in pixels.
  ///   - classIndex: the class of the label that the person gave.
  ///   - readings: what a network finds in the picture, in the same pixels.
  public static func topFace(
    in marked: BoundingBox, classIndex: Int, readings: [DetectedObject]
  ) -> BoundingBox? {
    let fitting = readings.filter { reading in
      let box = reading.boundingBox
      guard reading.classIndex == classIndex, !box.isEmpty, !marked.isEmpty,
        abs(box.midX - marked.midX) < greatestOffset * marked.width,
        abs(box.midY - marked.midY) < greatestOffset * marked.height,
        box.area > leastArea * marked.area
      else { return false }
      return (box.intersection(with: marked)?.area ?? 0) > leastInside * box.area
    }
    let best = fitting.reduce(0) { max($0, $1.confidence) }
    return fitting.filter { $0.confidence >= confidenceShare * best }
      .min { $0.boundingBox.area < $1.boundingBox.area }?.boundingBox
  }
}
