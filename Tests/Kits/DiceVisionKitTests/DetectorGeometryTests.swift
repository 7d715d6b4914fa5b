import DiceVisionKit
import TestSupport
import Testing

@Suite struct DetectorGeometryTests {
  @Test(arguments: Layout.all)
  func findsEveryBlockWhereItStands(_ layout: Layout) throws {
    let detector = try PatternNetwork().detector(.init(cropAndScale: layout.rule))
    let image = layout.image
    #expect(!layout.blocks.isEmpty)
    for orientation in ImageOrientation.allCases {
      let stored = image.stored(orientation)
      let result = try detector.detect(in: stored, regionOfInterest: layout.region)
      #expect(result.matches(layout.blocks), "\(orientation) \(result.observations)")
      #expect(result.uprightWidth == Layout.width && result.uprightHeight == Layout.height)
    }
  }

  @Test(arguments: MemoryFormat.allCases)
  func findsEveryBlockInEveryFrameFormat(_ format: MemoryFormat) throws {
    for layout in Layout.all {
      let detector = try PatternNetwork().detector(.init(cropAndScale: layout.rule))
      for orientation in ImageOrientation.allCases {
        let result = try format.withFrame(of: layout.image.stored(orientation)) { (frame) in
          try detector.detect(in: frame, regionOfInterest: layout.region)
        }
        #expect(result.matches(layout.blocks), "\(layout) \(orientation) \(result.observations)")
      }
    }
  }

  @Test func takesTheGivenOrientationInsteadOfThePicturesOwn() throws {
    let detector = try PatternNetwork().detector()
    let layout = Layout.all[0]
    for orientation in ImageOrientation.allCases {
      var stored = layout.image.stored(orientation)
      stored.orientation = .up
      #expect(try detector.detect(in: stored, orientation: orientation).matches(layout.blocks))
      if orientation != .up {
        #expect(try !detector.detect(in: stored).matches(layout.blocks))
      }
    }
  }

  @Test func normalizedBoxesHaveTheirOriginAtTheLowerLeft() throws {
    let image = PixelImage.blocks(
      [Block(value: 3, x: 16, y: 32, width: 16, height: 16)], width: 128, height: 128)
    for orientation in ImageOrientation.allCases {
      let result = try PatternNetwork().detector().detect(in: image.stored(orientation))
      let box = try #require(result.observations.first).normalizedBoundingBox
      expectEqual(box, NormalizedRect(x: 0.125, y: 0.625, width: 0.125, height: 0.125))
    }
  }

  @Test func clipsBoxesToThePicture() throws {
    let blocks = [
      Block(value: 1, x: 0, y: 0, width: 8, height: 8),
      Block(value: 2, x: 56, y: 24, width: 8, height: 8),
    ]
    let detector = try PatternNetwork(baseSize: 16).detector()
    let result = try detector.detect(in: .blocks(blocks, width: 64, height: 64))
    expectEqual(
      result.observations.map(\.boundingBox),
      [
        BoundingBox(x: 0, y: 0, width: 12, height: 12),
        BoundingBox(x: 52, y: 20, width: 12, height: 16),
      ])
    let candidates = try detector.candidates(in: .blocks(blocks, width: 64, height: 64))
    expectEqual(
      candidates.map(\.boundingBox),
      [
        BoundingBox(x: -4, y: -4, width: 16, height: 16),
        BoundingBox(x: 52, y: 20, width: 16, height: 16),
      ])
  }

  @Test func boxesInThePaddingAreNoObservations() throws {
    let detector = try PatternNetwork().detector()
    let image = PixelImage.blocks([], width: 128, height: 96)
    // Everything is kept; the first and the last of eight rows of cells see padding alone.
    let result = try detector.detect(
      in: image, thresholds: Thresholds(iouThreshold: 1, confidenceThreshold: 0))
    expectEqual(result.count, 48)
    try expectEqual(detector.candidates(in: image, confidenceThreshold: 0).count, 64)
  }

  @Test func reportsBoxesOutsideTheRegionInThePicturesCoordinates() throws {
    let detector = try PatternNetwork(baseSize: 16).detector()
    let block = Block(value: 5, x: 64, y: 64, width: 8, height: 8)
    let result = try detector.detect(
      in: .blocks([block], width: 128, height: 128),
      regionOfInterest: NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 0.5))
    expectEqual(
      result.observations.map(\.boundingBox), [BoundingBox(x: 60, y: 60, width: 16, height: 16)])
  }

  @Test func refusesRegionsOutsideThePicture() throws {
    let detector = try PatternNetwork().detector()
    let image = PixelImage.blocks([], width: 64, height: 64)
    let outside = NormalizedRect(x: 0.5, y: 0, width: 0.6, height: 1)
    #expect(throws: DetectorError.geometry(.regionOfInterestOutsideImage(outside))) {
      try detector.detect(in: image, regionOfInterest: outside)
    }
    let empty = NormalizedRect(x: 0.5, y: 0, width: 0, height: 1)
    #expect(throws: DetectorError.geometry(.regionOfInterestEmpty(empty))) {
      try detector.networkInput(of: image, regionOfInterest: empty)
    }
  }

  @Test func workspacesCarryNothingOverToTheNextPicture() throws {
    let detector = try PatternNetwork().detector()
    let layout = Layout.all[0]
    let first = try detector.detect(in: layout.image)
    // Fills what is padding for the other one.
    let tall = PixelImage.blocks(
      [Block(value: 2, x: 0, y: 0, width: 64, height: 128)], width: 64, height: 128)
    #expect(try detector.detect(in: tall).count > 0)
    #expect(try detector.detect(in: .blocks([], width: 128, height: 96)).isEmpty)
    #expect(try detector.detect(in: layout.image).hasSameContent(as: first))
  }

  @Test func takesInputsThatAreNotSquare() throws {
    let detector = try PatternNetwork().detector(
      .init(inputSize: DiceDetector.InputSize(width: 96, height: 32)))
    expectEqual(detector.inputSize, DiceDetector.InputSize(width: 96, height: 32))
    let blocks = [
      Block(value: 6, x: 16, y: 32, width: 16, height: 16),
      Block(value: 2, x: 176, y: 0, width: 16, height: 16),
    ]
    let image = PixelImage.blocks(blocks, width: 192, height: 64)
    for orientation in ImageOrientation.allCases {
      #expect(try detector.detect(in: image.stored(orientation)).matches(blocks))
    }
  }
}
