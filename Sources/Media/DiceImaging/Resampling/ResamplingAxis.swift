/// One axis of a resampling: which source samples make up each output sample, and how much of each.
///
/// Output `i` has its centre at `c = origin + (i + 0.5) * step` in source coordinates (sample `k`
/// covers `k` to `k + 1`), moved into the source where it lies outside. ``TriangleFilter`` says what each
/// source sample counts there.
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
    let (center, filter) = (center(i), filter)
    var samples = filter.samples(around: center, sampleCount: shape.sourceCount)
    // Samples at the very edge of the filter count for nothing; one sample always stays.
    while samples.count > 1 && filter.weight(samples.lowerBound, center) == 0 {
      samples.removeFirst()
    }
    while samples.count > 1 && filter.weight(samples.upperBound - 1, center) == 0 {
      samples.removeLast()
    }
    return samples
  }

  private mutating func appendWeights(of i: Int) {
    let (center, filter) = (center(i), filter)
    let samples = firstSamples[i]..<firstSamples[i] + sampleCounts[i]
    var sum = 0.0
    for k in samples { sum += filter.weight(k, center) }
    for k in samples { weights.append(Float(filter.weight(k, center) / sum)) }
    for _ in samples.count..<4 * groupCount { weights.append(0) }
  }

  private var filter: TriangleFilter { TriangleFilter(step: shape.step) }

  private func center(_ i: Int) -> Double {
    filter.center(shape.center(i), sampleCount: shape.sourceCount)
  }
}

/// The rows of a shrinking axis, cut at the centres of the outputs.
///
/// Between two neighbouring centres the weights are linear in the source position: they fall for
/// the output before and rise for the output behind, and are 1 together. Two sums over each segment, of
/// the samples and of the samples times their place, give its share in both, so each source sample is
/// looked at once and without a multiplication. The shares of an output are then multiplied with one
/// over the sum of its weights.
struct ResamplingSegments: Hashable, Sendable {
  /// The samples between the centres of two outputs.
  struct Segment: Hashable, Sendable {
    /// The samples.
    var samples: Range<Int>
    /// What the first sample gives to the output before.
    var falling: Float
    /// How much more each further sample gives; negative.
    var slope: Float

    /// How the sums over some of the samples count in the output before.
    ///
    /// For `k` from 0 to `count`, `Σ (a + b k) s[k] = (a + b count) Σ s[k] − b Σ (count − k) s[k]`.
    func weights(from first: Int, count: Int) -> (sum: Float, place: Float) {
      (falling + slope * Float(first + count - samples.lowerBound), slope)
    }
  }

  private var shape = ResamplingAxis.Shape(origin: 0, step: 1, count: 0, sourceCount: 1)
  private var segments: [Segment] = []
  /// For each output one over the sum of its weights.
  private(set) var scales: [Float] = []

  /// The number of source samples.
  var sourceCount: Int { shape.sourceCount }
  /// The most samples that a segment has between two outputs.
  var greatestCount: Int { Int(shape.step) + 1 }

  /// Segment `i` lies between the centres of outputs `i - 1` and `i`, for `i` in `0...count`.
  subscript(i: Int) -> Segment { segments[i] }

  /// Whether an axis can be cut this way, and gains by it.
  static func suits(_ shape: ResamplingAxis.Shape) -> Bool { shape.step >= 1.5 && shape.isInside }

  /// Computes the tables, unless they are there.
  mutating func prepare(_ newShape: ResamplingAxis.Shape) {
    guard newShape != shape else { return }
    precondition(Self.suits(newShape))
    shape = newShape
    segments.removeAll(keepingCapacity: true)
    scales.removeAll(keepingCapacity: true)
    let (count, step) = (shape.count, shape.step)
    var start = Int(max(shape.center(0) - step + 0.5, 0))
    for i in 0...count {
      let end =
        i < count
        ? min((shape.center(i) - 0.5).ceiling, shape.sourceCount)
        : Int(min(shape.center(count - 1) + step + 0.5, Double(shape.sourceCount)))
      let distance = Double(start) + 0.5 - shape.center(i - 1)
      segments.append(
        Segment(
          samples: start..<end, falling: Float(1 - distance / step), slope: Float(-1 / step)))
      start = end
    }
    for i in 0..<count {
      var sum = 0.0
      for k in segments[i].samples.lowerBound..<segments[i + 1].samples.upperBound {
        sum += 1 - (Double(k) + 0.5 - shape.center(i)).magnitude / step
      }
      scales.append(Float(1 / sum))
    }
  }
}
