/// Finds the numbers that the probabilities of classes say: a prefix beam search with a grammar.
///
/// Of every sequence of words, the sum over its paths in time is followed, for the likeliest sequences.
/// In the end those that are a number add up by their value; all others, other words and nothing
/// included, are what speaks against any number.
///
/// Source: Graves, Jaitly, Towards End-to-End Speech Recognition with Recurrent Neural Networks, 2014.
package struct NumberSearch: Sendable {
  /// A number and how likely it is.
  package struct Finding: Hashable, Sendable {
    package var value: Int
    package var words: [SpokenWord]
    package var probability: Float
  }

  /// The sequences that are followed.
  package var beamWidth = 24
  /// Classes less likely than this begin no word.
  package var leastProbability: Float = 1e-3

  private struct Path {
    var labels: [UInt8]
    var grammar: NumberGrammar
    var endsInBlank: Double
    var endsInWord: Double
    var total: Double { endsInBlank + endsInWord }
  }

  package init() {}

  /// All numbers that were found, the likeliest first, of equal ones the smaller; their probabilities sum
  /// to no more than 1.
  ///
  /// - Parameter probabilities: for each step one for each class of `SpeechClass`.
  /// - Precondition: the number of probabilities is a multiple of the classes.
  package func findings(in probabilities: [Float]) -> [Finding] {
    let classCount = SpeechClass.count
    precondition(probabilities.count.isMultiple(of: classCount), "a probability for each class")
    var paths = [Path(labels: [], grammar: NumberGrammar(), endsInBlank: 1, endsInWord: 0)]
    for step in 0..<probabilities.count / classCount {
      let p = probabilities[step * classCount..<(step + 1) * classCount]
      advance(&paths, Array(p))
    }
    let sum = paths.reduce(0) { $0 + $1.total }
    guard sum > 0 else { return [] }
    var byValue: [Int: (total: Double, best: Double, words: [SpokenWord])] = [:]
    for path in paths {
      guard path.total > 0, let value = path.grammar.value else { continue }
      let words = path.labels.compactMap { SpeechClass.word(Int($0)) }
      var entry = byValue[value] ?? (0, 0, words)
      entry.total += path.total
      if path.total > entry.best { (entry.best, entry.words) = (path.total, words) }
      byValue[value] = entry
    }
    return byValue.map { (value, entry) in
      Finding(value: value, words: entry.words, probability: Float(entry.total / sum))
    }.sorted {
      $0.probability != $1.probability ? $0.probability > $1.probability : $0.value < $1.value
    }
  }

  private func advance(_ paths: inout [Path], _ p: [Float]) {
    var next: [Path] = []
    var places: [[UInt8]: Int] = [:]
    func add(
      _ labels: [UInt8], _ grammar: NumberGrammar, blank: Double, word: Double
    ) {
      if let place = places[labels] {
        next[place].endsInBlank += blank
        next[place].endsInWord += word
      } else {
        places[labels] = next.count
        next.append(Path(labels: labels, grammar: grammar, endsInBlank: blank, endsInWord: word))
      }
    }
    let candidates = (1..<p.count).filter { p[$0] >= leastProbability }
    for path in paths {
      let stays = path.labels.last.map { path.endsInWord * Double(p[Int($0)]) } ?? 0
      add(
        path.labels, path.grammar, blank: path.total * Double(p[SpeechClass.blank]), word: stays)
      for candidate in candidates {
        let isRepeated = path.labels.last.map { Int($0) == candidate } ?? false
        let weight = (isRepeated ? path.endsInBlank : path.total) * Double(p[candidate])
        guard weight > 0 else { continue }
        var grammar = path.grammar
        grammar.append(SpeechClass.word(candidate))
        // Sequences that can no longer be a number differ only in what they end with.
        let labels =
          grammar.isDead
          ? [UInt8(SpeechClass.other), UInt8(candidate)] : path.labels + [UInt8(candidate)]
        add(labels, grammar, blank: 0, word: weight)
      }
    }
    next.sort { $0.total > $1.total }
    if next.count > beamWidth { next.removeLast(next.count - beamWidth) }
    // Long sounds would underflow.
    let scale = next.first.map { $0.total > 0 ? 1 / $0.total : 1 } ?? 1
    for index in next.indices {
      next[index].endsInBlank *= scale
      next[index].endsInWord *= scale
    }
    paths = next
  }
}
