/// One observation of a die, in table coordinates: pixels less the camera's displacement.
struct TrackSample: Hashable, Sendable {
  /// On the tracker's own clock, in nanoseconds.
  var time: Int64
  /// The centre.
  var x: Double
  var y: Double
  var width: Float
  var height: Float
  /// `√(width · height)`.
  var size: Float
  var confidence: Float
  /// The logarithms of the faces' probabilities.
  var scores: FaceScores
  /// The most likely face by its place in the tracker's list, −1 for none.
  var top: Int16
}

/// A die that is followed.
struct Track: Hashable, Sendable {
  /// How far a track has come.
  enum Stage: UInt8, Hashable, Sendable {
    /// Seen too few times to count.
    case tentative
    /// A die.
    case confirmed
    /// A die that has left and may come back to the same place.
    case dormant
  }

  /// How fast a die moved.
  enum Pace: UInt8, Hashable, Sendable {
    case slow
    /// As a thrown die.
    case fast
    /// As a die that is thrown from where it lay.
    case flung
  }

  /// The logarithm of 0.03: no single reading speaks against a value more strongly.
  static let lowestScore: Float = -3.506558
  /// The logarithm of a tenth: readings that give a value less speak against it.
  static let doubtfulScore: Float = -2.302585
  /// The most samples that are kept.
  static let capacity = 48
  /// How long boxes may be away that are of another face of the die, in nanoseconds.
  static let strayDuration: Int64 = 250_000_000

  var identifier: UInt64 = 0
  var stage = Stage.tentative
  var born: Int64 = 0
  var lastSeen: Int64 = 0
  /// Frames since the last one that showed the die.
  var missedFrames: Int32 = 0
  /// Observations so far, up to a bound.
  var hits: Int32 = 0
  var samples: [TrackSample] = []

  var isStill = false
  /// Where the die lies, while it is still.
  var anchorX = 0.0
  var anchorY = 0.0
  /// A place in the picture with the camera's offset there.
  struct Hold: Hashable, Sendable {
    var x: Double
    var y: Double
    var offsetX: Double
    var offsetY: Double
  }

  /// Where the picture has shown the die since it came to rest or was last carried along; nil before.
  var hold: Hold?
  /// When it came to rest, while it is still.
  var restTime: Int64 = 0
  /// When it left its last place, −1 where it never lay still.
  var departed: Int64 = -1
  /// Where it lay before it departed.
  var originX = 0.0
  var originY = 0.0
  /// The latest observation was away from the anchor.
  var isDisplaced = false
  /// The fastest that it was since it was born or departed.
  var pace = Pace.slow
  /// First seen where no die had been for a while.
  var wasBornOnEmptyTable = false
  /// Takes part in the roll under way, or did in the last one.
  var tookPart = false
  /// Has moved, or come, since the last result.
  var needsRevision = false
  /// The face that the readings agree on, −1 for none.
  var decided: Int16 = -1
  /// Since when the die is still without a value, −1 where it is not.
  var undecidedSince: Int64 = -1
  /// Has lain still without a value for so long that the likeliest one is taken.
  var isOverdue = false
  /// Stands outside the field of play; false without one.
  var isOutside = false

  /// The latest sample; there always is one.
  var latest: TrackSample { samples[samples.count - 1] }

  /// The greatest size of all samples, of a die at rest of those since then: what a hand covers in part looks
  /// smaller, and what flies larger.
  var wholeSize: Double {
    var size = latest.size
    for sample in samples where !isStill || sample.time >= restTime {
      size = max(size, sample.size)
    }
    return Double(size)
  }
}

// MARK: - Samples

extension Track {
  /// Adds an observation; forgets those older than `span`, and a lone stray one before it.
  ///
  /// A sample that follows the one before it by less than `spacing` replaces it where that one did
  /// not itself follow by more: at high frame rates the window stays within ``capacity``.
  mutating func add(_ sample: TrackSample, span: Int64, spacing: Int64) {
    // After a long absence nothing links the new place to the old one.
    if let last = samples.last, sample.time - last.time > 900_000_000 { samples.removeAll() }
    let count = samples.count
    if count >= 2, sample.time - samples[count - 2].time < spacing {
      samples[count - 1] = sample
      return
    }
    forgetStrays(before: sample)
    var first = 0
    while first < samples.count, sample.time - samples[first].time > span { first += 1 }
    first = max(first, samples.count + 1 - Self.capacity)
    if first > 0 { samples.removeSubrange(0..<first) }
    samples.append(sample)
  }

  /// Forgets the latest sample where it is away from the one before it and from the next one, which lie in one
  /// place; of the last 0.25 s several that show another face than these two.
  ///
  /// No die leaves its place and comes back so fast: the box was not the die's, or that of another of its faces.
  private mutating func forgetStrays(before next: TrackSample) {
    let size = Double(next.size)
    let last = samples.count - 1
    var index = last - 1
    while index >= 0, distance(ofSample: index, to: (next.x, next.y)) > 0.1 * size { index -= 1 }
    guard index >= 0 else { return }
    let isLone = index == last - 1
    guard
      isLone
        || next.time - samples[index].time <= Self.strayDuration && samples[index].top == next.top
    else { return }
    for stray in index + 1...last {
      let isAway = distance(ofSample: stray, to: (next.x, next.y)) > 0.15 * size
      guard isAway, isLone || samples[stray].top != next.top else { return }
    }
    while samples.count > index + 1 { samples.removeLast() }
  }

  private func distance(ofSample index: Int, to place: (x: Double, y: Double)) -> Double {
    length(samples[index].x - place.x, samples[index].y - place.y)
  }

  /// Whether the latest boxes may be those of another face, one that is not uppermost: for less than 0.25 s they
  /// have lain next to the die's place and shown another number.
  ///
  /// - Parameter distance: how far from its place a die counts as moved, in sizes.
  func mayBeOtherFace(distance: Double) -> Bool {
    var index = samples.count - 1
    let (time, size) = (samples[index].time, Double(samples[index].size))
    guard samples[index].top >= 0, samples[index].top != decided,
      self.distance(ofSample: index, to: (anchorX, anchorY)) <= 0.8 * size
    else { return false }
    while index >= 0, time - samples[index].time <= Self.strayDuration {
      if self.distance(ofSample: index, to: (anchorX, anchorY)) <= distance * size { return true }
      index -= 1
    }
    return false
  }

  /// The index of the first sample since the die came to rest; of the latest while it moves.
  var firstRestingSample: Int {
    guard isStill else { return samples.count - 1 }
    var index = samples.count - 1
    while index > 0, samples[index - 1].time >= restTime { index -= 1 }
    return index
  }

  /// Where the die is expected next, from its last place and speed.
  func predictedCenter(at time: Int64) -> (x: Double, y: Double) {
    if isStill { return (anchorX, anchorY) }
    let last = latest
    guard samples.count >= 2 else { return (last.x, last.y) }
    let earlier = samples[max(0, samples.count - 3)]
    let interval = seconds(last.time - earlier.time)
    guard interval > 0, interval < 0.35 else { return (last.x, last.y) }
    // Rolling dice slow down: less than the full speed misses by less.
    let ahead = 0.7 * min(seconds(time - last.time), 0.2) / interval
    return (last.x + (last.x - earlier.x) * ahead, last.y + (last.y - earlier.y) * ahead)
  }
}

@inline(__always)
func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) * 1e-9 }

@inline(__always)
func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
