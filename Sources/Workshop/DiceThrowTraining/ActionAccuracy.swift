public import DiceParallel
public import DicePoses
public import DiceTraining
public import ThrowVisionKit

/// How many sequences of each label a classifier tells right.
public struct ActionAccuracy: Hashable, Sendable {
  /// What was told of one sequence.
  public struct Reading: Hashable, Sendable {
    /// The sequence's name.
    public var id: String
    /// Its label, as an index.
    public var truth: Int
    /// How likely each label was said to be; nil where no trunk was seen.
    public var probabilities: [Float]?

    /// Groups the parts.
    public init(id: String, truth: Int, probabilities: [Float]?) {
      self.id = id
      self.truth = truth
      self.probabilities = probabilities
    }

    /// The label that was told, as an index; nil where no trunk was seen.
    public var answer: Int? {
      probabilities.map { (numbers) in
        var best = 0
        for index in numbers.indices where numbers[index] > numbers[best] { best = index }
        return best
      }
    }
  }

  /// The labels.
  public let labels: [String]
  /// What was told of each sequence.
  public private(set) var readings: [Reading]

  /// What was told of some sequences.
  public init(labels: [String], readings: [Reading] = []) {
    self.labels = labels
    self.readings = readings
  }

  /// Reads all sequences of a set that have one of the classifier's labels.
  ///
  /// - Throws: what the classifier throws.
  public init(
    of classifier: ActionClassifier, on sequences: [PoseSequence], pool: WorkerPool
  ) throws(ActionClassifierError) {
    labels = classifier.labels
    let labels = labels
    let known = sequences.filter { $0.label.map { labels.contains($0) } ?? false }
    let outcomes = pool.map(count: known.count) { (index) in
      do throws(ActionClassifierError) {
        return Result<[Float]?, ActionClassifierError>.success(
          try classifier.classify(known[index])?.probabilities)
      } catch { return .failure(error) }
    }
    readings = []
    for (sequence, outcome) in zip(known, outcomes) {
      readings.append(
        Reading(
          id: sequence.id, truth: labels.firstIndex { $0 == sequence.label } ?? 0,
          probabilities: try outcome.get()))
    }
  }

  /// Adds what was measured on other sequences.
  public mutating func add(_ other: ActionAccuracy) { readings += other.readings }

  /// `confusions[truth][answer]` sequences; what shows no trunk is nobody's answer and not counted.
  public var confusions: [[Int]] {
    var result = [[Int]](
      repeating: [Int](repeating: 0, count: labels.count), count: labels.count)
    for reading in readings {
      if let answer = reading.answer { result[reading.truth][answer] += 1 }
    }
    return result
  }

  /// The share of all sequences that are told right, 0...1; 0 for none.
  public var share: Double {
    readings.isEmpty
      ? 0 : Double(readings.count { $0.answer == $0.truth }) / Double(readings.count)
  }

  /// The mean over the labels that occur of the share of their sequences that are told right.
  public var balancedAccuracy: Double { Self.balanced(readings, count: labels.count) }

  private static func balanced(_ readings: [Reading], count: Int) -> Double {
    var (right, all) = ([Int](repeating: 0, count: count), [Int](repeating: 0, count: count))
    for reading in readings {
      all[reading.truth] += 1
      if reading.answer == reading.truth { right[reading.truth] += 1 }
    }
    let shares = zip(right, all).filter { $0.1 > 0 }.map { Double($0.0) / Double($0.1) }
    return shares.isEmpty ? 0 : shares.reduce(0, +) / Double(shares.count)
  }

  /// Where 95 of 100 repeats of the measurement with as many other sequences of each label would lie.
  ///
  /// For each label Wilson's interval for its share, put together as errors that do not depend on each
  /// other: the half widths' squares add up.
  public var interval: ClosedRange<Double> {
    let counts = labels.indices.map { (label) in
      let own = readings.filter { $0.truth == label }
      return (right: own.count { $0.answer == label }, all: own.count)
    }.filter { $0.all > 0 }
    guard !counts.isEmpty else { return 0...1 }
    var (below, above) = (0.0, 0.0)
    for (right, all) in counts {
      let (n, p, z) = (Double(all), Double(right) / Double(all), 1.959964)
      let middle = (p + z * z / (2 * n)) / (1 + z * z / n)
      let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
      below += (p - max(0, middle - half)) * (p - max(0, middle - half))
      above += (min(1, middle + half) - p) * (min(1, middle + half) - p)
    }
    let k = Double(counts.count)
    let share = balancedAccuracy
    return max(0, share - below.squareRoot() / k)...min(1, share + above.squareRoot() / k)
  }

  /// What logits should be divided by, of 33 numbers from a quarter to 4, so that the truth is least
  /// surprising.
  public var bestTemperature: Float {
    var (best, bestLoss) = (Float(1), Double.infinity)
    for step in -16...16 {
      // 4^(step / 16).
      var exponent: Float = 1
      for _ in 0..<abs(step) { exponent *= 1.0905077 }
      let temperature = step < 0 ? 1 / exponent : exponent
      var loss = 0.0
      for reading in readings {
        guard let numbers = reading.probabilities else { continue }
        let logits = numbers.map { naturalLogarithm(max($0, 1e-12)) / temperature }
        let sum = logits.reduce(Float(0)) { $0 + exponential($1) }
        loss += Double(naturalLogarithm(sum) - logits[reading.truth])
      }
      if loss < bestLoss { (best, bestLoss) = (temperature, loss) }
    }
    return best
  }
}

extension ActionAccuracy {
  /// A sequence whose joints are moved by chance, each in each frame, as those of a poor network.
  ///
  /// - Parameter noise: the deviation of either coordinate, in torsos.
  public static func disturbed(
    _ sequence: PoseSequence, by noise: Float, using random: inout TrainingRandom
  ) -> PoseSequence {
    var result = sequence
    let reach = noise * Float(ThrowWindow(sequence, release: 0).torso)
    for index in result.poses.indices {
      for joint in ActionFeatures.joints where result.poses[index][joint] != nil {
        result.poses[index].xs[Int(joint.rawValue)] += reach * random.normal()
        result.poses[index].ys[Int(joint.rawValue)] += reach * random.normal()
      }
    }
    return result
  }
}
