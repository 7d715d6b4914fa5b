/// Where a die is and how it is turned.
struct DiePose: Hashable, Sendable {
  var center: Vector3D
  var orientation: Quaternion
}

/// How the dice of a throw moved until they lay still.
struct ThrowMotion: Sendable {
  /// Recorded poses a second.
  static let samplesPerSecond = 480.0

  /// For each sample, the pose of each die; the last sample is the pose at rest.
  private(set) var samples: [[DiePose]] = []
  /// For each die, the time from which on it is at rest, in seconds from the first sample.
  private(set) var restTimes: [Double] = []

  /// The time from which on all dice are at rest.
  var restTime: Double { restTimes.max() ?? 0 }

  mutating func record(_ cubes: [RigidCube]) {
    samples.append(cubes.map { DiePose(center: $0.center, orientation: $0.orientation) })
  }

  /// Ends the motion: lays the dice exactly flat and finds out since when each has been at rest.
  ///
  /// A die is at rest once it stays within a hundredth of an edge and half a degree of its last pose.
  mutating func finish(_ cubes: [RigidCube]) {
    let last = cubes.map { cube in
      DiePose(
        center: Vector3D(cube.center.x, cube.center.y, cube.half),
        orientation: cube.orientation.upright)
    }
    samples.append(last)
    restTimes = last.indices.map { die in
      var index = samples.count - 1
      while index > 0 {
        let pose = samples[index - 1][die]
        let away = length(pose.center - last[die].center)
        let cosine = pose.orientation.halfAngleCosine(to: last[die].orientation)
        // The cosine of a quarter of a degree.
        guard away < 0.02 * cubes[die].half, cosine > 0.99999048 else { break }
        index -= 1
      }
      return Double(index) / ThrowMotion.samplesPerSecond
    }
  }

  /// The pose of a die at a time from the first sample on; the nearest one before and after.
  func pose(of die: Int, at time: Double) -> DiePose {
    let place = max(time, 0) * ThrowMotion.samplesPerSecond
    let last = samples.count - 1
    guard place < Double(last) else { return samples[last][die] }
    let index = Int(place)
    let t = place - Double(index)
    let a = samples[index][die]
    let b = samples[index + 1][die]
    return DiePose(
      center: a.center + (b.center - a.center) * t,
      orientation: a.orientation.mixed(with: b.orientation, t))
  }
}
