/// What the program was asked for.
struct Options: Hashable {
  /// Why a call is wrong.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  static let usage = """
    Call it as: DiceGame [OPTIONS] [FILM...]

    Pass-the-dice Pig with real dice. FILM is a film of throws: YUV4MPEG2, motion JPEG, a folder of
    numbered pictures, or - for a camera's on standard input. Without one, the computer throws for
    everybody. Return holds (and throws, where the computer throws).

      --players A,B,...  who plays, 1 to 8 names                      (Ada,Ben)
      --computer         the computer plays as well, with its own dice
      --target N         the points that win, 1 to 10000              (100)
      --hold-at N        everybody holds at so many points of a turn  (when they say so)
      --dice N           how many dice the computer throws, 1 to 6    (1)
      --seed N           where the computer's luck begins             (a new one each time)
      --plain            no drawn dice
    """

  var names = ["Ada", "Ben"]
  var hasComputer = false
  var target = 100
  var holdsAt: Int? = nil
  var diceCount = 1
  var seed: UInt64? = nil
  var isPlain = false
  var asksForHelp = false
  var films: [String] = []

  /// Reads the arguments behind the program's name.
  init(_ arguments: some Sequence<String>) throws(Mistake) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": asksForHelp = true
      case "--plain": isPlain = true
      case "--computer": hasComputer = true
      case "--players":
        names = try Self.value(of: argument, &rest).split(separator: ",").map(String.init)
        guard (1...8).contains(names.count) else {
          throw Mistake(description: "--players takes 1 to 8 names with commas between them.")
        }
      case "--target": target = try Self.number(of: argument, in: 1...10_000, &rest)
      case "--hold-at": holdsAt = try Self.number(of: argument, in: 1...10_000, &rest)
      case "--dice": diceCount = try Self.number(of: argument, in: 1...6, &rest)
      case "--seed": seed = UInt64(try Self.number(of: argument, in: 0...Int.max, &rest))
      case "-": films.append(argument)
      case _ where argument.hasPrefix("-"):
        throw Mistake(description: "\(argument) is no option.")
      default: films.append(argument)
      }
    }
  }

  /// Who plays, and how each of them decides.
  var players: [(name: String, kind: Player)] {
    var players = names.map { (name: $0, kind: Player.person(holdsAt: holdsAt)) }
    if hasComputer { players.append((name: "Computer", kind: .computer(holdsAt: holdsAt ?? 20))) }
    return players
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(Mistake) -> String {
    guard let value = rest.popFirst() else {
      throw Mistake(description: "\(option) needs a value.")
    }
    return value
  }

  private static func number(
    of option: String, in range: ClosedRange<Int>, _ rest: inout ArraySlice<String>
  ) throws(Mistake) -> Int {
    let text = try value(of: option, &rest)
    guard let number = Int(text), range.contains(number) else {
      throw Mistake(
        description:
          "\(option) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text).")
    }
    return number
  }
}
