import DiceImaging
import TestSupport
import Testing

@testable import DiceTraining
@testable import DiceVisionTraining

struct DetectionSamplerTests {
  /// A dark picture with one bright rectangle for each die.
  private func picture(width: Int, height: Int, _ boxes: [(x: Int, y: Int, w: Int, h: Int)])
    -> TrainingPicture
  {
    var samples = [UInt8](repeating: 20, count: width * height * 3)
    for box in boxes {
      for row in box.y..<box.y + box.h {
        for column in box.x..<box.x + box.w {
          for channel in 0..<3 { samples[(row * width + column) * 3 + channel] = 240 }
        }
      }
    }
    return TrainingPicture(
      PixelImage(width: width, height: height, format: .rgb, samples: samples),
      truths: boxes.map {
        TruthBox(
          centerX: Float($0.x) + Float($0.w) / 2, centerY: Float($0.y) + Float($0.h) / 2,
          width: Float($0.w), height: Float($0.h), classIndex: 2)
      })
  }

  private func sampler(
    _ augmentation: Augmentation, blueFirst: Bool = false
  ) -> DetectionSampler {
    DetectionSampler(
      augmentation: augmentation, referenceSide: 128,
      rules: PixelRules(
        paddingValue: 114, scales: SIMD3(repeating: 1 / 255), biases: .zero,
        isBlueFirst: blueFirst))
  }

  private func makeInput() -> SampleInput {
    SampleInput(
      map: BatchMap(
        sampleCount: 1, height: 128, width: 128, channelCount: 3,
        border: Border(rows: 1, columns: 1), pixelStep: 4), sample: 0)
  }

  /// The box around the bright pixels of a map.
  private func brightBox(_ map: SampleInput) -> (left: Int, top: Int, right: Int, bottom: Int)? {
    var box: (left: Int, top: Int, right: Int, bottom: Int)?
    for row in 0..<map.height {
      for column in 0..<map.width where map[row, column, 0] > 0.65 {
        let old = box ?? (column, row, column + 1, row + 1)
        box = (
          min(old.left, column), min(old.top, row), max(old.right, column + 1),
          max(old.bottom, row + 1)
        )
      }
    }
    return box
  }

  @Test func withoutVariationThePictureIsFittedAndItsBoxFollows() throws {
    let map = makeInput()
    let source = picture(width: 256, height: 128, [(x: 40, y: 20, w: 60, h: 40)])
    var random = TrainingRandom(1)
    let truths = sampler(.none).make(into: map, using: &random) { _ in source }
    // Fitted into 128 by 64, centred: half size, 32 rows of padding above.
    expectEqual(truths.count, 1)
    let truth = try #require(truths.first)
    #expect(abs(truth.centerX - 35) < 1e-3 && abs(truth.centerY - 52) < 1e-3)
    #expect(abs(truth.width - 30) < 1e-3 && abs(truth.height - 20) < 1e-3)
    expectEqual(truth.classIndex, 2)
    let bright = try #require(brightBox(map))
    #expect(bright == (20, 42, 50, 62))
    let padding = map[5, 64, 0]
    #expect(abs(padding - 114.0 / 255) < 1e-6)
    let ground = map[40, 100, 0]
    #expect(abs(ground - 20.0 / 255) < 1e-5)
  }

  @Test func theChannelOrderOfTheNetworkIsKept() {
    let image = PixelImage(
      width: 128, height: 128, format: .rgb,
      samples: (0..<128 * 128).flatMap { _ in [UInt8(255), 51, 0] })
    let source = TrainingPicture(image, truths: [])
    let map = makeInput()
    var random = TrainingRandom(1)
    _ = sampler(.none, blueFirst: true).make(into: map, using: &random) { _ in source }
    #expect(abs(map[9, 10, 0]) < 1e-6)
    #expect(abs(map[9, 10, 1] - 0.2) < 1e-6)
    #expect(abs(map[9, 10, 2] - 1) < 1e-6)
  }

  /// Turns, mirrors, scales and stretches move pixels and boxes alike.
  @Test func boxesFollowThePixels() throws {
    var augmentation = Augmentation.none
    augmentation.scale = 0.5...1.6
    augmentation.aspect = 1.3
    augmentation.flip = 0.5
    augmentation.quarterTurns = true
    let source = picture(width: 200, height: 140, [(x: 120, y: 30, w: 36, h: 24)])
    var seenCount = 0
    for seed in 0..<60 {
      let map = makeInput()
      var random = TrainingRandom(UInt64(seed))
      let truths = sampler(augmentation).make(into: map, using: &random) { _ in source }
      guard let truth = truths.first else {
        #expect(brightBox(map).map { ($0.right - $0.left) * ($0.bottom - $0.top) < 60 } ?? true)
        continue
      }
      let bright = try #require(brightBox(map), "seed \(seed)")
      #expect(abs(Float(bright.left) - (truth.centerX - truth.width / 2)) < 1.6, "seed \(seed)")
      #expect(abs(Float(bright.right) - (truth.centerX + truth.width / 2)) < 1.6, "seed \(seed)")
      #expect(abs(Float(bright.top) - (truth.centerY - truth.height / 2)) < 1.6, "seed \(seed)")
      #expect(abs(Float(bright.bottom) - (truth.centerY + truth.height / 2)) < 1.6, "seed \(seed)")
      seenCount += 1
    }
    #expect(seenCount > 30)
  }

  @Test func aSmallRotationKeepsTheCentre() throws {
    var augmentation = Augmentation.none
    augmentation.rotation = 20
    let source = picture(width: 128, height: 128, [(x: 80, y: 30, w: 24, h: 24)])
    for seed in 0..<20 {
      let map = makeInput()
      var random = TrainingRandom(UInt64(seed))
      let truths = sampler(augmentation).make(into: map, using: &random) { _ in source }
      let truth = try #require(truths.first)
      let bright = try #require(brightBox(map))
      #expect(abs(Float(bright.left + bright.right) / 2 - truth.centerX) < 1.5)
      #expect(abs(Float(bright.top + bright.bottom) / 2 - truth.centerY) < 1.5)
      #expect(abs(truth.width - 24) < 0.01)
    }
  }

  @Test func diceThatAreCutOrTooSmallCountNeitherWay() {
    var augmentation = Augmentation.none
    augmentation.minimumSide = 20
    // Fitted at half size: 60 pixels become 30, 30 become 15.
    let source = picture(
      width: 256, height: 256, [(x: 20, y: 20, w: 60, h: 60), (x: 150, y: 150, w: 30, h: 30)])
    let map = makeInput()
    var random = TrainingRandom(1)
    let truths = sampler(augmentation).make(into: map, using: &random) { _ in source }
    expectEqual(truths.map(\.classIndex), [2, nil])
  }

  @Test func aMosaicHoldsFourPicturesAndTheirBoxesInsideTheirTiles() {
    var augmentation = Augmentation.none
    augmentation.mosaic = 1
    let source = picture(width: 64, height: 64, [(x: 10, y: 10, w: 40, h: 40)])
    let map = makeInput()
    var random = TrainingRandom(3)
    var drawnCount = 0
    let truths = sampler(augmentation).make(into: map, using: &random) { _ in
      drawnCount += 1
      return source
    }
    expectEqual(drawnCount, 4)
    expectEqual(truths.count, 4)
    for truth in truths {
      #expect(truth.centerX - truth.width / 2 >= 0 && truth.centerX + truth.width / 2 <= 128)
      let pixel = map[Int(truth.centerY), Int(truth.centerX), 0]
      #expect(pixel > 0.8)
    }
  }

  @Test func aPartOfAPictureIsPlacedAroundADie() {
    var augmentation = Augmentation.none
    augmentation.scale = 3.9...4
    augmentation.dieInView = 1
    let source = picture(width: 400, height: 400, [(x: 30, y: 340, w: 24, h: 24)])
    for seed in 0..<20 {
      let map = makeInput()
      var random = TrainingRandom(UInt64(seed))
      let truths = sampler(augmentation).make(into: map, using: &random) { _ in source }
      expectEqual(truths.count, 1, "seed \(seed)")
      #expect(brightBox(map) != nil, "seed \(seed)")
    }
  }

  @Test func fullVariationStaysInRangeAndRepeatsWithItsSeed() {
    let source = picture(width: 300, height: 200, [(x: 40, y: 20, w: 60, h: 40)])
    var augmentation = Augmentation()
    augmentation.noise = 1
    augmentation.blur = 1
    func sample(_ seed: UInt64) -> [Float] {
      let map = makeInput()
      var random = TrainingRandom(seed)
      _ = sampler(augmentation).make(into: map, using: &random) { _ in source }
      return (0..<128).flatMap { row in
        (0..<128 * 3).map { map[row, $0 / 3, $0 % 3] }
      }
    }
    for seed in 0..<6 {
      let values = sample(UInt64(seed))
      #expect(values.allSatisfy { $0 >= 0 && $0 <= 1 })
      expectEqual(values, sample(UInt64(seed)))
    }
    #expect(sample(1) != sample(2))
  }

  @Test func grayVariationMakesAllChannelsEqual() {
    var augmentation = Augmentation.none
    augmentation.gray = 1
    let image = PixelImage(
      width: 128, height: 128, format: .rgb,
      samples: (0..<128 * 128).flatMap { _ in [UInt8(200), 100, 0] })
    let source = TrainingPicture(image, truths: [])
    let map = makeInput()
    var random = TrainingRandom(1)
    _ = sampler(augmentation).make(into: map, using: &random) { _ in source }
    let expected: Float = (0.299 * 200 + 0.587 * 100) / 255
    for channel in 0..<3 { #expect(abs(map[9, 10, channel] - expected) < 1e-5) }
  }
}
