import DiceFields
import DiceGeometry
import DiceImaging
import TestSupport
import Testing

@Suite struct BinarizerTests {
  private func binary(
    _ samples: [UInt8], width: Int, _ binarization: Binarization,
    _ polarity: Binarization.Polarity = .lightOnDark
  ) -> BinaryImage {
    let image = GrayImage(width: width, height: samples.count / width, samples: samples)
    var result = BinaryImage(width: 1, height: 1)
    var binarizer = Binarizer()
    binarizer.binarize(image, binarization, polarity: polarity, into: &result)
    return result
  }

  @Test func everyThresholdPartsEveryValue() {
    let samples = (0..<256).map { UInt8($0) }
    for threshold in -2...257 {
      let light = binary(samples, width: 256, .fixed(threshold: threshold))
      let dark = binary(samples, width: 256, .fixed(threshold: threshold), .darkOnLight)
      for value in 0..<256 {
        expectEqual(light[column: value, row: 0], (value > threshold))
        expectEqual(dark[column: value, row: 0], (value <= threshold))
      }
    }
  }

  @Test func otsuPartsTwoGroups() {
    // Six values of 10 to 12, and two of 200: the least threshold that parts them.
    let samples: [UInt8] = [10, 10, 11, 11, 12, 12, 200, 200]
    var binarizer = Binarizer()
    expectEqual(
      binarizer.otsuThreshold(of: GrayImage(width: 8, height: 1, samples: samples)), 12)
    expectEqual(binary(samples, width: 4, .otsu).foregroundCount, 2)
    let flat = GrayImage(width: 3, height: 3)
    expectEqual(binarizer.otsuThreshold(of: flat), 0)
  }

  /// The definition, pixel by pixel.
  @Test(arguments: [3, 5, 11, 51])
  func adaptiveMeansAreThoseOfTheSquare(size: Int) {
    let (width, height) = (67, 23)
    let samples = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 * $0 / 7 + $0 * 3) }
    for offset in [-9, 0, 4] {
      let found = binary(
        samples, width: width, .adaptiveMean(blockSize: size, offset: offset))
      for row in 0..<height {
        for column in 0..<width {
          var sum = 0
          for y in row - size / 2...row + size / 2 {
            for x in column - size / 2...column + size / 2 {
              sum += Int(samples[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)])
            }
          }
          let mean = (Double(sum) / Double(size * size)).rounded()
          let isAbove = Double(samples[row * width + column]) > mean - Double(offset)
          expectEqual(found[column: column, row: row], isAbove)
        }
      }
    }
  }

  @Test func blockSizesAndOffsetsOutOfRangeAreBroughtIntoIt() {
    let samples = (0..<64).map { UInt8($0 * 4) }
    for (given, used) in [(-5, 3), (0, 3), (4, 5), (1000, 255)] {
      expectEqual(
        binary(samples, width: 8, .adaptiveMean(blockSize: given, offset: 1)),
        binary(samples, width: 8, .adaptiveMean(blockSize: used, offset: 1)))
    }
    let all = binary(samples, width: 8, .adaptiveGaussian(blockSize: 9, offset: .max))
    expectEqual(all.foregroundCount, 64)
  }

  @Test func aGaussianMeanIsNearerThanASquaresToTheMiddle() {
    // A bright pixel raises the mean beside it more than that two pixels farther.
    var samples = [UInt8](repeating: 100, count: 121)
    samples[60] = 255
    let found = binary(samples, width: 11, .adaptiveGaussian(blockSize: 5, offset: 8))
    // (255 − 100) · 0.25 · 0.375 = 14.5 above 100 beside it, 155 · 0.0625 · 0.375 = 3.6 at two pixels.
    #expect(!found[column: 4, row: 5] && found[column: 3, row: 5])
  }
}

@Suite struct ContourDetectorTests {
  /// A dark rectangle, columns 20..<60 and rows 10..<30, with a light hole, on light ground.
  private func image(
    _ format: PixelImage.Format = .gray, _ orientation: ImageOrientation = .up
  ) -> PixelImage {
    var samples: [UInt8] = []
    for row in 0..<50 {
      for column in 0..<100 {
        let isDark = (20..<60).contains(column) && (10..<30).contains(row)
        let isHole = (30..<40).contains(column) && (15..<25).contains(row)
        samples += [UInt8](repeating: isDark && !isHole ? 30 : 220, count: format.channelCount)
      }
    }
    return PixelImage(
      width: 100, height: 50, format: format, samples: samples, orientation: orientation)
  }

  @Test(arguments: [PixelImage.Format.gray, .rgb, .rgba])
  func darkThingsAreFoundWithTheirHoles(format: PixelImage.Format) throws {
    var detector = ContourDetector()
    let tree = try detector.detect(in: image(format))
    #expect(tree.contourCount == 2 && tree.topLevelContourCount == 1)
    let outer = tree.topLevelContours[0]
    let box = try #require(outer.polygon.boundingBox)
    expectEqual(box, BoundingBox(x: 20.5, y: 10.5, width: 39, height: 19))
    expectEqual(outer.aspectRatio, 2)
    expectEqual(outer.normalizedPath[0], NormalizedPoint(x: 0.205, y: 1 - 10.5 / 50))
    expectEqual(outer.polygonApproximation(epsilon: 1).points.count, 4)
    #expect(outer.childContours[0].isHole)
  }

  @Test func lightThingsOnDarkAreTheRest() throws {
    var options = ContourDetector.Options()
    options.detectsDarkOnLight = false
    options.contrastPivot = 0.5
    var detector = ContourDetector(options)
    let tree = try detector.detect(in: image())
    // The ground with a hole, in which the light hole lies.
    expectEqual(tree.indices.map { tree.depth(of: $0) }, [0, 1, 2])
  }

  @Test func aRegionOfInterestLeavesTheRestOut() throws {
    var options = ContourDetector.Options()
    options.regionOfInterest = NormalizedRect(x: 0, y: 0, width: 0.5, height: 1)
    options.contrastPivot = 0.5
    var detector = ContourDetector(options)
    let tree = try detector.detect(in: image())
    let box = try #require(tree[0].polygon.boundingBox)
    expectEqual(box, BoundingBox(x: 20.5, y: 10.5, width: 29, height: 19))
    options.regionOfInterest = NormalizedRect(x: 0.65, y: 0, width: 0.3, height: 1)
    detector.options = options
    #expect(try detector.detect(in: image()).isEmpty)
  }

  @Test(arguments: ImageOrientation.allCases)
  func contoursLieInTheUprightPicture(orientation: ImageOrientation) throws {
    var detector = ContourDetector()
    let tree = try detector.detect(in: image(.rgb, orientation))
    let map = orientation.storedToUpright(storedWidth: 100, storedHeight: 50)
    let wanted = map.map(BoundingBox(x: 20.5, y: 10.5, width: 39, height: 19))
    let box = try #require(tree[0].polygon.boundingBox)
    #expect(abs(box.x - wanted.x) < 1e-9 && abs(box.y - wanted.y) < 1e-9)
    #expect(abs(box.width - wanted.width) < 1e-9 && abs(box.height - wanted.height) < 1e-9)
  }

  @Test func longSidesAreReducedAndContoursAreNot() throws {
    var options = ContourDetector.Options()
    options.maximumDimension = 50
    var detector = ContourDetector(options)
    let tree = try detector.detect(in: image())
    #expect(tree.width == 50 && tree.height == 25)
    let box = try #require(tree[0].polygon.boundingBox)
    // Two pixels are one: borders run through their common middles.
    #expect(abs(box.midX - 40) < 1e-9 && abs(box.midY - 20) < 1e-9)
    #expect(abs(box.width - 38) < 1e-9)
  }

  @Test func contrastCountsBeforeAnAdaptiveThreshold() throws {
    var samples = [UInt8](repeating: 120, count: 900)
    for row in 10..<13 { for column in 5..<25 { samples[row * 30 + column] = 116 } }
    let image = PixelImage(width: 30, height: 30, format: .gray, samples: samples)
    var options = ContourDetector.Options()
    options.threshold = .adaptiveMean(blockSize: 15, offset: 5)
    options.contrastPivot = 0.45
    options.contrastAdjustment = 1
    var detector = ContourDetector(options)
    #expect(try detector.detect(in: image).isEmpty)
    detector.options.contrastAdjustment = 3
    try expectEqual(detector.detect(in: image).contourCount, 1)
  }

  @Test func brokenRulesAreErrors() {
    func error(_ change: (inout ContourDetector.Options) -> Void) -> ContourError? {
      var detector = ContourDetector()
      change(&detector.options)
      do throws(ContourError) {
        _ = try detector.detect(in: image())
        return nil
      } catch { return error }
    }
    expectEqual(error { $0.contrastAdjustment = 3.1 }, .contrastAdjustmentOutOfRange(3.1))
    #expect(error { $0.contrastAdjustment = .nan } != nil)
    expectEqual(error { $0.contrastPivot = -0.1 }, .contrastPivotOutOfRange(-0.1))
    expectEqual(error { $0.maximumDimension = 3 }, .maximumDimensionOutOfRange(3))
    let outside = NormalizedRect(x: 0.5, y: 0, width: 1, height: 1)
    expectEqual(
      error { $0.regionOfInterest = outside }, .geometry(.regionOfInterestOutsideImage(outside)))
    let long = PixelImage(
      width: 20_000, height: 1, format: .gray, samples: [UInt8](repeating: 0, count: 20_000))
    var detector = ContourDetector()
    detector.options.maximumDimension = nil
    #expect(throws: ContourError.regionTooLarge(width: 20_000, height: 1)) {
      try detector.detect(in: long)
    }
    for error: ContourError in [
      .contrastAdjustmentOutOfRange(4), .contrastPivotOutOfRange(2),
      .maximumDimensionOutOfRange(1), .regionTooLarge(width: 1, height: 2),
      .geometry(.regionOfInterestEmpty(outside)),
    ] {
      #expect(error.description.hasSuffix("."))
    }
  }
}
