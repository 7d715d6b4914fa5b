internal import DiceFiles

/// Numbers on the command line that stand for a range: `3`, or `3-8`.
enum NumberRange {
  /// The range that a text stands for; nil where it is none.
  static func read(_ text: String) -> ClosedRange<Double>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let first = NumberText.number(String(parts[0])),
      let last = NumberText.number(String(parts[parts.count - 1])), first <= last
    else { return nil }
    return first...last
  }
}
