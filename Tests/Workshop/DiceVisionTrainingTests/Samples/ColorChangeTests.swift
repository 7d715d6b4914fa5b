import Testing

@testable import DiceTraining
@testable import DiceVisionTraining

struct ColorChangeTests {
  private let red = SIMD4<Float>(0.8, 0.1, 0.1, 0)
  private let black = SIMD4<Float>(0.1, 0.1, 0.1, 0)
  private let luminance = SIMD4<Float>(0.299, 0.587, 0.114, 0)

  private func brightness(_ color: SIMD4<Float>) -> Float { (color * luminance).sum() }

  /// What a colour is apart from its brightness.
  private func tint(_ color: SIMD4<Float>) -> SIMD4<Float> {
    let gray = brightness(color)
    return color - SIMD4(gray, gray, gray, 0)
  }

  private func isNear(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Bool {
    var difference = a - b
    difference[3] = 0
    return (difference * difference).sum() < 1e-8
  }

  @Test func withoutVariationColoursStay() {
    var random = TrainingRandom(1)
    let change = ColorChange(.none, using: &random)
    #expect(isNear(change(red), red))
    #expect(isNear(change(black), black))
  }

  /// Light and dark come closer together, by as much as is asked for at most; colours stay apart.
  @Test func flatteningTakesBrightnessAndLeavesColour() {
    var options = Augmentation.none
    options.flattening = 1
    options.leastRelief = 0.4
    var random = TrainingRandom(2)
    var reliefs: [Float] = []
    for _ in 0..<200 {
      let change = ColorChange(options, using: &random)
      let (pip, body) = (change(red), change(black))
      #expect(isNear(tint(pip) - tint(body), tint(red) - tint(black)))
      reliefs.append(
        (brightness(pip) - brightness(body)) / (brightness(red) - brightness(black)))
      let gray = change(SIMD4(0.5, 0.5, 0.5, 0))
      #expect(isNear(gray, SIMD4(0.5, 0.5, 0.5, 0)))
    }
    #expect(reliefs.allSatisfy { $0 > 0.399 && $0 < 1.001 })
    #expect(reliefs.contains { $0 < 0.45 } && reliefs.contains { $0 > 0.95 })
  }

  /// A gray picture has nothing but its brightness.
  @Test func grayPicturesAreNotFlattened() {
    var options = Augmentation.none
    options.flattening = 1
    options.gray = 1
    var random = TrainingRandom(3)
    for _ in 0..<50 {
      let change = ColorChange(options, using: &random)
      #expect(isNear(tint(change(red)), .zero))
      #expect(abs(brightness(change(red)) - brightness(red)) < 1e-4)
      #expect(abs(brightness(change(black)) - brightness(black)) < 1e-4)
    }
  }
}
