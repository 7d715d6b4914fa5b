import DiceDetection
import DiceParallel
import TestSupport
import Testing

@testable import DiceTraining
@testable import DiceVisionTraining

struct DualTests {
  @Test func derivativesAgreeWithDifferences() {
    let functions: [(String, (Dual, Dual) -> Dual)] = [
      ("sum", { $0 + $1 }), ("difference", { $0 - $1 }), ("product", { $0 * $1 }),
      ("quotient", { $0 / $1 }), ("exponential", { Dual.exponential($0) * $1 }),
      ("sigmoid", { Dual.sigmoid($0 * $1) }), ("smaller", { Dual.smaller($0 * $0, $1) }),
      ("greater", { Dual.greater($0, $1 * $1) }), ("clamp", { Dual.clamp($0 * $1, -1, 1.5) }),
    ]
    for (name, function) in functions {
      for (a, b) in [(Float(0.7), Float(1.3)), (-0.4, 0.9), (1.1, 0.6)] {
        let result = function(.variable(a, 0), .variable(b, 3))
        let step: Float = 1e-3
        let first =
          (function(Dual(a + step), Dual(b)).value - function(Dual(a - step), Dual(b)).value)
          / (2 * step)
        let second =
          (function(Dual(a), Dual(b + step)).value - function(Dual(a), Dual(b - step)).value)
          / (2 * step)
        #expect(abs(result.derivatives[0] - first) < 2e-3, "\(name) by its first argument")
        #expect(abs(result.derivatives[3] - second) < 2e-3, "\(name) by its second argument")
        #expect(result.derivatives[1] == 0 && result.derivatives[2] == 0)
      }
    }
  }

  @Test func softplusNeitherOverflowsNorVanishes() {
    expectEqual(softplus(100), 100)
    #expect(softplus(-100) >= 0 && softplus(-100) < 1e-30)
    #expect(abs(softplus(0) - 0.6931472) < 1e-6)
  }
}

struct CellGeometryTests {
  private let cell = CellGeometry(stride: 8, baseSize: 24, row: 3, column: 5)

  @Test func decodesAsTheWeightFormatSays() {
    let box = cell.box(SIMD4(0, 0, 0, 0))
    #expect(box.x.value == 44 && box.y.value == 28)
    #expect(box.width.value == 24 && box.height.value == 24)
    let far = cell.box(SIMD4(100, -100, 9, -9))
    #expect(abs(far.x.value - (5 + 1.5) * 8) < 1e-4)
    #expect(abs(far.y.value - (3 - 0.5) * 8) < 1e-4)
    #expect(abs(far.width.value - 24 * DiceTraining.exponential(4)) < 0.01)
    #expect(abs(far.height.value - 24 * DiceTraining.exponential(-4)) < 1e-4)
  }

  @Test func lossIsZeroForTheExactBoxAndAboveOneForADistantOne() {
    let exact = TruthBox(centerX: 44, centerY: 28, width: 24, height: 24, classIndex: 0)
    let (loss, overlap) = cell.loss(.zero, exact)
    #expect(abs(loss.value) < 1e-6 && abs(overlap - 1) < 1e-6)
    let distant = TruthBox(centerX: 144, centerY: 28, width: 24, height: 24, classIndex: 0)
    let (farLoss, farOverlap) = cell.loss(.zero, distant)
    // ρ = 100, the box around both is 124 by 24.
    #expect(abs(farLoss.value - (1 + 10000 / Float(124 * 124 + 24 * 24))) < 1e-5)
    expectEqual(farOverlap, 0)
  }

  @Test func gradientAgreesWithDifferences() {
    var random = TrainingRandom(21)
    for _ in 0..<50 {
      let t = SIMD4<Float>(random.normal(), random.normal(), random.normal(), random.normal())
      let truth = TruthBox(
        centerX: 44 + random.between(-7, 7), centerY: 28 + random.between(-7, 7),
        width: random.between(8, 60), height: random.between(8, 60), classIndex: 0)
      let derivatives = cell.loss(t, truth).loss.derivatives
      for index in 0..<4 {
        var (low, high) = (t, t)
        low[index] -= 2e-3
        high[index] += 2e-3
        let change = cell.loss(high, truth).loss.value - cell.loss(low, truth).loss.value
        let difference = change / 4e-3
        let tolerance = 4e-3 + 0.02 * abs(difference)
        #expect(abs(difference - derivatives[index]) < tolerance)
      }
    }
  }
}

struct DetectionLossTests {
  private struct Setting {
    let outputs: [TrainingOutput]
    let loss: DetectionLoss
    let pool = WorkerPool(threadCount: 1)

    func evaluate(_ truths: [[TruthBox]]) -> LossParts {
      let grids = zip(loss.heads, outputs).map { $0.grid($1) }
      return loss.evaluate(
        outputs, truths: truths,
        roles: truths.map { DetectionAssignment(grids: grids).roles($0) }, pool: pool)
    }
  }

  /// Two heads on 64 by 64 pixels, predictions drawn at random.
  private func makeSetting(seed: UInt64) -> Setting {
    let heads = [
      GridBoxHead(stride: 8, baseSize: 16, classCount: 3),
      GridBoxHead(stride: 16, baseSize: 40, classCount: 3),
    ]
    let outputs = heads.map { head in
      func map() -> BatchMap {
        BatchMap(
          sampleCount: 2, height: 64 / head.stride, width: 64 / head.stride, channelCount: 8)
      }
      return TrainingOutput(name: "", values: map(), gradients: map())
    }
    var random = TrainingRandom(seed)
    for output in outputs {
      for sample in 0..<2 {
        for row in 0..<output.height {
          for column in 0..<output.width {
            for channel in 0..<8 {
              output.value(sample, row, column).store(random.normal() * 0.7, at: channel)
            }
          }
        }
      }
    }
    return Setting(outputs: outputs, loss: DetectionLoss(heads: heads))
  }

  private let truths: [[TruthBox]] = [
    [
      TruthBox(centerX: 21, centerY: 30, width: 17, height: 15, classIndex: 2),
      TruthBox(centerX: 50, centerY: 12, width: 12, height: 14, classIndex: 0, boxWeight: 0.25),
    ],
    [
      TruthBox(centerX: 33, centerY: 35, width: 44, height: 38, classIndex: 1),
      TruthBox(centerX: 8, centerY: 56, width: 14, height: 14, classIndex: nil),
    ],
  ]

  @Test func gradientAgreesWithDifferences() {
    let setting = makeSetting(seed: 4)
    let parts = setting.evaluate(truths)
    #expect((parts["positives"] ?? 0) >= 3)
    var gradients: [[Float]] = []
    for head in setting.outputs {
      var values: [Float] = []
      for picture in 0..<2 {
        for row in 0..<head.height {
          for column in 0..<head.width {
            for channel in 0..<8 {
              values.append(
                head.gradients.row(row, of: picture).scalar(
                  at: column * head.gradients.pixelStep + channel))
            }
          }
        }
      }
      gradients.append(values)
    }
    var testedCount = 0
    for (head, gradient) in zip(setting.outputs, gradients) {
      var index = 0
      for picture in 0..<2 {
        for row in 0..<head.height {
          for column in 0..<head.width {
            for channel in 0..<8 {
              defer { index += 1 }
              // All of the interesting ones, and a few of the cells that only learn objectness.
              guard gradient[index] != 0, channel != 4 || column % 3 == 0 else { continue }
              let place = column * head.values.pixelStep + channel
              let cell = head.values.row(row, of: picture)
              let old = cell.scalar(at: place)
              cell.store(old + 2e-3, at: place)
              let high = setting.evaluate(truths)
              cell.store(old - 2e-3, at: place)
              let low = setting.evaluate(truths)
              cell.store(old, at: place)
              let difference = (high.total - low.total) / 4e-3
              let tolerance = 6e-3 + 0.03 * abs(difference)
              #expect(
                abs(difference - gradient[index]) < tolerance,
                "channel \(channel) of cell \(row), \(column)")
              testedCount += 1
            }
          }
        }
      }
    }
    #expect(testedCount > 40)
  }

  @Test func aCellInsideAnUnreadableDieLearnsNothing() {
    let setting = makeSetting(seed: 8)
    _ = setting.evaluate(truths)
    let head = setting.outputs[0]
    // Row 6, column 0 of the second picture has its centre at (4, 52), inside the box at (8, 56).
    for channel in 0..<8 {
      expectEqual(head.gradients.row(6, of: 1).scalar(at: channel), 0)
    }
    // Its neighbour outside is background: it learns to say no.
    #expect(head.gradients.row(6, of: 1).scalar(at: 3 * head.gradients.pixelStep + 4) > 0)
  }

  /// Which cells of a head learn to see a die, as "row,column".
  private func positives(_ head: TrainingOutput, picture: Int) -> Set<String> {
    var cells: Set<String> = []
    for row in 0..<head.height {
      for column in 0..<head.width
      where head.gradients.row(row, of: picture).scalar(at: column * head.gradients.pixelStep + 4)
        < 0
      {
        cells.insert("\(row),\(column)")
      }
    }
    return cells
  }

  @Test func aDieIsGivenItsCellAndTheNearestBesideIt() {
    let setting = makeSetting(seed: 15)
    let parts = setting.evaluate(truths)
    // 16 pixels are within a factor of 2.6 of both bases, 16 and 40; (21, 30) is (2.625, 3.75)
    // cells of the first and (1.3125, 1.875) of the second.
    // 13 pixels belong to the first alone; (50, 12) is (6.25, 1.5) cells, in the middle of row 1.
    expectEqual(positives(setting.outputs[0], picture: 0), ["3,2", "4,2", "3,3", "1,6", "1,5"])
    expectEqual(positives(setting.outputs[1], picture: 0), ["1,1", "1,0", "2,1"])
    // 41 pixels are within a factor of 2.6 of both bases; (33, 35) is (4.125, 4.375) cells.
    expectEqual(positives(setting.outputs[0], picture: 1), ["4,4", "4,3", "3,4"])
    expectEqual(positives(setting.outputs[1], picture: 1), ["2,2", "2,1", "1,2"])
    expectEqual(parts["positives"], 14)
  }

  @Test func theCellAcrossTheCornerCountsNeitherWay() {
    let setting = makeSetting(seed: 15)
    _ = setting.evaluate(truths)
    let head = setting.outputs[0]
    for channel in 0..<8 {
      expectEqual(
        head.gradients.row(4, of: 0).scalar(at: 3 * head.gradients.pixelStep + channel), 0)
    }
  }

  @Test func whereADieIsGivenDoesNotDependOnPredictions() {
    let setting = makeSetting(seed: 15)
    _ = setting.evaluate(truths)
    let before = (0..<2).flatMap { picture in
      setting.outputs.map { positives($0, picture: picture) }
    }
    for head in setting.outputs {
      for picture in 0..<2 {
        for row in 0..<head.height {
          for column in 0..<head.width {
            for channel in 0..<4 {
              head.values.row(row, of: picture).store(
                channel < 2 ? -9 : -4, at: column * head.values.pixelStep + channel)
            }
          }
        }
      }
    }
    let parts = setting.evaluate(truths)
    let after = (0..<2).flatMap { picture in
      setting.outputs.map { positives($0, picture: picture) }
    }
    expectEqual(before, after)
    #expect(parts.total.isFinite)
  }

  @Test func aCellBetweenTwoDiceBelongsToTheNearer() {
    let setting = makeSetting(seed: 3)
    let pair = [
      TruthBox(centerX: 27, centerY: 28, width: 16, height: 16, classIndex: 0),
      TruthBox(centerX: 34, centerY: 28, width: 16, height: 16, classIndex: 1),
    ]
    for truths in [pair, pair.reversed()] {
      _ = setting.evaluate([truths, []])
      // Cell 3 has its middle at 28, beside both centres and nearer to the first; cell 4 is near
      // the second alone.
      let head = setting.outputs[0]
      for (column, label) in [(3, 0), (4, 1)] {
        let gradient = head.gradient(0, 3, column)
        #expect(gradient.scalar(at: 5 + label) < 0)
        #expect(gradient.scalar(at: 5 + 1 - label) > 0)
      }
    }
  }

  @Test func noDiceAtAllIsAllBackground() {
    let setting = makeSetting(seed: 2)
    let parts = setting.evaluate([[], []])
    #expect(parts["positives"] == 0 && parts["box"] == 0 && parts["classification"] == 0)
    #expect(parts["objectness"] == parts.total && parts.total > 0 && parts.total.isFinite)
  }
}
