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
