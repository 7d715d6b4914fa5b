import DiceDetection
import DiceGeometry
import DiceImaging
import DiceWeights
import TestSupport
import Testing

@testable import DiceTraining
@testable import DiceVisionTraining

/// What a second-stage classifier learns from: crops, enlarged or reduced to one size.
struct CropSampleTests {
  /// A dark picture with one bright square.
  private func picture(side: Int, in size: Int, proposals: [BoundingBox] = []) -> TrainingPicture {
    var samples = [UInt8](repeating: 20, count: size * size * 3)
    let first = size / 2 - side / 2
    for row in first..<first + side {
      for column in first..<first + side {
        for channel in 0..<3 { samples[(row * size + column) * 3 + channel] = 240 }
      }
    }
    return TrainingPicture(
      PixelImage(width: size, height: size, format: .rgb, samples: samples),
      truths: [
        TruthBox(
          centerX: Float(first) + Float(side) / 2, centerY: Float(first) + Float(side) / 2,
          width: Float(side), height: Float(side), classIndex: 3)
      ], proposals: proposals, isReducible: true)
  }

  private func sampler(
    _ change: (inout Augmentation) -> Void = { _ in }
  ) -> CropSampler {
    var augmentation = Augmentation.none
    augmentation.flip = 0.5
    augmentation.minimumSide = 8
    change(&augmentation)
    return CropSampler(
      augmentation: augmentation, dieSide: dieSide,
      rules: PixelRules(
        paddingValue: 114, scales: SIMD3(repeating: 1 / 255), biases: .zero, isBlueFirst: false))
  }

  private func makeInput() -> SampleInput {
    SampleInput(
      map: BatchMap(
        sampleCount: 1, height: 96, width: 96, channelCount: 3,
        border: Border(rows: 1, columns: 1), pixelStep: 4), sample: 0)
  }

  private let dieSide = NetworkDescription.cropDieSide

  /// The roles of the second stage's cells: three by three of 32 pixels.
  private func roles(_ truths: [TruthBox]) -> [[GridRole]] {
    CropAssignment(grids: [Grid(rows: 3, columns: 3, stride: 32, baseSize: dieSide)])
      .roles(truths)
  }

  /// Whatever the size of the die in its picture, a sample for which it counts shows it where and as
  /// large as the truth says, close to the size that the classifier expects.
  @Test func aDieIsShownAtTheExpectedSize() {
    for (side, size) in [(12, 100), (40, 100), (220, 512)] {
      let source = picture(side: side, in: size)
      var (dieCount, backgroundCount) = (0, 0)
      for seed in 0..<150 {
        let map = makeInput()
        var random = TrainingRandom(UInt64(seed))
        let truths = sampler().make(into: map, using: &random) { _ in source }
        switch roles(truths)[0][4] {
        case .ignored: continue
        case .background: backgroundCount += 1
        case .die(let index):
          dieCount += 1
          let truth = truths[index]
          expectEqual(truth.classIndex, 3)
          #expect(abs(truth.centerX - 48) < 15 && abs(truth.centerY - 48) < 15)
          #expect(truth.width > dieSide / 1.7 && truth.width < dieSide * 1.7)
          var (sumX, sumY, count) = (Float(0), Float(0), Float(0))
          for row in 0..<96 {
            for column in 0..<96 where map[row, column, 0] > 0.5 {
              (sumX, sumY, count) = (sumX + Float(column), sumY + Float(row), count + 1)
            }
          }
          #expect(abs(sumX / count + 0.5 - truth.centerX) < 1, "side \(side), seed \(seed)")
          #expect(abs(sumY / count + 0.5 - truth.centerY) < 1, "side \(side), seed \(seed)")
          #expect(abs(count.squareRoot() - truth.width) < 2.5, "side \(side), seed \(seed)")
        }
      }
      #expect(dieCount > 30 && backgroundCount > 20, "side \(side)")
    }
  }

  /// Half of the samples show proposals, which lie where the die is not.
  @Test func proposalsAreShown() {
    let box = BoundingBox(midX: 30, midY: 170, width: 30, height: 20)
    let source = picture(side: 30, in: 200, proposals: [box])
    var emptyCount = 0
    for seed in 0..<200 {
      var random = TrainingRandom(UInt64(seed))
      let truths = sampler().make(into: makeInput(), using: &random) { _ in source }
      if truths.isEmpty { emptyCount += 1 }
    }
    #expect((80...140).contains(emptyCount))
  }

  /// Pictures are drawn until there is something to learn: eight of ten hold a die that nobody can read.
  @Test func unreadableDiceAreRarelyInTheMiddle() {
    let readable = picture(side: 40, in: 100)
    let truth = TruthBox(centerX: 50, centerY: 50, width: 40, height: 40, classIndex: nil)
    let unreadable = TrainingPicture(
      PixelImage(
        width: 100, height: 100, format: .rgb, samples: [UInt8](repeating: 90, count: 30000)),
      truths: [truth], isReducible: true)
    var (ignoredCount, dieCount) = (0, 0)
    for seed in 0..<100 {
      var random = TrainingRandom(UInt64(seed))
      let truths = sampler().make(into: makeInput(), using: &random) { random in
        random.chance(0.8) ? unreadable : readable
      }
      switch roles(truths)[0][4] {
      case .ignored: ignoredCount += 1
      case .die: dieCount += 1
      case .background: continue
      }
    }
    // Without drawing again, 20 or more count for nothing.
    #expect(ignoredCount < 20 && dieCount > 25, "\(ignoredCount), \(dieCount)")
  }

  @Test func aDieTooSmallToBeReadCountsNeitherWay() {
    let source = picture(side: 6, in: 100)
    var ignoredCount = 0
    for seed in 0..<60 {
      var random = TrainingRandom(UInt64(seed))
      let truths = sampler().make(into: makeInput(), using: &random) { _ in source }
      let role = roles(truths)[0][4]
      if case .die = role { Issue.record("seed \(seed): a die of 6 pixels is to be read") }
      if role == .ignored { ignoredCount += 1 }
    }
    #expect(ignoredCount > 15)
  }

  @Test func theMiddleCellAloneIsTaught() {
    // Places and sizes in sides of a die as large as expected, from the middle.
    func truth(_ x: Float, _ y: Float, _ size: Float, _ classIndex: Int? = 1) -> TruthBox {
      TruthBox(
        centerX: 48 + x * dieSide, centerY: 48 + y * dieSide, width: size * dieSide,
        height: size * dieSide / 2, classIndex: classIndex)
    }
    let cases: [([TruthBox], GridRole)] = [
      ([], .background),
      ([truth(0, 0, 1)], .die(0)),
      ([truth(0.35, -0.35, 1)], .die(0)),
      ([truth(0.425, 0, 1)], .ignored),
      ([truth(0, -0.525, 1)], .background),
      ([truth(0, 0, 1.65)], .die(0)),
      ([truth(0, 0, 2)], .ignored),
      ([truth(0, 0, 2.5)], .background),
      ([truth(0, 0, 0.5)], .ignored),
      ([truth(0, 0, 0.4)], .background),
      ([truth(0, 0, 1, nil)], .ignored),
      ([truth(0.25, 0, 1), truth(-0.1, 0, 1)], .die(1)),
      ([truth(-0.1, 0, 1), truth(0.25, 0, 1, nil)], .die(0)),
    ]
    for (truths, expected) in cases {
      let cells = roles(truths)[0]
      expectEqual(cells.count, 9)
      expectEqual(cells[4], expected, "\(truths)")
      for (index, role) in cells.enumerated() where index != 4 { expectEqual(role, .ignored) }
    }
  }

  @Test func theSecondStageIsSmall() throws {
    let shapes = try NetworkDescription.secondStage().validated()
    #expect(shapes.multiplyAddCount < 49_000_000)
    let parameterCount = shapes.tensors.reduce(0) { $0 + $1.reduce(1, *) }
    #expect(parameterCount < 680_000)
  }

  @Test func theFastNetworkIsFast() throws {
    let shapes = try NetworkDescription.fast().validated()
    #expect(shapes.multiplyAddCount <= 150_000_000)
  }
}
