import DiceGeometry
import TestSupport
import Testing

@Suite struct OverlapTests {
  let unit = BoundingBox(x: 0, y: 0, width: 10, height: 10)

  @Test func handComputedOverlaps() {
    // Shared 5 x 10 = 50 of 100 + 100 - 50 = 150.
    let third: Double = 50 / 150
    let half = BoundingBox(x: 5, y: 0, width: 10, height: 10)
    expectEqual(unit.intersectionOverUnion(with: half), third)
    expectEqual(
      unit.generalizedIntersectionOverUnion(with: half), third, "the hull is the union")
    // Shared 25 of 175; the hull is 15 x 15 = 225.
    let seventh: Double = 25 / 175
    let outside: Double = 50 / 225
    let corner = BoundingBox(x: 5, y: 5, width: 10, height: 10)
    expectEqual(unit.intersectionOverUnion(with: corner), seventh)
    let generalized = unit.generalizedIntersectionOverUnion(with: corner)
    #expect(abs(generalized - (seventh - outside)) < 1e-16)
    let inside = BoundingBox(x: 2, y: 2, width: 5, height: 4)
    expectEqual(unit.intersectionOverUnion(with: inside), 0.2)
  }

  @Test func generalizedFormTellsNearFromFar() {
    let near = BoundingBox(x: 20, y: 0, width: 10, height: 10)
    let far = BoundingBox(x: 90, y: 0, width: 10, height: 10)
    expectEqual(unit.intersectionOverUnion(with: near), 0)
    #expect(abs(unit.generalizedIntersectionOverUnion(with: near) + 1.0 / 3) < 1e-15)
    #expect(abs(unit.generalizedIntersectionOverUnion(with: far) + 0.8) < 1e-15)
  }

  @Test func touchingBoxesDoNotOverlap() {
    let right = BoundingBox(x: 10, y: 0, width: 10, height: 10)
    expectEqual(unit.intersectionOverUnion(with: right), 0)
    expectEqual(unit.generalizedIntersectionOverUnion(with: right), 0, "the hull is the union")
  }

  @Test(arguments: [
    BoundingBox(x: .nan, y: 0, width: 10, height: 10),
    BoundingBox(x: 0, y: 0, width: 10, height: .nan),
    BoundingBox(x: 0, y: 0, width: .infinity, height: 10),
    BoundingBox(x: -.infinity, y: 0, width: .infinity, height: 10),
    BoundingBox(x: 10, y: 10, width: -10, height: -10),
    BoundingBox(x: 0, y: 0, width: 10, height: -10),
    BoundingBox(x: 1e308, y: 0, width: 1e308, height: 10),
  ])
  func improperBoxesOverlapNothingNotEvenThemselves(_ bad: BoundingBox) {
    expectEqual(unit.intersectionOverUnion(with: bad), 0)
    expectEqual(bad.intersectionOverUnion(with: unit), 0)
    expectEqual(bad.intersectionOverUnion(with: bad), 0)
    expectEqual(unit.generalizedIntersectionOverUnion(with: bad), -1)
    expectEqual(bad.generalizedIntersectionOverUnion(with: unit), -1)
    expectEqual(bad.generalizedIntersectionOverUnion(with: bad), -1)
  }

  @Test func boxesOfZeroAreaCountAsPointsAndLines() {
    let point = BoundingBox(x: 5, y: 5, width: 0, height: 0)
    expectEqual(unit.intersectionOverUnion(with: point), 0)
    expectEqual(point.intersectionOverUnion(with: point), 0)
    expectEqual(unit.generalizedIntersectionOverUnion(with: point), 0, "hull and union are the box")
    expectEqual(point.generalizedIntersectionOverUnion(with: point), -1)
    let farPoint = BoundingBox(x: 40, y: 0, width: 0, height: 0)
    expectEqual(unit.generalizedIntersectionOverUnion(with: farPoint), -0.75)
  }

  @Test(arguments: [1e-300, 1e-160, 1e-80, 1e80, 1e160, 1e300])
  func areasThatOverflowOrUnderflowDoNotMatter(_ factor: Double) {
    let a = BoundingBox(x: -4, y: 0, width: 8, height: 8)
    let b = BoundingBox(x: 0, y: 0, width: 8, height: 8)
    let overlap = a.scaled(by: factor).intersectionOverUnion(with: b.scaled(by: factor))
    #expect(abs(overlap - 1.0 / 3) < 1e-15)
    let c = BoundingBox(x: 4, y: 0, width: 8, height: 8)
    let generalized = a.scaled(by: factor).generalizedIntersectionOverUnion(
      with: c.scaled(by: factor))
    #expect(abs(generalized - 0) < 1e-15, "side by side")
    let flat = a.scaled(x: factor, y: 1 / factor).intersectionOverUnion(
      with: b.scaled(x: factor, y: 1 / factor))
    #expect(abs(flat - 1.0 / 3) < 1e-15)
  }

  @Test func theWidestFiniteBoxesStillHaveAnOverlap() {
    let big = Double.greatestFiniteMagnitude
    let left = BoundingBox(x: -big, y: -big, width: big, height: big)
    let right = BoundingBox(x: 0, y: -big, width: big, height: big)
    expectEqual(left.intersectionOverUnion(with: left), 1)
    expectEqual(left.generalizedIntersectionOverUnion(with: left), 1)
    expectEqual(left.intersectionOverUnion(with: right), 0)
    expectEqual(left.generalizedIntersectionOverUnion(with: right), 0)
    let tiny = BoundingBox(x: -1, y: -1, width: 1, height: 1)
    #expect((0...1e-300).contains(left.intersectionOverUnion(with: tiny)))
  }

  @Test func measuresAreSymmetricBoundedAndOneForABoxWithItself() {
    var generator = SeededGenerator(seed: 3)
    let boxes = (0..<60).map { _ in
      BoundingBox(
        x: generator.uniform(-50...50), y: generator.uniform(-50...50),
        width: generator.uniform(0.001...70), height: generator.uniform(0.001...70))
    }
    for a in boxes {
      expectEqual(a.intersectionOverUnion(with: a), 1)
      expectEqual(a.generalizedIntersectionOverUnion(with: a), 1)
      for b in boxes {
        let overlap = a.intersectionOverUnion(with: b)
        let generalized = a.generalizedIntersectionOverUnion(with: b)
        expectEqual(overlap, b.intersectionOverUnion(with: a))
        expectEqual(generalized, b.generalizedIntersectionOverUnion(with: a))
        #expect((0...1).contains(overlap) && (-1...1).contains(generalized))
        #expect(generalized <= overlap)
        expectEqual((overlap > 0), (a.intersection(with: b) != nil))
      }
    }
  }

  private struct Golden: Decodable {
    var boxes: [[Int]]
    var intersectionOverUnion: [[Double?]]
    var generalizedIntersectionOverUnion: [[Double?]]
  }

  @Test func agreesWithTorchvision() throws {
    let golden = try Fixtures.golden("overlap.json", as: Golden.self)
    let boxes = golden.boxes.map { BoundingBox(sixteenths: $0) }
    #expect(boxes.count >= 30)
    var compared = 0
    var overlapping = 0
    for (row, a) in boxes.enumerated() {
      for (column, b) in boxes.enumerated() {
        let overlap = a.intersectionOverUnion(with: b)
        if let expected = golden.intersectionOverUnion[row][column] {
          expectEqual(overlap, expected, "boxes \(row) and \(column)")
          compared += 1
          if expected > 0 { overlapping += 1 }
        } else {
          expectEqual(overlap, 0, "both without area")
        }
        if let expected = golden.generalizedIntersectionOverUnion[row][column] {
          let generalized = a.generalizedIntersectionOverUnion(with: b)
          #expect(abs(generalized - expected) < 4e-16, "boxes \(row) and \(column)")
        }
      }
    }
    #expect(compared > 900 && overlapping > 200)
  }
}
