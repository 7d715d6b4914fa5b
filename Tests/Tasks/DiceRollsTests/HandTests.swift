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

  private static func moves(_ event: RollTracker.Event) -> Bool {
    switch event {
    case .dieMoved, .rollStarted, .cameraMoved: true
    default: false
    }
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
}
