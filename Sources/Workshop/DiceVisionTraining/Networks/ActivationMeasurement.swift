internal import DiceNetwork
package import DiceWeights
internal import Synchronization

/// What the values between the layers of networks are like over many runs.
package final class ActivationMeasurement: Sendable {
  /// Of each network, for each value.
  private let histograms = Mutex<[NetworkDescription: [ActivationHistogram]]>([:])

  package init() {}

  /// Looks at all runs of the networks that are planned by a body of code.
  package func observing<Result>(_ body: () throws -> Result) rethrows -> Result {
    let observer = RunObserver { (runner) in
      let plan = runner.plan
      var maps: [FeatureMap?] = plan.inputs.indices.map { runner.inputFeatureMap($0) }
      maps += plan.layers.indices.map { runner.featureMap(ofLayer: $0) }
      self.add(maps.map { $0?.values ?? [] }, to: plan.network)
    }
    return try RunObserver.$current.withValue(observer) { try body() }
  }

  private func add(_ values: [[Float]], to network: NetworkDescription) {
    histograms.withLock { (histograms) in
      var all = histograms[network] ?? []
      while all.count < values.count { all.append(ActivationHistogram()) }
      for (index, values) in values.enumerated() {
        for value in values { all[index].add(value) }
      }
      histograms[network] = all
    }
  }

  /// The ranges of a network's values as a profile has them; nil where it has not run.
  package func profile(of network: NetworkDescription) -> [NamedValues]? {
    histograms.withLock { (histograms) in
      guard let all = histograms[network] else { return nil }
      let ranges = all.map { $0.range }
      return ActivationRanges(
        least: ranges.map(\.lowerBound), greatest: ranges.map(\.upperBound)
      ).profile
    }
  }
}

/// How often numbers of each size come: bins of equal width, which double when a number lies outside.
struct ActivationHistogram: Sendable {
  private static let half = 2048
  /// Numbers from `-limit` to `limit` have bins.
  private var limit: Float = 0x1p-20
  private var counts = [Int](repeating: 0, count: 2 * half)
  private(set) var least: Float = 0
  private(set) var greatest: Float = 0

  /// Counts a number.
  mutating func add(_ value: Float) {
    guard value.isFinite else { return }
    least = min(least, value)
    greatest = max(greatest, value)
    while value.magnitude >= limit { widen() }
    let bin = Int((value / limit * Float(Self.half)).rounded(.down)) + Self.half
    counts[min(max(bin, 0), counts.count - 1)] += 1
  }

  /// Doubles the width of the bins.
  private mutating func widen() {
    limit *= 2
    var wider = [Int](repeating: 0, count: counts.count)
    for (index, count) in counts.enumerated() where count > 0 {
      wider[(index - Self.half) >> 1 + Self.half] += count
    }
    counts = wider
  }

  /// The range whose 255 steps have the least squared error; numbers outside become its ends.
  var range: ClosedRange<Float> {
    let ends = (0..<40).map { (index) in Float(40 - index) / 40 }
    var best = (error: Double.infinity, range: least...greatest)
    for lower in least < 0 ? ends : [1] {
      for upper in greatest > 0 ? ends : [1] {
        let range = lower * least...upper * greatest
        let error = squaredError(range)
        if error < best.error { best = (error, range) }
      }
    }
    return best.range
  }

  private func squaredError(_ range: ClosedRange<Float>) -> Double {
    let step = Double(range.upperBound - range.lowerBound) / 255
    var error = 0.0
    for (index, count) in counts.enumerated() where count > 0 {
      let value =
        (Double(index - Self.half) + 0.5) / Double(Self.half) * Double(limit)
      let over = max(
        0, value - Double(range.upperBound), Double(range.lowerBound) - value)
      error += Double(count) * (over > 0 ? over * over : step * step / 12)
    }
    return error
  }
}
