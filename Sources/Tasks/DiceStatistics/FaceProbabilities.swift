/// How likely each face of a die is.
public struct FaceProbabilities: Hashable, Sendable {
  /// The probabilities, that of value 1 first: each 0…1, together 1.
  public let shares: [Double]

  /// The probabilities of a loaded die.
  ///
  /// - Parameter shares: that of value 1 first. They may miss the sum of 1 by a millionth, and are then
  ///   divided by their sum.
  /// - Throws: `DiceStatisticsError.faceCount`, `.probability`, `.probabilitySum`.
  public init(_ shares: [Double]) throws(DiceStatisticsError) {
    guard DiceTally.faceCounts.contains(shares.count) else {
      throw .faceCount(found: shares.count)
    }
    for (index, share) in shares.enumerated() where !(0...1).contains(share) {
      throw .probability(found: share, face: index + 1)
    }
    let sum = shares.reduce(0, +)
    guard (sum - 1).magnitude <= 1e-6 else { throw .probabilitySum(found: sum) }
    self.shares = shares.map { $0 / sum }
  }

  /// For shares that are known to be probabilities.
  init(known shares: [Double]) { self.shares = shares }

  /// Those of a fair die: 1 divided by the number of faces, each.
  ///
  /// - Throws: `DiceStatisticsError.faceCount`.
  public static func fair(faceCount: Int = 6) throws(DiceStatisticsError) -> Self {
    guard DiceTally.faceCounts.contains(faceCount) else { throw .faceCount(found: faceCount) }
    return even(faceCount: faceCount)
  }

  /// The same for a number of faces that is known to be one.
  static func even(faceCount: Int) -> Self {
    Self(known: [Double](repeating: 1 / Double(faceCount), count: faceCount))
  }

  /// How many faces the die has.
  public var faceCount: Int { shares.count }

  /// How the probabilities change for each point that a face gains: +1 for it, and for the others what
  /// they lose, each in proportion to what it has; nil for a face that is certain already.
  func shift(to face: Int) -> [Double]? {
    let rest = 1 - shares[face]
    guard rest > 1e-12 else { return nil }
    return shares.indices.map { $0 == face ? 1 : -shares[$0] / rest }
  }
}
