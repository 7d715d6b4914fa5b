import DiceCodecs
import DiceVisionKit
import TestSupport
import Testing

/// The picture of the README, from the file to the values, with the weights of the library.
struct BundledWeightsReadingTests {
  @Test func readsThePictureOfTheReadme() throws {
    let detector = try DiceDetector()
    let result = try detector.detect(inImageFileAt: Fixtures.path("scenes/scene-15.jpg"))
    expectEqual(result.values, [6, 1])
    expectEqual(result.sum, 7)
    #expect(result.uprightWidth == 640 && result.uprightHeight == 480)
    // Top faces from the renderer, near (376, 61) and (428, 226).
    #expect(abs(result.observations[0].boundingBox.midX - 376) < 20)
    #expect(abs(result.observations[1].boundingBox.midX - 430) < 20)
  }

  @Test(arguments: [DiceDetector.Precision.bfloat16, .int8])
  func readsTheSameWithNumbersOfEightBits(precision: DiceDetector.Precision) throws {
    let single = try DiceDetector(configuration: .init(precision: .single))
    let narrow = try DiceDetector(configuration: .init(precision: precision))
    let isAvailable = precision.isAvailable
    #expect(isAvailable || precision == .bfloat16)
    expectEqual(single.precision, .single)
    expectEqual(narrow.precision, (isAvailable ? precision : .single))
    let expected = try single.detect(inImageFileAt: Fixtures.path("scenes/scene-15.jpg"))
    let found = try narrow.detect(inImageFileAt: Fixtures.path("scenes/scene-15.jpg"))
    expectEqual(found.values, expected.values)
    for (first, second) in zip(found.observations, expected.observations) {
      #expect(first.boundingBox.intersectionOverUnion(with: second.boundingBox) > 0.9)
      #expect(abs(first.confidence - second.confidence) < 0.1)
    }
  }

  /// The detector's and the second stage's integers are the same whatever multiplies them; sampling and boxes
  /// are computed in floats, which kernels round differently.
  @Test func readsTheSameIntegersWithAllKernels() throws {
    let picture = Fixtures.path("scenes/scene-15.jpg")
    let expected = try DiceDetector(configuration: .init(precision: .int8))
      .detect(inImageFileAt: picture)
    for kernels in DiceDetector.KernelImplementation.allCases where kernels.isAvailable {
      if kernels == .reference { continue }
      let detector = try DiceDetector(
        configuration: .init(kernelImplementation: kernels, precision: .int8))
      expectEqual(detector.precision, .int8)
      let found = try detector.detect(inImageFileAt: picture)
      expectEqual(found.values, expected.values)
      for (first, second) in zip(found.observations, expected.observations) {
        #expect(abs(first.confidence - second.confidence) < 0.02, "\(kernels)")
      }
    }
  }

  /// The picture of the README, stored with four times as many pixels along a side, as a JPEG file:
  /// itself so much larger, or with gray around it.
  private static func large(isEnlarged: Bool) throws -> [UInt8] {
    let picture = try ImageDecoder.decode(Fixtures.bytes("scenes/scene-15.jpg"))
    let (width, height) = (4 * picture.width, 4 * picture.height)
    var samples = [UInt8](repeating: 128, count: 3 * width * height)
    for y in 0..<(isEnlarged ? height : picture.height) {
      for x in 0..<(isEnlarged ? width : picture.width) {
        let source = isEnlarged ? (y / 4 * picture.width + x / 4) : y * picture.width + x
        for channel in 0..<3 {
          samples[3 * (y * width + x) + channel] = picture.samples[3 * source + channel]
        }
      }
    }
    return try JPEGEncoder.encode(
      PixelImage(width: width, height: height, format: .rgb, samples: samples))
  }

  @Test func aSmallerCopyOfALargePictureSufficesForLargeDice() throws {
    let file = try Self.large(isEnlarged: true)
    let detector = try DiceDetector()
    let side = try #require(detector.firstDecodedSide())
    let copy = try ImageDecoder.decode(file, longerSide: side)
    #expect(copy.image.width == 1280 && copy.fullWidth == 2560)
    let result = try #require(try detector.detect(inReduced: copy))
    #expect(try detector.detect(inImageFile: file).hasSameContent(as: result))
    let full = try DiceDetector(configuration: .init(fileResolution: .full))
      .detect(inImageFile: file)
    #expect(result.values == [6, 1] && full.values == [6, 1])
    #expect(result.uprightWidth == full.uprightWidth && result.uprightHeight == full.uprightHeight)
    for (one, other) in zip(result, full) {
      #expect(one.boundingBox.intersectionOverUnion(with: other.boundingBox) > 0.95)
      #expect(abs(one.confidence - other.confidence) < 0.05)
    }
  }

  @Test func aLargePictureWithSmallDiceIsDecodedInFull() throws {
    let file = try Self.large(isEnlarged: false)
    let detector = try DiceDetector()
    let side = try #require(detector.firstDecodedSide())
    try expectEqual(detector.detect(inReduced: ImageDecoder.decode(file, longerSide: side)), nil)
    let result = try detector.detect(inImageFile: file)
    let full = try DiceDetector(configuration: .init(fileResolution: .full))
      .detect(inImageFile: file)
    expectEqual(result.values, [6, 1])
    #expect(result.hasSameContent(as: full))
  }

  @Test func otherRulesThanTheWholePictureDecodeAllOfIt() throws {
    for rule in [CropAndScale.centerCrop, .scaleFill] {
      try expectEqual(
        DiceDetector(configuration: .init(cropAndScale: rule)).firstDecodedSide(), nil)
    }
    try expectEqual(
      DiceDetector(configuration: .init(fileResolution: .full)).firstDecodedSide(), nil)
    let side = DiceDetector.Configuration(fileResolution: .longerSide(99))
    try expectEqual(DiceDetector(configuration: side).firstDecodedSide(), 99)
  }
}
