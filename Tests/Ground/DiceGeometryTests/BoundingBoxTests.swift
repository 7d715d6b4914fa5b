import DiceGeometry
import TestSupport
import Testing

@Suite struct BoundingBoxTests {
  let box = BoundingBox(x: 2, y: 3, width: 10, height: 4)

  @Test func threeWaysToDescribeABoxAgree() {
    expectEqual(BoundingBox(midX: 7, midY: 5, width: 10, height: 4), box)
    expectEqual(BoundingBox(minX: 2, minY: 3, maxX: 12, maxY: 7), box)
  }

  @Test func edgesCenterAndAreaFollowFromTheStoredNumbers() {
    #expect(box.minX == 2 && box.minY == 3 && box.maxX == 12 && box.maxY == 7)
    #expect(box.midX == 7 && box.midY == 5)
    expectEqual(box.center, PixelPoint(x: 7, y: 5))
    expectEqual(box.area, 40)
  }

  @Test func aBoxOverOnePixelHasAreaOne() {
    let pixel = BoundingBox(x: 5, y: 6, width: 1, height: 1)
    expectEqual(pixel.area, 1)
    expectEqual(pixel.center, PixelPoint(centerOfPixelInColumn: 5, row: 6))
  }

  @Test(arguments: [
    BoundingBox.zero,
    BoundingBox(x: 0, y: 0, width: 0, height: 5),
    BoundingBox(x: 0, y: 0, width: 5, height: -1),
    BoundingBox(x: 0, y: 0, width: -5, height: -1),
    BoundingBox(x: 0, y: 0, width: .nan, height: 1),
  ])
  func aBoxWithoutExtentIsEmptyAndHasNoArea(_ box: BoundingBox) {
    #expect(box.isEmpty)
    expectEqual(box.area, 0)
  }

  @Test func onlyFiniteBoxesWithoutNegativeSizesAreProper() {
    #expect(box.isProper && BoundingBox.zero.isProper)
    #expect(!BoundingBox(x: 0, y: 0, width: -1, height: 1).isProper)
    #expect(!BoundingBox(x: 0, y: 0, width: 1, height: -1).isProper)
    for bad in [Double.nan, .infinity, -.infinity] {
      #expect(!BoundingBox(x: bad, y: 0, width: 1, height: 1).isFinite)
      #expect(!BoundingBox(x: 0, y: bad, width: 1, height: 1).isFinite)
      #expect(!BoundingBox(x: 0, y: 0, width: bad, height: 1).isFinite)
      #expect(!BoundingBox(x: 0, y: 0, width: 1, height: bad).isFinite)
    }
    let big = Double.greatestFiniteMagnitude
    #expect(!BoundingBox(x: big, y: 0, width: big, height: 1).isFinite, "its right edge overflows")
  }

  @Test func containsItsLeftAndTopEdgesOnly() {
    #expect(box.contains(x: 2, y: 3))
    #expect(box.contains(PixelPoint(x: 11.999, y: 6.999)))
    #expect(!box.contains(x: 12, y: 5))
    #expect(!box.contains(x: 5, y: 7))
    #expect(!box.contains(x: 1.999, y: 5))
    #expect(!box.contains(x: .nan, y: 5))
    #expect(!BoundingBox.zero.contains(x: 0, y: 0))
  }

  @Test func intersectionIsTheSharedPart() {
    let other = BoundingBox(x: 8, y: 0, width: 100, height: 5)
    expectEqual(box.intersection(with: other), BoundingBox(x: 8, y: 3, width: 4, height: 2))
    expectEqual(other.intersection(with: box), box.intersection(with: other))
    expectEqual(box.intersection(with: box), box)
  }

  @Test(arguments: [
    BoundingBox(x: 12, y: 3, width: 5, height: 5),
    BoundingBox(x: 50, y: 50, width: 5, height: 5),
    BoundingBox(x: 4, y: 4, width: 0, height: 1),
    BoundingBox(x: 8, y: 6, width: -4, height: -2),
    BoundingBox(x: .nan, y: 0, width: 100, height: 100),
    BoundingBox(x: 0, y: 0, width: .infinity, height: 100),
  ])
  func touchingDistantEmptyAndImproperBoxesShareNoIntersection(_ other: BoundingBox) {
    expectEqual(box.intersection(with: other), nil)
    expectEqual(other.intersection(with: box), nil)
  }

  @Test func unionEnclosesBothAndCountsPoints() {
    let other = BoundingBox(x: -1, y: 5, width: 4, height: 20)
    expectEqual(box.union(with: other), BoundingBox(minX: -1, minY: 3, maxX: 12, maxY: 25))
    let point = BoundingBox(x: 20, y: 20, width: 0, height: 0)
    expectEqual(box.union(with: point), BoundingBox(minX: 2, minY: 3, maxX: 20, maxY: 20))
  }

  @Test func unionLeavesImproperBoxesOut() {
    let bad = BoundingBox(x: 0, y: 0, width: -3, height: 2)
    expectEqual(box.union(with: bad), box)
    expectEqual(bad.union(with: box), box)
    expectEqual(bad.union(with: BoundingBox(x: .infinity, y: 0, width: 0, height: 0)), bad)
  }

  @Test func clippingMovesEdgesIntoTheFrame() {
    let frame = BoundingBox(x: 0, y: 0, width: 10, height: 6)
    expectEqual(box.clipped(to: frame), BoundingBox(minX: 2, minY: 3, maxX: 10, maxY: 6))
    expectEqual(
      BoundingBox(x: -5, y: 1, width: 7, height: 2).clipped(to: frame),
      BoundingBox(x: 0, y: 1, width: 2, height: 2))
  }

  @Test func clippingABoxBesideTheFrameLeavesAnEmptyOneOnItsBorder() {
    let frame = BoundingBox(x: 0, y: 0, width: 10, height: 6)
    let clipped = BoundingBox(x: 20, y: 1, width: 5, height: 2).clipped(to: frame)
    expectEqual(clipped, BoundingBox(x: 10, y: 1, width: 0, height: 2))
    #expect(clipped.isEmpty)
  }

  @Test func clippingCutsInfiniteEdgesAndSpreadsNaN() {
    let frame = BoundingBox(x: 0, y: 0, width: 10, height: 6)
    expectEqual(
      BoundingBox(x: 3, y: -5, width: .infinity, height: .infinity).clipped(to: frame),
      BoundingBox(x: 3, y: 0, width: 7, height: 6))
    let nan = BoundingBox(x: .nan, y: 0, width: 1, height: 1).clipped(to: frame)
    #expect(nan.x.isNaN && nan.y.isNaN && nan.width.isNaN && nan.height.isNaN)
    #expect(box.clipped(to: BoundingBox(x: 0, y: 0, width: -1, height: 1)).x.isNaN)
  }

  @Test func movesAndScales() {
    expectEqual(box.translated(x: 1, y: -3), BoundingBox(x: 3, y: 0, width: 10, height: 4))
    expectEqual(box.scaled(by: 2), BoundingBox(x: 4, y: 6, width: 20, height: 8))
    expectEqual(box.scaled(x: 0.5, y: 3), BoundingBox(x: 1, y: 9, width: 5, height: 12))
    expectEqual(box.scaledAboutCenter(by: 2), BoundingBox(x: -3, y: 1, width: 20, height: 8))
  }

  @Test func aNegativeFactorMirrors() {
    let mirrored = box.scaled(x: -1, y: 1)
    expectEqual(mirrored, BoundingBox(minX: -12, minY: 3, maxX: -2, maxY: 7))
    #expect(mirrored.isProper)
  }

  @Test func squaredDistanceIsEuclidean() {
    expectEqual(PixelPoint(x: 1, y: 2).squaredDistance(to: PixelPoint(x: 4, y: 6)), 25)
    #expect(PixelPoint(x: .nan, y: 2).squaredDistance(to: PixelPoint(x: 4, y: 6)).isNaN)
    #expect(PixelPoint(x: 1, y: 2).isFinite && !PixelPoint(x: 1, y: .infinity).isFinite)
  }
}
