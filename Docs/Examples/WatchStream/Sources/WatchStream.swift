import DiceCodecs
import DiceVisionKit
import Foundation

/// Reads a film from standard input, YUV4MPEG2 or motion JPEG, and prints each roll when it has ended.
@main
struct WatchStream {
  static func main() {
    do {
      var watch = try Watch()
      let input = FileHandle.standardInput
      while let chunk = try input.read(upToCount: 1 << 16), !chunk.isEmpty {
        try watch.take(ArraySlice(chunk))
      }
      try watch.end()
      say("frames: \(watch.frameCount), rolls: \(watch.rollCount)")
    } catch {
      FileHandle.standardError.write(Data("standard input: \(error)\n".utf8))
      exit(1)
    }
  }
}

/// What is known of a film so far.
struct Watch {
  private let detector: DiceDetector
  private var stream = FrameStream()
  private var follower = RollFollower()
  private(set) var rollCount = 0

  var frameCount: Int { follower.frameCount }

  init() throws {
    detector = try DiceDetector()
  }

  /// Takes the next bytes of the film, cut anywhere.
  mutating func take(_ bytes: ArraySlice<UInt8>) throws {
    var bytes = bytes
    while let event = try stream.next(from: &bytes) { try take(event) }
  }

  /// Takes what is left when the film has ended.
  mutating func end() throws {
    while let event = try stream.finish() { try take(event) }
  }

  private mutating func take(_ event: FrameStream.Event) throws {
    switch event {
    case .lost(let lost):
      // A damaged picture is passed over; the film goes on.
      FileHandle.standardError.write(Data("\(lost)\n".utf8))
    case .frame(let frame):
      for event in try follower.follow(frame.stored, with: detector, at: frame.timestamp) {
        report(event)
      }
    }
  }

  private mutating func report(_ event: RollTracker.Event) {
    switch event {
    case .rollEnded(let roll):
      rollCount += 1
      say("roll \(roll.number): \(text(roll))")
    case .resultRevised(let roll):
      say("roll \(roll.number), corrected: \(text(roll))")
    case .unsettled(let die):
      say("a die leans at column \(Int(die.boundingBox.midX)): please nudge it")
    case .cleared:
      say("the table is empty")
    default:
      break
    }
  }

  private func text(_ roll: Roll) -> String {
    "\(roll.values.map(String.init).joined(separator: " ")), sum \(roll.sum)"
  }
}

/// Prints a line at once, also into a pipe.
private func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
