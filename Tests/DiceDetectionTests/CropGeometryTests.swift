import DiceDetection
import DiceGeometry
import Testing

@Suite struct CropGeometryTests {
  private let geometry = CropGeometry(width: 96, height: 64, objectSide: 32)

  /// The box's longer side is a third of the crop's width, as 32 is of 96.
  @Test func theLongerSideHasItsLengthInTheCrop() {
    let window = geometry.window(around: BoundingBox(x: 10, y: 20, width: 30, height: 12))
    #expect(window == BoundingBox(midX: 25, midY: 26, width: 90, height: 60))
    let upright = geometry.window(around: BoundingBox(x: 10, y: 20, width: 12, height: 30))
    #expect(upright.width == 90 && upright.height == 60)
  }

  /// A quarter of the longer side below the middle of a picture that is wide, and of one that is
  /// high.
  @Test func theEncodingTellsHowFarDownABoxLies() {
    for (width, height) in [(400, 200), (200, 400)] {
      let box = BoundingBox(
        midX: 10, midY: Double(height) / 2 + 100, width: 20, height: 20)
      #expect(
        geometry.positionalEncoding(at: box, pictureWidth: width, pictureHeight: height)
          == PositionalEncoding(y: 0.25, height: 64))
    }
  }
}
