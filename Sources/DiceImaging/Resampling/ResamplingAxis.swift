internal import DiceKernels

/// One axis of a resampling: which source samples make up each output sample, and how much of each.
///
/// Output `i` has its centre at `c = origin + (i + 0.5) * step` in source coordinates (sample `k`
/// covers `k` to `k + 1`), moved into the source where it lies outside. With the reach `r =
/// max(step, 1)`, a source sample `k` has the weight `max(0, 1 - |k + 0.5 - c| / r)`, divided by
/// the sum of the weights. The filter widens with the step, so that every source sample counts when
/// shrinking, and is linear interpolation when enlarging. At the ends of the source the samples
/// that are there share the whole weight.
///
/// This is the definition of Pillow's `Image.resize(..., BILINEAR, box=...)`.
struct ResamplingAxis: Hashable, Sendable {
  /// What the tables depend on.
  struct Shape: Hashable, Sendable {
    /// Where the first output starts, in source coordinates.
    var origin: Double
    /// How much of the source an output covers; positive.
    var step: Double
    /// The number of outputs.
    var count: Int
    /// The number of source samples, at least 1.
    var sourceCount: Int

    /// The middle of output `i`, not moved into the source.
    func center(_ i: Int) -> Double { origin + (Double(i) + 0.5) * step }

    /// Whether no centre lies outside the source.
    var isInside: Bool { count > 0 && center(0) >= 0 && center(count - 1) <= Double(sourceCount) }

    /// The same axis of a chroma plane.
    ///
    /// With two samples to each chroma sample, a chroma sample covers both, or lies on the first:
    /// the coordinate `x` becomes `x / 2`, or `(x - 0.5) / 2 + 0.5`.
    ///
    /// - Parameters:
    ///   - samples: How many samples share a chroma sample: 1 or 2.
    ///   - isOnFirst: Whether it lies on the first of them rather than in the middle.
    func chroma(sharedBy samples: Int, isOnFirst: Bool) -> Shape {
      if samples == 1 { return self }
      return Shape(
        origin: origin / 2 + (isOnFirst ? 0.25 : 0), step: step / 2, count: count,
        sourceCount: FrameRules.half(sourceCount))
    }
  }

  private(set) var shape = Shape(origin: 0, step: 1, count: 0, sourceCount: 1)
  /// The first source sample of each output.
  private(set) var firstSamples: [Int] = []
  /// How many source samples make up each output, at least 1.
  private(set) var sampleCounts: [Int] = []
  /// The weights of each output, then zeros: `[count, 4 * groupCount]`.
  private(set) var weights: [Float] = []
  /// How many times four weights there are for each output.
  private(set) var groupCount = 0
  /// The source samples that any output uses.
  private(set) var sourceRange = 0..<0

  /// Computes the tables, unless they are there.
  mutating func prepare(_ newShape: Shape) {
    guard newShape != shape else { return }
    shape = newShape
    firstSamples.removeAll(keepingCapacity: true)
    sampleCounts.removeAll(keepingCapacity: true)
    weights.removeAll(keepingCapacity: true)
    var (lower, upper, greatest) = (Int.max, 0, 0)
    for i in 0..<shape.count {
      let samples = samples(of: i)
      firstSamples.append(samples.lowerBound)
      sampleCounts.append(samples.count)
      lower = min(lower, samples.lowerBound)
      upper = max(upper, samples.upperBound)
      greatest = max(greatest, samples.count)
    }
    sourceRange = min(lower, upper)..<upper
    groupCount = (greatest + 3) / 4
    for i in 0..<shape.count { appendWeights(of: i) }
  }

  /// The samples that make up an output.
  private func samples(of i: Int) -> Range<Int> {
    let (center, reach) = (center(i), reach)
    var first = Int(max(center - reach + 0.5, 0))
    var end = Int(min(center + reach + 0.5, Double(shape.sourceCount)))
    // Samples at the very edge of the filter count for nothing; one sample always stays.
    while end - first > 1 && weight(first, center) == 0 { first += 1 }
    while end - first > 1 && weight(end - 1, center) == 0 { end -= 1 }
    return first..<end
  }

  private mutating func appendWeights(of i: Int) {
    let center = center(i)
    let samples = firstSamples[i]..<firstSamples[i] + sampleCounts[i]
    var sum = 0.0
    for k in samples { sum += weight(k, center) }
    for k in samples { weights.append(Float(weight(k, center) / sum)) }
    for _ in samples.count..<4 * groupCount { weights.append(0) }
  }

  private var reach: Double { max(shape.step, 1) }

  private func center(_ i: Int) -> Double {
    min(max(shape.center(i), 0), Double(shape.sourceCount))
  }

  /// The weight of sample `k`, up to a factor.
  private func weight(_ k: Int, _ center: Double) -> Double {
    max(1 - (Double(k) + 0.5 - center).magnitude / reach, 0)
  }
}

/// The rows of a shrinking axis, cut at the centres of the outputs.
///
/// Between two neighbouring centres the weights are linear in the source position: they fall for
/// the output before and rise for the output behind. Two sums over each segment, of the samples and
/// of the samples times their place, give its share in both, so each source sample is looked at
/// once and without a multiplication.
struct ResamplingSegments: Hashable, Sendable {
  /// A weight `atStart + slope * k` for the `k`-th sample of a segment.
  struct LinearWeight: Hashable, Sendable {
    var atStart: Float
    var slope: Float
    static let zero = LinearWeight(atStart: 0, slope: 0)

    /// The weight behind `count` samples.
    func value(at count: Int) -> Float { atStart + slope * Float(count) }
  }

  private(set) var shape = ResamplingAxis.Shape(origin: 0, step: 1, count: 0, sourceCount: 1)
  /// `count + 2` places: segment `s` is made of the samples from `bounds[s]` to `bounds[s + 1]`,
  /// and lies between the centres of outputs `s - 1` and `s`.
  private(set) var bounds: [Int] = []
  /// What segment `s` gives to output `s - 1`.
  private(set) var falling: [LinearWeight] = []
  /// What segment `s` gives to output `s`.
  private(set) var rising: [LinearWeight] = []

  /// Whether an axis can be cut this way, and gains by it.
  static func suits(_ shape: ResamplingAxis.Shape) -> Bool { shape.step >= 1.5 && shape.isInside }

  /// Computes the tables, unless they are there.
  mutating func prepare(_ newShape: ResamplingAxis.Shape) {
    guard newShape != shape else { return }
    precondition(Self.suits(newShape))
    shape = newShape
    bounds.removeAll(keepingCapacity: true)
    falling.removeAll(keepingCapacity: true)
    rising.removeAll(keepingCapacity: true)
    let count = shape.count
    let step = shape.step
    let size = Double(shape.sourceCount)
    bounds.append(Int(max(shape.center(0) - step + 0.5, 0)))
    for i in 0..<count { bounds.append(min((shape.center(i) - 0.5).ceiling, shape.sourceCount)) }
    bounds.append(Int(min(shape.center(count - 1) + step + 0.5, size)))

    for segment in 0...count {
      let start = Double(bounds[segment]) + 0.5
      if segment > 0 {
        let scale = 1 / sum(ofWeightsFor: segment - 1)
        falling.append(
          LinearWeight(
            atStart: Float((1 - (start - shape.center(segment - 1)) / step) * scale),
            slope: Float(-scale / step)))
      } else {
        falling.append(.zero)
      }
      if segment < count {
        let scale = 1 / sum(ofWeightsFor: segment)
        rising.append(
          LinearWeight(
            atStart: Float((1 - (shape.center(segment) - start) / step) * scale),
            slope: Float(scale / step)))
      } else {
        rising.append(.zero)
      }
    }
  }

  /// How sums over the samples of a segment, from its `start`-th on, count in its two outputs.
  func weights(of segment: Int, from start: Int, count: Int) -> SegmentWeights {
    // With weights `a + b k`, for `k` from 0 on, `Σ (a + b k) s[k] = (a + b n) Σ s[k] − b Σ (n − k) s[k]`.
    let (falling, rising) = (falling[segment], rising[segment])
    return SegmentWeights(
      fallingSum: falling.value(at: start + count), fallingPlace: -falling.slope,
      risingSum: rising.value(at: start + count), risingPlace: -rising.slope)
  }

  private func sum(ofWeightsFor i: Int) -> Double {
    var sum = 0.0
    for k in bounds[i]..<bounds[i + 2] {
      sum += 1 - (Double(k) + 0.5 - shape.center(i)).magnitude / shape.step
    }
    return sum
  }
}
