package import DiceDetectorHeads

/// Two outputs that say for each of `K` joints in which column and in which row of the input it lies: `[K, W * r]`
/// and `[K, H * r]`.
///
/// Bin `i` stands for the pixel with the index `i / r`, whose middle is half a pixel further. The joint lies at the
/// greatest number of each, the first of several; the smaller of both is its confidence.
///
/// Source: Li et al., "SimCC: a Simple Coordinate Classification Perspective for Human Pose Estimation", 2022, and
/// MMPose.
package enum JointBins {
  /// Where a joint is.
  ///
  /// A joint with a number that is not finite has no place.
  ///
  /// - Precondition: both outputs have a row for the joint.
  /// - Complexity: O(bins).
  package static func place(
    of joint: Int, columns: HeadValues, rows: HeadValues, _ input: HeadInputSize, count: Int
  ) -> JointPlace {
    guard let x = peak(of: joint, in: columns, count), let y = peak(of: joint, in: rows, count)
    else { return .none }
    func pixel(_ bin: Int, _ values: HeadValues, _ length: Int) -> Float {
      Float(bin) * Float(length) / Float(values.numbers.count / count) + 0.5
    }
    return JointPlace(
      x: pixel(x.bin, columns, input.width), y: pixel(y.bin, rows, input.height),
      confidence: min(x.value, y.value))
  }

  private static func peak(
    of joint: Int, in values: HeadValues, _ count: Int
  ) -> (bin: Int, value: Float)? {
    let binCount = values.numbers.count / count
    var (best, bin) = (-Float.infinity, 0)
    for candidate in 0..<binCount {
      let value = values.numbers[joint * binCount + candidate]
      guard value.isFinite else { return nil }
      if value > best { (best, bin) = (value, candidate) }
    }
    return best.isFinite ? (bin, best) : nil
  }
}
