internal import DiceNumerics

extension Track {
  /// The face that most samples from `first` on read, the share of those with a reading, and by how
  /// many it leads all others together.
  func agreement(from first: Int) -> (face: Int, share: Double, lead: Int) {
    var best: Int16 = -1
    var most = 0
    var total = 0
    for index in first..<samples.count where samples[index].top >= 0 {
      total += 1
      let top = samples[index].top
      guard top != best else { continue }
      var votes = 0
      for other in first..<samples.count where samples[other].top == top { votes += 1 }
      if votes > most || votes == most && top < best { (best, most) = (top, votes) }
    }
    guard total > 0 else { return (-1, 0, 0) }
    return (Int(best), Double(most) / Double(total), 2 * most - total)
  }

  /// Finds the value of a die that lies still.
  ///
  /// - Returns: Whether it turns out now that the die has none after so long a time as `limit`.
  mutating func findValue(at time: Int64, limit: Int64, margin: Double, count: Int) -> Bool {
    let isSeen = lastSeen == time
    let isLate =
      isSeen && !isOverdue && undecidedSince >= 0 && time - undecidedSince >= limit
    if isLate { isOverdue = true }
    if isSeen { decided = isStill ? decision(margin: margin, count: count) : -1 }
    let counts = isStill && !isOutside
    if !counts { isOverdue = false }
    guard counts, decided < 0 else {
      undecidedSince = -1
      return false
    }
    if undecidedSince < 0 { undecidedSince = time }
    return isLate
  }

  /// The value that the readings since rest agree on: its face, or −1.
  ///
  /// The sum of the log probabilities must exceed the second best's by `margin`, and three of four
  /// readings must have it as the most likely, three more than have another one (two where `count`,
  /// the least number of still observations, is 2). A value read in nine of ten, and at least eight times,
  /// is taken whatever the margin.
  ///
  /// Of a die that is overdue, whose readings are unsure, the likeliest value is taken; not where they are sure
  /// of different ones, as those of a die that leans.
  private func decision(margin: Double, count: Int) -> Int16 {
    if isOverdue { return likeliest(margin: margin) }
    let first = firstRestingSample
    let (face, share, lead) = agreement(from: first)
    guard face >= 0, share >= 0.75, lead >= min(count, 3) else { return -1 }
    // What no reading names is the least that a second best can be.
    var second = totalScore(of: -1, from: first)
    var others = namedFaces(from: first)
    while let other = others.popFirst() {
      if other != face { second = max(second, totalScore(of: other, from: first)) }
    }
    if Double(totalScore(of: face, from: first) - second) >= margin { return Int16(face) }
    return share >= 0.9 && samples.count - first >= 8 ? Int16(face) : -1
  }

  /// The value with the greatest sum of log probabilities since rest; −1 where more than a quarter of the
  /// readings speak against it.
  ///
  /// A value that was taken stays until another one leads it by `margin`.
  private func likeliest(margin: Double) -> Int16 {
    let first = firstRestingSample
    var best = decided
    var greatest =
      best < 0 ? -.infinity : Double(totalScore(of: Int(best), from: first)) + margin
    var faces = namedFaces(from: first)
    while let face = faces.popFirst() {
      let score = Double(totalScore(of: face, from: first))
      if score > greatest { (best, greatest) = (Int16(face), score) }
    }
    guard best >= 0 else { return -1 }
    var excess = 0
    for index in first..<samples.count where samples[index].top >= 0 {
      excess += samples[index].scores[Int(best)] >= Self.doubtfulScore ? 1 : -3
    }
    return excess >= 0 ? best : -1
  }

  /// The sum of the samples' log probabilities of a face from `first` on, over samples with a reading.
  func totalScore(of face: Int, from first: Int) -> Float {
    var sum: Float = 0
    for index in first..<samples.count where samples[index].top >= 0 {
      sum += samples[index].scores[face]
    }
    return sum
  }

  /// The faces that samples from `first` on find likelier than the lowest score says.
  func namedFaces(from first: Int) -> FaceSet {
    var faces = FaceSet()
    for sample in samples[first...] where sample.top >= 0 {
      faces.insert(Int(sample.top))
      for index in 0..<sample.scores.count { faces.insert(sample.scores.entry(index).face) }
    }
    return faces
  }

  /// What the die may show, most likely first: the normalized geometric mean of its readings.
  ///
  /// Where more than sixteen faces are known, those that none of its readings gives 3 % are left out.
  func probabilities(faces: [DieFace]) -> [ValueProbability] {
    let first = firstRestingSample
    var count: Float = 0
    for index in first..<samples.count where samples[index].top >= 0 { count += 1 }
    guard count > 0 else { return [] }
    let named = namedFaces(from: first)
    var result: [ValueProbability] = []
    var best = totalScore(of: -1, from: first) / count
    for face in faces.indices where faces.count <= 16 || named.contains(face) {
      let score = totalScore(of: face, from: first) / count
      best = max(best, score)
      result.append(
        ValueProbability(kind: faces[face].kind, value: faces[face].value, confidence: score))
    }
    var total: Float = 0
    for index in result.indices {
      let share = Float(exponential(Double(result[index].confidence - best)))
      total += share
      result[index].confidence = share
    }
    for index in result.indices { result[index].confidence /= total }
    result.heapSort { (first, second) in
      first.confidence != second.confidence
        ? first.confidence > second.confidence : first.face < second.face
    }
    return result
  }
}
