import DiceDrawing
import DiceCodecs
import DiceGeometry
import TestSupport
import Testing

@testable import DiceVisionKit

struct TiledInferenceTests {
  private let rule = PipelineProfile.bundled.tiling
  private let photo = BoundingBox(x: 0, y: 0, width: 4000, height: 3000)
  private let scale = 416.0 / 4000

  /// Square boxes on a diagonal, with sides in input pixels of the first pass.
  private func boxes(_ sides: [Double]) -> [BoundingBox] {
    sides.enumerated().map { index, side in
      BoundingBox(
        midX: 1000 + 200 * Double(index), midY: 900 + 100 * Double(index),
        width: side / scale, height: side / scale)
    }
  }

  /// What to look at after a first pass that proposed boxes.
  private func nextPass(
    after boxes: [BoundingBox], visible: BoundingBox, scale: Double, surest: Double = 0.9
  ) -> TiledInference? {
    TiledInference(
      after: TiledInference.Progress(
        boxes: boxes, surest: boxes.isEmpty ? 0 : surest, scale: scale),
      visible: visible, by: rule)
  }

  @Test func largeDiceNeedNoTiles() {
    expectEqual(nextPass(after: boxes([40, 35, 60]), visible: photo, scale: scale), nil)
  }

  @Test func aDoubtfulLargeBoxDoesNotEndTheSearch() throws {
    // Some blob that may be a die, and nothing else: there may be smaller dice.
    let pass = try #require(
      nextPass(after: boxes([40]), visible: photo, scale: scale, surest: 0.2))
    #expect(pass.isBlind && pass.region == photo)
    expectEqual(pass.scale, scale * rule.blindGain)
  }

  @Test func whatIsSeenInABlindPassLeadsTheNextOnes() throws {
    var progress = TiledInference.Progress(scale: scale)
    for blindCount in 1...2 {
      let blind = try #require(TiledInference(after: progress, visible: photo, by: rule))
      #expect(blind.isBlind)
      progress.count += 1
      progress.blindCount = blindCount
      progress.scale = blind.scale
    }
    progress.boxes = boxes([3])
    progress.surest = 0.15
    let led = try #require(TiledInference(after: progress, visible: photo, by: rule))
    #expect(!led.isBlind && led.scale > progress.scale)
    progress.count += 1
    expectEqual(
      TiledInference(after: progress, visible: photo, by: rule), nil, "three passes are the most")
  }

  @Test func aFaintBoxThatLedToNothingDoesNotEndTheSearch() throws {
    var progress = TiledInference.Progress(boxes: boxes([19]), surest: 0.12, scale: scale)
    let led = try #require(TiledInference(after: progress, visible: photo, by: rule))
    #expect(!led.isBlind)
    progress.boxes = []
    progress.scale = led.scale
    progress.count = 1
    let blind = try #require(TiledInference(after: progress, visible: photo, by: rule))
    #expect(blind.isBlind && blind.scale == led.scale * rule.blindGain)
    progress.surest = 0.9
    expectEqual(
      TiledInference(after: progress, visible: photo, by: rule), nil,
      "the die has been seen already")
  }

  @Test func passesLedByDiceAreTwoAtMost() {
    var progress = TiledInference.Progress(boxes: boxes([2]), surest: 0.9, scale: scale, count: 1)
    #expect(TiledInference(after: progress, visible: photo, by: rule) != nil)
    progress.count = 2
    expectEqual(TiledInference(after: progress, visible: photo, by: rule), nil)
  }

  @Test func aWholePictureIsPreferredWhereItsDiceCanBeReadThen() throws {
    let wide = BoundingBox(x: 0, y: 0, width: 4000, height: 3000)
    // At 42 pixels a die this would be too many tiles, at 30 it is not.
    let pass = try #require(
      nextPass(after: boxes([7, 7]), visible: wide, scale: scale))
    expectEqual(pass.region, wide)
    let side = 7 / scale * pass.scale
    #expect(side >= rule.readableSide - 1e-9 && side < rule.wantedSide)
  }

  @Test func smallDiceAreEnlargedToTheWantedSide() throws {
    let pass = try #require(
      nextPass(after: boxes([14, 14, 16]), visible: photo, scale: scale))
    #expect(abs(pass.scale / scale - rule.wantedSide / 14) < 1e-9)
    expectEqual(pass.region, photo)
  }

  @Test func aLargeBoxAmongSmallOnesDoesNotHideThem() {
    #expect(
      nextPass(after: boxes([14, 14, 14, 90]), visible: photo, scale: scale) != nil
    )
  }

  @Test func anEmptyPictureIsSearchedAsLongAsItHidesPixels() throws {
    let pass = try #require(
      nextPass(after: [], visible: photo, scale: scale))
    expectEqual(pass.scale, scale * rule.blindGain)
    var progress = TiledInference.Progress(scale: pass.scale, count: 1, blindCount: 1)
    let further = try #require(TiledInference(after: progress, visible: photo, by: rule))
    #expect(further.isBlind && further.scale == pass.scale * rule.blindGain)
    progress = TiledInference.Progress(scale: further.scale, count: 2, blindCount: 2)
    expectEqual(TiledInference(after: progress, visible: photo, by: rule), nil)
    // A frame of a camera is not searched that far.
    let frame = BoundingBox(x: 0, y: 0, width: 1920, height: 1080)
    let once = TiledInference.Progress(scale: 832.0 / 1920, count: 1, blindCount: 1)
    expectEqual(TiledInference(after: once, visible: frame, by: rule), nil)
  }

  @Test func aSmallPictureIsNotEnlargedBeyondItsPixels() {
    let small = BoundingBox(x: 0, y: 0, width: 416, height: 416)
    let dice = [BoundingBox(x: 10, y: 10, width: 14, height: 14)]
    expectEqual(nextPass(after: dice, visible: small, scale: 1), nil)
    expectEqual(nextPass(after: [], visible: small, scale: 1), nil)
  }

  @Test func tinyDiceInAHugePictureStayWithinTheTiles() throws {
    let huge = BoundingBox(x: 0, y: 0, width: 20_000, height: 15_000)
    let scale = 416.0 / 20_000
    let spread = (0..<40).map { index in
      BoundingBox(
        midX: 500 + 480 * Double(index), midY: 300 + 360 * Double(index), width: 150,
        height: 150)
    }
    let pass = try #require(
      nextPass(after: spread, visible: huge, scale: scale))
    #expect(pass.tileCount <= rule.greatestTileCount)
    let cluster = spread.prefix(3).map { $0 }
    let near = try #require(nextPass(after: cluster, visible: huge, scale: scale))
    #expect(near.region.width < huge.width / 2)
    #expect(near.scale > pass.scale)
    for box in cluster { #expect(near.region.contains(box.center)) }
  }

  @Test func emptyBoxesDoNotTrap() {
    let degenerate = [BoundingBox(x: 5, y: 5, width: 0, height: 0)]
    expectEqual(nextPass(after: degenerate, visible: photo, scale: scale), nil)
  }

  @Test func tilesCoverTheRegionAndTheirCoresShareIt() throws {
    var caseCount = 0
    for (width, height) in [(4000.0, 3000.0), (900, 4000), (1500, 1400), (8000, 500)] {
      for side in [8.0, 12, 20, 28] {
        let visible = BoundingBox(x: 30, y: 50, width: width, height: height)
        let scale = 416 / max(width, height)
        let dice = [
          BoundingBox(midX: 200, midY: 200, width: side / scale, height: side / scale)
        ]
        guard
          let pass = nextPass(after: dice, visible: visible, scale: scale)
        else { continue }
        caseCount += 1
        let tiles = pass.tiles
        #expect(tiles.count == pass.tileCount && tiles.count <= rule.greatestTileCount)
        expectEqual(Set(tiles.map { [$0.inputWidth, $0.inputHeight] }).count, 1)
        var area = 0.0
        for tile in tiles {
          area += tile.core.area
          #expect(tile.inputWidth.isMultiple(of: 32) && tile.inputWidth <= rule.tileSide)
          #expect(tile.inputHeight.isMultiple(of: 32) && tile.inputHeight <= rule.tileSide)
          // The tile shows its core, and fits its input at the pass's scale.
          #expect(tile.region.minX <= tile.core.minX && tile.core.maxX <= tile.region.maxX)
          #expect(tile.region.minY <= tile.core.minY && tile.core.maxY <= tile.region.maxY)
          #expect(tile.region.width * pass.scale <= Double(tile.inputWidth) + 1e-6)
          #expect(tile.region.height * pass.scale <= Double(tile.inputHeight) + 1e-6)
        }
        #expect(abs(area - pass.region.area) < 1e-6 * pass.region.area)
        // Dice up to the overlap are whole in the tile that owns their centre.
        let reach = Double(rule.tileOverlap) / 2 / pass.scale
        for tile in tiles where tiles.count > 1 {
          #expect(
            tile.core.minX == pass.region.minX
              || tile.core.minX - tile.region.minX >= reach - 1e-6)
          #expect(
            tile.core.maxY == pass.region.maxY
              || tile.region.maxY - tile.core.maxY >= reach - 1e-6)
        }
      }
    }
    #expect(caseCount >= 8)
  }
}

struct TilingTests {
  @Test func aRegionWithPaddingIsLookedAtAgainWithoutError() throws {
    let detector = try DiceDetector()
    let samples = (0..<1600 * 1200 * 3).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 19) }
    let image = PixelImage(width: 1600, height: 1200, format: .rgb, samples: samples)
    // A thin strip: most of the first pass's input is padding.
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
      // Which passes are taken does not depend on the threshold.
      #expect(result.count >= sure.count)
    }
  }

  @Test func smallDiceInALargePictureAreReadInTiles() throws {
    let small = try ImageDecoder.decode(Fixtures.bytes("scenes/scene-15.jpg"))
    // The picture in the corner of one that is three times as wide and high.
    var canvas = Canvas(width: small.width * 3, height: small.height * 3, color: .white)
    canvas = Canvas(Self.placed(small, on: canvas.image))
    let automatic = try DiceDetector().detect(in: canvas.image)
    expectEqual(automatic.values, [6, 1])
    let once = try DiceDetector(configuration: .init(tiling: .none)).detect(in: canvas.image)
    let sides = automatic.observations.map { $0.boundingBox.width * 416 / Double(canvas.width) }
    #expect(sides.allSatisfy { $0 < PipelineProfile.bundled.tiling.readableSide })
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
