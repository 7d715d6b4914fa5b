internal import DiceNumerics

extension Track {
  /// The slot that most samples from `first` on read, the share of those with a reading, and by how
  /// many it leads all others together.
  func agreement(from first: Int) -> (slot: Int, share: Double, lead: Int) {
    var votes = SIMD16<Int16>()
    var total = 0
    for index in first..<samples.count where samples[index].top >= 0 {
      votes[Int(samples[index].top)] += 1
      total += 1
    }
    guard total > 0 else { return (-1, 0, 0) }
    var best = 0
    for slot in 1..<16 where votes[slot] > votes[best] { best = slot }
    return (best, Double(votes[best]) / Double(total), 2 * Int(votes[best]) - total)
  }

  /// The value that the readings since rest agree on: its slot, or −1.
  ///
  /// The sum of the log probabilities must exceed the second best's by `margin`, and three of four
  /// readings must have it as the most likely, three more than have another one (two where `count`,
  /// the least number of still observations, is 2). A value read in nine of ten, and at least eight times,
  /// is taken whatever the margin.
  func decision(margin: Double, count: Int) -> Int8 {
    let first = firstRestingSample
    let (slot, share, lead) = agreement(from: first)
    guard slot >= 0, share >= 0.75, lead >= min(count, 3) else { return -1 }
    let scores = totalScores(from: first)
    var second = -Float.infinity
    for other in 0..<16 where other != slot { second = max(second, scores[other]) }
    if Double(scores[slot] - second) >= margin { return Int8(slot) }
    return share >= 0.9 && samples.count - first >= 8 ? Int8(slot) : -1
  }

  /// The sum of the samples' log probabilities from `first` on, over samples with a reading.
  func totalScores(from first: Int) -> SIMD16<Float> {
    var sum = SIMD16<Float>()
    for index in first..<samples.count where samples[index].top >= 0 {
      sum += samples[index].scores
    }
    return sum
  }

  /// What the die may show, most likely first: the normalized geometric mean of its readings.
  func probabilities(values: [Int]) -> [ValueProbability] {
    let first = firstRestingSample
    var count: Float = 0
    for index in first..<samples.count where samples[index].top >= 0 { count += 1 }
    guard count > 0 else { return [] }
    let scores = totalScores(from: first) / count
    let best = scores.max()
    var result: [ValueProbability] = []
    var total: Float = 0
    for slot in values.indices {
      let share = Float(exponential(Double(scores[slot] - best)))
      total += share
      result.append(ValueProbability(value: values[slot], confidence: share))
    }
    for index in result.indices { result[index].confidence /= total }
    result.heapSort { (first, second) in
      first.confidence != second.confidence
        ? first.confidence > second.confidence : first.value < second.value
    }
    return result
  }
}
