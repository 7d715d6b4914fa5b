/// Finds flights among the blobs of successive frames.
///
/// Hypotheses start with three blobs in successive frames that could be a thrown thing, and take a blob of
/// each further frame where one lies near the path that was fitted to those before. The evidence for a
/// flight is the sum of logarithms of likelihood ratios: for each blob taken, how much likelier it is
/// there with a flight than by chance, given how many blobs there are around it; for each frame without
/// one, how much less likely. What passes all the tests becomes a flight.
struct FlightTracker: Sendable {
  /// A blob on a path.
  struct Sighting: Sendable {
    var frame: Int
    var time: Double
    /// Its index among the blobs of its frame.
    var index: Int
    var x: Double
    var y: Double
    var radius: Double
    var mass: Double
    var sign: Double
    /// The largest difference.
    var peak: Double
    /// The longer side of its box.
    var extent: Double
    /// How many blobs there were around it on a sample.
    var density: Double
    /// The camera's shake then.
    var shift: (x: Double, y: Double)
  }

  /// A path, perhaps of a flight.
  struct Path: Sendable {
    var sightings: [Sighting] = []
    var fit: FlightFit?
    /// The sum of logarithms of likelihood ratios.
    var evidence = 0.0
    /// Frames without a sighting, and those of them since the last one.
    var missed = 0
    var missedInARow = 0
    /// The mean radius of the sightings that were fitted.
    var radius = 0.0
    /// 0 for a path that is no flight yet.
    var identity = 0
    /// The logarithm of the odds that this is a thrown thing.
    var score = 0.0
    /// Whether the last frame changed it.
    var hasNews = false
    var isOver = false

    init(capacity: Int) { sightings.reserveCapacity(capacity) }

    /// Takes the memory for another path.
    mutating func clear() {
      var sightings = sightings
      self.sightings = []
      sightings.removeAll(keepingCapacity: true)
      self = Path(sightings)
    }

    private init(_ sightings: consuming [Sighting]) { self.sightings = sightings }
  }

  /// What begins and ends a flight.
  struct Rules: Sendable, Hashable {
    var leastSightings = 5
    var framesWithoutEvidence = 20
    /// The least score.
    var threshold = 1.0
  }

  static let pathLimit = 120
  static let flightLimit = 16
  /// The most sightings of a flight; with more it ends.
  static let sightingLimit = 600
  /// The most sightings of a path that is no flight yet; with more it is dropped.
  static let pathSightingLimit = 120
  /// The frames whose blobs are kept.
  static let memory = 64

  var rules = Rules()
  var flights: [Path] = []
  var paths: [Path] = []
  /// Memory for paths and for flights.
  var sparePaths: [Path] = []
  var spareFlights: [Path] = []
  /// The blobs, times and shakes of the last frames, each at its number modulo the memory.
  var blobs: [[Blob]] = []
  var times = [Double](repeating: -.infinity, count: FlightTracker.memory)
  var shifts = [(x: Double, y: Double)](
    repeating: (0, 0), count: FlightTracker.memory)
  var activity = BlobActivity()
  var network = FlightNetwork.bundled
  var frame = -1
  var side = 320.0
  var nextIdentity = 1
  var buffer: [FlightFit.Point] = []

  init() {
    blobs = (0..<Self.memory).map { (_) in
      var list: [Blob] = []
      list.reserveCapacity(BlobFinder.blobLimit)
      return list
    }
    paths.reserveCapacity(Self.pathLimit)
    flights.reserveCapacity(Self.flightLimit)
    sparePaths = (0..<Self.pathLimit).map { (_) in Path(capacity: Self.pathSightingLimit + 1) }
    spareFlights = (0..<Self.flightLimit).map { (_) in Path(capacity: Self.sightingLimit) }
    buffer.reserveCapacity(Self.sightingLimit)
  }

  /// Takes in the blobs of a frame.
  ///
  /// - Parameters:
  ///   - found: The blobs; its memory is exchanged for other.
  ///   - time: In seconds.
  ///   - shift: The camera's shake.
  ///   - side: The longer side of the picture in samples.
  ///   - isNew: Whether what was before has nothing to do with this frame.
  mutating func update(
    _ found: inout [Blob], time: Double, shift: (x: Double, y: Double), side: Double, isNew: Bool
  ) {
    self.side = side
    frame += 1
    let slot = frame % Self.memory
    countActivity(until: time)
    swap(&blobs[slot], &found)
    times[slot] = time
    shifts[slot] = shift
    removeEndedFlights()
    if isNew {
      activity.reset(frame: frame + 1)
      endAll()
      return
    }
    activity.add(blobs[slot])
    for index in flights.indices { follow(index) }
    for index in paths.indices { grow(index) }
    removeLostPaths()
    startPaths()
    removeDoublePaths()
    joinPaths()
    confirmPaths()
  }

  /// Takes back what is too old to count, and what will not be remembered.
  private mutating func countActivity(until time: Double) {
    while activity.oldest < frame {
      let slot = activity.oldest % Self.memory
      guard frame - activity.oldest >= Self.memory || time - times[slot] > BlobActivity.window
      else { return }
      activity.remove(blobs[slot])
      activity.oldest += 1
    }
  }

  // MARK: - Flights

  private mutating func removeEndedFlights() {
    for index in flights.indices.reversed() {
      flights[index].hasNews = false
      guard flights[index].isOver else { continue }
      flights.swapAt(index, flights.count - 1)
      dropLastFlight()
    }
    sortFlights()
  }

  private mutating func dropLastFlight() {
    guard var flight = flights.popLast() else { return }
    flight.clear()
    spareFlights.append(flight)
  }

  /// Puts the flights in the order of their identities; there are few.
  private mutating func sortFlights() {
    for index in flights.indices.dropFirst() {
      var place = index
      while place > 0, flights[place].identity < flights[place - 1].identity {
        flights.swapAt(place, place - 1)
        place -= 1
      }
    }
  }

  /// Drops a path; others take its place and its number.
  mutating func dropPath(_ index: Int) {
    paths.swapAt(index, paths.count - 1)
    guard var path = paths.popLast() else { return }
    path.clear()
    sparePaths.append(path)
  }

  /// Ends all flights and forgets all paths, with the frame that comes or after the last one.
  private mutating func endAll() {
    for index in flights.indices {
      flights[index].isOver = true
      flights[index].hasNews = true
    }
    while !paths.isEmpty { dropPath(paths.count - 1) }
  }

  private mutating func follow(_ index: Int) {
    let slot = frame % Self.memory
    let found = candidate(for: flights[index])
    if let found, flights[index].sightings.count < Self.sightingLimit {
      blobs[slot][found].owner = flights[index].identity
      let sighting = sighting(found, slot: slot, frame: frame)
      Self.append(sighting, to: &flights[index])
      Self.refit(&flights[index], &buffer, isFlight: true)
      findBeginning(index)
      flights[index].hasNews = true
    } else {
      flights[index].missedInARow += 1
      if flights[index].missedInARow >= rules.framesWithoutEvidence
        || flights[index].sightings.count == Self.sightingLimit || isOutside(flights[index])
      {
        flights[index].isOver = true
        flights[index].hasNews = true
      }
    }
  }

  private func isOutside(_ path: Path) -> Bool {
    guard let place = path.fit?.place(at: times[frame % Self.memory]) else { return true }
    return place.x < -side * 0.1 || place.x > side * 1.1 || place.y > side * 1.1
  }

  /// The time and the shake of a frame; nil where it is no longer known.
  func frameInformation(_ index: Int) -> (time: Double, shift: (x: Double, y: Double))? {
    guard index >= 0, index <= frame, index > frame - Self.memory else { return nil }
    return (times[index % Self.memory], shifts[index % Self.memory])
  }

  /// Ends all flights.
  mutating func finish() {
    removeEndedFlights()
    endAll()
  }
}
