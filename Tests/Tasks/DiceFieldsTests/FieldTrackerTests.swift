import DiceFields
import DiceGeometry
import DiceImaging
import TestSupport
import Testing

/// Rendered films, in which the camera moves and the corners are known exactly.
struct FieldTrackerTests {
  /// A camera that sways, tilts and comes nearer.
  private func camera(_ frame: Int) -> TableCamera {
    let time = Double(frame)
    return TableCamera(
      tilt: 32 + 0.5 * time, turn: 12 + 0.7 * time, distance: 70 - 0.3 * time,
      target: SIMD2(0.15 * time, -0.1 * time))
  }

  /// A chess board, over which a hand goes from frame 8 to 20.
  private func frame(_ index: Int, hand: Bool) -> PixelImage {
    var scene = TableScene(camera: camera(index), surface: Boards.chess())
    if hand, (8...20).contains(index) {
      for finger in 0..<4 {
        scene.pieces.append(
          (Double(finger) * 2.6 - 22 + Double(index), 12 + Double(finger % 2), 2, 8, 170))
      }
    }
    return scene.render(seed: UInt64(index))
  }

  @Test(arguments: [false, true]) func theFieldStaysFoundWhileTheCameraMoves(hand: Bool) throws {
    var tracker = FieldTracker()
    for index in 0..<30 {
      let image = frame(index, hand: hand)
      let field = try #require(try tracker.update(with: image))
      expectEqual(tracker.state, (index == 0 ? .detected : .tracked), "frame \(index)")
      let error = cornerError(field.outline, camera(index).outline(32, 32), image)
      #expect(error < 0.003, "frame \(index)")
      expectEqual(field.kind, .grid(columns: 8, rows: 8))
    }
  }

  @Test func aHiddenFieldStaysAndALostOneIsFoundAgain() throws {
    var tracker = FieldTracker()
    tracker.maximumHiddenCount = 3
    tracker.searchInterval = 2
    let first = frame(0, hand: false)
    let found = try #require(try tracker.update(with: first))
    let blank = PixelImage(
      width: 640, height: 480, format: .gray, samples: [UInt8](repeating: 90, count: 640 * 480))
    for _ in 0..<3 {
      try expectEqual(tracker.update(with: blank)?.outline, found.outline)
      #expect(tracker.state == .hidden && tracker.visibleShare == 0)
    }
    try expectEqual(tracker.update(with: blank), nil)
    expectEqual(tracker.state, .searching)
    // Two frames pass between searches.
    try expectEqual(tracker.update(with: first), nil)
    try expectEqual(tracker.update(with: first), nil)
    try expectEqual(tracker.update(with: first)?.outline, found.outline)
    expectEqual(tracker.state, .detected)
    tracker.reset()
    try expectEqual(tracker.update(with: first)?.outline, found.outline)
  }

  @Test func onlyWhatHasTheShapeIsFollowed() throws {
    let image = frame(0, hand: false)
    for (width, height, isFound) in [(32.0, 32.0, true), (40, 32, true), (122, 20, false)] {
      var tracker = FieldTracker()
      tracker.shape = FieldShape(width: width, height: height)
      try expectEqual((tracker.update(with: image) != nil), isFound, "\(width) \(height)")
    }
  }

  @Test func framesOfAnotherSizeBeginAnew() throws {
    var tracker = FieldTracker()
    _ = try #require(try tracker.update(with: frame(0, hand: false)))
    let small = PixelImage(width: 1, height: 1, format: .gray, samples: [0])
    try expectEqual(tracker.update(with: small), nil)
    expectEqual(tracker.state, .searching)
    #expect(try tracker.update(with: frame(0, hand: false)) != nil)
  }
}
