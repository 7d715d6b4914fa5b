import BenchmarkSupport
import DiceFiles
import DiceVisionKit

/// A filmed throw, from the bytes of the film to the roll that is told.
enum ClipMeasurement {
  static func run(_ settings: Settings) throws -> Table {
    var table = Table(
      "a film of a throw (320 x 240, 65 frames of motion JPEG) to the roll; each frame",
      [
        .init("part", "part"), .init("threads", "threads"),
        .init("medianMilliseconds", "median ms a frame"),
        .init("framesPerSecond", "frames a second"), .init("detections", "detections"),
      ])
    let bytes = try FileSystem.readFile(
      at: "\(settings.fixtures)/clips/throw-34.mjpeg", byteLimit: 1 << 26)
    let rounds = max(3, settings.rounds / 20)
    for threadCount in [1, 2] {
      let detector = try DiceDetector(configuration: .init(threadCount: threadCount))
      var count = 0
      var detections = 0
      let whole = try Timing(rounds: rounds, warm: 1) {
        var follower = RollFollower()
        var rolls: [[Int]] = []
        for frame in try Pictures.frames(bytes) {
          let events = try follower.follow(frame.stored, with: detector, at: frame.timestamp)
          for case .rollEnded(let roll) in events { rolls.append(roll.values) }
        }
        guard rolls == [[6, 3, 6]] else { throw WrongResult("the rolls are \(rolls)") }
        count = follower.frameCount
        detections = follower.detectionCount
      }
      if threadCount == 1 {
        let reading = try Timing(rounds: rounds, warm: 1) { _ = try Pictures.frames(bytes) }
        add("reading the film alone", 1, reading, count, nil, to: &table)
      }
      add("film to rolls", threadCount, whole, count, detections, to: &table)
    }
    return table
  }

  private static func add(
    _ part: String, _ threadCount: Int, _ timing: Timing, _ count: Int, _ detections: Int?,
    to table: inout Table
  ) {
    let each = timing.median / Double(count)
    table.append(
      .text(part), .count(threadCount), .number(each, decimals: 2),
      .number(1000 / each, decimals: 0), detections.map { .count($0) } ?? .none)
  }
}
