/// The reduced frames of the last second or so, to look back at the table before a die came.
///
/// Frames that follow another one by less than 50 ms are left out, so that the memory is the same at any
/// frame rate: sixteen planes.
struct FrameHistory: Sendable {
  private struct Entry: Sendable {
    var time: Duration
    var plane: [UInt8]
  }

  private static let capacity = 16
  private static let spacing = Duration.milliseconds(45)

  private var entries: [Entry] = []
  /// The place of the latest entry.
  private var latest = 0

  /// Keeps a frame, in the place of the oldest where there are too many.
  ///
  /// A time before the latest one begins a new history.
  mutating func add(_ plane: [UInt8], at time: Duration) {
    if let last = entries.isEmpty ? nil : entries[latest].time {
      if time < last || plane.count != entries[latest].plane.count {
        reset()
      } else if time - last < Self.spacing {
        return
      }
    }
    guard entries.count == Self.capacity else {
      entries.append(Entry(time: time, plane: plane))
      latest = entries.count - 1
      return
    }
    latest = (latest + 1) % Self.capacity
    entries[latest].time = time
    entries[latest].plane.replaceSubrange(0..<plane.count, with: plane)
  }

  /// The latest frame of a while; nil where there is none.
  func plane(in times: ClosedRange<Duration>) -> [UInt8]? {
    var best: Entry?
    for entry in entries
    where times.contains(entry.time) && entry.time >= best?.time ?? entry.time { best = entry }
    return best?.plane
  }

  /// Forgets all frames.
  mutating func reset() {
    entries.removeAll(keepingCapacity: true)
    latest = 0
  }
}
