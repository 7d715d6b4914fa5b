import DiceVisionKit

/// A way to hand a throw's frames to a follower.
struct Feed: Sendable {
  let name: String
  /// Divides 60.
  let framesPerSecond: Int
  /// The first frame of the recording, at 60 frames a second, that is handed over.
  var firstFrame = 0
  /// The share of frames that are lost before anybody sees them.
  var droppedShare = 0.0
  /// The share of frames after which one to six are lost at once, as where a browser is busy.
  var stallShare = 0.0
  /// The share of observations that are lost between detector and tracker.
  var removedShare = 0.0
  /// How often a second the light becomes 15 % brighter and darker, a rolling shutter's rows one after the other;
  /// 0 for steady light.
  var flicker = 0.0
  /// How far the camera pans, from a second before rest to 0.4 s after it, in pixels.
  var pan = 0.0
  /// From which speed on motion blur hides dice, in sizes a second.
  var blurSpeed = Double.infinity
  /// Whether the exposure becomes 30 % shorter within 0.6 s, from the first frame that shows dice.
  var adapts = false

  static let all = [
    Feed(name: "30 frames a second", framesPerSecond: 30),
    Feed(name: "10 frames a second", framesPerSecond: 10),
    Feed(name: "60 frames a second", framesPerSecond: 60),
    Feed(name: "10, half a frame later", framesPerSecond: 10, firstFrame: 3),
    Feed(name: "30, one frame in ten lost", framesPerSecond: 30, droppedShare: 0.1),
    Feed(name: "30, up to six lost at once", framesPerSecond: 30, stallShare: 0.1),
    Feed(name: "30, one detection in ten lost", framesPerSecond: 30, removedShare: 0.1),
    Feed(name: "30, light on 50 Hz mains", framesPerSecond: 30, flicker: 100),
    Feed(name: "10, light on 60 Hz mains", framesPerSecond: 10, flicker: 120),
    Feed(name: "30, exposure that adapts", framesPerSecond: 30, adapts: true),
    Feed(name: "30, flights hidden by blur", framesPerSecond: 30, blurSpeed: 2),
    Feed(name: "10, flights hidden by blur", framesPerSecond: 10, blurSpeed: 2),
    Feed(name: "30, a camera that pans", framesPerSecond: 30, pan: 120),
    Feed(name: "10, a camera that pans", framesPerSecond: 10, pan: 120),
  ]

  /// What a follower tells of a throw.
  func outcome(of recorded: RecordedThrow) -> Outcome {
    let step = RecordedThrow.framesPerSecond / framesPerSecond
    var chance = Chance(state: recorded.seed &* 0x2545_F491_4F6C_DD1D)
    var follower = RollFollower()
    var outcome = Outcome(values: recorded.values)
    let atRest = (recorded.firstFrameAtRest - firstFrame + step - 1) / step
    var lostCount = 0
    for index in stride(from: firstFrame, to: recorded.frames.count, by: step) {
      if chance.next() < droppedShare { continue }
      if lostCount > 0 {
        lostCount -= 1
        continue
      }
      if stallShare > 0, chance.next() < stallShare { lostCount = Int(1 + 6 * chance.next()) }
      let shift = shift(of: index, in: recorded)
      let picture = recorded.film.picture(
        ofFrame: index, gain: gain(of: index, in: recorded), shift: shift)
      let events = picture.withFrame { (frame) in
        follower.follow(
          frame, at: .nanoseconds(index * 1_000_000_000 / RecordedThrow.framesPerSecond)
        ) { (_) in
          recorded.frames[index].observations.filter { (die) in
            chance.next() >= removedShare && !isBlurred(die, frame: index, in: recorded)
          }.compactMap { $0.moved(by: shift, width: recorded.film.width) }
        }
      }
      let delay = Double((index / step - atRest) * 30) / Double(framesPerSecond)
      let lead =
        Double(recorded.firstFrameAtRest - index) * 30 / Double(RecordedThrow.framesPerSecond)
      for event in events {
        switch event {
        case .rollEnded(let roll):
          outcome.rolls.append(.init(values: roll.values, delay: delay, lead: lead))
        case .resultRevised(let roll):
          outcome.revisions.append(.init(values: roll.values, delay: delay, lead: lead))
        default: break
        }
      }
    }
    return outcome
  }
}

extension Feed {
  /// Whether a die is faster than what blur leaves: in the frame before, 1/60 s ago, none lay so close.
  private func isBlurred(
    _ die: RollTracker.Observation, frame index: Int, in recorded: RecordedThrow
  ) -> Bool {
    guard blurSpeed < .infinity, index > 0 else { return false }
    let box = die.boundingBox
    let reach =
      (box.width * box.height).squareRoot() * blurSpeed / Double(RecordedThrow.framesPerSecond)
    return !recorded.frames[index - 1].observations.contains { (other) in
      other.boundingBox.center.squaredDistance(to: box.center) <= reach * reach
    }
  }
}

extension RollTracker.Observation {
  /// The same, moved to the right; nil where it leaves the picture.
  fileprivate func moved(by shift: Double, width: Int) -> RollTracker.Observation? {
    var result = self
    result.boundingBox = boundingBox.translated(x: shift, y: 0)
    let isInside =
      result.boundingBox.x >= 0
      && result.boundingBox.x + result.boundingBox.width <= Double(width)
    return isInside || shift == 0 ? result : nil
  }
}

extension Feed {
  /// How far to the right a frame shows what it shows in the end.
  private func shift(of index: Int, in recorded: RecordedThrow) -> Double {
    let elapsed = Double(index - recorded.firstFrameAtRest) / Double(RecordedThrow.framesPerSecond)
    return pan * min(max((0.4 - elapsed) / 1.4, 0), 1)
  }

  /// How bright a frame's rows are; nil where nothing changes them.
  private func gain(of index: Int, in recorded: RecordedThrow) -> ((Double) -> Double)? {
    let time = Double(index) / Double(RecordedThrow.framesPerSecond)
    if flicker > 0 {
      return { (row) in
        // A row comes up to a sixtieth of a second after the first one.
        let phase = (time + row / 60) * flicker
        return 0.85 + 0.6 * ((phase - phase.rounded(.down)) - 0.5).magnitude
      }
    }
    guard adapts, let first = recorded.frames.firstIndex(where: { !$0.observations.isEmpty })
    else { return nil }
    let elapsed = time - Double(first) / Double(RecordedThrow.framesPerSecond)
    let gain = 1 - 0.3 * min(max(elapsed / 0.6, 0), 1)
    return { (_) in gain }
  }
}

/// What was told of a throw.
struct Outcome: Sendable {
  struct Report: Sendable {
    let values: [Int]
    /// Frames at 30 frames a second since the first frame of the feed in which all dice are at rest.
    let delay: Double
    /// Frames at 30 frames a second until the dice are at rest; negative where they are.
    let lead: Double
  }

  /// The truth.
  let values: [Int]
  var rolls: [Report] = []
  var revisions: [Report] = []

  var isOneRoll: Bool { rolls.count == 1 }
  /// The first report is the only one, and has the right values in whatever order: of two dice that lie
  /// one above the other in the picture, a pixel decides which is further left.
  var isRightAtOnce: Bool { isOneRoll && rolls[0].values.sorted() == values.sorted() }
  /// The values of the first report stand in the order of the truth, too.
  var isInOrder: Bool { isOneRoll && rolls[0].values == values }
  /// One roll, and right when all is over.
  var isRightAtLast: Bool {
    isOneRoll && (revisions.last ?? rolls[0]).values.sorted() == values.sorted()
  }
  /// Told more than two frames before rest.
  var isEarly: Bool { rolls.contains { $0.lead > 2 } }

  /// Rolls and revisions with their delays.
  var text: String {
    func list(_ reports: [Report]) -> String {
      reports.map { "\($0.values) after \($0.delay)" }.joined(separator: ", ")
    }
    return (rolls.isEmpty ? "no roll" : list(rolls))
      + (revisions.isEmpty ? "" : "; revised to \(list(revisions))")
  }
}

/// Random numbers from a seed (SplitMix64).
struct Chance {
  var state: UInt64

  /// The next number, 0..<1.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }
}
