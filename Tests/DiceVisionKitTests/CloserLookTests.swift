import DiceGeometry
import TestSupport
import Testing

@testable import DiceVisionKit

struct CloserLookTests {
  private let photo = BoundingBox(x: 0, y: 0, width: 4000, height: 3000)
  private let scale = 416.0 / 4000

  /// Square boxes on a diagonal, with sides in input pixels of the first look.
  private func hints(_ sides: [Double]) -> [BoundingBox] {
    sides.enumerated().map { index, side in
      BoundingBox(
        centerX: 1000 + 200 * Double(index), centerY: 900 + 100 * Double(index),
        width: side / scale, height: side / scale)
    }
  }

  @Test func largeDiceNeedNoCloserLook() {
    #expect(
      CloserLook(after: hints([40, 35, 60]), visible: photo, scale: scale, isFirst: true) == nil)
  }

  @Test func smallDiceAreEnlargedToTheWantedSide() throws {
    let look = try #require(
      CloserLook(after: hints([14, 14, 16]), visible: photo, scale: scale, isFirst: true))
    #expect(abs(look.scale / scale - CloserLook.wantedSide / 14) < 1e-9)
    #expect(look.region == photo)
  }

  @Test func aLargeBoxAmongSmallOnesDoesNotHideThem() {
    #expect(
      CloserLook(after: hints([14, 14, 14, 90]), visible: photo, scale: scale, isFirst: true) != nil
    )
  }

  @Test func anEmptyPictureIsLookedAtOnceMoreAndNoMore() throws {
    let look = try #require(
      CloserLook(after: [], visible: photo, scale: scale, isFirst: true))
    #expect(look.scale == scale * CloserLook.blindGain)
    #expect(CloserLook(after: [], visible: photo, scale: look.scale, isFirst: false) == nil)
  }

  @Test func aSmallPictureIsNotEnlargedBeyondItsPixels() {
    let small = BoundingBox(x: 0, y: 0, width: 416, height: 416)
    let dice = [BoundingBox(x: 10, y: 10, width: 14, height: 14)]
    #expect(CloserLook(after: dice, visible: small, scale: 1, isFirst: true) == nil)
    #expect(CloserLook(after: [], visible: small, scale: 1, isFirst: true) == nil)
  }

  @Test func tinyDiceInAHugePictureStayWithinTheTiles() throws {
    let huge = BoundingBox(x: 0, y: 0, width: 20_000, height: 15_000)
    let scale = 416.0 / 20_000
    let spread = (0..<40).map { index in
      BoundingBox(
        centerX: 500 + 480 * Double(index), centerY: 300 + 360 * Double(index), width: 150,
        height: 150)
    }
    let look = try #require(CloserLook(after: spread, visible: huge, scale: scale, isFirst: true))
    #expect(look.tileCount <= CloserLook.greatestTileCount)
    let cluster = spread.prefix(3).map { $0 }
    let near = try #require(CloserLook(after: cluster, visible: huge, scale: scale, isFirst: true))
    #expect(near.region.width < huge.width / 2)
    #expect(near.scale > look.scale)
    for hint in cluster { #expect(near.region.contains(hint.center)) }
  }

  @Test func emptyHintsDoNotTrap() {
    let degenerate = [BoundingBox(x: 5, y: 5, width: 0, height: 0)]
    #expect(CloserLook(after: degenerate, visible: photo, scale: scale, isFirst: true) == nil)
  }

  @Test func tilesCoverTheRegionAndTheirCoresShareIt() throws {
    var caseCount = 0
    for (width, height) in [(4000.0, 3000.0), (900, 4000), (1500, 1400), (8000, 500)] {
      for side in [8.0, 12, 20, 28] {
        let visible = BoundingBox(x: 30, y: 50, width: width, height: height)
        let scale = 416 / max(width, height)
        let dice = [
          BoundingBox(centerX: 200, centerY: 200, width: side / scale, height: side / scale)
        ]
        guard
          let look = CloserLook(after: dice, visible: visible, scale: scale, isFirst: true)
        else { continue }
        caseCount += 1
        let tiles = look.tiles
        #expect(tiles.count == look.tileCount && tiles.count <= CloserLook.greatestTileCount)
        #expect(Set(tiles.map { [$0.inputWidth, $0.inputHeight] }).count == 1)
        var area = 0.0
        for tile in tiles {
          area += tile.core.area
          #expect(tile.inputWidth.isMultiple(of: 32) && tile.inputWidth <= CloserLook.tileSide)
          #expect(tile.inputHeight.isMultiple(of: 32) && tile.inputHeight <= CloserLook.tileSide)
          // The tile shows its core, and fits its input at the look's scale.
          #expect(tile.region.minX <= tile.core.minX && tile.core.maxX <= tile.region.maxX)
          #expect(tile.region.minY <= tile.core.minY && tile.core.maxY <= tile.region.maxY)
          #expect(tile.region.width * look.scale <= Double(tile.inputWidth) + 1e-6)
          #expect(tile.region.height * look.scale <= Double(tile.inputHeight) + 1e-6)
        }
        #expect(abs(area - look.region.area) < 1e-6 * look.region.area)
        // Dice up to the overlap are whole in the tile that owns their centre.
        let reach = Double(CloserLook.tileOverlap) / 2 / look.scale
        for tile in tiles where tiles.count > 1 {
          #expect(
            tile.core.minX == look.region.minX
              || tile.core.minX - tile.region.minX >= reach - 1e-6)
          #expect(
            tile.core.maxY == look.region.maxY
              || tile.region.maxY - tile.core.maxY >= reach - 1e-6)
        }
      }
    }
    #expect(caseCount >= 8)
  }
}

struct ZoomTests {
  @Test func aRegionWithPaddingIsLookedAtAgainWithoutError() throws {
    let detector = try DiceDetector()
    let samples = (0..<1600 * 1200 * 3).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 19) }
    let image = PixelImage(width: 1600, height: 1200, format: .rgb, samples: samples)
    // A thin strip: most of the first look's input is padding.
    for region in [
      NormalizedRect(x: 0, y: 0.4, width: 1, height: 0.02),
      NormalizedRect(x: 0.9, y: 0, width: 0.01, height: 1),
    ] {
      let everything = Thresholds(iouThreshold: 0.45, confidenceThreshold: 0)
      let result = try detector.detect(
        in: image, regionOfInterest: region, thresholds: everything)
      let sure = try detector.detect(
        in: image, regionOfInterest: region,
        thresholds: Thresholds(iouThreshold: 0.45, confidenceThreshold: 0.3))
      // Which looks are taken does not depend on the threshold.
      #expect(result.count >= sure.count)
    }
  }

  @Test func smallDiceInALargePictureAreReadInACloserLook() throws {
    let small = try ImageDecoder.decode(Fixtures.bytes("scenes/scene-15.jpg"))
    // The picture in the corner of one that is three times as wide and high.
    var canvas = Canvas(width: small.width * 3, height: small.height * 3, color: .white)
    canvas = Canvas(Self.placed(small, on: canvas.image))
    let automatic = try DiceDetector().detect(in: canvas.image)
    #expect(automatic.values == [6, 1])
    let once = try DiceDetector(configuration: .init(zoom: .none)).detect(in: canvas.image)
    let sides = automatic.observations.map { $0.boundingBox.width * 416 / Double(canvas.width) }
    #expect(sides.allSatisfy { $0 < CloserLook.readableSide })
    #expect(!automatic.hasSameContent(as: once))
  }

  private static func placed(_ picture: PixelImage, on ground: PixelImage) -> PixelImage {
    let source = picture.converted(to: .rgb)
    var samples = ground.converted(to: .rgb).samples
    for row in 0..<source.height {
      let target = row * ground.width * 3
      samples.replaceSubrange(
        target..<target + source.width * 3,
        with: source.samples[row * source.width * 3..<(row + 1) * source.width * 3])
    }
    return PixelImage(
      width: ground.width, height: ground.height, format: .rgb, samples: samples)
  }
}
