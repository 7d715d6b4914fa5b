import DiceGeometry
import TestSupport
import Testing

@Suite struct NormalizedCoordinatesTests {
  let rect = NormalizedRect(x: 0.25, y: 0.125, width: 0.5, height: 0.25)

  @Test func aRectangleIsCountedFromTheBottom() {
    // In 800 x 400: x 200, width 400, height 100; 50 above the bottom, so 250 below the top.
    expectEqual(
      rect.toImageCoordinates(width: 800, height: 400, origin: .upperLeft),
      BoundingBox(x: 200, y: 250, width: 400, height: 100))
    expectEqual(
      rect.toImageCoordinates(width: 800, height: 400, origin: .lowerLeft),
      BoundingBox(x: 200, y: 50, width: 400, height: 100))
  }

  @Test func pixelsHaveTheirOriginAtTheUpperLeftUnlessTold() {
    expectEqual(
      rect.toImageCoordinates(width: 800, height: 400),
      rect.toImageCoordinates(width: 800, height: 400, origin: .upperLeft))
    expectEqual(
      NormalizedPoint(x: 0.5, y: 0.25).toImageCoordinates(width: 10.0, height: 8.0),
      PixelPoint(x: 5, y: 6))
  }

  @Test(arguments: CoordinateOrigin.allCases)
  func comesBackFromPixels(_ origin: CoordinateOrigin) {
    let box = rect.toImageCoordinates(width: 800, height: 400, origin: origin)
    expectEqual(NormalizedRect(imageBox: box, width: 800, height: 400, origin: origin), rect)
    let point = NormalizedPoint(x: 0.75, y: 0.125)
    let pixel = point.toImageCoordinates(width: 800, height: 400, origin: origin)
    expectEqual(pixel, PixelPoint(x: 600, y: origin == .upperLeft ? 350 : 50))
    expectEqual(NormalizedPoint(imagePoint: pixel, width: 800, height: 400, origin: origin), point)
  }

  @Test func flippingTwiceChangesNothing() {
    expectEqual(
      rect.verticallyFlipped(), NormalizedRect(x: 0.25, y: 0.625, width: 0.5, height: 0.25))
    expectEqual(rect.verticallyFlipped().verticallyFlipped(), rect)
    let point = NormalizedPoint(x: 0.25, y: 0.125)
    expectEqual(point.verticallyFlipped(), NormalizedPoint(x: 0.25, y: 0.875))
    expectEqual(point.verticallyFlipped().verticallyFlipped(), point)
    expectEqual(NormalizedRect.fullImage.verticallyFlipped(), .fullImage)
  }

  @Test func theFullImageIsTheWholePicture() {
    for origin in CoordinateOrigin.allCases {
      expectEqual(
        NormalizedRect.fullImage.toImageCoordinates(width: 37, height: 91, origin: origin),
        BoundingBox(x: 0, y: 0, width: 37, height: 91))
    }
  }

  @Test func aRectangleInARegionIsFoundInTheFullImage() {
    let region = NormalizedRect(x: 0.5, y: 0.25, width: 0.5, height: 0.5)
    expectEqual(
      rect.toFullImage(from: region),
      NormalizedRect(x: 0.625, y: 0.3125, width: 0.25, height: 0.125))
    expectEqual(NormalizedRect.fullImage.toFullImage(from: region), region)
    expectEqual(rect.toFullImage(from: .fullImage), rect)
  }

  @Test func centerAndFinitenessFollowFromTheNumbers() {
    expectEqual(rect.center, NormalizedPoint(x: 0.5, y: 0.25))
    #expect(rect.isFinite)
    #expect(!NormalizedRect(x: 0, y: .nan, width: 1, height: 1).isFinite)
    #expect(!NormalizedRect(x: 0, y: 0, width: .infinity, height: 1).isFinite)
  }

  @Test func edgesAndMiddleAreNamedAsThoseOfBoxes() {
    #expect(rect.minX == 0.25 && rect.maxX == 0.75 && rect.midX == 0.5)
    #expect(rect.minY == 0.125 && rect.maxY == 0.375 && rect.midY == 0.25)
    expectEqual(rect.center, NormalizedPoint(x: 0.5, y: 0.25))
  }

  @Test func overlapIsThatOfTheBoxesInPixels() {
    let other = NormalizedRect(x: 0.5, y: 0.125, width: 0.5, height: 0.25)
    // Half of each is shared: 1/2 of 3/2.
    #expect(abs(rect.intersectionOverUnion(with: other) - 1.0 / 3) < 1e-12)
    expectEqual(rect.intersectionOverUnion(with: rect), 1)
    let boxes = [rect, other].map { $0.toImageCoordinates(width: 640, height: 480) }
    #expect(
      abs(
        rect.intersectionOverUnion(with: other) - boxes[0].intersectionOverUnion(with: boxes[1]))
        < 1e-12)
    let nothing = NormalizedRect(x: .nan, y: 0, width: 1, height: 1)
    expectEqual(rect.intersectionOverUnion(with: nothing), 0)
  }
}
