internal import DiceKernels

/// Candidates with their class probabilities; its memory is used again from picture to picture.
public struct CandidateList: Hashable, Sendable {
  /// The candidates in the order in which they were found: by head, then by row, then by column.
  public internal(set) var candidates: [Candidate] = []
  var probabilities: [Float] = []

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

  /// Makes sure that candidates of so many classes may be added.
  mutating func begin(classCount: Int) {
    precondition(
      classCount > 0 && (candidates.isEmpty || classCount == self.classCount),
      "all heads of a list have the same number of classes")
    self.classCount = classCount
  }

  /// Takes back probabilities whose candidate is not added after all.
  mutating func dropProbabilities(from start: Int) {
    probabilities.removeLast(probabilities.count - start)
  }

  /// Adds the softmax of a cell's class logits.
  ///
  /// - Returns: Whether all of them are numbers.
  mutating func appendSoftmax(
    _ cell: Address, slots: [Int], bestClass: inout Int, bestProbability: inout Float
  ) -> Bool {
    let start = probabilities.count
    for channel in GridBoxHead.firstClassChannel..<slots.count {
      probabilities.append(cell.scalar(at: slots[channel]))
    }
    ReferenceKernels.softmax(&probabilities, range: start..<probabilities.count)
    for k in 0..<probabilities.count - start where probabilities[start + k] > bestProbability {
      bestClass = k
      bestProbability = probabilities[start + k]
    }
    // One NaN makes all of them NaN, and without one the greatest is at least 1 / n.
    return bestProbability > 0
  }
}
