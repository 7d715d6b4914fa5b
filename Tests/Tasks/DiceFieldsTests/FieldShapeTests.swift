import DiceFields
import DiceGeometry
import Testing

@Suite struct FieldShapeTests {
  /// A board of 122 by 61 cm as a camera with a focal length of 717 pixels sees it, and a piece of texture.
  private static let board = Quadrilateral(
    upperLeft: PixelPoint(x: 415, y: 246.6), upperRight: PixelPoint(x: 525.3, y: 223.3),
    lowerRight: PixelPoint(x: 548.3, y: 244.5), lowerLeft: PixelPoint(x: 429.1, y: 270.2))
  private static let texture = Quadrilateral(
    upperLeft: PixelPoint(x: -13.8, y: 172.2), upperRight: PixelPoint(x: 226, y: 165.4),
    lowerRight: PixelPoint(x: 289, y: 227.8), lowerLeft: PixelPoint(x: 210.1, y: 239.9))

  private static func fits(_ outline: Quadrilateral, _ shape: FieldShape) -> Bool {
    shape.fits(outline, pictureWidth: 640, pictureHeight: 360)
  }

  @Test func aBoardFitsItsShapeWhateverTheCamera() {
    for focalLength in [nil, 500.0, 717, 1000] {
      let shape = FieldShape(width: 122, height: 61, focalLength: focalLength)
      #expect(Self.fits(Self.board, shape))
      #expect(!Self.fits(Self.texture, shape))
      // The sides in the other order are the same board.
      #expect(Self.fits(Self.board, FieldShape(width: 61, height: 122, focalLength: focalLength)))
    }
    // The unit does not matter, the ratio does.
    #expect(Self.fits(Self.board, FieldShape(width: 2, height: 1)))
    #expect(!Self.fits(Self.board, FieldShape(width: 122, height: 20)))
    // A square seen from straight above.
    let square = Quadrilateral(BoundingBox(x: 200, y: 80, width: 150, height: 150))
    #expect(Self.fits(square, FieldShape(width: 40, height: 40)))
    #expect(!Self.fits(square, FieldShape(width: 122, height: 61)))
  }

  @Test func strangeOutlinesAndShapesFitNothing() {
    let crossed = Quadrilateral(
      upperLeft: PixelPoint(x: 0, y: 0), upperRight: PixelPoint(x: 9, y: 9),
      lowerRight: PixelPoint(x: 9, y: 0), lowerLeft: PixelPoint(x: 0, y: 9))
    #expect(!Self.fits(crossed, FieldShape(width: 122, height: 61)))
    for (width, height, focalLength) in [
      (0.0, 61.0, 700.0), (122, -1, 700), (.nan, 61, 700), (122, .infinity, 700), (122, 61, 0),
      (122, 61, .nan),
    ] {
      #expect(
        !Self.fits(
          Self.board, FieldShape(width: width, height: height, focalLength: focalLength)))
    }
  }
}
