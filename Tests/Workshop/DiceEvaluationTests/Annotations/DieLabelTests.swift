import DiceEvaluation
import TestSupport
import Testing

struct DieLabelTests {
  static let meanings: [(name: String, label: String)] = [
    ("1", "1"), ("6", "6"), ("one", "1"), ("Six", "6"), ("dice-3", "3"), ("dice_3", "3"),
    ("Dice 3", "3"), ("dice3", "3"), ("d6_5", "5"), ("D6-five", "5"), ("w6 2", "2"), ("die.4", "4"),
    ("4pips", "4"), ("two dots", "2"), ("top-face-6", "6"), ("value:1", "1"), ("class 3", ""),
    ("?", "?"), ("unreadable", "?"), ("dice_unknown", "?"), ("Label 2", "2"),
  ]

  @Test(arguments: meanings)
  func namesOfOtherProgramsBecomeValues(name: String, label: String) {
    expectEqual(DieLabel.label(named: name), (label.isEmpty ? nil : label))
  }

  @Test(arguments: [
    "", "0", "7", "10", "12", "table", "dice", "d6", "d20", "d20-3", "d12_4", "d65", "3-4", "3 3",
    "1.0", "-", "seven", "onetwo", "drei", "würfel 3", "３", "dice\u{301}3 four",
    String(repeating: "dice ", count: 20) + "3",
  ])
  func otherNamesAreNoValues(_ name: String) {
    expectEqual(DieLabel.label(named: name), nil)
  }
}
