internal import DiceNumerics

/// How often a reader took each face for each: its confusion matrix, with how well that is known.
///
/// A die with the probabilities `p` is read with the probabilities `q = p M`, where `M` has the shares of the
/// counts in each row. A test compares counts with `q`, so that the reader's errors are not taken for the
/// die's; and because `M` comes from a limited number of dice, `q` is uncertain itself:
///
///     V = Σᵢ pᵢ² (diag(mᵢ) − mᵢᵀ mᵢ) / Nᵢ
///
/// with the row `mᵢ` of `M` and its number of dice `Nᵢ`. To each row half a misreading is added, divided evenly among
/// its wrong values: what was never seen is not impossible.
///
/// Dice that a reader missed are not in the matrix. It corrects counts only if the reader misses every face
/// equally often.
public struct ReadingMatrix: Hashable, Sendable {
  /// How many dice were read as what: `counts[face][reading]`, both from value 1.
  public let counts: [[Int]]
  /// The shares of the rows with half a misreading added: `M`.
  let shares: [[Double]]
  /// The dice of each row, with half a die added: `N`.
  let weights: [Double]

  /// A matrix of counts.
  ///
  /// - Parameter counts: a row for each true face, in it how many dice were read as each value.
  /// - Throws: `DiceStatisticsError.faceCount`, `.facesDiffer`, `.negativeCount`, `.tooManyRolls`, and
  ///   `.readerOftenWrong` for a row whose own value has no more than half of the dice.
  public init(counts: [[Int]]) throws(DiceStatisticsError) {
    let faceCount = counts.count
    guard DiceTally.faceCounts.contains(faceCount) else { throw .faceCount(found: faceCount) }
    let added = 0.5
    var shares: [[Double]] = []
    var weights: [Double] = []
    for (face, row) in counts.enumerated() {
      guard row.count == faceCount else {
        throw .facesDiffer(found: row.count, required: faceCount)
      }
      let total = try DiceTally(counts: row).rollCount
      let weight = Double(total) + added
      let each = added / Double(faceCount - 1)
      let right = Double(row[face]) / weight
      guard right > 0.5 else { throw .readerOftenWrong(face: face + 1) }
      shares.append(
        row.enumerated().map { $0 == face ? right : (Double($1) + each) / weight })
      weights.append(weight)
    }
    self.counts = counts
    self.shares = shares
    self.weights = weights
  }

  /// That of the library's standard detector on its validation photos: 586 dice of five sets, of which 12 were
  /// misread; it missed 2 others.
  ///
  /// `dicevision evaluate dice --format json PHOTOS/*/validation.json`, default settings, 2026-12-03. All but one of the
  /// 12 errors are of one set with small dice in a tray, so that other photos have fewer errors, or more. A matrix of
  /// your own dice and camera tells more.
  public static let validationPhotos = ReadingMatrix(known: [
    [87, 0, 1, 0, 0, 0],
    [3, 84, 0, 1, 0, 0],
    [0, 0, 89, 0, 1, 0],
    [1, 1, 0, 100, 2, 0],
    [0, 0, 0, 1, 107, 0],
    [0, 0, 0, 0, 1, 107],
  ])

  private init(known counts: [[Int]]) {
    do { try self.init(counts: counts) } catch {
      preconditionFailure("the bundled matrix keeps the rules: \(error)")
    }
  }

  /// How many faces the dice have.
  public var faceCount: Int { counts.count }

  /// How many dice were read as another value, as a share of all, without what is added.
  public var errorShare: Double {
    var all = 0
    var right = 0
    for (face, row) in counts.enumerated() {
      all += row.reduce(0, +)
      right += row[face]
    }
    return 1 - Double(right) / Double(all)
  }

  /// How likely each reading is of a die with these probabilities: `p M`.
  ///
  /// - Throws: `DiceStatisticsError.facesDiffer`.
  public func readings(
    of probabilities: FaceProbabilities
  ) throws(DiceStatisticsError) -> FaceProbabilities {
    guard probabilities.faceCount == faceCount else {
      throw .facesDiffer(found: probabilities.faceCount, required: faceCount)
    }
    return FaceProbabilities(known: product(probabilities.shares))
  }

  /// A row of numbers times `M`.
  func product(_ row: [Double]) -> [Double] {
    shares.indices.map { reading in
      var sum = 0.0
      for face in shares.indices { sum += row[face] * shares[face][reading] }
      return sum
    }
  }

  /// `V`: the covariance of the expected readings, as far as it comes from the matrix.
  func covariance(of probabilities: [Double]) -> [[Double]] {
    var result = [[Double]](
      repeating: [Double](repeating: 0, count: faceCount), count: faceCount)
    for (face, row) in shares.enumerated() {
      let factor = probabilities[face] * probabilities[face] / weights[face]
      for one in row.indices {
        result[one][one] += factor * row[one]
        for other in row.indices { result[one][other] -= factor * row[one] * row[other] }
      }
    }
    return result
  }
}
