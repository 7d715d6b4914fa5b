/// How the scores that two networks, or two passes of one, give an object become one set of scores.
///
/// With the weight `w` of the first: its probabilities `p` and those of the second `q` become
/// `p^w q^(1 − w)`, made to sum to 1. Objectnesses are fused in the same way together with their
/// complements, so that their odds become `odds^w odds^(1 − w)`: of two networks that contradict
/// each other the surer one prevails. The confidence is the objectness times the greatest
/// probability.
///
/// Neither rules out what the other says, since extreme scores count as less extreme ones.
///
/// Source: logarithmic opinion pools; Genest and Zidek, "Combining Probability Distributions",
/// 1986.
public struct ScoreFusion: Hashable, Sendable {
  /// Weights are whole numbers of these parts of 1.
  public static let weightSteps = 64

  /// The weight of the first one in whether there is an object, 0...1, rounded to 1/64.
  public var objectnessWeight: Float
  /// The weight of the first one in which class it is, 0...1, rounded to 1/64.
  public var classWeight: Float
  /// Objectnesses count as at least this, and as at most 1 less this; more than 0, less than 0.5.
  public var objectnessMargin: Float
  /// Probabilities count as at least this; more than 0, less than 1.
  public var leastProbability: Float

  /// A rule for fusing scores.
  public init(
    objectnessWeight: Float = 0.5, classWeight: Float = 0.5,
    objectnessMargin: Float = 0.001, leastProbability: Float = 0.0001
  ) {
    self.objectnessWeight = objectnessWeight
    self.classWeight = classWeight
    self.objectnessMargin = objectnessMargin
    self.leastProbability = leastProbability
  }

  /// `first^weight · second^(1 − weight)`, by square roots alone.
  ///
  /// The weight's binary digits, from the last to the first, say which of the two numbers is taken
  /// into the next geometric mean: `√(first · √(first · second))` for 0.11, three quarters.
  static func mean(_ first: Float, _ second: Float, weight: Float) -> Float {
    let steps = Int(min(max(weight, 0), 1) * Float(weightSteps) + 0.5)
    if steps == 0 { return second }
    if steps == weightSteps { return first }
    var result = second
    var bit = steps & -steps
    while bit < weightSteps {
      result = ((steps & bit == 0 ? second : first) * result).squareRoot()
      bit <<= 1
    }
    return result
  }

  /// The objectness that two become.
  func objectness(_ first: Float, _ second: Float) -> Float {
    func bounded(_ objectness: Float) -> Float {
      min(max(objectness, objectnessMargin), 1 - objectnessMargin)
    }
    let (first, second) = (bounded(first), bounded(second))
    let present = Self.mean(first, second, weight: objectnessWeight)
    let absent = Self.mean(1 - first, 1 - second, weight: objectnessWeight)
    return present / (present + absent)
  }
}

extension CandidateList {
  /// Fuses the scores that two candidates give one object: the candidate at `index` takes up those
  /// of another one, and keeps its own box.
  ///
  /// - Parameters:
  ///   - index: The candidate that changes, the first of the rule.
  ///   - other: The candidate whose scores are taken up, the second of the rule.
  ///   - rule: How much each of them counts.
  /// - Precondition: both are indices of the list.
  public mutating func fuse(_ index: Int, with other: Int, by rule: ScoreFusion) {
    let (own, further) = (candidates[index], candidates[other])
    let objectness = rule.objectness(own.objectness, further.objectness)
    var best = 0
    var greatest: Float = 0
    var sum: Float = 0
    for k in 0..<classCount {
      let fused = ScoreFusion.mean(
        max(probabilities[own.firstProbability + k], rule.leastProbability),
        max(probabilities[further.firstProbability + k], rule.leastProbability),
        weight: rule.classWeight)
      probabilities[own.firstProbability + k] = fused
      sum += fused
      if fused > greatest { (best, greatest) = (k, fused) }
    }
    for k in 0..<classCount { probabilities[own.firstProbability + k] /= sum }
    candidates[index].objectness = objectness
    candidates[index].classIndex = best
    candidates[index].confidence = objectness * (greatest / sum)
  }

  /// Averages the scores that two passes of one network give one object: the candidate at `index`
  /// takes up those of another one, and keeps its own box.
  ///
  /// Objectness and class probabilities become geometric means, and the probabilities are then made
  /// to sum to 1. The confidence is the objectness times the greatest probability.
  ///
  /// - Precondition: both are indices of the list.
  public mutating func average(_ index: Int, with other: Int) {
    let (own, further) = (candidates[index], candidates[other])
    var best = 0
    var greatest: Float = 0
    var sum: Float = 0
    for k in 0..<classCount {
      let fused =
        (probabilities[own.firstProbability + k] * probabilities[further.firstProbability + k])
        .squareRoot()
      probabilities[own.firstProbability + k] = fused
      sum += fused
      if fused > greatest { (best, greatest) = (k, fused) }
    }
    let objectness = (own.objectness * further.objectness).squareRoot()
    candidates[index].objectness = objectness
    candidates[index].classIndex = best
    candidates[index].confidence = 0
    // The sum is 0 only where the two rule out each other's classes altogether.
    guard sum > 0 else { return }
    for k in 0..<classCount { probabilities[own.firstProbability + k] /= sum }
    candidates[index].confidence = objectness * (greatest / sum)
  }

  /// Mixes the scores that several views give one object into those of the first: the class
  /// probabilities of each view count as much as its objectness.
  ///
  /// The objectness is the greatest. The confidence is the objectness times the greatest probability.
  ///
  /// - Precondition: there is an index, and all are indices of the list.
  package mutating func mix(_ indices: [Int]) {
    let start = candidates[indices[0]].firstProbability
    var (objectness, sum) = (Float(0), Float(0))
    for index in indices {
      objectness = max(objectness, candidates[index].objectness)
      sum += candidates[index].objectness
    }
    var best = 0
    for k in 0..<classCount {
      var mixed: Float = 0
      for index in indices {
        let share = sum > 0 ? candidates[index].objectness / sum : 1 / Float(indices.count)
        mixed += share * probabilities[candidates[index].firstProbability + k]
      }
      // What comes before this place is mixed already.
      probabilities[start + k] = mixed
      if mixed > probabilities[start + best] { best = k }
    }
    candidates[indices[0]].objectness = objectness
    candidates[indices[0]].classIndex = best
    candidates[indices[0]].confidence = objectness * probabilities[start + best]
  }

  /// Lets an object be of certain classes alone: the probability of the others is that of no object.
  ///
  /// Probabilities of the classes that count are divided by their sum, those of the others become 0,
  /// and the objectness is multiplied by the sum. The confidence is the objectness times the greatest
  /// probability.
  ///
  /// - Precondition: `index` is an index of the list, and `isCounted` has an element for each class.
  package mutating func restrict(_ index: Int, to isCounted: [Bool]) {
    let start = candidates[index].firstProbability
    var best = 0
    var greatest: Float = 0
    var sum: Float = 0
    for k in 0..<classCount where isCounted[k] {
      let probability = probabilities[start + k]
      sum += probability
      if probability > greatest { (best, greatest) = (k, probability) }
    }
    for k in 0..<classCount {
      probabilities[start + k] = isCounted[k] && sum > 0 ? probabilities[start + k] / sum : 0
    }
    candidates[index].classIndex = best
    candidates[index].confidence = candidates[index].objectness * greatest
    candidates[index].objectness *= min(sum, 1)
  }
}
