internal import DiceRegistration

/// The reduced frames of the last second or so, to look back at the table before a die came.
///
/// Frames that follow another one by less than 50 ms are left out, so that the memory is the same at any
/// frame rate: sixteen frames.
struct FrameHistory: Sendable {
  private struct Entry: Sendable {
    var time: Duration
    var frame: ReducedFrame
  }

  private static let capacity = 16
  private static let spacing = Duration.milliseconds(45)

  private var entries: [Entry] = []
  /// The place of the latest entry.
  private var latest = 0

  /// Keeps a frame, in the place of the oldest where there are too many.
  ///
  /// A time before the latest one begins a new history.
  mutating func add(_ frame: ReducedFrame, at time: Duration) {
    if let last = entries.isEmpty ? nil : entries[latest].time {
      if time < last || frame.luminance.count != entries[latest].frame.luminance.count {
        reset()
      } else if time - last < Self.spacing {
        return
      }
    }
    guard entries.count == Self.capacity else {
      entries.append(Entry(time: time, frame: frame))
      latest = entries.count - 1
      return
    }
    latest = (latest + 1) % Self.capacity
    entries[latest].time = time
    entries[latest].frame.copy(frame)
  }

  /// The latest frame of a while; nil where there is none.
  func frame(in times: ClosedRange<Duration>) -> ReducedFrame? {
    var best: Entry?
    for entry in entries
    where times.contains(entry.time) && entry.time >= best?.time ?? entry.time { best = entry }
    return best?.frame
  }

  /// Forgets all frames.
  mutating func reset() {
    entries.removeAll(keepingCapacity: true)
    latest = 0
  }
}

extension ReducedFrame {
  /// Takes over the samples of a frame of this size, into the memory that is there.
  fileprivate mutating func copy(_ frame: ReducedFrame) {
    luminance.replaceSubrange(luminance.indices, with: frame.luminance)
    colors.replaceSubrange(colors.indices, with: frame.colors)
  }
}
