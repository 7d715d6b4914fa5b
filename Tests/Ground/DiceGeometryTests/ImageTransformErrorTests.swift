import DiceGeometry
import TestSupport
import Testing

@Suite struct ImageTransformErrorTests {
  func make(
    _ width: Int = 640, _ height: Int = 480, region: NormalizedRect? = nil,
    input: (Int, Int) = (416, 416)
  ) throws(GeometryError) -> ImageTransform {
    try ImageTransform(
      storedWidth: width, storedHeight: height, regionOfInterest: region, inputWidth: input.0,
      inputHeight: input.1)
  }

  @Test(arguments: [(0, 5), (5, 0), (-1, 5), (5, .min), (.max, 1), (1, (1 << 24) + 1)])
  func sidesMustBeFromOneToTheMaximum(_ width: Int, _ height: Int) {
    #expect(throws: GeometryError.storedSizeOutOfRange(width: width, height: height)) {
      try make(width, height)
    }
    #expect(throws: GeometryError.inputSizeOutOfRange(width: width, height: height)) {
      try make(input: (width, height))
    }
  }

  @Test func theLongestSidesAreAccepted() throws {
    let side = ImageTransform.maximumSide
    expectEqual(side, 16_777_216)
    let transform = try make(side, 1, input: (1, side))
    #expect(transform.storedToInput.isFinite && transform.inputToStored.isFinite)
  }

  @Test func regionsMustBeFinite() {
    for bad in [Double.nan, .infinity, -.infinity] {
      for region in [
        NormalizedRect(x: bad, y: 0, width: 1, height: 1),
        NormalizedRect(x: 0, y: bad, width: 1, height: 1),
        NormalizedRect(x: 0, y: 0, width: bad, height: 1),
        NormalizedRect(x: 0, y: 0, width: 1, height: bad),
      ] {
        let error = #expect(throws: GeometryError.self) { try make(region: region) }
        guard case .regionOfInterestNotFinite = error else {
          Issue.record("\(String(describing: error)) for \(region)")
          continue
        }
      }
    }
  }

  @Test(arguments: [
    NormalizedRect(x: 0.5, y: 0.5, width: 0, height: 0.1),
    NormalizedRect(x: 0.5, y: 0.5, width: 0.1, height: 0),
    NormalizedRect(x: 0.5, y: 0.5, width: -0.1, height: 0.1),
    NormalizedRect(x: 0.5, y: 0.5, width: 1e-300, height: 0.1),
  ])
  func regionsMustNotBeEmpty(_ region: NormalizedRect) {
    #expect(throws: GeometryError.regionOfInterestEmpty(region)) { try make(region: region) }
  }

  @Test(arguments: [
    NormalizedRect(x: -0.01, y: 0, width: 0.5, height: 0.5),
    NormalizedRect(x: 0, y: -0.01, width: 0.5, height: 0.5),
    NormalizedRect(x: 0.6, y: 0, width: 0.5, height: 0.5),
    NormalizedRect(x: 0, y: 0.6, width: 0.5, height: 0.5),
    NormalizedRect(x: 1e300, y: 0, width: 1e300, height: 0.5),
    NormalizedRect(x: -.greatestFiniteMagnitude, y: 0, width: .greatestFiniteMagnitude, height: 1),
  ])
  func regionsMustLieInThePicture(_ region: NormalizedRect) {
    #expect(throws: GeometryError.regionOfInterestOutsideImage(region)) { try make(region: region) }
  }

  @Test func roundingInARegionIsForgiven() throws {
    let region = NormalizedRect(x: 0.7, y: -1e-16, width: 0.3 + 1e-12, height: 1)
    #expect(region.x + region.width > 1)
    let transform = try make(region: region)
    #expect(transform.region.maxX == 640 && transform.region.minY == 0)
    expectEqual(transform.region.maxY, 480)
  }

  @Test func theSmallestRegionHasAFiniteMap() throws {
    let side = ImageTransform.minimumRegionSide
    let transform = try make(
      1, 1, region: NormalizedRect(x: 1 - side, y: 0, width: side, height: side),
      input: (ImageTransform.maximumSide, ImageTransform.maximumSide))
    #expect(transform.uprightToInput.isFinite && transform.inputToUpright.isFinite)
    #expect(transform.inputToUpright.map(transform.contentBox).isProper)
  }

  @Test func descriptionsSayWhatWasFoundAndRequired() {
    let size = GeometryError.storedSizeOutOfRange(width: 0, height: 7).description
    #expect(size.contains("0 by 7") && size.contains("1 to \(ImageTransform.maximumSide)"))
    let region = NormalizedRect(x: 0.5, y: 0, width: 2, height: 1)
    for error in [
      GeometryError.inputSizeOutOfRange(width: -3, height: 7), .regionOfInterestEmpty(region),
      .regionOfInterestNotFinite(region), .regionOfInterestOutsideImage(region),
    ] {
      #expect(error.description.hasSuffix("."))
      #expect(error.description.contains("-3") || error.description.contains("width 2.0"))
    }
  }
}
