internal import DiceRolls

/// The names of a network's classes and the numbers that they stand for.
struct ClassLabels: Hashable, Sendable {
  let names: [String]
  let values: [Int]
  /// Which classes may be reported; nil for all.
  let isCounted: [Bool]?

  init(_ names: [String], kinds: Set<DieKind>? = nil) {
    self.names = names
    isCounted = kinds.map { kinds in
      names.map { kinds.contains(DieFace(label: $0)?.kind ?? .d6) }
    }
    var values: [Int] = []
    for (index, name) in names.enumerated() {
      values.append(DieFace(label: name)?.value ?? index + 1)
    }
    self.values = values
  }

  /// The classes from the most to the least likely; by index where two are equally likely.
  func ranked(_ probabilities: ArraySlice<Float>) -> [ClassificationLabel] {
    var labels: [ClassificationLabel] = []
    labels.reserveCapacity(names.count)
    // Insertion keeps the order of equals; there are few classes, and mostly one that matters.
    for index in 0..<names.count {
      let label = ClassificationLabel(
        identifier: names[index], confidence: probabilities[probabilities.startIndex + index])
      labels.append(label)
      var place = index
      while place > 0, labels[place - 1].confidence < label.confidence {
        labels[place] = labels[place - 1]
        place -= 1
      }
      labels[place] = label
    }
    return labels
  }
}
