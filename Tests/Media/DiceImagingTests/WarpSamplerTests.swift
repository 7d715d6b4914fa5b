import TestSupport
import Testing

@testable import DiceImaging

struct WarpSamplerTests {
  /// Bytes of a picture, and one more.
  private func picture(_ width: Int, _ height: Int) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(width * 100 + height))
    return (0...3 * width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// The definition: every sample of the picture with its weight.
  private func color(
    _ samples: [UInt8], _ width: Int, _ height: Int, x: Double, y: Double, columnStep: Double,
    rowStep: Double
  ) -> SIMD4<Double> {
    var (sum, total) = (SIMD4<Double>.zero, 0.0)
    for row in 0..<height {
      let down = max(0, 1 - (Double(row) + 0.5 - y).magnitude / max(1, rowStep))
      for column in 0..<width {
        let weight = down * max(0, 1 - (Double(column) + 0.5 - x).magnitude / max(1, columnStep))
        for channel in 0..<3 {
          sum[channel] += weight * Double(samples[3 * (row * width + column) + channel])
        }
        total += weight
      }
    }
    return sum / total
  }

  /// Enlarged, and shrunk by more than the loops of fixed lengths reach, in pictures larger and smaller than
  /// the filter, along lines of any direction.
  @Test func placesHaveTheMeanThatTheFilterSays() {
    var random = SeededGenerator(seed: 3)
    var (insideCount, outsideCount) = (0, 0)
    for (width, height) in [(1, 1), (3, 2), (9, 7), (30, 23)] {
      let samples = picture(width, height)
      for columnStep in [0.3, 1, 1.4, 1.9, 2.2, 2.9, 3.4, 4, 6.5] {
        for rowStep in [columnStep, 1.1 * columnStep, 0.7] {
          let line = WarpSampler.Line(
            x: random.uniform(-2...Double(width)), y: random.uniform(-2...Double(height)),
            stepX: random.uniform(-1...1), stepY: random.uniform(-1...1))
          var colors = [SIMD4<Float>](repeating: .zero, count: 12)
          WarpSampler(columnStep: columnStep, rowStep: rowStep).sample(
            line, of: samples, width: width, height: height,
            extent: (Double(width), Double(height)), into: &colors)
          for index in colors.indices {
            let x = line.x + Double(index) * line.stepX
            let y = line.y + Double(index) * line.stepY
            guard x >= 0, y >= 0, x <= Double(width), y <= Double(height) else {
              expectEqual(colors[index], SIMD4(0, 0, 0, -1))
              outsideCount += 1
              continue
            }
            let expected = color(
              samples, width, height, x: x, y: y, columnStep: columnStep, rowStep: rowStep)
            for channel in 0..<3 {
              #expect(abs(Double(colors[index][channel]) - expected[channel]) < 0.001)
            }
            #expect(colors[index].w >= 0)
            insideCount += 1
          }
        }
      }
    }
    #expect(insideCount > 300 && outsideCount > 100)
  }

  /// Places on the border lie in the picture; of a picture that ends within its last pixels, those
  /// behind its end do not.
  @Test func theExtentSaysWhereThePictureEnds() {
    let samples = picture(4, 3)
    func isInside(_ x: Double, _ y: Double) -> Bool {
      var colors = [SIMD4<Float>](repeating: .zero, count: 1)
      WarpSampler(columnStep: 1, rowStep: 1).sample(
        WarpSampler.Line(x: x, y: y, stepX: 0, stepY: 0), of: samples, width: 4, height: 3,
        extent: (3.5, 3), into: &colors)
      return colors[0].w >= 0
    }
    for (x, y) in [(0, 0), (3.5, 3), (2, 1.5)] { #expect(isInside(x, y)) }
    for (x, y) in [(-0.01, 1), (3.51, 1), (1, 3.01), (1, -0.01), (.nan, 1), (1, .infinity)] {
      #expect(!isInside(x, y))
    }
  }
}
