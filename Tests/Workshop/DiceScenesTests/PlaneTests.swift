import DiceNumerics
import TestSupport
import Testing

@testable import DiceScenes

@Suite struct PlaneTests {
  private static let sizes = [(1, 1), (1, 9), (7, 3), (8, 8), (37, 21)]

  private func plane(_ width: Int, _ height: Int, seed: UInt64 = 4) -> [Float] {
    var random = SceneRandom(seed: seed)
    return (0..<(width * height)).map { _ in random.number(0, 1) }
  }

  @Test func eightsEndWithTheArray() {
    var values = (0..<11).map { Float($0) }
    expectEqual(values.eight(at: 2), Eight(2, 3, 4, 5, 6, 7, 8, 9))
    expectEqual(values.eight(at: 6), Eight(6, 7, 8, 9, 10, 0, 0, 0))
    expectEqual(values.eight(at: 40), Eight(repeating: 0))
    values.store(Eight(repeating: 1), at: 8)
    expectEqual(values, [0, 1, 2, 3, 4, 5, 6, 7, 1, 1, 1])
    values.store(Eight(repeating: 2), at: 1)
    expectEqual(values, [0, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1])
    values.updateEights { index, value in value + Float(index) }
    expectEqual(values, [0, 2, 2, 2, 2, 2, 2, 2, 10, 9, 9])
    expectEqual(Eight(repeating: 2.5).nearestWholes[0], 2)
    expectEqual(Eight(repeating: 254.7).wholes[3], 255)
    expectEqual(Eight(repeating: 0).roots[0], 0)
    #expect(abs(Eight(repeating: 9).roots[0] - 3) < 1e-5)
  }

  @Test(arguments: sizes)
  func blurIsAWeightedMeanOfThePixelsAround(width: Int, height: Int) {
    let source = plane(width, height)
    for deviation: Float in [0.3, 1.2, 4] {
      var blurred = source
      GaussianBlur(deviation: deviation).apply(to: &blurred, width: width, height: height)
      let radius = max(Int((deviation * 2.5).rounded(.up)), 1)
      var weights: [Float] = []
      for offset in -radius...radius {
        let x = Float(offset) / deviation
        weights.append(exponential(-0.5 * x * x))
      }
      let total = weights.reduce(0, +)
      for y in 0..<height {
        for x in 0..<width {
          var sum: Float = 0
          for dy in -radius...radius {
            let row = min(max(y + dy, 0), height - 1)
            for dx in -radius...radius {
              let column = min(max(x + dx, 0), width - 1)
              sum +=
                weights[dx + radius] * weights[dy + radius] * source[row * width + column]
            }
          }
          #expect(abs(blurred[y * width + x] - sum / (total * total)) < 1e-5)
        }
      }
    }
  }

  @Test(arguments: sizes)
  func samplersInterpolateAndRepeatBorders(width: Int, height: Int) {
    let source = plane(width, height)
    let same = PlaneSampler(
      width: width, height: height, columns: width, rows: height, x: { $0 }, y: { $0 })
    expectEqual(same.samples(of: source), source)
    let around = PlaneSampler(
      width: width, height: height, columns: 3, rows: 2, x: { $0 * 1000 - 1000 },
      y: { $0 * 1000 })
    let last = (height - 1) * width
    expectEqual(
      around.samples(of: source),
      [
        source[0], source[0], source[width - 1],
        source[last], source[last], source[last + width - 1],
      ])
    guard width > 1, height > 1 else { return }
    let between = PlaneSampler(
      width: width, height: height, columns: 1, rows: 1, x: { $0 + 0.25 }, y: { $0 + 0.5 })
    let above = source[0] * 0.75 + source[1] * 0.25
    let below = source[width] * 0.75 + source[width + 1] * 0.25
    #expect(abs(between.samples(of: source)[0] - (above + below) / 2) < 1e-6)
  }

  @Test(arguments: sizes)
  func compressionKeepsAPictureAndLosesDetailWithQuality(width: Int, height: Int) {
    let colour = (0..<3).map { plane(width, height, seed: UInt64($0)).map { $0 * 255 } }
    let gray = [[Float]](repeating: colour[0], count: 3)
    // Gray, because colour has half the resolution.
    var losses: [Float] = []
    for quality in [98, 60, 5] {
      var planes = gray
      BlockCompression(quality: quality).apply(to: &planes, width: width, height: height)
      var loss: Float = 0
      for index in gray[0].indices {
        let value = planes[1][index]
        #expect(value >= 0 && value <= 255 && value == value.rounded())
        loss += abs(value - gray[1][index])
      }
      losses.append(loss / Float(gray[0].count))
    }
    #expect(losses[0] < 2)
    #expect(losses[0] <= losses[1] + 1 && losses[1] <= losses[2] + 1)
    if width >= 8 && height >= 8 { #expect(losses[2] > 10) }
    // An even colour stays as it is.
    var even = [[Float](repeating: 200, count: width * height)]
    even.append([Float](repeating: 90, count: width * height))
    even.append([Float](repeating: 30, count: width * height))
    BlockCompression(quality: 90).apply(to: &even, width: width, height: height)
    for (channel, value) in [Float(200), 90, 30].enumerated() {
      #expect(even[channel].allSatisfy { abs($0 - value) <= 4 })
    }
  }

  @Test func theToneCurveRisesFromBlackToWhite() {
    for contrast: Float in [0, 0.5, 1] {
      let curve = ToneCurve(contrast: contrast)
      var before: Float = 0
      expectEqual(curve.values(Eight(repeating: 0))[0], 0)
      expectEqual(curve.values(Eight(repeating: -3))[0], 0)
      for step in stride(from: 0, through: 4.5, by: 0.001) {
        let value = curve.values(Eight(repeating: Float(step)))[5]
        #expect(value >= before - 1e-6 && value <= 1)
        before = value
      }
      #expect(before > 0.99)
    }
  }
}
