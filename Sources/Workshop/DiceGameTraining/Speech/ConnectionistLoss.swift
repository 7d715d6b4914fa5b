internal import DiceTraining

/// Connectionist temporal classification: the loss of a sequence of labels that nobody has placed in
/// time.
///
/// `-ln Σ_paths Π_t p[t, path[t]]`, over all paths that become the labels when repeated classes are
/// made one and then blanks are left out. Computed forwards and backwards in logarithms, in double
/// precision.
///
/// Source: Graves, Fernandez, Gomez, Schmidhuber, Connectionist Temporal Classification, 2006.
public struct ConnectionistLoss: Hashable, Sendable {
  /// The class that stands for nothing.
  public var blank: Int

  /// A loss with a class for nothing.
  public init(blank: Int = 0) { self.blank = blank }

  /// The loss of one sequence and its gradient by the logits: `softmax(logits) - expected share`.
  ///
  /// - Parameters:
  ///   - logits: `stepCount * classCount` numbers, step by step.
  ///   - classCount: the classes.
  ///   - labels: the classes in their order, none of them the blank.
  /// - Returns: the loss and as many numbers as logits; nil where there are too few steps for the labels
  ///   (a step for each, and one between two that are the same).
  /// - Precondition: labels are classes other than the blank.
  /// - Complexity: O(steps (classes + labels)).
  public func evaluate(
    _ logits: [Float], classCount: Int, labels: [Int]
  ) -> (loss: Double, gradient: [Float])? {
    precondition(
      labels.allSatisfy { $0 != blank && $0 >= 0 && $0 < classCount }, "labels are classes")
    let stepCount = logits.count / classCount
    let repeats = zip(labels, labels.dropFirst()).reduce(0) { $0 + ($1.0 == $1.1 ? 1 : 0) }
    guard stepCount > 0, labels.count + repeats <= stepCount else { return nil }
    let logarithms = Self.logSoftmax(logits, stepCount: stepCount, classCount: classCount)
    // Labels with blanks around them.
    var states = [blank]
    for label in labels { states += [label, blank] }
    let count = states.count
    func mayLeap(_ state: Int) -> Bool {
      state >= 2 && states[state] != blank && states[state] != states[state - 2]
    }
    let none = -Double.infinity
    var forward = [Double](repeating: none, count: stepCount * count)
    forward[0] = logarithms[states[0]]
    if count > 1 { forward[1] = logarithms[states[1]] }
    for step in 1..<max(1, stepCount) {
      for state in 0..<count {
        let before = (step - 1) * count + state
        var sum = forward[before]
        if state >= 1 { sum = Self.logSum(sum, forward[before - 1]) }
        if mayLeap(state) { sum = Self.logSum(sum, forward[before - 2]) }
        forward[step * count + state] = sum + logarithms[step * classCount + states[state]]
      }
    }
    let end = (stepCount - 1) * count
    var total = forward[end + count - 1]
    if count > 1 { total = Self.logSum(total, forward[end + count - 2]) }
    guard total.isFinite else { return nil }
    var gradient = logarithms.map { Float(exponential(Float($0))) }
    // What follows a state, its own step left out.
    var later = [Double](repeating: none, count: count)
    later[count - 1] = 0
    if count > 1 { later[count - 2] = 0 }
    for step in stride(from: stepCount - 1, through: 0, by: -1) {
      for state in 0..<count {
        let share = forward[step * count + state] + later[state] - total
        if share > -50 {
          gradient[step * classCount + states[state]] -= exponential(Float(share))
        }
      }
      var earlier = [Double](repeating: none, count: count)
      for state in 0..<count {
        let own = later[state] + logarithms[step * classCount + states[state]]
        earlier[state] = Self.logSum(earlier[state], own)
        if state >= 1 { earlier[state - 1] = Self.logSum(earlier[state - 1], own) }
        if mayLeap(state) { earlier[state - 2] = Self.logSum(earlier[state - 2], own) }
      }
      later = earlier
    }
    return (-total, gradient)
  }

  private static func logSoftmax(_ logits: [Float], stepCount: Int, classCount: Int) -> [Double] {
    var result = [Double](repeating: 0, count: logits.count)
    for step in 0..<stepCount {
      let range = step * classCount..<(step + 1) * classCount
      let greatest = logits[range].max() ?? 0
      var sum: Float = 0
      for index in range { sum += exponential(logits[index] - greatest) }
      let logarithm = Double(naturalLogarithm(sum)) + Double(greatest)
      for index in range { result[index] = Double(logits[index]) - logarithm }
    }
    return result
  }

  /// `ln(eᵃ + eᵇ)`.
  private static func logSum(_ a: Double, _ b: Double) -> Double {
    let (low, high) = a < b ? (a, b) : (b, a)
    if low - high < -30 || low == -.infinity { return high }
    return high + Double(softplus(Float(low - high)))
  }
}
