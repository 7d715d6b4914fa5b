internal import DiceNumerics

extension Homography {
  /// A map that most correspondences agree with, and which of them those are.
  public struct Consensus: Hashable, Sendable {
    /// The least-squares map of those in agreement.
    public var homography: Homography
    /// The places of those in agreement, ascending.
    public var inliers: [Int]
    /// The root of the mean squared distance of those in agreement, in the target's unit.
    public var rootMeanSquareError: Double
  }

  /// The map that most correspondences agree with, where some of them are wrong (RANSAC).
  ///
  /// Four correspondences at a time are drawn, and the map that they determine is judged by the sum of
  /// the squared distances of all, each counted as at most the threshold's square. The best map is then
  /// fitted to those in agreement, as ``init(fitting:)`` does, until they stay the same. Drawing ends
  /// where the chance that four right ones were never drawn is below 1 in 1000.
  ///
  /// The generator has a fixed start: the same input gives the same result.
  ///
  /// - Parameters:
  ///   - correspondences: At least four.
  ///   - threshold: The greatest distance in agreement, in the target's unit.
  ///   - seed: Where the generator starts.
  ///   - maximumDrawCount: The greatest number of maps that are tried.
  /// - Throws: ``HomographyError``: `tooFewCorrespondences`, `correspondenceNotUsable`,
  ///   `thresholdOutOfRange` or `noConsensus`.
  /// - Complexity: O(`maximumDrawCount` · correspondences).
  ///
  /// Source: M. Fischler and R. Bolles, Random Sample Consensus, 1981; the judgement is MSAC of P. Torr
  /// and A. Zisserman, MLESAC, 2000.
  public static func consensus(
    of correspondences: [PointCorrespondence], threshold: Double, seed: UInt64 = 1,
    maximumDrawCount: Int = 2000
  ) throws(HomographyError) -> Consensus {
    guard correspondences.count >= leastCorrespondenceCount else {
      throw .tooFewCorrespondences(
        found: correspondences.count, required: leastCorrespondenceCount)
    }
    for index in correspondences.indices where !correspondences[index].isUsable {
      throw .correspondenceNotUsable(index: index)
    }
    guard threshold > 0, threshold.isFinite else { throw .thresholdOutOfRange(threshold) }
    let limit = threshold * threshold
    var generator = SplitMix64(seed: seed)
    var best: (map: Homography, cost: Double)?
    var remaining = maximumDrawCount
    while remaining > 0 {
      remaining -= 1
      let draw = generator.fourBelow(correspondences.count)
      guard let map = fit(count: 4, { correspondences[draw[$0]] }) else { continue }
      let (cost, agreeing) = map.cost(of: correspondences, limit: limit)
      if cost < best?.cost ?? .infinity {
        best = (map, cost)
        let share = Double(agreeing) / Double(correspondences.count)
        remaining = min(remaining, drawCount(inlierShare: share))
      }
    }
    guard var (map, cost) = best else { throw .noConsensus }
    var inliers = map.inliers(of: correspondences, limit: limit)
    guard inliers.count >= leastCorrespondenceCount else { throw .noConsensus }
    for _ in 0..<10 {
      guard let next = fit(count: inliers.count, { correspondences[inliers[$0]] }) else { break }
      let nextInliers = next.inliers(of: correspondences, limit: limit)
      let nextCost = next.cost(of: correspondences, limit: limit).cost
      guard nextInliers.count >= leastCorrespondenceCount, nextCost <= cost else { break }
      let isDone = nextInliers == inliers
      (map, inliers, cost) = (next, nextInliers, nextCost)
      if isDone { break }
    }
    var sum = 0.0
    for index in inliers { sum += correspondences[index].squaredError(under: map) }
    return Consensus(
      homography: map, inliers: inliers,
      rootMeanSquareError: (sum / Double(inliers.count)).squareRoot())
  }

  /// The sum of the squared errors, each at most `limit`, and how many are not above it.
  private func cost(
    of correspondences: [PointCorrespondence], limit: Double
  ) -> (cost: Double, agreeing: Int) {
    var (sum, count) = (0.0, 0)
    for correspondence in correspondences {
      let error = correspondence.squaredError(under: self)
      if error <= limit, weight(at: correspondence.source) > 0 {
        sum += error
        count += 1
      } else {
        sum += limit
      }
    }
    return (sum, count)
  }

  private func inliers(of correspondences: [PointCorrespondence], limit: Double) -> [Int] {
    correspondences.indices.filter { (index) in
      correspondences[index].squaredError(under: self) <= limit
        && weight(at: correspondences[index].source) > 0
    }
  }

  /// How many draws leave a chance below 1 in 1000 that none had four inliers.
  private static func drawCount(inlierShare share: Double) -> Int {
    let failure = 1 - share * share * share * share
    guard failure > 0 else { return 0 }
    var (chance, count) = (1.0, 0)
    while chance > 1e-3, count < 100_000 {
      chance *= failure
      count += 1
    }
    return count
  }
}

extension SplitMix64 {
  /// Four different numbers below a count, which is at least four.
  fileprivate mutating func fourBelow(_ count: Int) -> SIMD4<Int> {
    var draw = SIMD4<Int>(repeating: -1)
    var found = 0
    while found < 4 {
      let number = below(count)
      var isNew = true
      for index in 0..<found where draw[index] == number { isNew = false }
      guard isNew else { continue }
      draw[found] = number
      found += 1
    }
    return draw
  }
}
