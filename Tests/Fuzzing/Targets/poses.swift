import DiceGeometry
import DicePoses

/// Files of joint sequences, and windows of poses of any kind.
enum Target {
  static func run(_ bytes: [UInt8]) {
    if bytes.first == 0 { return measure(Array(bytes.dropFirst())) }
    do throws(PoseSequenceError) {
      for sequence in try PoseSequence.read(jsonLines: bytes) {
        require(!sequence.poses.isEmpty, "a sequence has a frame")
        require(sequence.frameDuration > 0, "frames take time")
        for pose in sequence.poses {
          for joint in pose.joints {
            guard let point = pose[joint] else { continue }
            require(point.location.isFinite, "places are numbers")
            require(point.confidence > 0 && point.confidence <= 1, "a confidence is a share")
          }
        }
        let mirrored = sequence.poses.map { $0.mirrored(width: Double(sequence.width)) }
        require(mirrored.map(\.joints.count) == sequence.poses.map(\.joints.count), "as many")
        features(
          sequence.poses.enumerated().map {
            TimedPose(time: Double($0) * sequence.frameDuration, pose: $1)
          })
      }
    } catch { require(error.description.hasSuffix("."), "an error is a sentence") }
  }

  /// Poses and times of any bit pattern.
  private static func measure(_ bytes: [UInt8]) {
    var reader = InputReader(bytes)
    var window: [TimedPose] = []
    var time = Double(reader.byte())
    while !reader.isAtEnd, window.count < 40 {
      var pose = Pose()
      for _ in 0..<Int(reader.byte() % 14) {
        let joint = Joint(rawValue: reader.byte() % 20)
        let isOdd = reader.byte() < 20
        let x = isOdd ? reader.double() : Double(reader.byte())
        let y = isOdd ? reader.double() : Double(reader.byte())
        if let joint {
          pose[joint] = Pose.Point(
            PixelPoint(x: x, y: y), confidence: isOdd ? Float(reader.double()) : 0.9)
        }
      }
      window.append(TimedPose(time: time, pose: pose))
      time = reader.byte() < 20 ? reader.double() : time + Double(reader.byte()) / 100
    }
    features(window)
  }

  private static func features(_ window: [TimedPose]) {
    var features = ActionFeatures()
    for isMirrored in [false, true] where features.take(window[...]) {
      features.measure(isMirrored: isMirrored)
      require(
        features.values.allSatisfy { $0.magnitude <= ActionFeatures.greatest },
        "features lie in their range")
    }
  }

  static func seeds() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 11)
    let points = (0..<13).map { "[\($0 * 5), \($0 * 9 % 40), \($0 % 2)]" }
    let frame = "[\(points.joined(separator: ","))]"
    let texts = [
      #"{"id":"a","fps":30,"width":64,"height":48,"label":"b","frames":[\#(frame)]}"#,
      #"{"id":1,"joints":["nose","left_hip","l_shoulder","x"],"frames":[[[1,2],null,[3,4,0.5],[0,0,0]]]}"#
        + "\n{}",
    ]
    return texts.map { Array($0.utf8) }
      + (0..<20).map { (_) in
        [0] + (0..<300).map { (_) in UInt8.random(in: 0...255, using: &generator) }
      }
  }
}
