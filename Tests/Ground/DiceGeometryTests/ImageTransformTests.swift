import DiceGeometry
import TestSupport
import Testing

/// Cases computed by hand.
@Suite struct ImageTransformTests {
  // The stored picture is 8 by 4; upright it is 8 by 4 or 4 by 8. The input is 16 by 16.
  func transform(
    _ orientation: ImageOrientation, _ rule: CropAndScale, region: NormalizedRect? = nil
  ) throws -> ImageTransform {
    try ImageTransform(
      storedWidth: 8, storedHeight: 4, orientation: orientation, regionOfInterest: region,
      cropAndScale: rule, inputWidth: 16, inputHeight: 16)
  }

  @Test func scaleFitCentersAndPads() throws {
    let transform = try transform(.up, .scaleFit)
    expectEqual(transform.contentBox, BoundingBox(x: 0, y: 4, width: 16, height: 8))
    expectEqual(transform.region, BoundingBox(x: 0, y: 0, width: 8, height: 4))
    expectEqual(transform.visibleRegion, transform.region)
    expectEqual(transform.storedToInput, AffineMap(a: 2, b: 0, c: 0, d: 2, tx: 0, ty: 4))
    expectEqual(transform.inputToStored, AffineMap(a: 0.5, b: 0, c: 0, d: 0.5, tx: 0, ty: -2))
  }

  @Test func centerCropFillsTheInputAndCutsTheLongerSide() throws {
    let transform = try transform(.up, .centerCrop)
    expectEqual(transform.contentBox, BoundingBox(x: 0, y: 0, width: 16, height: 16))
    expectEqual(transform.visibleRegion, BoundingBox(x: 2, y: 0, width: 4, height: 4))
    expectEqual(transform.storedToInput, AffineMap(a: 4, b: 0, c: 0, d: 4, tx: -8, ty: 0))
  }

  @Test func scaleFillStretches() throws {
    let transform = try transform(.up, .scaleFill)
    expectEqual(transform.contentBox, BoundingBox(x: 0, y: 0, width: 16, height: 16))
    expectEqual(transform.visibleRegion, transform.region)
    expectEqual(transform.storedToInput, AffineMap(a: 2, b: 0, c: 0, d: 4, tx: 0, ty: 0))
  }

  // Where the stored point (1, 1) lands in the input. Upright 8 by 4 is fitted by (2 x, 2 y + 4),
  // upright 4 by 8 by (2 x + 4, 2 y).
  @Test(arguments: [
    (ImageOrientation.up, 2.0, 6.0),
    (.upMirrored, 14, 6),
    (.down, 14, 10),
    (.downMirrored, 2, 10),
    (.leftMirrored, 6, 2),
    (.right, 10, 2),
    (.rightMirrored, 10, 14),
    (.left, 6, 14),
  ])
  func fitsEveryOrientation(_ orientation: ImageOrientation, _ x: Double, _ y: Double) throws {
    let transform = try transform(orientation, .scaleFit)
    expectEqual(transform.storedToInput.map(PixelPoint(x: 1, y: 1)), PixelPoint(x: x, y: y))
    expectEqual(transform.inputToStored.map(PixelPoint(x: x, y: y)), PixelPoint(x: 1, y: 1))
  }

  // Where the stored point (1, 1) lands in the input. Upright 8 by 4 is cropped by (4 x - 8, 4 y),
  // upright 4 by 8 by (4 x, 4 y - 8).
  @Test(arguments: [
    (ImageOrientation.up, -4.0, 4.0),
    (.upMirrored, 20, 4),
    (.down, 20, 12),
    (.downMirrored, -4, 12),
    (.leftMirrored, 4, -4),
    (.right, 12, -4),
    (.rightMirrored, 12, 20),
    (.left, 4, 20),
  ])
  func cropsEveryOrientation(_ orientation: ImageOrientation, _ x: Double, _ y: Double) throws {
    let transform = try transform(orientation, .centerCrop)
    expectEqual(transform.storedToInput.map(PixelPoint(x: 1, y: 1)), PixelPoint(x: x, y: y))
    expectEqual(transform.inputToStored.map(PixelPoint(x: x, y: y)), PixelPoint(x: 1, y: 1))
  }

  // Where the stored point (1, 1) lands in the input. Upright 8 by 4 is stretched by (2 x, 4 y),
  // upright 4 by 8 by (4 x, 2 y).
  @Test(arguments: [
    (ImageOrientation.up, 2.0, 4.0),
    (.upMirrored, 14, 4),
    (.down, 14, 12),
    (.downMirrored, 2, 12),
    (.leftMirrored, 4, 2),
    (.right, 12, 2),
    (.rightMirrored, 12, 14),
    (.left, 4, 14),
  ])
  func fillsEveryOrientation(_ orientation: ImageOrientation, _ x: Double, _ y: Double) throws {
    let transform = try transform(orientation, .scaleFill)
    expectEqual(transform.storedToInput.map(PixelPoint(x: 1, y: 1)), PixelPoint(x: x, y: y))
    expectEqual(transform.inputToStored.map(PixelPoint(x: x, y: y)), PixelPoint(x: 1, y: 1))
  }

  @Test func theRegionOfInterestIsCountedFromTheLowerLeftOfTheUprightPicture() throws {
    // Upright 4 by 8; its lowest quarter's left half is x 0...2, y 6...8.
    let region = NormalizedRect(x: 0, y: 0, width: 0.5, height: 0.25)
    let transform = try transform(.right, .scaleFit, region: region)
    #expect(transform.uprightWidth == 4 && transform.uprightHeight == 8)
    expectEqual(transform.region, BoundingBox(x: 0, y: 6, width: 2, height: 2))
    expectEqual(transform.contentBox, BoundingBox(x: 0, y: 0, width: 16, height: 16))
    expectEqual(transform.uprightToInput.map(transform.region), transform.contentBox)
    // Turned clockwise, (x, y) becomes (4 - y, x): this region was stored at x 6...8, y 2...4.
    expectEqual(
      transform.inputToStored.map(transform.contentBox),
      BoundingBox(x: 6, y: 2, width: 2, height: 2))
  }

  @Test func aBoxInThePaddingComesBackOutsideThePicture() throws {
    let transform = try transform(.up, .scaleFit)
    let padding = BoundingBox(x: 0, y: 0, width: 16, height: 4)
    expectEqual(
      transform.inputToUpright.map(padding), BoundingBox(x: 0, y: -2, width: 8, height: 2))
    #expect(transform.inputToUpright.map(padding).clipped(to: transform.region).isEmpty)
  }

  @Test func rawValuesAreThoseOfVision() {
    expectEqual(CropAndScale.allCases.map { $0.rawValue }, [0, 1, 2])
    #expect(CropAndScale.centerCrop.rawValue == 0 && CropAndScale.scaleFill.rawValue == 2)
  }

  @Test func theWholePictureIsTheRegionUnlessTold() throws {
    for rule in CropAndScale.allCases {
      try expectEqual(transform(.left, rule), transform(.left, rule, region: .fullImage))
    }
  }
}

/// Properties over all combinations of orientations, rules, regions and sizes.
@Suite struct ImageTransformPropertyTests {
  static let sizes = [
    (1, 1), (1, 2), (3, 1), (7, 5), (33, 17), (1, 8000), (8000, 1), (641, 479), (1920, 1080),
    (4033, 3025), (8000, 6000),
  ]
  static let inputs = [(1, 1), (416, 416), (320, 192), (97, 631)]
  static let regions: [NormalizedRect?] = [
    nil, .fullImage, NormalizedRect(x: 0, y: 0, width: 0.5, height: 0.5),
    NormalizedRect(x: 0.3, y: 0.1, width: 0.7, height: 0.2),
    NormalizedRect(x: 0.101, y: 0.499, width: 0.037, height: 0.501),
  ]

  /// Calls the body for every combination and returns how many there were.
  func forEachTransform(
    of orientation: ImageOrientation, _ body: (ImageTransform) throws -> Void
  ) throws -> Int {
    var count = 0
    for rule in CropAndScale.allCases {
      for region in Self.regions {
        for (width, height) in Self.sizes {
          for (inputWidth, inputHeight) in Self.inputs {
            try body(
              ImageTransform(
                storedWidth: width, storedHeight: height, orientation: orientation,
                regionOfInterest: region, cropAndScale: rule, inputWidth: inputWidth,
                inputHeight: inputHeight))
            count += 1
          }
        }
      }
    }
    return count
  }

  @Test(arguments: ImageOrientation.allCases)
  func pointsAndBoxesComeBack(_ orientation: ImageOrientation) throws {
    var worst = 0.0
    let count = try forEachTransform(of: orientation) { transform in
      let (width, height) = (Double(transform.storedWidth), Double(transform.storedHeight))
      for point in [
        PixelPoint(x: 0, y: 0), PixelPoint(x: width, y: 0), PixelPoint(x: 0.5, y: height - 0.5),
        PixelPoint(x: 0.3 * width, y: 0.8 * height),
      ] {
        let there = transform.storedToInput.map(point)
        let back = transform.inputToStored.map(there)
        worst = max(worst, abs(back.x - point.x), abs(back.y - point.y))
        let upright = transform.inputToUpright.map(there)
        let again = transform.uprightToInput.map(upright)
        worst = max(worst, abs(again.x - there.x), abs(again.y - there.y))
      }
      let input = BoundingBox(
        x: 0.1 * Double(transform.inputWidth), y: 0.25 * Double(transform.inputHeight),
        width: 0.6 * Double(transform.inputWidth), height: 0.7 * Double(transform.inputHeight))
      let stored = transform.inputToStored.map(input)
      #expect(stored.isProper)
      worst = max(worst, edgeDistance(transform.storedToInput.map(stored), input))
    }
    expectEqual(count, 3 * 5 * 11 * 4)
    // Regions of a small part of a pixel are enlarged by up to 17,000 here.
    #expect(worst < 1e-7)
  }

  @Test(arguments: ImageOrientation.allCases)
  func contentCornersLandOnTheRegionsCorners(_ orientation: ImageOrientation) throws {
    let count = try forEachTransform(of: orientation) { transform in
      let content = transform.contentBox
      let visible = transform.visibleRegion
      #expect(edgeDistance(transform.inputToUpright.map(content), visible) < 1e-8)
      #expect(edgeDistance(transform.uprightToInput.map(visible), content) < 1e-8)
      switch transform.cropAndScale {
      case .scaleFit, .scaleFill:
        expectEqual(visible, transform.region)
        let topLeft = transform.inputToUpright.map(PixelPoint(x: content.minX, y: content.minY))
        #expect(abs(topLeft.x - transform.region.minX) < 1e-8)
        #expect(abs(topLeft.y - transform.region.minY) < 1e-8)
        let bottomRight = transform.inputToUpright.map(PixelPoint(x: content.maxX, y: content.maxY))
        #expect(abs(bottomRight.x - transform.region.maxX) < 1e-8)
        #expect(abs(bottomRight.y - transform.region.maxY) < 1e-8)
      case .centerCrop:
        expectEqual(edgeDistance(visible.clipped(to: transform.region), visible), 0)
        #expect(abs(visible.midX - transform.region.midX) < 1e-8)
        #expect(abs(visible.midY - transform.region.midY) < 1e-8)
      }
    }
    #expect(count > 600)
  }

  @Test(arguments: ImageOrientation.allCases)
  func contentReachesTheInputsEdgesExactly(_ orientation: ImageOrientation) throws {
    var padded = 0
    let count = try forEachTransform(of: orientation) { transform in
      let content = transform.contentBox
      let spansWidth = content.minX == 0 && content.maxX == Double(transform.inputWidth)
      let spansHeight = content.minY == 0 && content.maxY == Double(transform.inputHeight)
      if transform.cropAndScale == .scaleFit {
        #expect(spansWidth || spansHeight)
        #expect(content.minX >= 0 && content.maxX <= Double(transform.inputWidth))
        #expect(content.minY >= 0 && content.maxY <= Double(transform.inputHeight))
        #expect(abs(content.midX - Double(transform.inputWidth) / 2) < 1e-12)
        #expect(abs(content.midY - Double(transform.inputHeight) / 2) < 1e-12)
        if !spansWidth || !spansHeight { padded += 1 }
      } else {
        #expect(spansWidth && spansHeight)
      }
    }
    #expect(count > 600 && padded > 100)
  }

  @Test(arguments: ImageOrientation.allCases)
  func theFourMapsAgree(_ orientation: ImageOrientation) throws {
    let count = try forEachTransform(of: orientation) { transform in
      let upright = orientation.storedToUpright(
        storedWidth: Double(transform.storedWidth), storedHeight: Double(transform.storedHeight))
      let point = PixelPoint(x: 0.5, y: 0.5)
      #expect(
        transform.storedToInput.map(point).squaredDistance(
          to: transform.uprightToInput.map(upright.map(point))) < 1e-16)
      let size = orientation.uprightSize(
        storedWidth: transform.storedWidth, storedHeight: transform.storedHeight)
      #expect(transform.uprightWidth == size.width && transform.uprightHeight == size.height)
    }
    #expect(count > 600)
  }
}
