public import DiceGeometry
internal import DiceKernels

/// A box that a detection head proposes, before non-maximum suppression.
public struct Candidate: Hashable, Sendable {
  /// The box in pixels of the network's input; it may reach over the input's edges.
  public var boundingBox: BoundingBox
  /// How likely there is an object at all: `sigmoid(objectness logit)`, 0...1.
  public var objectness: Float
  /// The most likely class; the lowest index where several are equally likely.
  public var classIndex: Int
  /// `objectness` times the probability of `classIndex`, 0...1.
  public var confidence: Float
  /// The head that proposes the box, an index of ``NetworkPlan/heads``.
  public var headIndex: Int
  /// The column of its cell.
  public var column: Int
  /// The row of its cell.
  public var row: Int
  /// Where the list keeps the class probabilities.
  var firstProbability: Int
}

/// Candidates with their class probabilities; its memory is used again from picture to picture.
public struct CandidateList: Hashable, Sendable {
  /// The candidates in the order in which they were found: by head, then by row, then by column.
  public private(set) var candidates: [Candidate] = []
  private var probabilities: [Float] = []

  /// An empty list.
  public init() {}

  /// The number of candidates.
  public var count: Int { candidates.count }

  /// Whether there are no candidates.
  public var isEmpty: Bool { candidates.isEmpty }

  /// The candidate at a position.
  ///
  /// - Precondition: `index` is in `0..<count`.
  public subscript(index: Int) -> Candidate { candidates[index] }

  /// How many probabilities each candidate has; 0 before the first one was added.
  public private(set) var classCount = 0

  /// The probability of each class, given that there is an object: a softmax, by class index.
  ///
  /// - Precondition: `candidate` was found for this list since it was last emptied.
  public func classProbabilities(of candidate: Candidate) -> ArraySlice<Float> {
    let start = candidate.firstProbability
    precondition(
      start >= 0 && start + classCount <= probabilities.count,
      "a candidate belongs to the list that it was found for")
    return probabilities[start..<start + classCount]
  }

  /// Joins what two looks at one object say: the candidate at `index` takes up the opinion of
  /// another one, and keeps its own box.
  ///
  /// Objectness and class probabilities become geometric means. The probabilities are then made to
  /// sum to 1; the confidence is the greatest of them before that, times the objectness, so that it
  /// is low where the two disagree.
  ///
  /// - Parameters:
  ///   - index: The candidate that changes.
  ///   - other: The candidate whose opinion is taken up.
  /// - Precondition: both are indices of the list.
  public mutating func pool(_ index: Int, with other: Int) {
    let (own, further) = (candidates[index], candidates[other])
    var best = 0
    var greatest: Float = 0
    var sum: Float = 0
    for k in 0..<classCount {
      let pooled =
        (probabilities[own.firstProbability + k] * probabilities[further.firstProbability + k])
        .squareRoot()
      probabilities[own.firstProbability + k] = pooled
      sum += pooled
      if pooled > greatest { (best, greatest) = (k, pooled) }
    }
    let objectness = (own.objectness * further.objectness).squareRoot()
    candidates[index].objectness = objectness
    candidates[index].classIndex = best
    candidates[index].confidence = objectness * greatest
    // The sum is 0 only where the two rule out each other's values altogether.
    guard sum > 0 else { return }
    for k in 0..<classCount { probabilities[own.firstProbability + k] /= sum }
  }

  /// Joins what a reader and a detector say of one object: the reading takes up the proposal's
  /// opinion, and keeps its own box.
  ///
  /// Whether there is an object, both say alike: the odds become the geometric mean of both odds, so
  /// that of two networks that contradict each other the surer one prevails. Which class it is, the
  /// reader says with three quarters of the weight: the probabilities become `reader^(3/4)
  /// proposal^(1/4)`, made to sum to 1. Neither rules the other's opinion out, since objectness counts
  /// as 0.001...0.999 and a probability as 0.0001 or more. The confidence is the objectness times the
  /// greatest probability.
  ///
  /// Source: logarithmic opinion pools; Genest and Zidek, "Combining Probability Distributions", 1986.
  ///
  /// - Parameters:
  ///   - reading: The reader's candidate, which changes.
  ///   - proposal: The detector's candidate.
  /// - Precondition: both are indices of the list.
  public mutating func pool(reading: Int, withProposal proposal: Int) {
    let (own, further) = (candidates[reading], candidates[proposal])
    func bounded(_ objectness: Float) -> Float { min(max(objectness, 0.001), 0.999) }
    let (read, proposed) = (bounded(own.objectness), bounded(further.objectness))
    let present = (read * proposed).squareRoot()
    let absent = ((1 - read) * (1 - proposed)).squareRoot()
    let objectness = present / (present + absent)
    var best = 0
    var greatest: Float = 0
    var sum: Float = 0
    for k in 0..<classCount {
      let read = max(probabilities[own.firstProbability + k], 0.0001)
      let proposed = max(probabilities[further.firstProbability + k], 0.0001)
      let pooled = (read * (read * proposed).squareRoot()).squareRoot()
      probabilities[own.firstProbability + k] = pooled
      sum += pooled
      if pooled > greatest { (best, greatest) = (k, pooled) }
    }
    for k in 0..<classCount { probabilities[own.firstProbability + k] /= sum }
    candidates[reading].objectness = objectness
    candidates[reading].classIndex = best
    candidates[reading].confidence = objectness * (greatest / sum)
  }

  /// Adds a copy of a candidate of another list, with its probabilities.
  ///
  /// - Returns: the copy's place in this list.
  /// - Precondition: `index` is an index of the other list, whose candidates have as many classes.
  package mutating func append(_ index: Int, of other: CandidateList) -> Int {
    begin(classCount: other.classCount)
    var candidate = other.candidates[index]
    let start = probabilities.count
    for k in 0..<other.classCount {
      probabilities.append(other.probabilities[candidate.firstProbability + k])
    }
    candidate.firstProbability = start
    candidates.append(candidate)
    return candidates.count - 1
  }

  /// Empties the list and keeps its memory.
  public mutating func removeAll() {
    candidates.removeAll(keepingCapacity: true)
    probabilities.removeAll(keepingCapacity: true)
  }

  // What decoding needs.

  var probabilityCount: Int { probabilities.count }

  mutating func begin(classCount: Int) {
    precondition(
      classCount > 0 && (candidates.isEmpty || classCount == self.classCount),
      "all heads of a list have the same number of classes")
    self.classCount = classCount
  }

  mutating func append(_ candidate: Candidate) { candidates.append(candidate) }

  mutating func dropProbabilities(from start: Int) {
    probabilities.removeLast(probabilities.count - start)
  }

  /// Adds the softmax of a cell's class logits, from channel 5 on.
  ///
  /// - Returns: Whether all of them are numbers.
  mutating func appendSoftmax(
    _ cell: Address, slots: [Int], bestClass: inout Int, bestProbability: inout Float
  ) -> Bool {
    let start = probabilities.count
    for channel in 5..<slots.count { probabilities.append(cell.scalar(at: slots[channel])) }
    ReferenceKernels.softmax(&probabilities, range: start..<probabilities.count)
    for k in 0..<probabilities.count - start where probabilities[start + k] > bestProbability {
      bestClass = k
      bestProbability = probabilities[start + k]
    }
    // One NaN makes all of them NaN, and without one the greatest is at least 1 / n.
    return bestProbability > 0
  }
}
