/// The names of a network's classes and the numbers that they stand for.
struct ClassLabels: Hashable, Sendable {
  let names: [String]
  let values: [Int]

  init(_ names: [String]) {
    self.names = names
    var values: [Int] = []
    for (index, name) in names.enumerated() {
      values.append(Self.value(of: name) ?? index + 1)
    }
    self.values = values
  }

  /// The integer that a name spells: digits with or without a minus sign, nine digits at most.
  private static func value(of name: String) -> Int? {
    let digitCount = name.utf8.count - (name.utf8.first == UInt8(ascii: "-") ? 1 : 0)
    guard digitCount <= 9, name.utf8.first != UInt8(ascii: "+") else { return nil }
    return Int(name)
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
