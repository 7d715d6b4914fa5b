import DiceFields
import DiceGeometry
import TestSupport
import Testing

@Suite struct ContourTracerTests {
  @Test func anEmptyPictureHasNoContours() {
    let tree = ContourTracer.tree(of: BinaryImage(width: 5, height: 4))
    #expect(tree.isEmpty && tree.topLevelContours.isEmpty && tree.points.isEmpty)
  }

  @Test func aPixelIsAContourOfOnePoint() {
    for (width, height) in [(1, 1), (3, 3), (64, 1), (65, 2)] {
      var image = BinaryImage(width: width, height: height)
      image[column: width - 1, row: height - 1] = true
      let tree = ContourTracer.tree(of: image, chain: .everyPixel)
      expectEqual(tree.contourCount, 1)
      expectEqual(Array(tree[0].points), [pixel(width - 1, height - 1)])
    }
  }

  @Test func aFullPictureHasOneBorderAgainstTheClock() {
    let image = BinaryImage(width: 70, height: 3, samples: [UInt8](repeating: 9, count: 210))
    let tree = ContourTracer.tree(of: image)
    expectEqual(tree.contourCount, 1)
    expectEqual(Array(tree[0].points), [pixel(0, 0), pixel(0, 2), pixel(69, 2), pixel(69, 0)])
    expectEqual(ContourTracer.tree(of: image, chain: .everyPixel)[0].pointCount, 2 * 70 + 2)
  }

  @Test func aThinLineIsWalkedThereAndBack() {
    let tree = ContourTracer.tree(of: BinaryImage(".....", ".###.", "....."), chain: .everyPixel)
    expectEqual(Array(tree[0].points), [pixel(1, 1), pixel(2, 1), pixel(3, 1), pixel(2, 1)])
  }

  @Test func aHoleOfOnePixelHasFourPoints() {
    let image = BinaryImage("#####", "#####", "##.##", "#####", "#####")
    let tree = ContourTracer.tree(of: image)
    #expect(tree.contourCount == 2 && tree.topLevelContourCount == 1)
    let hole = tree[0].childContours[0]
    #expect(hole.isHole && hole.parent?.index == 0)
    expectEqual(Array(hole.points), [pixel(1, 2), pixel(2, 1), pixel(3, 2), pixel(2, 3)])
  }

  @Test func contoursInHolesInContoursAlternate() {
    let image = BinaryImage(
      "#########", "#.......#", "#.#####.#", "#.#...#.#", "#.#.#.#.#", "#.#...#.#", "#.#####.#",
      "#.......#", "#########")
    let tree = ContourTracer.tree(of: image)
    expectEqual(tree.indices.map { tree.depth(of: $0) }, [0, 1, 2, 3, 4])
    expectEqual(tree.indices.map { tree.parent(of: $0) }, [nil, 0, 1, 2, 3])
    expectEqual(tree.indices.map { tree.isHole($0) }, [false, true, false, true, false])
  }

  @Test func foregroundJoinsAtCornersAndGroundDoesNot() {
    // Two squares that touch at a corner are one part; the ground between the four pixels is a hole.
    let squares = ContourTracer.tree(of: BinaryImage("##..", "##..", "..##", "..##"))
    expectEqual(squares.contourCount, 1)
    let ring = ContourTracer.tree(of: BinaryImage(".#.", "#.#", ".#."))
    expectEqual(ring.contourCount, 2)
  }

  @Test func groundThatReachesTheEdgeIsNoHole() {
    #expect(ContourTracer.tree(of: BinaryImage("####", "#..#", "#..#")).contourCount == 1)
  }

  @Test func siblingsFollowEachOther() {
    let image = BinaryImage(".......", ".#.#.#.", ".......", ".###...", ".#.#...", ".###...")
    let tree = ContourTracer.tree(of: image)
    expectEqual(tree.topLevelContours.map(\.index), [0, 1, 2, 3])
    #expect(tree.nextSibling(of: 0) == 1 && tree.nextSibling(of: 3) == nil)
    #expect(tree.firstChild(of: 3) == 4 && tree.firstChild(of: 0) == nil)
    expectEqual(tree[3].childContourCount, 1)
  }

  /// The number of outer borders is that of the parts, the number of others that of the holes, in
  /// pictures whose rows end anywhere in a word.
  @Test(arguments: [1, 2, 7, 63, 64, 65, 127, 128, 129])
  func randomPicturesHaveABorderForEachPartAndHole(width: Int) {
    var random = SeededGenerator(seed: UInt64(width))
    var tracer = ContourTracer()
    var tree = ContourTree()
    for density in [0.2, 0.5, 0.8] {
      let height = 17
      var image = BinaryImage(width: width, height: height)
      var ground = BinaryImage(width: width + 2, height: height + 2)
      for row in -1...height {
        for column in -1...width {
          let isInside = (0..<width).contains(column) && (0..<height).contains(row)
          if isInside, random.uniform(0...1) < density {
            image[column: column, row: row] = true
          } else {
            ground[column: column + 1, row: row + 1] = true
          }
        }
      }
      tracer.trace(image, into: &tree)
      var components = ConnectedComponents()
      components.find(in: image)
      let outer = tree.indices.filter { !tree.isHole($0) }
      expectEqual(outer.count, components.components.count)
      let firsts = Set(components.components.map(\.firstPixel))
      expectEqual(Set(outer.map { tree[$0].points.first }), Set(firsts.map { Optional($0) }))
      components.find(in: ground, connectivity: .four)
      expectEqual(tree.contourCount - outer.count, components.components.count - 1)
    }
  }

  @Test func aSmallerPictureAfterALargerOneLeavesNothing() {
    var tracer = ContourTracer()
    var tree = ContourTree()
    let large = BinaryImage(width: 200, height: 90, samples: [UInt8](repeating: 1, count: 18_000))
    let small = BinaryImage("...", ".#.", "...")
    for image in [large, small, large, small] { tracer.trace(image, into: &tree) }
    #expect(tree.contourCount == 1 && Array(tree[0].points) == [pixel(1, 1)])
  }
}

@Suite struct ConnectedComponentsTests {
  @Test func partsHaveAreasBoxesAndMiddles() {
    let image = BinaryImage("##...", "#...#", "...#.", ".....")
    var components = ConnectedComponents()
    components.find(in: image)
    expectEqual(components.components.map(\.area), [3, 2])
    expectEqual(
      components.components.map(\.boundingBox),
      [
        BoundingBox(x: 0, y: 0, width: 2, height: 2), BoundingBox(x: 3, y: 1, width: 2, height: 2),
      ])
    expectEqual(components.components[1].centroid, PixelPoint(x: 4, y: 2))
    expectEqual(components.components[0].firstPixel, pixel(0, 0))
    components.find(in: image, connectivity: .four)
    expectEqual(components.components.map(\.area), [3, 1, 1])
  }

  @Test func armsThatMeetLaterAreOnePart() {
    var components = ConnectedComponents()
    components.find(in: BinaryImage("#.#.#", "#.#.#", "#####"), connectivity: .four)
    expectEqual(components.components.map(\.area), [11])
  }
}
