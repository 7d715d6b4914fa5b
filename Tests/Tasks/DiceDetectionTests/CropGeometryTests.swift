import DiceDetection
import DiceGeometry
import TestSupport
import Testing

@Suite struct CropGeometryTests {
  private let geometry = CropGeometry(width: 96, height: 64, objectSide: 32)

  /// The box's longer side is a third of the crop's width, as 32 is of 96.
  @Test func theLongerSideHasItsLengthInTheCrop() {
    let window = geometry.window(around: BoundingBox(x: 10, y: 20, width: 30, height: 12))
    expectEqual(window, BoundingBox(midX: 25, midY: 26, width: 90, height: 60))
    let upright = geometry.window(around: BoundingBox(x: 10, y: 20, width: 12, height: 30))
    #expect(upright.width == 90 && upright.height == 60)
  }
}
