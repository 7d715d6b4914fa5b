internal import DiceRolls

/// The names of a network's classes and the numbers that they stand for.
struct ClassLabels: Hashable, Sendable {
  let names: [String]
  let values: [Int]
  /// The kinds of dice that the names tell; a name that tells none is one of six sides.
  let kinds: Set<DieKind>
  /// Which classes may be reported; nil for all.
  let isCounted: [Bool]?
  /// Which classes are faces of dice with eight sides or more; nil where none is.
  let isManySided: [Bool]?
  /// Whether the names are those of taught faces, the last one that of an unknown face.
  let areTaught: Bool

  init(_ names: [String], kinds: Set<DieKind>? = nil) {
    self.names = names
    let faces = names.map { DieFace(label: $0) }
    var values: [Int] = []
    var known: Set<DieKind> = []
    for (index, face) in faces.enumerated() {
      values.append(face?.value ?? index + 1)
      known.insert(face?.kind ?? .d6)
    }
    self.values = values
    self.kinds = known
    isCounted = kinds.map { kinds in faces.map { kinds.contains($0?.kind ?? .d6) } }
    let isManySided = faces.map { ($0?.kind ?? .d6) > .d6 }
    self.isManySided = isManySided.contains(true) ? isManySided : nil
    areTaught = false
  }

  /// The names of taught faces with what they count; that of an unknown face is added.
  init(taught names: [String], values: [Int]) {
    self.names = names + [FaceSet.unknownLabel]
    self.values = values + [0]
    kinds = [.d6]
    isCounted = nil
    isManySided = nil
    areTaught = true
  }

  /// The classes from the most to the least likely; by index where two are equally likely.
  func ranked(_ probabilities: ArraySlice<Float>) -> [ClassificationLabel] {
    var labels: [ClassificationLabel] = []
    labels.reserveCapacity(names.count)
    // Insertion keeps the order of equals; there are few classes, and mostly one that matters.
    for index in 0..<names.count {
      let label = ClassificationLabel(
        identifier: names[index], confidence: probabilities[probabilities.startIndex + index],
        value: areTaught && index < names.count - 1 ? values[index] : nil)
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
