internal import DiceFiles

/// What people and the parser know about an option.
package struct OptionDescription: Sendable {
  /// The name without its dashes.
  package var name: String
  /// What stands for the value in a usage line; nil for a switch, which takes none.
  package var valueName: String?
  /// What the option does: sentences.
  package var summary: String
  /// What happens without the option, as text; nil where the summary says it.
  package var defaultText: String?
  /// What a value must be, to go on after "must be".
  package var requirement: String
  /// The values, where there are only some.
  package var choices: [String]
  /// Words that mean something where other texts, such as paths, are values as well.
  package var knownWords: [String] = []
  /// Whether the option may be given several times.
  package var isRepeatable: Bool
  /// Whether the help leaves the option out.
  package var isHidden: Bool
  /// Whether a value is one that the option takes.
  package var accepts: @Sendable (String) -> Bool

  /// The option as it is written: `--name`.
  package var spelling: String { "--\(name)" }

  /// The option with its value as it is written: `--name VALUE`.
  package var usage: String { valueName.map { "\(spelling) \($0)" } ?? spelling }
}

/// An option that is there or not.
package struct Switch: Sendable {
  /// What people and the parser know about it.
  package let description: OptionDescription

  /// A switch.
  package init(_ name: String, _ summary: String, isHidden: Bool = false) {
    description = OptionDescription(
      name: name, valueName: nil, summary: summary, defaultText: nil, requirement: "",
      choices: [], isRepeatable: true, isHidden: isHidden, accepts: { _ in false })
  }
}

/// An option with a value.
package struct ValueOption<Value: Sendable>: Sendable {
  /// What people and the parser know about it.
  package var description: OptionDescription
  /// The value of a text; nil where the text is none.
  package let read: @Sendable (String) -> Value?

  /// An option whose values are read by a function.
  ///
  /// - Parameters:
  ///   - name: the name without its dashes.
  ///   - valueName: what stands for the value in a usage line.
  ///   - summary: what the option does: sentences.
  ///   - defaultText: what happens without the option.
  ///   - requirement: what a value must be, to go on after "must be".
  ///   - choices: the values, where there are only some.
  ///   - isRepeatable: whether the option may be given several times.
  ///   - read: the value of a text; nil where the text is none.
  package init(
    _ name: String, _ valueName: String, _ summary: String, default defaultText: String? = nil,
    requirement: String, choices: [String] = [], isRepeatable: Bool = false,
    read: @escaping @Sendable (String) -> Value?
  ) {
    self.read = read
    description = OptionDescription(
      name: name, valueName: valueName, summary: summary, defaultText: defaultText,
      requirement: requirement, choices: choices, isRepeatable: isRepeatable, isHidden: false,
      accepts: { read($0) != nil })
  }
}

extension ValueOption where Value == String {
  /// An option with any text that is not empty, such as a path.
  package static func text(
    _ name: String, _ valueName: String, _ summary: String, default defaultText: String? = nil,
    isRepeatable: Bool = false, knownWords: [String] = []
  ) -> Self {
    var option = Self(
      name, valueName, summary, default: defaultText, requirement: OptionDescription.anyText,
      isRepeatable: isRepeatable
    ) { $0.isEmpty ? nil : $0 }
    option.description.knownWords = knownWords
    return option
  }
}

extension ValueOption where Value == Int {
  /// An option with a whole number.
  package static func integer(
    _ name: String, _ valueName: String, in range: ClosedRange<Int>, multipleOf factor: Int = 1,
    _ summary: String, default defaultText: String? = nil
  ) -> Self {
    let kind = factor == 1 ? "a whole number" : "a multiple of \(factor)"
    return Self(
      name, valueName, summary, default: defaultText,
      requirement: "\(kind) from \(range.lowerBound) to \(range.upperBound)"
    ) { text in
      guard let value = NumberText.integer(text), range.contains(value),
        value.isMultiple(of: factor)
      else { return nil }
      return value
    }
  }
}

extension ValueOption where Value == Double {
  /// An option with a number from a range; the lowest number itself may be left out.
  package static func number(
    _ name: String, _ valueName: String, in range: ClosedRange<Double>,
    excludesLowerBound: Bool = false, _ summary: String, default defaultText: String? = nil
  ) -> Self {
    let lower = NumberText.short(range.lowerBound)
    let upper = NumberText.short(range.upperBound)
    return Self(
      name, valueName, summary, default: defaultText,
      requirement: excludesLowerBound
        ? "a number above \(lower), at most \(upper)" : "a number from \(lower) to \(upper)"
    ) { text in
      // What is above the lowest number has to be above it in single precision, too.
      guard let value = NumberText.number(text), range.contains(value),
        !excludesLowerBound || Float(value) > Float(range.lowerBound)
      else { return nil }
      return value
    }
  }
}

extension ValueOption {
  /// An option with one of some words, each standing for a value.
  ///
  /// - Parameter placeholder: Stands for the value in the help; without it, all words do.
  package static func choice(
    _ name: String, _ choices: [(word: String, value: Value)], placeholder: String? = nil,
    _ summary: String, default defaultText: String? = nil
  ) -> Self {
    let words = choices.map { $0.word }
    return Self(
      name, placeholder ?? words.joined(separator: "|"), summary, default: defaultText,
      requirement: NumberText.alternatives(words), choices: words
    ) { text in
      for choice in choices where choice.word == text { return choice.value }
      return nil
    }
  }
}
