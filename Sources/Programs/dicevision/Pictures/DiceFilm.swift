internal import DiceCodecs
internal import DiceCommandLine
internal import DiceDrawing
internal import DiceGeometry
internal import DiceRolls
internal import DiceVisionKit

/// The frames of a film with the dice, their values and their trails.
struct DiceFilm {
  private var film: MarkedFilm
  private var trails = DiceTrails()

  /// Dice in the frames of a film.
  init(_ film: MarkedFilm) { self.film = film }

  /// Writes a frame with what the tracker knows.
  mutating func write(
    _ frame: VideoFrame, _ tracker: RollTracker, orientation: ImageOrientation?, rate: FrameRate
  ) throws(ToolError) {
    trails.add(tracker, at: frame.timestamp)
    let overlay = FilmOverlay(tracker: tracker, trails: trails.lines)
    try film.write(frame, overlay, title: overlay.state, orientation: orientation, rate: rate)
  }
}

/// What the tracker knows of a frame: the dice with values and identities, their ways, and the roll.
struct FilmOverlay: Overlay {
  let tracker: RollTracker
  let trails: [DiceTrails.Line]

  /// What the roll has come to; empty where there is none.
  var state: String {
    switch tracker.phase {
    case .idle: ""
    case .rolling: "rolling"
    case .ended: tracker.lastRoll.map { "roll \($0.number): sum \($0.sum)" } ?? ""
    }
  }

  func draw<Surface: DrawingSurface>(on surface: inout Surface) {
    for trail in trails {
      // A dark edge keeps light colours visible on light tables.
      let width = max(2.5 * surface.suitableLineWidth, 0.2 * trail.dieSize)
      surface.drawTrail(
        trail.points, lineWidth: width + 2 * surface.suitableLineWidth,
        color: PixelColor.black.withOpacity(0.35 * trail.opacity))
      surface.drawTrail(
        trail.points, lineWidth: width, color: trail.color.withOpacity(trail.opacity))
    }
    surface.drawBoxes(
      tracker.dice.map { die in
        let value = die.value.map { "\($0)" } ?? "?"
        return BoxAnnotation(
          box: die.boundingBox, label: "\(value)  #\(die.identifier)", shortLabel: value,
          color: die.isStill ? .forValue(die.value ?? 0) : .white)
      })
    if state.isEmpty { return }
    let margin = surface.suitableTextSize / 2
    surface.drawTag(state, at: PixelPoint(x: margin, y: margin), color: .white)
  }
}

/// The ways that dice took lately, as they lie in the latest frame.
struct DiceTrails {
  /// A way, from its oldest point to its latest one.
  struct Line: Hashable {
    var points: [PixelPoint]
    /// The colour of the value that the die shows, as far as can be told.
    var color: PixelColor
    var opacity: Double
    /// The side of the die's box.
    var dieSize: Double
  }

  /// How long a point is remembered.
  static let memory = Duration.milliseconds(900)

  private struct Point {
    var place: PixelPoint
    var time: Duration
  }

  /// For each identity its latest places, on a table that does not move.
  private var points: [UInt64: [Point]] = [:]
  private var dice: [UInt64: TrackedDie] = [:]
  /// The dice of the latest frame, whose faces stay free.
  private var present: Set<UInt64> = []
  private var offset = PixelPoint(x: 0, y: 0)
  private var time = Duration.zero

  /// Takes up where the dice of a frame are.
  mutating func add(_ tracker: RollTracker, at time: Duration) {
    self.time = time
    offset = tracker.pictureOffset
    present.removeAll(keepingCapacity: true)
    for die in tracker.dice {
      dice[die.identifier] = die
      present.insert(die.identifier)
      let center = die.boundingBox.center
      points[die.identifier, default: []].append(
        Point(place: PixelPoint(x: center.x - offset.x, y: center.y - offset.y), time: time))
    }
    for identifier in Array(points.keys) {
      points[identifier]?.removeAll { time - $0.time > Self.memory || time < $0.time }
      if points[identifier]?.isEmpty == true {
        points[identifier] = nil
        dice[identifier] = nil
      }
    }
  }

  /// The ways of dice that moved up to their boxes, the oldest identity first; that of a die that is
  /// gone fades.
  var lines: [Line] {
    points.keys.sorted().compactMap { identifier in
      guard let way = points[identifier], let last = way.last, let die = dice[identifier] else {
        return nil
      }
      var places = way.map { PixelPoint(x: $0.place.x + offset.x, y: $0.place.y + offset.y) }
      if present.contains(identifier) {
        while let place = places.last, die.boundingBox.contains(place) { places.removeLast() }
      }
      guard places.count > 1 else { return nil }
      return Line(
        points: places, color: .forValue(die.value ?? die.values.first?.value ?? 0),
        opacity: 0.8 * (1 - (time - last.time) / Self.memory),
        dieSize: min(die.boundingBox.width, die.boundingBox.height))
    }
  }
}
