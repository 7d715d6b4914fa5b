package import DicePoses
internal import DiceGeometry
package import DiceTraining

/// How sequences are varied before a network learns from them.
public struct PoseDistortion: Hashable, Sendable {
  /// The greatest share that is cut off at either end of a sequence.
  public var cut: Float = 0.15
  /// The share of samples that are windows as a stream sees them: up to shortly after the release.
  public var streamShare: Float = 0.3
  /// The deviation of the angle by which the picture is turned, in radians.
  public var rotation: Float = 0.12
  /// The deviation of the logarithm of the width against the height.
  public var stretch: Float = 0.12
  /// The greatest deviation of each joint's place in each frame, in torsos.
  public var noise: Float = 0.2
  /// The deviation of each joint's place in all frames alike, in torsos.
  public var offset: Float = 0.04
  /// The share of joints that are far off, in the samples that have noise.
  public var outlierShare: Float = 0.02
  /// The share of samples in which some joints are missing.
  public var gapShare: Float = 0.2

  /// What serves poses that people or networks found.
  public init() {}

  /// A sequence varied in time and place.
  package func vary(_ window: ThrowWindow, using random: inout TrainingRandom) -> [TimedPose] {
    let range = range(of: window, using: &random)
    let torso = Float(window.torso)
    var poses = Array(window.poses[range])
    turn(&poses, using: &random)
    if random.chance(0.75) { shake(&poses, torso: torso, using: &random) }
    if random.chance(gapShare) { leaveOut(&poses, using: &random) }
    return poses.enumerated().map { (index, pose) in TimedPose(time: Double(index), pose: pose) }
  }

  private func range(
    of window: ThrowWindow, using random: inout TrainingRandom
  ) -> Range<Int> {
    let count = window.poses.count
    if random.chance(streamShare) {
      let rate = window.framesPerSecond
      let before = Double(random.between(0.6, 1.6)) * rate
      let after = Double(random.between(0.15, 0.5)) * rate
      let from = max(0, min(count - 1, Int(window.release - before)))
      let to = max(0, min(count, Int(window.release + after) + 1))
      if to - from >= min(count, 8) { return from..<to }
    }
    guard random.chance(0.7) else { return 0..<count }
    let most = Int(Float(count) * cut)
    let from = random.index(most + 1)
    let to = count - random.index(most + 1)
    return to - from >= min(count, 8) ? from..<to : 0..<count
  }

  /// Turns and stretches all places alike.
  private func turn(_ poses: inout [Pose], using random: inout TrainingRandom) {
    let angle = rotation * random.normal()
    // Sine and cosine of small angles, to the fifth order.
    let square = angle * angle
    let sine = angle * (1 - square / 6 * (1 - square / 20))
    let cosine = 1 - square / 2 * (1 - square / 12)
    let width = 1 + stretch * random.normal()
    for index in poses.indices {
      let (xs, ys) = (poses[index].xs, poses[index].ys)
      poses[index].xs = (xs * cosine - ys * sine) * max(0.5, width)
      poses[index].ys = xs * sine + ys * cosine
    }
  }

  /// Moves joints as networks misplace them: a little in every frame, all the time, far off, and to the
  /// other side.
  private func shake(
    _ poses: inout [Pose], torso: Float, using random: inout TrainingRandom
  ) {
    let strength = noise * random.unit() * torso
    let outliers = random.chance(0.5) ? outlierShare * 2 * random.unit() : 0
    let swaps: Float = random.chance(0.15) ? 0.06 * random.unit() : 0
    var (offsetX, offsetY) = (SIMD32<Float>(repeating: 0), SIMD32<Float>(repeating: 0))
    let places = ActionFeatures.joints.map { Int($0.rawValue) }
    for joint in Joint.allCases {
      offsetX[Int(joint.rawValue)] = offset * torso * random.normal()
      offsetY[Int(joint.rawValue)] = offset * torso * random.normal()
    }
    for index in poses.indices {
      if swaps > 0, random.chance(swaps) {
        let straight = poses[index]
        let joints: [Joint] =
          random.chance(0.5)
          ? [.leftHip, .leftKnee, .leftAnkle] : [.leftShoulder, .leftElbow, .leftWrist]
        for joint in joints {
          poses[index][joint] = straight[joint.mirrored]
          poses[index][joint.mirrored] = straight[joint]
        }
      }
      var (xs, ys) = (offsetX, offsetY)
      for place in places {
        let reach = outliers > 0 && random.chance(outliers) ? 0.8 * torso : strength
        xs[place] += reach * random.normal()
        ys[place] += reach * random.normal()
      }
      poses[index].xs += xs
      poses[index].ys += ys
    }
  }

  /// Leaves out one or two joints for some time.
  private func leaveOut(_ poses: inout [Pose], using random: inout TrainingRandom) {
    for _ in 0...random.index(2) {
      let joint = ActionFeatures.joints[random.index(ActionFeatures.joints.count)]
      let from = random.index(poses.count)
      let to = min(poses.count, from + 1 + random.index(max(1, poses.count / 2)))
      for index in from..<to { poses[index][joint] = nil }
    }
  }
}
