import DiceGeometry
import DiceRegistration
import Testing

@testable import DiceRolls

/// What hands do that look like a camera or like a throw.
struct HandTests {
  private static let size = 40.0

  private var tracker = RollTracker()
  private var frameCount = 0

  private static func die(
    _ value: Int, x: Double, y: Double, width: Double = size
  ) -> RollTracker.Observation {
    RollTracker.Observation(
      boundingBox: BoundingBox(midX: x, midY: y, width: width, height: size), confidence: 0.95,
      values: [ValueProbability(value: value, confidence: 0.95)])
  }

  /// A square that is read as a one.
  private static func card(width: Double) -> RollTracker.Observation {
    RollTracker.Observation(
      boundingBox: BoundingBox(midX: 300, midY: 200, width: width, height: width), confidence: 0.9,
      values: [ValueProbability(value: 1, confidence: 0.9)])
  }

  /// Shows dice for some frames of 1/30 s, and says what happened.
  private mutating func show(
    frames: Int, motion: CameraMotion = .fixed,
    _ dice: (_ frame: Int) -> [RollTracker.Observation]
  ) -> [RollTracker.Event] {
    var events: [RollTracker.Event] = []
    for frame in 0..<frames {
      events += tracker.update(
        with: dice(frame), at: .nanoseconds(frameCount * 33_333_333), cameraMotion: motion)
      frameCount += 1
    }
    return events
  }

  /// Shows dice for some frames, and names the newcomers among them.
  private mutating func newcomers(
    frames: Int, _ dice: (_ frame: Int) -> [RollTracker.Observation]
  ) -> Set<UInt64> {
    var newcomers: Set<UInt64> = []
    for _ in 0..<frames {
      _ = show(frames: 1, dice)
      newcomers.formUnion(tracker.newcomers.map(\.identifier))
    }
    return newcomers
  }

  private static func moves(_ event: RollTracker.Event) -> Bool {
    switch event {
    case .dieMoved, .rollStarted, .cameraMoved: true
    default: false
    }
  }

  private static func begins(_ event: RollTracker.Event) -> Bool {
    if case .rollStarted = event { true } else { false }
  }

  /// A hand hides one die, and looks like a camera that moves by three pixels a frame.
  @Test mutating func aDieThatStaysInThePictureHoldsTheCamera() {
    _ = show(frames: 30) { _ in [Self.die(2, x: 100, y: 100), Self.die(5, x: 300, y: 100)] }
    let hand = CameraMotion(x: 1, y: -3, confidence: 0.9)
    var events = show(frames: 18, motion: hand) { _ in [Self.die(2, x: 100, y: 100)] }
    events += show(frames: 30) { _ in [Self.die(2, x: 100, y: 100), Self.die(5, x: 300, y: 100)] }
    #expect(!events.contains(where: Self.moves), "\(events)")
    let offset = tracker.pictureOffset
    #expect(max(offset.x.magnitude, offset.y.magnitude) < 0.1 * Self.size, "\(offset)")
  }

  @Test mutating func aDieThatTheCameraCarriesDoesNotHoldIt() {
    _ = show(frames: 30) { _ in [Self.die(2, x: 100, y: 300)] }
    let pan = CameraMotion(x: 0.5, y: -1, confidence: 0.9)
    let events = show(frames: 90, motion: pan) { frame in
      [Self.die(2, x: 100 + 0.5 * Double(frame + 1), y: 300 - Double(frame + 1))]
    }
    #expect(!events.contains { if case .dieMoved = $0 { true } else { false } }, "\(events)")
    let offset = tracker.pictureOffset
    #expect((offset.x - 45).magnitude < 4 && (offset.y + 90).magnitude < 4, "\(offset)")
  }

  /// A hand covers two dice for two and a half seconds, first in part; then they are seen elsewhere.
  ///
  /// With their values the camera has moved, with others they were thrown.
  @Test(arguments: [(6, 4, false), (3, 5, true)])
  mutating func diceThatAHandCoveredAreNotThrown(_ first: Int, _ second: Int, _ isThrown: Bool) {
    _ = show(frames: 30) { _ in [Self.die(6, x: 100, y: 100), Self.die(4, x: 200, y: 150)] }
    // Their boxes shrink from one side.
    _ = show(frames: 4) { frame in
      let width = Self.size - 4 * Double(frame + 1)
      let shift = 2 * Double(frame + 1)
      return [
        Self.die(6, x: 100 - shift, y: 100, width: width),
        Self.die(4, x: 200 - shift, y: 150, width: width),
      ]
    }
    _ = show(frames: 75) { _ in [] }
    let events = show(frames: 40) { _ in
      [Self.die(first, x: 116, y: 112), Self.die(second, x: 216, y: 162)]
    }
    let isTold = events.contains { if case .rollEnded = $0 { true } else { false } }
    #expect(isTold == isThrown, "\(events)")
  }

  /// The camera moves while a hand hides that: one die slides through the picture, and is covered where another one
  /// comes into view that lay there before.
  @Test mutating func aDieThatSlidesAwaySlowlyIsNotSeenAgainFarFromThere() {
    _ = show(frames: 30) { _ in [Self.die(1, x: 100, y: 200), Self.die(1, x: 260, y: 150)] }
    _ = show(frames: 12, motion: .zero) { _ in [Self.die(1, x: 100, y: 200)] }
    var events = show(frames: 10, motion: .zero) { frame in
      [Self.die(1, x: 100, y: 200 - 2 * Double(frame + 1))]
    }
    #expect(events.contains { if case .dieMoved = $0 { true } else { false } }, "\(events)")
    _ = show(frames: 7, motion: .zero) { _ in [] }
    events = show(frames: 30) { _ in [Self.die(1, x: 260, y: 110)] }
    #expect(!events.contains(where: Self.begins), "\(events)")
  }

  @Test(arguments: [(16.0, false), (24, true)])
  mutating func aDieThatIsPushedWhileItIsHiddenIsTheSame(_ distance: Double, _ isNew: Bool) {
    _ = show(frames: 30) { _ in [Self.die(6, x: 100, y: 100)] }
    _ = show(frames: 6) { _ in [] }
    let events = show(frames: 12) { _ in [Self.die(6, x: 100 + distance, y: 100)] }
    #expect(events.contains { if case .dieEntered = $0 { true } else { false } } == isNew)
  }

  /// A playing card is read as a large die while a hand lays a die down; two dice of one size are a throw.
  @Test(arguments: [(100.0, false), (50, true)])
  mutating func whatIsMuchLargerThanADieIsNotThrownWithIt(_ width: Double, _ isThrown: Bool) {
    _ = show(frames: 30) { _ in [] }
    let events = show(frames: 30) { _ in [Self.die(4, x: 100, y: 100), Self.card(width: width)] }
    #expect(events.contains(where: Self.begins) == isThrown, "\(events)")
  }

  @Test(arguments: [(100.0, false), (50, true)])
  mutating func whatIsMuchLargerThanADieIsNoNewcomer(_ width: Double, _ isNewcomer: Bool) {
    _ = show(frames: 30) { _ in [Self.die(4, x: 100, y: 100)] }
    let newcomers = newcomers(frames: 15) { _ in
      [Self.die(4, x: 100, y: 100), Self.card(width: width)]
    }
    #expect(newcomers.isEmpty != isNewcomer)
  }

  /// What comes where a die lay was turned by a hand; beside that it may be thrown.
  @Test(arguments: [(10.0, false), (25, true)])
  mutating func aDieThatIsTurnedInItsPlaceIsNoNewcomer(_ distance: Double, _ isNewcomer: Bool) {
    _ = show(frames: 30) { _ in [Self.die(4, x: 100, y: 100)] }
    _ = show(frames: 18) { _ in [] }
    let newcomers = newcomers(frames: 15) { _ in [Self.die(2, x: 100 + distance, y: 100)] }
    #expect(newcomers.isEmpty != isNewcomer)
  }
}
