import DiceRolls
import DiceGeometry
import BenchmarkSupport
import DiceImaging
import DiceVisionKit

/// The tracker, and the follower with it, over very many frames: time for each, and memory.
enum SoakMeasurement {
  /// Six dice are thrown, lie, and are taken away: 20 seconds at 30 frames a second.
  private static let period = 600

  static func run(frameCount: Int) throws -> Table {
    var table = Table(
      "six dice thrown every 20 s, 30 frames a second; memory in use, from a tenth of the frames on",
      [
        .init("part", "part"), .init("frames", "frames"), .init("rolls", "rolls"),
        .init("microseconds", "µs a frame"), .init("kilobytes", "KB more at the end"),
        .init("peakKilobytes", "KB more at most"),
      ])
    let frames = cycle()
    try append("RollTracker, observations alone", frameCount, to: &table) {
      var tracker = RollTracker()
      return { (index) in
        tracker.update(with: frames[index % period], at: time(ofFrame: index))
      }
    }
    // A plain picture that drifts, of the size of the plane that is registered.
    let pictures = (0..<16).map { picture(shiftedBy: $0) }
    try append("RollFollower, frames of 128 x 64", frameCount, to: &table) {
      var follower = RollFollower()
      return { (index) in
        pictures[index / 3 % pictures.count].withFrame { (frame) in
          follower.follow(frame, at: time(ofFrame: index)) { (_) in frames[index % period] }
        }
      }
    }
    return table
  }

  private static func time(ofFrame index: Int) -> Duration {
    .nanoseconds(index * 1_000_000_000 / 30)
  }

  private static func append(
    _ name: String, _ frameCount: Int, to table: inout Table,
    _ make: () -> (Int) -> [RollTracker.Event]
  ) throws {
    let update = make()
    var rollCount = 0
    var first: Int?
    var most = 0
    let start = Process.processorMilliseconds
    for index in 0..<frameCount {
      for event in update(index) {
        if case .rollEnded = event { rollCount += 1 }
      }
      // Looked at rarely: a look costs as much as some frames.
      guard index % 5000 == 4999, index >= frameCount / 10 else { continue }
      let memory = Process.memory ?? 0
      first = first ?? memory
      most = max(most, memory - (first ?? memory))
    }
    let milliseconds = Process.processorMilliseconds - start
    let expected = frameCount / period
    guard (expected...expected + 1).contains(rollCount) else {
      throw WrongResult("\(name): \(rollCount) rolls were told, not \(expected)")
    }
    let last = Process.memory ?? 0
    table.append(
      .text(name), .count(frameCount), .count(rollCount),
      .number(milliseconds * 1000 / Double(frameCount), decimals: 2),
      first.map { .count((last - $0) / 1024) } ?? .none, .count(most / 1024))
  }

  /// Observations as a detector makes them: boxes that jitter, now and then one that is missed, wrong
  /// values while the dice roll.
  private static func cycle() -> [[RollTracker.Observation]] {
    var chance = Chance(state: 6)
    return (0..<period).map { index in
      let time = Double(index) / 30
      guard time >= 1, time < 17 else { return [] }
      let left = max(2 - time, 0)
      return (0..<6).compactMap { die in
        if chance.next() < 0.03 { return nil }
        let value = left > 0.1 ? 1 + Int(chance.next() * 6) : die + 1
        func jitter() -> Double { (chance.next() - 0.5) * 2 }
        let box = BoundingBox(
          midX: 300 + 200 * Double(die % 3) - 500 * left * left + jitter(),
          midY: 300 + 200 * Double(die / 3) + 60 * left * left + jitter(), width: 60 + jitter(),
          height: 60 + jitter())
        return RollTracker.Observation(
          boundingBox: box, confidence: 0.9,
          values: [value, value % 6 + 1].enumerated().map { (place, value) in
            ValueProbability(value: value, confidence: place == 0 ? 0.9 : 0.1)
          })
      }
    }
  }

  private static func picture(shiftedBy shift: Int) -> PixelImage {
    var samples: [UInt8] = []
    for y in 0..<64 {
      for x in 0..<128 {
        let state = UInt64((x + shift) / 5 * 131 + y / 5 * 7919)
        var chance = Chance(state: state)
        samples.append(UInt8(chance.next() * 255))
      }
    }
    return PixelImage(width: 128, height: 64, format: .gray, samples: samples)
  }
}
