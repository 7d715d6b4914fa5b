import DiceGeometry
import TestSupport
import Testing

/// Windows that may reach outside the picture, with cases computed by hand.
@Suite struct ImageTransformWindowTests {
  // Stored 8 by 4; turned to the right it is 4 by 8 upright. The input is 16 by 16.
  func transform(
    _ window: BoundingBox, orientation: ImageOrientation = .up, width: Int = 8, height: Int = 4
  ) -> ImageTransform? {
    ImageTransform(
      window: window, storedWidth: width, storedHeight: height, orientation: orientation,
      inputWidth: 16, inputHeight: 16)
  }

  @Test func aWindowInsideIsScaledToTheWholeInput() throws {
    let transform = try #require(self.transform(BoundingBox(x: 2, y: 0, width: 4, height: 4)))
    expectEqual(transform.contentBox, BoundingBox(x: 0, y: 0, width: 16, height: 16))
    expectEqual(transform.storedToInput, AffineMap(a: 4, b: 0, c: 0, d: 4, tx: -8, ty: 0))
  }

  @Test func whatLiesOutsideThePictureIsPadding() throws {
    // The middle is the picture's upper left corner, but for one pixel.
    let transform = try #require(self.transform(BoundingBox(x: -3, y: -3, width: 8, height: 8)))
    expectEqual(transform.uprightToInput, AffineMap(a: 2, b: 0, c: 0, d: 2, tx: 6, ty: 6))
    expectEqual(transform.region, BoundingBox(x: 0, y: 0, width: 5, height: 4))
    expectEqual(transform.contentBox, BoundingBox(x: 6, y: 6, width: 10, height: 8))
  }

  @Test func theWindowIsOneOfTheUprightPicture() throws {
    let transform = try #require(
      self.transform(BoundingBox(x: 0, y: 4, width: 4, height: 4), orientation: .right))
    #expect(transform.uprightWidth == 4 && transform.uprightHeight == 8)
    // Upright (x, y) is stored (y, 3 - x) by pixel, (y, 4 - x) by place.
    expectEqual(transform.inputToStored, AffineMap(a: 0, b: 0.25, c: -0.25, d: 0, tx: 4, ty: 4))
  }

  @Test func anOblongWindowIsFitted() throws {
    let transform = try #require(self.transform(BoundingBox(x: 0, y: 1, width: 8, height: 2)))
    expectEqual(transform.contentBox, BoundingBox(x: 0, y: 6, width: 16, height: 4))
  }

  @Test func unusableWindowsAreRefused() {
    let usable = BoundingBox(x: 0, y: 0, width: 4, height: 4)
    #expect(transform(usable) != nil)
    for window in [
      BoundingBox(x: .nan, y: 0, width: 4, height: 4),
      BoundingBox(x: 0, y: 0, width: .infinity, height: 4),
      BoundingBox(x: 0, y: 0, width: 0, height: 4),
      BoundingBox(x: 0, y: 0, width: 4, height: 0x1p-11),
      BoundingBox(x: 7, y: 0, width: 4, height: 4),
    ] {
      expectEqual(transform(window), nil, "\(window)")
    }
    expectEqual(transform(usable, width: 0), nil)
    expectEqual(transform(usable, height: ImageTransform.maximumSide + 1), nil)
  }
}
