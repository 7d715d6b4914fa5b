import DiceCodecs
import DiceVisionKit
import Foundation

/// The throws of a film or a camera.
///
/// A result that the tracker revises later, because a die was nudged or found late, is not taken
/// back: what was called out at the table stands.
struct FilmDice {
  /// A sentence for the player who called the program.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let detector: DiceDetector
  private let tell: (TableEvent) -> Void

  /// - Parameter tell: told of each throw as soon as its dice lie still.
  init(detector: DiceDetector, tell: @escaping (TableEvent) -> Void) {
    self.detector = detector
    self.tell = tell
  }

  /// Follows a film to its end: a file, a folder of numbered pictures, or `-` for standard input.
  func follow(_ path: String) throws {
    var isFolder: ObjCBool = false
    if path != "-" {
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw Failure(description: "\(path): there is no such film.")
      }
    }
    var follower = RollFollower()
    if isFolder.boolValue {
      var stream = FrameStream(kind: .pictureFiles)
      for picture in try Self.pictures(in: path) {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: picture)))
        try take(stream.next(pictureFile: bytes), &follower)
      }
    } else {
      let file: FileHandle
      if path == "-" {
        file = .standardInput
      } else {
        file = try FileHandle(forReadingFrom: URL(filePath: path))
      }
      var stream = FrameStream()
      while let chunk = try file.read(upToCount: 1 << 16), !chunk.isEmpty {
        var bytes = ArraySlice(chunk)
        while let event = try stream.next(from: &bytes) { try take(event, &follower) }
      }
      while let event = try stream.finish() { try take(event, &follower) }
    }
  }

  private func take(_ event: FrameStream.Event, _ follower: inout RollFollower) throws {
    guard case .frame(let frame) = event else { return }
    for event in try follower.follow(frame.stored, with: detector, at: frame.timestamp) {
      switch event {
      case .rollEnded(let roll): tell(.thrown(roll.values))
      case .unsettled: tell(.notice("A die leans: please nudge it."))
      case .rollAbandoned: tell(.notice("That throw does not count: the dice left the table."))
      default: break
      }
    }
  }

  /// The pictures of a folder in the order of their names.
  private static func pictures(in folder: String) throws -> [String] {
    let kinds = ["jpg", "jpeg", "png", "ppm", "pgm"]
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { kinds.contains(($0 as NSString).pathExtension.lowercased()) }
      .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
      .map { "\(folder)/\($0)" }
  }
}
