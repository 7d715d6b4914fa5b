internal import DiceTrajectories

/// The ranges, means and deviations of a network's inputs among looks.
struct FlightScale: Sendable {
  /// By input, what only three in a thousand looks are below.
  private(set) var least: [Double] = []
  /// By input, what only three in a thousand looks are above.
  private(set) var greatest: [Double] = []
  /// By input, the mean of what lies in the range, and is moved into it.
  private(set) var means: [Double] = []
  /// By input, the standard deviation of the same; never 0.
  private(set) var deviations: [Double] = []

  /// The share of looks beyond each end of a range.
  private static let share = 0.003

  /// The scale of looks.
  ///
  /// - Precondition: there is one at least.
  init(_ looks: FlightLooks) {
    let (inputCount, count) = (FlightNetwork.inputCount, looks.count)
    precondition(count > 0, "a scale is that of looks")
    for input in 0..<inputCount {
      var values = (0..<count).map { Double(looks.inputs[$0 * inputCount + input]) }
      values.sort()
      // Where nearly all are the same, the range is not to be empty.
      let low = Self.quantile(Self.share, of: values)
      let high = max(Self.quantile(1 - Self.share, of: values), low + 1e-3)
      let inside = values.map { min(max($0, low), high) }
      let mean = inside.reduce(0, +) / Double(count)
      let square = inside.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
      least.append(low)
      greatest.append(high)
      means.append(mean)
      deviations.append(max(square.squareRoot(), 1e-6))
    }
  }

  /// Between the two values whose ranks are nearest.
  private static func quantile(_ share: Double, of sorted: [Double]) -> Double {
    let rank = share * Double(sorted.count - 1)
    let below = Int(rank)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (rank - Double(below)) * (sorted[above] - sorted[below])
  }

  /// The inputs of a look as the network learns them: within their ranges, with mean 0 and deviation 1.
  func scaled(_ inputs: ArraySlice<Float>) -> [Float] {
    inputs.enumerated().map { (index, value) in
      let inside = min(max(Double(value), least[index]), greatest[index])
      return Float((inside - means[index]) / deviations[index])
    }
  }
}
