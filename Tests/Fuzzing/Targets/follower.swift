import DiceVisionKit

/// A `RollFollower` with frames of changing sizes and kinds, at times that jump.
enum Target {
  private static let detector: DiceDetector = {
    var reader = InputReader([0])
    guard let detector = TinyNetwork.detector(&reader) else { fatalError("no detector") }
    return detector
  }()

  static func run(_ bytes: [UInt8]) {
    var reader = InputReader(bytes)
    var configuration = RollFollower.Configuration()
    let flags = reader.byte()
    configuration.skipsUnchangedFrames = flags & 1 == 0
    if flags & 2 != 0 { configuration.detectionInterval = Int(Int8(bitPattern: reader.byte())) }
    if flags & 4 != 0 { configuration.tracker.stillSpeed = TinyNetwork.number(&reader) }
    if flags & 8 != 0 {
      configuration.tracker.minimumStillDuration = .milliseconds(Int(reader.byte()))
    }
    if flags & 16 != 0 { configuration.tracker.requiresMotion = false }
    guard var follower = try? RollFollower(configuration: configuration) else { return }
    var time = Duration.zero
    var image = TinyNetwork.image(&reader)
    // Long films only now and then.
    let limit = flags & 0xE0 == 0xE0 ? 40 : 20
    for _ in 0..<limit where !reader.isAtEnd {
      let step = reader.byte()
      switch step {
      case 0xFF: time = .seconds(Int64.max / 2)
      case 0xFE: time = .seconds(Int64.min / 2)
      case 0xFD: time = .nanoseconds(Int64(truncatingIfNeeded: reader.word(8)))
      case 0xF8...0xFC: image = TinyNetwork.image(&reader)
      default:
        if time.components.seconds.magnitude < 1 << 40 { time += .milliseconds(Int(step) - 4) }
      }
      do throws(DetectorError) {
        let events =
          step & 7 == 7
          ? try TinyNetwork.frame(&reader).map { (frame) throws(DetectorError) in
            try follower.follow(frame, with: detector, at: time)
          } ?? []
          : try follower.follow(StoredFrame(image), with: detector, at: time)
        for case .rollEnded(let roll) in events {
          require(roll.dice.allSatisfy { $0.value != nil }, "a roll has values")
        }
      } catch {
        require(error.description.hasSuffix("."), "an error is a sentence")
      }
      for die in follower.tracker.dice {
        require(die.boundingBox.isFinite, "finite boxes")
        require(die.confidence >= 0 && die.confidence <= 1, "confidences are 0 to 1")
      }
    }
    require(follower.detectionCount <= follower.frameCount, "no more looks than frames")
  }

  static func seeds() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 5)
    let noise = (0..<24).map { (index) in
      [UInt8(index), 40, 40]
        + (0..<200).map { (_) in UInt8.random(in: 0...255, using: &generator) & 0xEF | 0x20 }
    }
    // Dice that lie, move, lie again and are taken away, a tenth of a second from frame to frame.
    func picture(_ places: [Int: UInt8], _ index: Int) -> [UInt8] {
      let orientation = UInt8(index % 8)
      return [39 - UInt8(index % 4), 39] + (0..<16).map { places[$0] ?? 0 } + [0, orientation]
    }
    let rolls = (0..<16).map { (index) -> [UInt8] in
      let options: [UInt8] = [[0], [1], [16], [8, 10], [9, 200], [24, 50], [2, 2], [0xE0]][
        index % 8]
      let still = [UInt8](repeating: 104, count: 5)
      return options + picture([0: 1, 6: 2], index) + still
        + [0xF8] + picture([1: 1, 11: 2], index) + [104] + [0xF9] + picture([2: 1, 10: 4], index)
        + still + [0xFA] + picture([:], index) + still + [0xF7, UInt8(index), 40, 40, 20, 0]
    }
    return noise + rolls
  }
}
