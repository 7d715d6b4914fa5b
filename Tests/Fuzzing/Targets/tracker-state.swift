import DiceGeometry
import DiceRegistration
import DiceRolls

/// States of a `RollTracker`, restored and fed with frames.
///
/// The checksum is repaired, so that changes get past it.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var bytes = bytes
    if bytes.count >= 16 {
      var checksum: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in bytes[16...] { checksum = (checksum ^ UInt64(byte)) &* 0x100_0000_01B3 }
      overwrite(&bytes, at: 8, with: checksum)
    }
    do throws(TrackerStateError) {
      var tracker = try RollTracker(encoded: bytes)
      require(
        tracker.encoded() == bytes || tracker.encoded().count == bytes.count, "the same size")
      feed(&tracker)
      // Forged numbers may stand right at the end of their ranges, and go beyond.
      if let again = try? RollTracker(encoded: tracker.encoded()) {
        require(again == tracker, "a restored tracker is the same")
      }
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  static func feed(_ tracker: inout RollTracker) {
    let times: [Duration] = [
      .milliseconds(700), .milliseconds(733), .milliseconds(766), .seconds(3), .seconds(90),
      .seconds(1 << 40), .zero, .milliseconds(33), .milliseconds(66), .milliseconds(99),
    ]
    for (index, time) in times.enumerated() {
      let observations = (0..<index % 4).map { die in
        RollTracker.Observation(
          boundingBox: BoundingBox(
            midX: 100 + Double(die) * 80, midY: 100, width: 40, height: 40),
          confidence: 0.9, value: 1 + (die + index / 5) % 6)
      }
      let motion =
        index % 3 == 2 ? CameraMotion(x: 30, y: -20, confidence: 1) : CameraMotion.zero
      _ = tracker.update(with: observations, at: time, cameraMotion: motion)
      _ = tracker.dice
    }
  }

  static func seeds() -> [[UInt8]] {
    var seeds: [[UInt8]] = [RollTracker().encoded()]
    for count in 1...3 {
      var tracker = RollTracker()
      for frame in 0..<20 {
        let observations = (0..<count).map { die in
          RollTracker.Observation(
            boundingBox: BoundingBox(
              midX: 100 + Double(die) * 80 + max(0, 300 - Double(frame) * 40), midY: 100,
              width: 40, height: 40),
            confidence: 0.9, value: 1 + die)
        }
        _ = tracker.update(with: observations, at: .milliseconds(frame * 33))
        if [1, 3, 5, 9, 19].contains(frame) { seeds.append(tracker.encoded()) }
      }
    }
    return seeds.filter { $0.count <= 4096 }
  }
}
