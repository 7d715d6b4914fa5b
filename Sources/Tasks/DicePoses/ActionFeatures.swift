internal import DiceGeometry

/// A pose with its time.
public struct TimedPose: Hashable, Sendable {
  /// When, in seconds from any beginning.
  public var time: Double
  /// The joints.
  public var pose: Pose

  /// A pose at a time.
  public init(time: Double, pose: Pose) {
    self.time = time
    self.pose = pose
  }
}

/// The numbers by which a classifier tells actions apart: the movement of 13 joints, in 24 moments of a
/// window, measured in torsos.
///
/// - The window's time is divided evenly, so that frame rates do not matter. Each moment averages the
///   poses near it, weighted by closeness and confidence; joints that are missing there are taken from
///   the moments around, and joints that are missing everywhere from their neighbours in the body.
/// - Places count from the middle of the hips, in torso lengths (from the hips' middle to the shoulders',
///   the median over the window), so that size and place in the picture do not matter.
/// - Movements from moment to moment are numbers of their own, and so is the path of the hips.
///
/// Kept by whoever measures often: after the first window nothing is allocated.
package struct ActionFeatures: Sendable {
  /// Moments of a window.
  package static let momentCount = 24
  /// The joints that count.
  package static let joints: [Joint] = [
    .head, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist,
    .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
  ]
  /// How many numbers there are: places, movements, and the path of the hips.
  package static let count =
    momentCount * joints.count * 2 + (momentCount - 1) * joints.count * 2 + momentCount * 2
  /// Confidences below this count as missing joints.
  package static let minimumConfidence: Float = 0.05
  /// The least sum of weights that tells where a joint is at a moment.
  private static let leastWeight: Float = 0.002
  /// What movements are multiplied with, so that they weigh as much as places.
  package static let movementScale: Float = 3
  /// What the path of the hips is multiplied with: it is the camera's movement as well.
  package static let pathScale: Float = 0.5
  /// The farthest number from 0.
  package static let greatest: Float = 8

  /// By joint, of the row of neighbours that a missing one is taken from: indices of `joints`.
  private static let substitutes = [
    [], [2], [1], [1], [2], [3, 1], [4, 2], [8], [7], [7], [8], [9, 7], [10, 8],
  ]

  /// The numbers of the last window.
  package private(set) var values: [Float]
  // By moment and joint.
  private var xs: [Float]
  private var ys: [Float]
  private var weights: [Float]
  private var lengths: [Float]

  /// Memory for windows.
  package init() {
    values = [Float](repeating: 0, count: Self.count)
    let places = Self.momentCount * Self.joints.count
    xs = [Float](repeating: 0, count: places)
    ys = xs
    weights = xs
    lengths = [Float](repeating: 0, count: Self.momentCount)
  }

  /// Takes the poses of a window, whose times ascend.
  ///
  /// - Returns: false where hips or shoulders are nowhere to be seen, which leaves nothing to measure.
  package mutating func take(_ window: ArraySlice<TimedPose>) -> Bool {
    guard let first = window.first, let last = window.last else { return false }
    for index in xs.indices { (xs[index], ys[index], weights[index]) = (0, 0, 0) }
    let duration = max(0, last.time - first.time)
    let step = duration / Double(Self.momentCount - 1)
    // Wide enough that every moment has a pose, and that every pose counts.
    let reach = max(step, duration / Double(max(1, window.count - 1))) * 1.000001
    for entry in window {
      guard step > 0, reach.isFinite else {
        for moment in 0..<Self.momentCount { add(entry.pose, to: moment, weight: 1) }
        continue
      }
      let offset = entry.time - first.time
      guard offset >= 0, offset <= duration else { continue }
      // Clamped as numbers: near the greatest times they need not be finite.
      let from = Int(min(Double(Self.momentCount), max(0, ((offset - reach) / step).rounded(.up))))
      let to = Int(
        min(Double(Self.momentCount - 1), max(0, ((offset + reach) / step).rounded(.down))))
      guard from <= to else { continue }
      for moment in from...to {
        let distance = (Double(moment) * step - offset).magnitude
        add(entry.pose, to: moment, weight: Float(max(0, 1 - distance / reach)))
      }
    }
    for index in weights.indices {
      // A pose that a moment hardly reaches says less of it than those around.
      guard weights[index] > Self.leastWeight else {
        weights[index] = 0
        continue
      }
      xs[index] /= weights[index]
      ys[index] /= weights[index]
    }
    return fillGaps()
  }

  private mutating func add(_ pose: Pose, to moment: Int, weight: Float) {
    for (index, joint) in Self.joints.enumerated() {
      let place = Int(joint.rawValue)
      var (x, y, confidence) = (pose.xs[place], pose.ys[place], pose.confidences[place])
      if confidence == 0, joint == .head, let point = pose.derived(.head) {
        (x, y) = (Float(point.location.x), Float(point.location.y))
        confidence = point.confidence
      }
      guard confidence >= Self.minimumConfidence, weight > 0 else { continue }
      let share = weight * confidence
      let target = moment * Self.joints.count + index
      xs[target] += x * share
      ys[target] += y * share
      weights[target] += share
    }
  }

  /// Joints that are missing at some moments lie on the line between the moments around; those that are
  /// missing at all moments lie where their neighbours are.
  private mutating func fillGaps() -> Bool {
    let width = Self.joints.count
    var isKnown = SIMD16<UInt8>(repeating: 0)
    for joint in 0..<width {
      var earlier: Int?
      for moment in 0..<Self.momentCount where weights[moment * width + joint] > 0 {
        let here = moment * width + joint
        for gap in (earlier.map { $0 + 1 } ?? 0)..<moment {
          let start = (earlier ?? moment) * width + joint
          let share = earlier.map { Float(gap - $0) / Float(moment - $0) } ?? 1
          xs[gap * width + joint] = xs[start] + (xs[here] - xs[start]) * share
          ys[gap * width + joint] = ys[start] + (ys[here] - ys[start]) * share
        }
        earlier = moment
      }
      guard let earlier else { continue }
      isKnown[joint] = 1
      for gap in earlier + 1..<max(earlier + 1, Self.momentCount) {
        xs[gap * width + joint] = xs[earlier * width + joint]
        ys[gap * width + joint] = ys[earlier * width + joint]
      }
    }
    guard isKnown[1] | isKnown[2] == 1, isKnown[7] | isKnown[8] == 1 else { return false }
    // Shoulders and hips first, which others are taken from.
    for joint in [1, 2, 7, 8, 3, 4, 5, 6, 9, 10, 11, 12] where isKnown[joint] == 0 {
      guard let source = Self.substitutes[joint].first(where: { isKnown[$0] == 1 }) else {
        continue
      }
      for moment in 0..<Self.momentCount {
        xs[moment * width + joint] = xs[moment * width + source]
        ys[moment * width + joint] = ys[moment * width + source]
      }
      isKnown[joint] = 1
    }
    if isKnown[0] == 0 {
      // A head lies beyond the shoulders, about four tenths of a torso from them.
      for moment in 0..<Self.momentCount {
        let at = moment * width
        let (x, y) = ((xs[at + 1] + xs[at + 2]) / 2, (ys[at + 1] + ys[at + 2]) / 2)
        xs[at] = x + 0.4 * (x - (xs[at + 7] + xs[at + 8]) / 2)
        ys[at] = y + 0.4 * (y - (ys[at + 7] + ys[at + 8]) / 2)
      }
    }
    return true
  }

  /// Writes ``values`` of the window that was taken.
  ///
  /// - Parameter isMirrored: whether the person is seen in a mirror, left and right swapped.
  package mutating func measure(isMirrored: Bool = false) {
    let width = Self.joints.count
    let sign: Float = isMirrored ? -1 : 1
    let scale = 1 / torso()
    var (meanX, meanY): (Float, Float) = (0, 0)
    for moment in 0..<Self.momentCount {
      meanX += hip(moment).x / Float(Self.momentCount)
      meanY += hip(moment).y / Float(Self.momentCount)
    }
    func limited(_ value: Float) -> Float { min(Self.greatest, max(-Self.greatest, value)) }
    let movements = Self.momentCount * width * 2
    let path = movements + (Self.momentCount - 1) * width * 2
    for moment in 0..<Self.momentCount {
      let (hipX, hipY) = hip(moment)
      for joint in 0..<width {
        // The heads come first; then the sides take turns.
        let other = isMirrored && joint > 0 ? (joint % 2 == 1 ? joint + 1 : joint - 1) : joint
        let source = moment * width + other
        let target = (moment * width + joint) * 2
        values[target] = limited(sign * (xs[source] - hipX) * scale)
        values[target + 1] = limited((ys[source] - hipY) * scale)
        guard moment > 0 else { continue }
        for axis in 0..<2 {
          values[movements + target - width * 2 + axis] = limited(
            Self.movementScale * (values[target + axis] - values[target - width * 2 + axis]))
        }
      }
      values[path + 2 * moment] = limited(sign * Self.pathScale * (hipX - meanX) * scale)
      values[path + 2 * moment + 1] = limited(Self.pathScale * (hipY - meanY) * scale)
    }
  }

  private func hip(_ moment: Int) -> (x: Float, y: Float) {
    let at = moment * Self.joints.count
    return ((xs[at + 7] + xs[at + 8]) / 2, (ys[at + 7] + ys[at + 8]) / 2)
  }

  /// The median length of the torso, at least a fifth of the median extent of the body.
  private mutating func torso() -> Float {
    let width = Self.joints.count
    for moment in 0..<Self.momentCount {
      let at = moment * width
      let hip = hip(moment)
      let x = (xs[at + 1] + xs[at + 2]) / 2 - hip.x
      let y = (ys[at + 1] + ys[at + 2]) / 2 - hip.y
      lengths[moment] = (x * x + y * y).squareRoot()
    }
    let torso = median()
    for moment in 0..<Self.momentCount {
      let at = moment * width
      var low = SIMD2(xs[at], ys[at])
      var high = low
      for joint in 1..<width {
        let place = SIMD2(xs[at + joint], ys[at + joint])
        low = pointwiseMin(low, place)
        high = pointwiseMax(high, place)
      }
      lengths[moment] = (high - low).max()
    }
    return max(torso, 0.2 * median(), 1e-3)
  }

  private mutating func median() -> Float {
    lengths.sort()
    return (lengths[(Self.momentCount - 1) / 2] + lengths[Self.momentCount / 2]) / 2
  }
}
