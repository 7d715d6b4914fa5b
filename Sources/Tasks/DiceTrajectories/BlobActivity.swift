/// How often there was something in each part of the picture lately.
///
/// What is thrown comes through air in which little else moves; arms, leaves and what swings come back to where
/// they were. Counts frames with a blob in a cell of the picture.
struct BlobActivity: Sendable {
  /// How far back frames count, in seconds.
  static let window = 1.0
  private static let cellSide = 8.0
  private static let columns = 64

  /// The first frame that counts.
  var oldest = 0
  private var counts = [Int32](repeating: 0, count: columns * columns)
  /// The last change of each cell, so that a frame counts once.
  private var stamps = [Int32](repeating: 0, count: columns * columns)
  private var stamp: Int32 = 0

  /// Forgets all.
  mutating func reset(frame: Int) {
    oldest = frame
    for index in counts.indices { counts[index] = 0 }
  }

  /// Counts a frame's blobs.
  mutating func add(_ blobs: [Blob]) { change(blobs, by: 1) }

  /// Takes back a frame's blobs.
  mutating func remove(_ blobs: [Blob]) { change(blobs, by: -1) }

  private mutating func change(_ blobs: [Blob], by step: Int32) {
    stamp &+= 1
    for blob in blobs {
      let cell = Self.cell(blob.x, blob.y)
      guard stamps[cell] != stamp else { continue }
      stamps[cell] = stamp
      counts[cell] += step
    }
  }

  /// The cell of a place; what is far outside belongs to the nearest one.
  private static func cell(_ x: Double, _ y: Double) -> Int { index(y) * columns + index(x) }

  private static func index(_ value: Double) -> Int {
    Int(min(max((value / cellSide).rounded(.down) + 8, 0), Double(columns - 1)))
  }

  /// The share of the counted frames in which there was something else where a path has its sightings: the
  /// mean over these.
  ///
  /// - Complexity: O(n²) for n sightings.
  func share(along sightings: [FlightTracker.Sighting], frame: Int) -> Double {
    var sum = 0.0
    for sighting in sightings {
      let cell = Self.cell(sighting.x, sighting.y)
      var others = Int(counts[cell])
      for other in sightings
      where other.frame >= oldest && Self.cell(other.x, other.y) == cell {
        others -= 1
      }
      sum += Double(max(0, others))
    }
    return sum / Double(max(frame - oldest + 1, 1)) / Double(max(sightings.count, 1))
  }

  /// The share of the counted frames in which there was something else around a place of a path: the mean over
  /// its cell and the eight beside it.
  ///
  /// - Complexity: O(n) for n sightings.
  func share(
    around sighting: FlightTracker.Sighting, of sightings: [FlightTracker.Sighting], frame: Int
  ) -> Double {
    let (column, row) = (Self.index(sighting.x), Self.index(sighting.y))
    var count = 0
    for y in max(row - 1, 0)...min(row + 1, Self.columns - 1) {
      for x in max(column - 1, 0)...min(column + 1, Self.columns - 1) {
        count += Int(counts[y * Self.columns + x])
      }
    }
    for other in sightings
    where other.frame >= oldest && abs(Self.index(other.x) - column) <= 1
      && abs(Self.index(other.y) - row) <= 1
    {
      count -= 1
    }
    return Double(max(0, count)) / 9 / Double(max(frame - oldest + 1, 1))
  }
}
