/// What the names of other programs' categories mean: `dice-3`, `d6_5`, `One` and the like.
///
/// 1. A name is taken apart, in small letters, at all that is no letter A to Z and no digit, and
///    between letters and digits. `d6` and `w6` stay whole.
/// 2. Words that only say that it is about dice are left out: `d6`, `w6`, `die`, `dice`, `dot`,
///    `dots`, `eye`, `eyes`, `face`, `label`, `number`, `pip`, `pips`, `side`, `top`, `value`.
/// 3. If one word is left, and it is `1` to `6` or `one` to `six`, that is the value. If it is
///    `unknown` or `unreadable`, the die is one that nobody can read. So is `?` alone.
///
/// Everything else, such as `table`, `dice`, `d20-3` or `3-4`, is no value.
public enum DieLabel {
  /// The label of a die that nobody can read.
  public static let unreadable = "?"
  /// The labels of dice, in the order of their values.
  public static let values = ["1", "2", "3", "4", "5", "6"]

  private static let numerals = ["one", "two", "three", "four", "five", "six"]
  private static let fillers: Set<String> = [
    "d6", "w6", "die", "dice", "dot", "dots", "eye", "eyes", "face", "label", "number", "pip",
    "pips", "side", "top", "value",
  ]
  /// Longer names are not looked into.
  private static let byteLimit = 64

  /// The label that a name stands for, `"1"` to `"6"` or `"?"`; nil where it is none.
  public static func label(named name: String) -> String? {
    if name == unreadable { return unreadable }
    guard name.utf8.count <= byteLimit else { return nil }
    let words = words(of: name).filter { !fillers.contains($0) }
    guard words.count == 1 else { return nil }
    if values.contains(words[0]) { return words[0] }
    if words[0] == "unknown" || words[0] == "unreadable" { return unreadable }
    return numerals.firstIndex(of: words[0]).map { values[$0] }
  }

  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var run: [UInt8] = []
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    func finish() {
      guard !run.isEmpty else { return }
      let word = String(decoding: run, as: UTF8.self)
      if word == "d6" || word == "w6" {
        words.append(word)
      } else {
        // Between letters and digits.
        var part: [UInt8] = []
        for byte in run {
          if let last = part.last, isDigit(last) != isDigit(byte) {
            words.append(String(decoding: part, as: UTF8.self))
            part = []
          }
          part.append(byte)
        }
        words.append(String(decoding: part, as: UTF8.self))
      }
      run = []
    }
    for byte in name.utf8 {
      switch byte {
      case 0x30...0x39, 0x61...0x7A: run.append(byte)
      case 0x41...0x5A: run.append(byte | 0x20)
      // Letters beyond ASCII belong to words that are not known.
      case 0x80...: run.append(byte)
      default: finish()
      }
    }
    finish()
    return words
  }
}

extension AnnotatedImage {
  /// The picture with its labels as dice have them, where their names mean that.
  ///
  /// - Parameter known: labels that stay as they are.
  func namingDice(known: Set<String>) -> AnnotatedImage {
    var result = self
    for index in objects.indices where !known.contains(objects[index].label) {
      if let label = DieLabel.label(named: objects[index].label) {
        result.objects[index].label = label
      }
    }
    return result
  }
}
