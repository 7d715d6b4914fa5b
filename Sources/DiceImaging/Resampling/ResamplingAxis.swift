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
  /// Where each output's weights start in `weights`.
  private(set) var weightOffsets: [Int] = []
  /// The weights of each output, one after another.
  private(set) var weights: [Float] = []
  /// The source samples that any output uses.
  private(set) var sourceRange = 0..<0

  /// Computes the tables, unless they are there.
  ///
  /// - Returns: whether they were computed anew.
  @discardableResult
  mutating func prepare(_ newShape: Shape) -> Bool {
    guard newShape != shape else { return false }
    shape = newShape
    firstSamples.removeAll(keepingCapacity: true)
    sampleCounts.removeAll(keepingCapacity: true)
    weightOffsets.removeAll(keepingCapacity: true)
    weights.removeAll(keepingCapacity: true)
    var lower = Int.max
    var upper = 0
    for i in 0..<shape.count {
      append(output: i)
      lower = min(lower, firstSamples[i])
      upper = max(upper, firstSamples[i] + sampleCounts[i])
    }
    sourceRange = min(lower, upper)..<upper
    return true
  }

  private mutating func append(output i: Int) {
    let size = Double(shape.sourceCount)
    let center = min(max(shape.center(i), 0), size)
    let reach = max(shape.step, 1)
    var first = Int(max(center - reach + 0.5, 0))
    var end = Int(min(center + reach + 0.5, size))
    func weight(_ k: Int) -> Double { max(1 - (Double(k) + 0.5 - center).magnitude / reach, 0) }
    // Samples at the very edge of the filter count for nothing; one sample always stays.
    while end - first > 1 && weight(first) == 0 { first += 1 }
    while end - first > 1 && weight(end - 1) == 0 { end -= 1 }
    var sum = 0.0
    for k in first..<end { sum += weight(k) }
    firstSamples.append(first)
    sampleCounts.append(end - first)
    weightOffsets.append(weights.count)
    for k in first..<end { weights.append(Float(weight(k) / sum)) }
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

    /// The weight seen from `count` samples further on.
    func advanced(by count: Int) -> LinearWeight {
      LinearWeight(atStart: atStart + slope * Float(count), slope: slope)
    }
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

  private func sum(ofWeightsFor i: Int) -> Double {
    var sum = 0.0
    for k in bounds[i]..<bounds[i + 2] {
      sum += 1 - (Double(k) + 0.5 - shape.center(i)).magnitude / shape.step
    }
    return sum
  }
}
