internal import DicePoses
internal import DiceWeights

/// The numbers that Create ML's classifiers of actions read: 18 joints in each of some frames, one after
/// the other.
///
/// The value is `[3, 18, frames]`. Row 0 has x and row 1 has y, in shares of the frame from its lower left
/// corner, y upwards; row 2 has the confidence. A missing joint is 0, 1, 0; the middle of the shoulders is the
/// neck where that is missing, and the head the nose. Frames behind the window's last pose are 0 throughout.
struct ActionFrames: Sendable {
  /// The joints in Vision's order.
  static let joints: [Joint] = [
    .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist,
    .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye, .leftEye,
    .rightEar, .leftEar,
  ]
  /// The numbers of a joint: x, y, confidence.
  private static let rowCount = 3

  /// How many frames the network reads.
  let frameCount: Int
  /// The frames of a second that it has learnt from.
  let framesPerSecond: Double
  /// The numbers of the last window.
  private(set) var values: [Float]

  /// - Parameters:
  ///   - shape: the shape of a network's input.
  ///   - framesPerSecond: above 0.
  /// - Returns: nil where the shape is another one.
  init?(_ shape: TensorShape, framesPerSecond: Double) {
    guard shape.height == Self.rowCount, shape.width == Self.joints.count else { return nil }
    frameCount = shape.channels
    self.framesPerSecond = framesPerSecond
    values = [Float](repeating: 0, count: shape.elementCount)
  }

  /// Takes the poses of a window, whose times ascend.
  ///
  /// The window's last pose is a frame, and so is the pose nearest to each moment a frame, two frames and so
  /// on before it, back to the window's first pose, as far as the network reads.
  ///
  /// - Parameters:
  ///   - width: the width of the frames in pixels, above 0.
  ///   - height: their height.
  /// - Returns: false where no joint is to be seen.
  mutating func take(_ window: ArraySlice<TimedPose>, width: Int, height: Int) -> Bool {
    guard let first = window.first, let last = window.last else { return false }
    for index in values.indices { values[index] = 0 }
    // Compared as numbers: of times far apart there are more steps than integers.
    let steps = ((last.time - first.time) * framesPerSecond).rounded()
    let count = steps < Double(frameCount - 1) ? Int(max(0, steps)) + 1 : frameCount
    var index = window.startIndex
    var isSeen = false
    for frame in 0..<count {
      let time = last.time - Double(count - 1 - frame) / framesPerSecond
      while index + 1 < window.endIndex,
        (window[index + 1].time - time).magnitude < (window[index].time - time).magnitude
      {
        index += 1
      }
      if set(window[index].pose, frame, 1 / Double(width), 1 / Double(height)) { isSeen = true }
    }
    return isSeen
  }

  /// Writes the joints of a frame; says whether there are some.
  private mutating func set(
    _ pose: Pose, _ frame: Int, _ scaleX: Double, _ scaleY: Double
  ) -> Bool {
    var isSeen = false
    for (column, joint) in Self.joints.enumerated() {
      var numbers: SIMD3<Float> = [0, 1, 0]
      if let point = pose.derived(joint) ?? (joint == .nose ? pose[.head] : nil) {
        numbers = [
          Float(point.location.x * scaleX), Float(1 - point.location.y * scaleY),
          point.confidence,
        ]
        isSeen = true
      }
      for row in 0..<Self.rowCount {
        values[(row * Self.joints.count + column) * frameCount + frame] = numbers[row]
      }
    }
    return isSeen
  }
}
