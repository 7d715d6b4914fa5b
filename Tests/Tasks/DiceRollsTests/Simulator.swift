import TestSupport
import DiceNumerics
import DiceGeometry

@testable import DiceRegistration
@testable import DiceRolls

/// What a die does over time, in seconds and pixels of the table.
struct SimulatedDie {
  var size = 60.0
  /// When it can first and last be seen.
  var appears = 0.0
  var leaves = Double.infinity
  /// When it comes to rest, and where.
  var rests = 0.0
  var x = 0.0
  var y = 0.0
  /// The direction that it comes from, of length 1, and how it slows down, in sizes/s².
  var directionX = 1.0
  var directionY = 0.0
  var deceleration = 0.0
  var value = 1
  /// Later places: from then on it glides to there within the duration.
  var pushes: [(time: Double, duration: Double, x: Double, y: Double)] = []
  /// The values in turn for a die that leans.
  var otherValue: Int? = nil
  /// The share of frames that show it.
  var visibility = 1.0

  func place(at time: Double) -> (x: Double, y: Double) {
    let left = max(rests - time, 0)
    let distance = 0.5 * deceleration * left * left * size
    var x = x - directionX * distance
    var y = y - directionY * distance
    for push in pushes {
      let share = min(max((time - push.time) / push.duration, 0), 1)
      x += (push.x - x) * share
      y += (push.y - y) * share
    }
    return (x, y)
  }
}

/// A clip: dice, a detector with its faults, and a camera with its motion.
struct Clip {
  var dice: [SimulatedDie] = []
  var duration = 3.0
  var framesPerSecond = 30.0
  /// The standard deviation of edges, as a share of the size.
  var jitter = 0.015
  var missRate = 0.1
  var wrongRate = 0.05
  var spuriousRate = 0.05
  var camera: (_ time: Double) -> (x: Double, y: Double) = { _ in (0, 0) }
  var isCameraGiven = false
  var seed: UInt64 = 1

  var lastRest: Double { dice.map(\.rests).max() ?? 0 }

  /// The frames: time, observations, camera motion.
  func frames() -> [(Duration, [RollTracker.Observation], CameraMotion)] {
    var random = SeededGenerator(seed: seed &* 7919 &+ UInt64(framesPerSecond))
    var result: [(Duration, [RollTracker.Observation], CameraMotion)] = []
    var last: (x: Double, y: Double)? = nil
    for frame in 0...Int(duration * framesPerSecond) {
      let time = Double(frame) / framesPerSecond
      let offset = camera(time)
      var observations: [RollTracker.Observation] = []
      for die in dice where die.appears <= time && time < die.leaves {
        let isRolling = time < die.rests
        let speed = die.deceleration * max(die.rests - time, 0)
        // Fast dice blur and are mostly missed.
        let miss = speed > 12 ? 0.6 : speed > 5 ? 0.3 : missRate
        if random.uniform(0...1) < max(miss, 1 - die.visibility) { continue }
        let place = die.place(at: time)
        var value = die.value
        if isRolling, speed > 2 { value = Int.random(in: 1...6, using: &random) }
        if let other = die.otherValue, frame % 2 == 1 { value = other }
        if random.uniform(0...1) < wrongRate { value = Int.random(in: 1...6, using: &random) }
        let stretch = isRolling ? 1 + min(speed, 10) * 0.02 : 1
        let box = BoundingBox(
          midX: place.x + offset.x + random.normal() * jitter * die.size,
          midY: place.y + offset.y + random.normal() * jitter * die.size,
          width: die.size * stretch * (1 + random.normal() * jitter),
          height: die.size * (1 + random.normal() * jitter))
        observations.append(observation(box, value, random.uniform(0.6...0.98), &random))
      }
      if random.uniform(0...1) < spuriousRate {
        let size = random.uniform(40...80)
        let box = BoundingBox(
          midX: random.uniform(50...1870), midY: random.uniform(50...1030), width: size,
          height: size)
        observations.append(
          observation(
            box, Int.random(in: 1...6, using: &random), random.uniform(0.25...0.6), &random))
      }
      observations.shuffle(using: &random)
      var motion = CameraMotion.zero
      if isCameraGiven, let last {
        motion = CameraMotion(
          x: offset.x - last.x + random.normal() * 0.3,
          y: offset.y - last.y + random.normal() * 0.3, confidence: 0.9)
      }
      last = offset
      result.append((.nanoseconds(Int64(time * 1e9)), observations, motion))
    }
    return result
  }

  private func observation(
    _ box: BoundingBox, _ value: Int, _ sureness: Double, _ random: inout SeededGenerator
  ) -> RollTracker.Observation {
    var values = [ValueProbability(value: value, confidence: Float(sureness))]
    for other in 1...6 where other != value {
      values.append(ValueProbability(value: other, confidence: Float((1 - sureness) / 5)))
    }
    return RollTracker.Observation(
      boundingBox: box, confidence: Float(random.uniform(0.5...0.98)), values: values)
  }

  /// All events with the time of their frames.
  func run(
    _ tracker: RollTracker = RollTracker()
  ) -> [(time: Double, event: RollTracker.Event)] {
    var tracker = tracker
    var result: [(time: Double, event: RollTracker.Event)] = []
    for (time, observations, motion) in frames() {
      for event in tracker.update(with: observations, at: time, cameraMotion: motion) {
        result.append(
          (
            Double(time.components.attoseconds) * 1e-18
              + Double(time.components.seconds), event
          ))
      }
    }
    return result
  }
}

extension SimulatedDie {
  /// A thrown die that comes to rest at the place and time.
  static func thrown(
    x: Double, y: Double, value: Int, rests: Double, size: Double = 60,
    using random: inout SeededGenerator
  ) -> SimulatedDie {
    let turn = sineAndCosine(turns: random.uniform(-0.1...0.1))
    return SimulatedDie(
      size: size, appears: rests - random.uniform(0.3...0.8), rests: rests, x: x, y: y,
      directionX: turn.cosine, directionY: turn.sine, deceleration: random.uniform(8...50),
      value: value)
  }

  /// A die that lies there from `appears` on.
  static func lying(
    x: Double, y: Double, value: Int, appears: Double = 0, leaves: Double = .infinity
  ) -> SimulatedDie {
    SimulatedDie(appears: appears, leaves: leaves, rests: appears, x: x, y: y, value: value)
  }
}

extension Clip {
  /// A throw of one to six dice onto an empty table, which rest between 1 s and 1.6 s.
  static func throwing(seed: UInt64, count: Int? = nil) -> Clip {
    var random = SeededGenerator(seed: seed)
    var clip = Clip()
    clip.seed = seed
    let count = count ?? Int.random(in: 1...6, using: &random)
    let size = random.uniform(45...90)
    while clip.dice.count < count {
      let x = random.uniform(700...1700)
      let y = random.uniform(150...900)
      // Left and right are clear, and no two touch.
      let isFree = clip.dice.allSatisfy {
        length($0.x - x, $0.y - y) > 1.5 * size && abs($0.x - x) > 0.3 * size
      }
      guard isFree else { continue }
      clip.dice.append(
        .thrown(
          x: x, y: y, value: Int.random(in: 1...6, using: &random), rests: random.uniform(1...1.6),
          size: size, using: &random))
    }
    // They leave one hand together.
    for index in clip.dice.indices { clip.dice[index].appears = random.uniform(0.45...0.65) }
    clip.jitter = random.uniform(0.007...0.02)
    return clip
  }

  /// The same before a detector that misses nothing, reads all right and sees nothing else.
  var faultless: Clip {
    var clip = self
    clip.missRate = 0
    clip.wrongRate = 0
    clip.spuriousRate = 0
    return clip
  }

  /// The values on the table, from left to right.
  var values: [Int] { dice.sorted { $0.x < $1.x }.map(\.value) }
}

extension [(time: Double, event: RollTracker.Event)] {
  var rolls: [Roll] {
    compactMap { if case .rollEnded(let roll) = $0.event { roll } else { nil } }
  }
  var revisions: [Roll] {
    compactMap { if case .resultRevised(let roll) = $0.event { roll } else { nil } }
  }
  func count(_ condition: (RollTracker.Event) -> Bool) -> Int {
    filter { condition($0.event) }.count
  }
  var startCount: Int { count { if case .rollStarted = $0 { true } else { false } } }
  var movedCount: Int { count { if case .dieMoved = $0 { true } else { false } } }
  var leftCount: Int { count { if case .dieLeft = $0 { true } else { false } } }
  var enteredCount: Int { count { if case .dieEntered = $0 { true } else { false } } }
  var unsettledCount: Int { count { if case .unsettled = $0 { true } else { false } } }
}
