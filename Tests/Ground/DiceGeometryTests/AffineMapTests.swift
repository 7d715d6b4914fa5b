import TestSupport
import DiceGeometry
import Testing

@Suite struct AffineMapTests {
  let map = AffineMap(a: 2, b: -1, c: 0.5, d: 3, tx: 10, ty: -4)

  @Test func mapsPointsByTheFormula() {
    expectEqual(map.map(PixelPoint(x: 3, y: 5)), PixelPoint(x: 11, y: 12.5))
    expectEqual(AffineMap.identity.map(PixelPoint(x: 3, y: 5)), PixelPoint(x: 3, y: 5))
  }

  @Test func theInverseLeadsBack() throws {
    let inverse = try #require(map.inverse)
    expectEqual(map.determinant, 6.5)
    let back = inverse.map(map.map(PixelPoint(x: 3, y: 5)))
    #expect(back.squaredDistance(to: PixelPoint(x: 3, y: 5)) < 1e-28)
    expectEqual(AffineMap.identity.inverse, .identity)
  }

  @Test(arguments: [
    AffineMap(a: 0, b: 0, c: 0, d: 0, tx: 1, ty: 1),
    AffineMap(a: 1, b: 2, c: 2, d: 4, tx: 0, ty: 0),
    AffineMap(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0),
    AffineMap(a: 1, b: 0, c: 0, d: .infinity, tx: 0, ty: 0),
    AffineMap(a: 1, b: 0, c: 0, d: 1, tx: .nan, ty: 0),
    AffineMap(a: 1e-200, b: 0, c: 0, d: 1, tx: 1e200, ty: 0),
  ])
  func mapsThatCannotBeUndoneHaveNoInverse(_ map: AffineMap) {
    expectEqual(map.inverse, nil)
  }

  @Test func concatenationAppliesTheReceiverFirst() {
    let next = AffineMap(a: 0, b: 1, c: -1, d: 0, tx: 100, ty: 7)
    let point = PixelPoint(x: -2, y: 9)
    expectEqual(map.concatenated(with: next).map(point), next.map(map.map(point)))
    #expect(map.concatenated(with: next) != next.concatenated(with: map))
    expectEqual(map.concatenated(with: .identity), map)
    expectEqual(AffineMap.identity.concatenated(with: map), map)
  }

  @Test func aBoxMapsToTheHullOfItsCorners() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let map = AffineMap(
        a: generator.uniform(-2...2), b: generator.uniform(-2...2),
        c: generator.uniform(-2...2), d: generator.uniform(-2...2),
        tx: generator.uniform(-9...9), ty: generator.uniform(-9...9))
      let box = BoundingBox(
        x: generator.uniform(-9...9), y: generator.uniform(-9...9),
        width: generator.uniform(0...9), height: generator.uniform(0...9))
      let corners = [
        map.map(PixelPoint(x: box.minX, y: box.minY)),
        map.map(PixelPoint(x: box.maxX, y: box.minY)),
        map.map(PixelPoint(x: box.minX, y: box.maxY)),
        map.map(PixelPoint(x: box.maxX, y: box.maxY)),
      ]
      let xs = corners.map { $0.x }
      let ys = corners.map { $0.y }
      let hull = BoundingBox(minX: xs.min()!, minY: ys.min()!, maxX: xs.max()!, maxY: ys.max()!)
      #expect(edgeDistance(map.map(box), hull) < 1e-13)
      #expect(map.map(box).isProper)
    }
  }

  @Test func scalingAndMovingNeedsNoCorners() {
    let map = AffineMap(scaleX: 2, scaleY: -3, translationX: 1, translationY: 5)
    expectEqual(
      map.map(BoundingBox(x: 1, y: 2, width: 3, height: 4)),
      BoundingBox(minX: 3, minY: -13, maxX: 9, maxY: -1))
    #expect(!map.map(BoundingBox(x: 1, y: 2, width: -3, height: 4)).isProper)
    #expect(!map.map(BoundingBox(x: .nan, y: 2, width: 3, height: 4)).isFinite)
  }
}
