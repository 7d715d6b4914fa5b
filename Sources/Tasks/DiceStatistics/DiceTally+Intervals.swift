extension DiceTally {
  /// How likely a face is, by the counts.
  public struct FaceEstimate: Hashable, Sendable {
    /// The value of the face.
    public let value: Int
    /// How often it was read.
    public let count: Int
    /// The share of the rolls that it came up in, corrected for misreadings: 0…1.
    public let share: Double
    /// Where its true probability lies, with the confidence that was asked for.
    public let interval: ClosedRange<Double>
  }

  /// How likely each face is.
  ///
  /// Without a reader the share is `count / n` and the interval Wilson's. With one the shares are
  /// `f M⁻¹`, kept within 0…1, and the interval is Wilson's for as many rolls as have the same variance:
  ///
  ///     Var = M⁻ᵀ ((diag(f) − f fᵀ) / n + V) M⁻¹
  ///
  /// It is never narrower than without a reader. Each interval holds by itself: of six 95 % intervals one
  /// misses the truth in a quarter of all tallies.
  ///
  /// - Parameters:
  ///   - confidence: between 0 and 1.
  ///   - reader: how values were read; nil for a reader that makes no errors.
  /// - Returns: an estimate for each face, that of value 1 first. Without rolls the intervals are 0…1.
  /// - Throws: `DiceStatisticsError.share`, `.facesDiffer`.
  ///
  /// Source: E. B. Wilson, *Journal of the American Statistical Association* 22 (1927).
  public func faceEstimates(
    confidence: Double = 0.95, reader: ReadingMatrix? = nil
  ) throws(DiceStatisticsError) -> [FaceEstimate] {
    guard confidence > 0, confidence < 1 else { throw .share(found: confidence) }
    if let reader, reader.faceCount != faceCount {
      throw .facesDiffer(found: reader.faceCount, required: faceCount)
    }
    let n = Double(rollCount)
    guard n > 0 else {
      return counts.indices.map {
        FaceEstimate(value: $0 + 1, count: 0, share: 0, interval: 0...1)
      }
    }
    let z = ChiSquare.normalQuantile(tails: 1 - confidence)
    let plain = counts.map { Double($0) / n }
    var shares = plain
    var rollCounts = [Double](repeating: n, count: faceCount)
    if let reader { (shares, rollCounts) = corrected(plain, reader, z: z) }
    return counts.indices.map { face in
      FaceEstimate(
        value: face + 1, count: counts[face], share: shares[face],
        interval: WilsonInterval.interval(share: shares[face], count: rollCounts[face], z: z))
    }
  }

  /// Shares without the reader's errors, and of how many rolls without errors they would be as sure.
  private func corrected(
    _ plain: [Double], _ reader: ReadingMatrix, z: Double
  ) -> (shares: [Double], rollCounts: [Double]) {
    let n = Double(rollCount)
    let faces = counts.indices
    // A share of 0 has a variance, too.
    let smooth = counts.map { (Double($0) + z * z / Double(faceCount)) / (n + z * z) }
    let transposed = faces.map { reading in faces.map { reader.shares[$0][reading] } }
    let units = faces.map { face in faces.map { $0 == face ? 1.0 : 0 } }
    // Rows are dominated by their diagonals, so that there is an inverse.
    guard let inverse = LinearSystem.solve(transposed, units) else {
      return (plain, [Double](repeating: n, count: faceCount))
    }
    func unread(_ readings: [Double]) -> [Double] {
      let raw = faces.map { face in
        faces.reduce(0.0) { $0 + inverse[$1][face] * readings[$1] }
      }
      let kept = raw.map { min(max($0, 0), 1) }
      let sum = kept.reduce(0, +)
      return kept.map { $0 / sum }
    }
    let probabilities = unread(smooth)
    let uncertainty = reader.covariance(of: probabilities)
    let rollCounts = faces.map { face -> Double in
      var variance = 0.0
      for one in faces {
        for other in faces {
          let sampling: Double = (one == other ? smooth[one] : 0) - smooth[one] * smooth[other]
          let covariance: Double = sampling / n + uncertainty[one][other]
          variance += inverse[one][face] * covariance * inverse[other][face]
        }
      }
      let p = probabilities[face]
      let plainVariance = max(p * (1 - p), 1 / (4 * n)) / n
      return n * min(1, plainVariance / max(variance, 1e-300))
    }
    return (unread(plain), rollCounts)
  }
}

/// Wilson's interval for a share.
enum WilsonInterval {
  /// The interval for a share of so many trials, at so many standard deviations.
  static func interval(share: Double, count n: Double, z: Double) -> ClosedRange<Double> {
    let square = z * z
    let middle = (share + square / (2 * n)) / (1 + square / n)
    let variance: Double = share * (1 - share) / n + square / (4 * n * n)
    let half = z / (1 + square / n) * variance.squareRoot()
    let low = share == 0 ? 0 : min(max(0, middle - half), share)
    let high = share == 1 ? 1 : max(min(1, middle + half), share)
    return low...high
  }
}
