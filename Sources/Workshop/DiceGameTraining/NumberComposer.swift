package import DiceGameKit
package import DiceTraining

/// Puts digits of one writer side by side, as numbers.
package struct NumberComposer {
  private let dataset: StrokeDataset
  private let byWriter: [[Int]]

  /// A composer.
  ///
  /// - Precondition: there is a digit.
  package init(_ dataset: StrokeDataset) {
    precondition(dataset.count > 0, "there is a digit to compose of")
    self.dataset = dataset
    var places: [String: [Int]] = [:]
    for (index, sample) in dataset.samples.enumerated() {
      places[sample.writer, default: []].append(index)
    }
    byWriter = places.keys.sorted().compactMap { places[$0] }
  }

  /// A number.
  package struct Number {
    /// The paths of each digit.
    package var digits: [[InkPath]]
    /// The digits.
    package var text: String

    /// All strokes, in the order of writing.
    package var drawing: Drawing {
      Drawing(digits.flatMap { $0 }.map { NumberComposer.stroke($0) })
    }
  }

  /// The stroke along a path.
  package static func stroke(_ path: InkPath) -> Stroke {
    Stroke(path.points.map { (x: Double($0.x), y: Double($0.y)) })
  }

  /// A number of digits of one writer, with a gap between their boxes that is a share of their mean
  /// height, and with feet on one level, but for a twentieth of the height.
  package func number(
    digitCount: Int, gap: ClosedRange<Float>, using random: inout TrainingRandom
  ) -> Number {
    let writer = byWriter[random.index(byWriter.count)]
    let samples = (0..<digitCount).map { _ in dataset.samples[writer[random.index(writer.count)]] }
    let groups = samples.map { InkGroup($0.paths) }
    let height =
      groups.reduce(Float(0)) { $0 + max($1.high.y - $1.low.y, 1) } / Float(max(1, digitCount))
    var left: Float = 0
    var digits: [[InkPath]] = []
    for (sample, group) in zip(samples, groups) {
      let offset = SIMD2(
        left - group.low.x, -group.high.y + random.between(-0.05, 0.05) * height)
      digits.append(sample.paths.map { path in InkPath(path.points.map { $0 + offset }) })
      left += group.high.x - group.low.x + random.between(gap.lowerBound, gap.upperBound) * height
    }
    return Number(digits: digits, text: samples.map { "\($0.digit)" }.joined())
  }
}
