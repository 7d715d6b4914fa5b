internal import DiceFiles
internal import DiceGameKit

/// What a player has typed.
enum PlayLine: Hashable {
  case nothing
  case number(Int)
  /// Several numbers: what the dice show.
  case dice([Int])
  /// The dice were read wrongly, and show these.
  case revised([Int])
  case operation(ArithmeticOperation)
  case undo
  case restart
  case clear
  case board
  case outlook
  case help
  case quit
  case unknown(String)

  /// What can be typed, for people.
  static let helpLines = [
    "a number: the answer",
    "5 2: what the dice show, if they are typed",
    "dice 5 2: what the dice show, if they were read wrongly",
    "+, -, x: only the sum, the difference or the product counts now",
    "undo, new, clear: takes the last step back, begins again, takes the dice away",
    "board, who: the board, and who can win with what",
    "quit: the end",
  ]

  init(_ line: String) {
    let words = line.lowercased().split { $0 == " " || $0 == "," || $0 == "\t" }.map { String($0) }
    guard let first = words.first else {
      self = .nothing
      return
    }
    // Sixty-four dice are the most that a question has.
    let numbers = words.prefix(ArithmeticQuestion.diceLimit + 1).compactMap(NumberText.integer)
    if numbers.count == words.count {
      self = numbers.count == 1 ? .number(numbers[0]) : .dice(numbers)
      return
    }
    if first == "dice", numbers.count == words.count - 1, !numbers.isEmpty {
      self = .revised(numbers)
      return
    }
    guard words.count == 1 else {
      self = .unknown(line)
      return
    }
    switch first {
    case "+", "sum", "add": self = .operation(.sum)
    case "-", "−", "difference", "subtract": self = .operation(.difference)
    case "x", "*", "×", "product", "multiply": self = .operation(.product)
    case "undo", "u": self = .undo
    case "new", "n", "restart": self = .restart
    case "clear", "c": self = .clear
    case "board", "b": self = .board
    case "who", "w": self = .outlook
    case "help", "h", "?": self = .help
    case "quit", "q", "exit": self = .quit
    default: self = .unknown(line)
    }
  }
}
