import DiceVisionKit
import TestSupport
import Testing

/// The picture of the README, from the file to the values, with the weights of the library.
struct BundledWeightsReadingTests {
  @Test func readsThePictureOfTheReadme() throws {
    let detector = try DiceDetector()
    let result = try detector.detect(inImageFileAt: Fixtures.path("scenes/scene-15.jpg"))
    #expect(result.values == [6, 1])
    #expect(result.sum == 7)
    #expect(result.uprightWidth == 640 && result.uprightHeight == 480)
    // Top faces from the renderer, near (376, 61) and (428, 226).
    #expect(abs(result.observations[0].boundingBox.midX - 376) < 20)
    #expect(abs(result.observations[1].boundingBox.midX - 430) < 20)
  }

  @Test func readsTheSameWithNumbersOfEightBits() throws {
    let single = try DiceDetector(configuration: .init(precision: .single))
    let narrow = try DiceDetector(configuration: .init(precision: .bfloat16))
    let isAvailable = DiceDetector.Precision.bfloat16.isAvailable
    #expect(single.precision == .single)
    #expect(narrow.precision == (isAvailable ? .bfloat16 : .single))
    let expected = try single.detect(inImageFileAt: Fixtures.path("scenes/scene-15.jpg"))
    let found = try narrow.detect(inImageFileAt: Fixtures.path("scenes/scene-15.jpg"))
    #expect(found.values == expected.values)
    for (first, second) in zip(found.observations, expected.observations) {
      #expect(first.boundingBox.intersectionOverUnion(with: second.boundingBox) > 0.9)
      #expect(abs(first.confidence - second.confidence) < 0.1)
    }
  }
}
